"""The models of tests/models/zoo.py as benchmarks use them. No model is defined here."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "models"))

DTYPES = ("f32", "bf16")


def names() -> list[str]:
    import zoo

    return list(zoo.MODELS)


def make(name: str, dtype: str = "f32") -> tuple[Any, tuple[Any, ...]]:
    """`(module, arguments)`, floating-point parameters, buffers and arguments in `dtype`."""
    import torch
    import zoo

    model, arguments = zoo.make(name)
    if dtype == "bf16":
        model = model.to(torch.bfloat16)
        arguments = tuple(a.to(torch.bfloat16) if a.is_floating_point() else a for a in arguments)
    return model, arguments
