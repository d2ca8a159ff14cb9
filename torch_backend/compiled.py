"""`torch_ge.compile(model, *args)`: a compiled model that is called with the user's inputs, without Dynamo.

The model is captured by torch.export (one graph, no decompositions beyond functionalisation) and goes through the same
importer, passes and runtime as a graph of torch.compile. Guards are replaced by one check of dtype and shape a tensor.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import torch
from torch.export.graph_signature import InputKind, OutputKind
from torch.utils._python_dispatch import _disable_current_modes
from torch.utils._pytree import tree_flatten, tree_unflatten

from . import _C, decompositions, report
from .config import CompilerConfig


class DirectModel(_C.DirectCall):
    """A compiled model. Call it like the model itself; state that the model changes (buffers) is changed in place.

    Parameters and buffers are those of the model at compile time: writing to them is seen, replacing the objects is not.
    Inputs must have the dtypes and shapes of the example inputs; others raise ValueError.
    """

    _boxed_call = False

    def __init__(self, native: Any, state: list[Any], in_spec: Any, out_spec: Any, examples: list[Any]) -> None:
        plain = in_spec.num_leaves == len(in_spec.child(0).children()) and in_spec.child(1).num_leaves == 0
        plain = plain and out_spec.is_leaf() and all(isinstance(e, torch.Tensor) for e in examples)
        super().__init__(native, state, examples if plain else [], plain, out_spec.is_leaf())
        self._native = native
        self._state = state
        self._in_spec = in_spec
        self._out_spec = out_spec
        self._examples = [(e.dtype, e.shape) if isinstance(e, torch.Tensor) else e for e in examples]

    @property
    def report(self) -> dict[str, Any]:
        """What compilation did; `torch_ge.explain(model)` presents it."""
        return dict(self._native.report)

    @property
    def text(self) -> str:
        """The optimised graph as text."""
        return str(self._native.text)

    def refresh(self) -> None:
        """Forgets all constants made from weights; the next call makes them anew."""
        self._native.refresh()

    def _check(self, position: int, value: Any, example: Any) -> None:
        if isinstance(value, torch.Tensor) and isinstance(example, tuple):
            found = f"{value.dtype} {tuple(value.shape)}"
            expected = f"{example[0]} {tuple(example[1])}"
            hint = "compile for that shape, or use torch.compile"
            raise ValueError(f"input {position}: compiled for a tensor of {expected}, got {found}; {hint}")
        raise ValueError(f"input {position}: compiled for {example!r}, got {value!r}; numbers and strings are part of the compiled graph")

    def _call(self, *args: Any, **kwargs: Any) -> Any:
        """Any call that the native part does not take: keyword arguments, containers, numbers, and inputs that do not fit."""
        flat, spec = tree_flatten((args, kwargs))
        if spec != self._in_spec:
            raise ValueError(f"inputs have another structure than the example inputs: expected {self._in_spec}, got {spec}")
        for position, (value, example) in enumerate(zip(flat, self._examples, strict=True)):
            if isinstance(value, torch.Tensor):
                if not isinstance(example, tuple) or value.dtype is not example[0] or value.shape != example[1]:
                    self._check(position, value, example)
            elif type(value) is not type(example) or value != example:
                self._check(position, value, example)
        with torch.no_grad():
            out = self._native([*self._state, *flat])
        return tree_unflatten(out, self._out_spec)


def _state_tensor(model: torch.nn.Module, program: Any, spec: Any) -> Any:
    if spec.kind == InputKind.PARAMETER:
        return model.get_parameter(spec.target)
    if spec.kind == InputKind.BUFFER:
        return model.get_buffer(spec.target)
    return program.constants[spec.target]


def compile(model: torch.nn.Module, *args: Any, options: Mapping[str, Any] | None = None, **kwargs: Any) -> DirectModel:
    """Compiles `model` for inputs like `args` and `kwargs`, for inference (no gradients).

    Raises what torch.export raises where the model is not one graph, and ValueError for a wrong option.
    """
    config = CompilerConfig.from_torch(options, None)
    with torch.no_grad():
        program = torch.export.export(model, args, kwargs or None, strict=False).run_decompositions(dict(decompositions.EXPORT))
    gm = program.graph_module
    signature = program.graph_signature
    placeholders = {n.name: n for n in gm.graph.nodes if n.op == "placeholder"}
    state: list[Any] = []
    weights: list[int] = []
    targets = {}
    mutations = (OutputKind.BUFFER_MUTATION, OutputKind.USER_INPUT_MUTATION, OutputKind.PARAMETER_MUTATION)
    written = {s.target for s in signature.output_specs if s.kind in mutations}
    returned = set(gm.graph.output_node().all_input_nodes)
    for position, spec in enumerate(signature.input_specs):
        if spec.kind == InputKind.USER_INPUT:
            targets[spec.arg.name] = spec.arg.name
            continue
        if spec.kind not in (InputKind.PARAMETER, InputKind.BUFFER, InputKind.CONSTANT_TENSOR):
            found = f"model input {spec.arg.name} is a {spec.kind.name}"
            raise NotImplementedError(f"torch_ge.compile: {found}; use torch.compile(backend='ge')")
        targets[spec.target] = spec.arg.name
        state.append(_state_tensor(model, program, spec))
        if spec.target not in written and placeholders[spec.arg.name] not in returned:
            weights.append(position)

    # State changes become writes inside the graph, as torch.compile delivers them.
    output = gm.graph.output_node()
    results = []
    with gm.graph.inserting_before(output):
        for node, spec in zip(output.args[0], signature.output_specs, strict=True):  # type: ignore[arg-type]
            if spec.kind == OutputKind.USER_OUTPUT:
                results.append(node)
            elif spec.target in targets:
                write = gm.graph.call_function(torch.ops.aten.copy_.default, (placeholders[targets[spec.target]], node))
                write.meta["val"] = placeholders[targets[spec.target]].meta["val"]
            else:
                raise NotImplementedError(f"torch_ge.compile: output {spec.arg} is a {spec.kind.name}")
    output.args = (tuple(results),)
    with _disable_current_modes():
        native = _C.compile_fx(gm, config.as_text(), weights)
    examples, in_spec = tree_flatten((args, kwargs))
    direct = DirectModel(native, state, in_spec, program.call_spec.out_spec, examples)
    report.register(direct, native.report)
    return direct


def refresh(compiled: Any) -> None:
    """Makes every constant that was made from weights anew at the next call. `compiled`: from torch.compile or `compile`.

    Only needed after writes that no check sees: docs/architecture.md, "Weights".
    """
    if isinstance(compiled, DirectModel):
        compiled.refresh()
        return
    for graph in report.callables_of(compiled):
        graph.refresh()
