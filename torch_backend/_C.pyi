"""The native part of torch_ge (torch_backend/csrc/module.cc)."""

from collections.abc import Mapping
from typing import Any

import torch

class CompiledModel:
    """A compiled graph. Called with one list of inputs, which it empties; returns the list of outputs."""

    _boxed_call: bool
    def __call__(self, inputs: list[Any], /) -> list[Any]: ...
    @property
    def report(self) -> dict[str, Any]:
        """What compilation did; torch_ge.report.GraphReport wraps it."""
    @property
    def text(self) -> str:
        """The optimised graph as text."""
    @property
    def weight_builds(self) -> int:
        """How often the constant stage has run, in full or in part."""
    @property
    def weight_tasks_run(self) -> int:
        """How many nodes the constant stage has run in all."""
    @property
    def weight_sets(self) -> int:
        """How many weight sets are kept now."""
    def refresh(self) -> None:
        """Forgets all constants made from weights; the next call makes them anew."""

class DirectCall:
    """A compiled graph with its state. A call with tensors like the examples runs it under no_grad; any other goes to `_call`.

    `state`: the first inputs of `native`. `examples`: tensors (dtype and shape count) where `plain`: the inputs are tensors,
    positional, in no containers. `single`: one output, returned as it is, else a list.
    """

    def __init__(self, native: CompiledModel, state: list[torch.Tensor], examples: list[Any], plain: bool, single: bool, /) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

def compile_fx(gm: torch.fx.GraphModule, options: Mapping[str, str], weights: list[int], strict_inputs: bool = True) -> CompiledModel:
    """Compiles a functional graph (after AOTAutograd). `weights`: placeholder positions that hold weights.
    `strict_inputs`: a call checks every input's dtype and shape."""

def import_text(gm: torch.fx.GraphModule, strict: bool = True) -> str:
    """The imported graph as text, before any pass."""

def build_info() -> dict[str, Any]: ...
def start_trace() -> None:
    """Begins a trace of all calls in the process; RuntimeError if one is running."""

def stop_trace() -> str:
    """Ends it; returns its JSON."""

def list_passes() -> list[str]: ...
def advance_optimizer_epoch() -> None:
    """Called after each optimizer step; torch_backend/csrc/weights.h says why."""

def aten_rows() -> list[tuple[str, str]]:
    """All (operator, ATen row) pairs of the operator table."""
