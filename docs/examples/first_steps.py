import torch
import torch_ge

model = torch.nn.Sequential(torch.nn.Linear(64, 64), torch.nn.GELU(), torch.nn.LayerNorm(64), torch.nn.Linear(64, 8)).eval()
x = torch.randn(4, 64)
with torch.no_grad():
    compiled = torch.compile(model, backend="ge")
    print((compiled(x) - model(x)).abs().max())
    print(torch_ge.explain(compiled))
