"""Resident memory does not grow with rounds of compiling, nor with calls, more than under aot_eager.

`pytest` runs a short form. `python tests/python/test_memory.py [rounds calls]` runs the full one (50 rounds, 10,000
calls) and prints the figures. Each measurement runs in a process of its own.
"""

import json
import os
import subprocess
import sys

import pytest


def resident_bytes():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def models():
    import torch.nn as nn

    mlp = nn.Sequential(nn.Linear(64, 64), nn.GELU(), nn.LayerNorm(64), nn.Linear(64, 64), nn.Tanh(), nn.Linear(64, 8))
    cnn = nn.Sequential(
        nn.Conv2d(3, 16, 3),
        nn.BatchNorm2d(16),
        nn.ReLU(),
        nn.MaxPool2d(2),
        nn.Conv2d(16, 16, 3),
        nn.AdaptiveAvgPool2d(1),
        nn.Flatten(),
        nn.Linear(16, 4),
    )
    return (mlp.eval(), (4, 64)), (cnn.eval(), (2, 3, 24, 24))


def measure(backend, rounds, calls):
    """Prints a JSON line: growth over the rounds and over the calls, and the process's size."""
    import gc

    import torch
    import torch._dynamo

    torch.manual_seed(0)
    torch.set_grad_enabled(False)
    torch.set_num_threads(1)
    cases = [(model, torch.randn(shape)) for model, shape in models()]

    def settled():
        gc.collect()
        return resident_bytes()

    def compile_round():
        for model, x in cases:
            torch.compile(model, backend=backend)(x)
        torch._dynamo.reset()

    for _ in range(max(3, rounds // 5)):  # caches of Dynamo and the allocator fill up first
        compile_round()
    start = settled()
    for _ in range(rounds):
        compile_round()
    by_rounds = settled() - start

    compiled = [(torch.compile(model, backend=backend), x) for model, x in cases]
    for _ in range(max(50, calls // 20)):
        for f, x in compiled:
            f(x)
    start = settled()
    for _ in range(calls):
        for f, x in compiled:
            f(x)
    print(json.dumps({"rounds": by_rounds, "calls": settled() - start, "resident": resident_bytes()}))


def run(backend, rounds, calls):
    command = [sys.executable, os.path.abspath(__file__), "--measure", backend, str(rounds), str(calls)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=1200)
    assert done.returncode == 0, done.stderr[-2000:]
    return json.loads(done.stdout.strip().splitlines()[-1])


def compare(backend, rounds, calls, slack=0.02):
    """The growth figures of both backends, and what is over the limit."""
    reference, found = run("aot_eager", rounds, calls), run(backend, rounds, calls)
    allowed = {key: max(reference[key], 0) + slack * found["resident"] for key in ("rounds", "calls")}
    over = {key: (found[key], allowed[key]) for key in allowed if found[key] > allowed[key]}
    return reference, found, over


@pytest.mark.skipif(not os.path.exists("/proc/self/statm"), reason="needs /proc")
def test_memory_does_not_grow(backend):
    reference, found, over = compare(backend, 6, 1000)
    assert not over, f"growth in bytes (found, allowed): {over}; aot_eager: {reference}, {backend}: {found}"


if __name__ == "__main__":
    if sys.argv[1:2] == ["--measure"]:
        measure(sys.argv[2], int(sys.argv[3]), int(sys.argv[4]))
    else:
        counts = [int(a) for a in sys.argv[1:]] or [50, 10_000]
        reference, found, over = compare(os.environ.get("GE_TEST_BACKEND", "ge"), *counts)
        for name, row in (("aot_eager", reference), ("this", found)):
            print(f"{name:10s}" + "  ".join(f"{key} {value / 2**20:8.1f} MiB" for key, value in row.items()))
        sys.exit(f"grows too much: {over}" if over else 0)
