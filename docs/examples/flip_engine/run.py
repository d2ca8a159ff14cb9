"""Places torch.flip on the sample engine: python docs/examples/flip_engine/run.py build-flip/libflip_engine.so."""

import sys

import torch
import torch_ge


def turned(x: torch.Tensor) -> torch.Tensor:
    return torch.flip(x, [-1]) + torch.flip(x, [0])


x = torch.arange(12.0).reshape(3, 4)
with torch.no_grad():
    compiled = torch.compile(turned, backend="ge", options={"ge.engines.path": sys.argv[1]})
    assert torch.equal(compiled(x), turned(x))
    report = torch_ge.explain(compiled)
    print(report)
    for node in report.graphs[0].nodes:
        if node.type == "ReverseV2":
            print(node.why())
