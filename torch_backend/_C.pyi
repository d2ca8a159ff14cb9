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

def compile_fx(gm: torch.fx.GraphModule, options: Mapping[str, str], weights: list[int], strict_inputs: bool = True) -> CompiledModel:
    """Compiles a functional graph (after AOTAutograd). `weights`: placeholder positions that hold weights.
    `strict_inputs`: a call checks every input's dtype and shape."""

def import_text(gm: torch.fx.GraphModule, strict: bool = True) -> str:
    """The imported graph as text, before any pass."""

def build_info() -> dict[str, Any]: ...
def list_passes() -> list[str]: ...
def advance_optimizer_epoch() -> None:
    """Called after each optimizer step; torch_backend/csrc/weights.h says why."""

def aten_rows() -> list[tuple[str, str]]:
    """All (operator, ATen row) pairs of the operator table."""
