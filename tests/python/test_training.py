"""Twenty optimizer steps of three models follow eager's losses, with the same seeds and random numbers."""

import copy

import pytest
import torch
import torch.nn as nn
import torch.nn.functional as F

STEPS = 20


class Convolutional(nn.Module):
    """Batch norm and dropout: statistics are written and random numbers drawn at every step."""

    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(
            nn.Conv2d(3, 8, 3, padding=1),
            nn.BatchNorm2d(8),
            nn.ReLU(),
            nn.MaxPool2d(2),
            nn.Dropout(0.2),
            nn.Conv2d(8, 8, 3),
            nn.BatchNorm2d(8),
            nn.ReLU(),
        )
        self.head = nn.Linear(8, 5)

    def forward(self, x):
        return self.head(self.body(x).mean((2, 3)))

    @staticmethod
    def batch(generator):
        return torch.randn(8, 3, 8, 8, generator=generator), torch.randint(0, 5, (8,), generator=generator)


class Transformer(nn.Module):
    def __init__(self):
        super().__init__()
        self.embedding = nn.Embedding(20, 16)
        self.layer = nn.TransformerEncoderLayer(16, 2, 32, dropout=0.1, batch_first=True)
        self.head = nn.Linear(16, 5)

    def forward(self, tokens):
        return self.head(self.layer(self.embedding(tokens)).mean(1))

    @staticmethod
    def batch(generator):
        return torch.randint(0, 20, (8, 6), generator=generator), torch.randint(0, 5, (8,), generator=generator)


class Recurrent(nn.Module):
    def __init__(self):
        super().__init__()
        self.cell, self.head = nn.GRUCell(6, 12), nn.Linear(12, 5)

    def forward(self, x):
        h = torch.zeros(x.shape[0], 12)
        for t in range(x.shape[1]):
            h = self.cell(x[:, t], h)
        return self.head(F.dropout(h, 0.1, self.training))

    @staticmethod
    def batch(generator):
        return torch.randn(8, 5, 6, generator=generator), torch.randint(0, 5, (8,), generator=generator)


OPTIMIZERS = {
    "sgd-fused": lambda p: torch.optim.SGD(p, lr=0.05, momentum=0.9, fused=True),
    "sgd-foreach": lambda p: torch.optim.SGD(p, lr=0.05, momentum=0.9, foreach=True),
    "adam-fused": lambda p: torch.optim.Adam(p, lr=3e-3, fused=True),
    "adam-foreach": lambda p: torch.optim.Adam(p, lr=3e-3, foreach=True),
}


def train(model, forward, make_optimizer):
    """The losses of STEPS steps, and the loss in eval mode after each fifth: weights move between those calls."""
    optimizer = make_optimizer(model.parameters())
    generator = torch.Generator().manual_seed(11)
    torch.manual_seed(12)
    losses = []
    for step in range(STEPS):
        inputs, target = model.batch(generator)
        loss = F.cross_entropy(forward(inputs), target)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
        if step % 5 == 4:
            model.eval()
            with torch.no_grad():
                losses.append(F.cross_entropy(forward(inputs), target).item())
            model.train()
    return losses


@pytest.mark.parametrize("kind", [Convolutional, Transformer, Recurrent])
def test_losses_follow_eager(kind, backend):
    torch.manual_seed(3)
    start = kind()
    compiled_model = copy.deepcopy(start)
    compiled = torch.compile(compiled_model, backend=backend)
    for name, make_optimizer in OPTIMIZERS.items():
        model = copy.deepcopy(start)
        compiled_model.load_state_dict(start.state_dict())
        expected = train(model, model, make_optimizer)
        random_state = torch.get_rng_state()
        found = train(compiled_model, compiled, make_optimizer)
        assert torch.equal(torch.get_rng_state(), random_state), name
        for step, (a, b) in enumerate(zip(expected, found, strict=True)):
            assert abs(a - b) <= 1e-4 * abs(a), f"{name}, loss {step}: {a} in eager, {b} compiled"
        moved = [not torch.equal(p, q) for p, q in zip(model.parameters(), start.parameters(), strict=True)]
        assert all(moved), f"{name}: a parameter got no update, so the comparison would not show a lost gradient"
        for (key, p), q in zip(model.named_parameters(), compiled_model.parameters(), strict=True):
            assert torch.allclose(p, q, rtol=1e-2, atol=1e-3), f"{name}: {key}"
