"""`no_fold(x)`: a user's way to keep the node that computes `x` as a computation."""

from __future__ import annotations

from typing import Any

import torch


@torch.library.custom_op("torch_ge::no_fold", mutates_args=(), device_types="cpu")
def _no_fold(x: torch.Tensor) -> torch.Tensor:
    # Only traced programs call it, whose operators must not return an operand. The ge backend does not run it: its importer
    # marks the node that computes x and hands x on.
    return x.clone()


@_no_fold.register_fake
def _(x: torch.Tensor) -> torch.Tensor:
    return x.clone()


def _backward(ctx: Any, grad: torch.Tensor) -> torch.Tensor:
    return grad


_no_fold.register_autograd(_backward)


@_no_fold.register_vmap
def _(info: Any, in_dims: tuple[int | None, ...], x: torch.Tensor) -> tuple[torch.Tensor, int | None]:
    return _no_fold(x), in_dims[0]


def no_fold(x: torch.Tensor) -> torch.Tensor:
    """Returns `x`, and keeps the compiler from computing it at compile time.

    In a compiled model the node that computes `x` gets the mark `_do_not_constant_folding`; where `x` is an input, a weight or
    a constant, it becomes a copy with that mark. So what is computed from `x` is not folded either. In eager it does nothing.
    `ge.fold.keep` does the same by node names, without a change of the model.
    """
    if torch.compiler.is_compiling():
        return torch.ops.torch_ge.no_fold(x)  # type: ignore[no-any-return]
    return x
