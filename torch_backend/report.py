"""Reports: what the compiler did with each graph of a model.

`explain(model, *args)` compiles and runs a model and returns a `Report`; `explain(compiled)` returns the report of what
a function from torch.compile, or a CompiledModel, consists of already. The data comes from the native library as plain
dicts (`GraphReport.from_dict`); this module only presents them.

How a compiled function finds its graphs: the native `CompiledModel` of each graph knows its own report. Dynamo stores
the wrapped callable in the globals of the code it generates, and keeps the generated code in cache entries of the
original code object; `_compiled_models` walks that path back.
"""

from __future__ import annotations

import contextlib
import dataclasses
import difflib
import functools
import gc
import re
import threading
from collections.abc import Iterator, Mapping, Sequence
from types import CellType, CodeType, FunctionType, MappingProxyType, MethodType
from typing import Any

import torch


@dataclasses.dataclass(frozen=True)
class Stage:
    """One stage of the pass pipeline: nodes before and after it, its time, and how many of those left each call computes."""

    name: str
    before: int
    after: int
    seconds: float
    compute: int = 0


@dataclasses.dataclass(frozen=True)
class PassSummary:
    """What one pass did over all stages: rules applied (a graph pass counts once a run), nodes made less removed, time."""

    changes: int
    nodes: int
    seconds: float


@dataclasses.dataclass(frozen=True)
class Change:
    """One change by a pass: a rule applied at a node, or a run of a graph pass that changed something (no node then)."""

    pass_name: str
    stage: str
    graph: str = ""
    node: str = ""
    location: str = ""

    def __str__(self) -> str:
        where = f" at node {self.node!r} of graph {self.graph!r}" if self.node else ""
        place = f", from {self.location}" if self.location else ""
        return f"pass {self.pass_name} in stage {self.stage}{where}{place}"


@dataclasses.dataclass(frozen=True)
class NodeReport:
    """One node of the compiled graph."""

    name: str
    type: str
    engine: str = ""
    location: str = ""
    notes: Sequence[str] = ()

    def why(self) -> str:
        """Why the node is as it is: what runs it, where it comes from, and which rules refused it and for what reason."""
        head = f"{self.name} = {self.type}" + (f" on {self.engine}" if self.engine else "")
        lines = [head + (f", from {self.location}" if self.location else "")]
        return "\n".join(lines + [f"  {note}" for note in self.notes])


@dataclasses.dataclass(frozen=True)
class GraphReport:
    """What became of one graph. Sizes are in bytes, times in seconds."""

    name: str = ""
    nodes_imported: int = 0
    compute_nodes: int = 0  # at each call; view and host nodes do not count
    weight_nodes: int = 0  # once a set of weights
    native_nodes: int = 0
    fallback_nodes: Mapping[str, int] = dataclasses.field(default_factory=dict)
    stages: Sequence[Stage] = ()
    passes: Mapping[str, PassSummary] = dataclasses.field(default_factory=dict)
    switched_off: Sequence[tuple[str, str, str]] = ()  # stage, pass, the option that did it
    folding_kernels: Sequence[tuple[int, str, int, float]] = ()  # level, operator, count, seconds
    gone: Mapping[str, str] = dataclasses.field(default_factory=dict)  # imported nodes that passes removed: name -> fate
    changes: Sequence[Change] = ()  # in order: change n is changes[n - 1]; ge.debug.maxChanges counts the same
    engines: Mapping[str, int] = dataclasses.field(default_factory=dict)  # tasks at each call
    engine_order: Sequence[str] = ()  # the order in which engines are asked to take a node
    tasks: int = 0
    no_task_nodes: int = 0  # views that never run: their result is planned memory of their operand
    arena_bytes: int = 0
    arena_lower_bound_bytes: int = 0
    weights_bytes: int = 0
    copies: int = 0
    seconds: Mapping[str, float] = dataclasses.field(default_factory=dict)
    nodes: Sequence[NodeReport] = ()
    notes: Sequence[str] = ()

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> GraphReport:
        """Builds a report from the native library's dict. Keys are the field names; missing ones keep their defaults."""
        known = {field.name for field in dataclasses.fields(cls)}
        unknown = sorted(set(data) - known)
        if unknown:
            raise ValueError(f"graph report: unknown keys {unknown}; expected some of {sorted(known)}")
        values = dict(data)
        values["stages"] = tuple(Stage(*stage) for stage in data.get("stages", ()))
        values["passes"] = {name: PassSummary(*row) for name, row in data.get("passes", {}).items()}
        values["changes"] = tuple(Change(*change) for change in data.get("changes", ()))
        values["nodes"] = tuple(NodeReport(**node) for node in data.get("nodes", ()))
        return cls(**values)

    @property
    def node_types(self) -> dict[str, int]:
        """How many nodes of each operator type are left; fallback nodes count under their own operator's name."""
        counts: dict[str, int] = {}
        for node in self.nodes:
            counts[node.type] = counts.get(node.type, 0) + 1
        return counts

    def node(self, name: str) -> NodeReport:
        """The node of that name; one that a pass removed says what became of it. Raises KeyError that names the nearest."""
        for node in self.nodes:
            if node.name == name:
                return node
        if name in self.gone:
            return NodeReport(name, "(gone)", notes=(self.gone[name],))
        near = difflib.get_close_matches(name, [*(node.name for node in self.nodes), *self.gone], n=3, cutoff=0.3)
        raise KeyError(f"graph {self.name!r} has no node {name!r}" + (f"; nearest: {', '.join(near)}" if near else ""))

    def __str__(self) -> str:
        fallbacks = sum(self.fallback_nodes.values())
        lines = [
            f"graph {self.name or '(unnamed)'}: {self.nodes_imported} nodes imported, {self.compute_nodes} compute nodes left, "
            f"{self.weight_nodes} nodes once a weight set, {self.native_nodes} native, {fallbacks} fallback; "
            f"{self.tasks} tasks, {self.copies} copies",
            f"  memory: arena {_size(self.arena_bytes)} (lower bound {_size(self.arena_lower_bound_bytes)}), "
            f"weights {_size(self.weights_bytes)}",
        ]
        if self.engines:
            lines.append("  engines: " + ", ".join(f"{name} {count}" for name, count in self.engines.items()))
        if self.no_task_nodes:
            lines.append(f"  views without a task: {self.no_task_nodes}")
        if self.engine_order:
            lines.append("  asked in this order: " + ", ".join(self.engine_order))
        if self.fallback_nodes:
            lines.append("  fallback: " + ", ".join(f"{kind} × {count}" for kind, count in self.fallback_nodes.items()))
        for stage in self.stages:
            lines.append(f"  stage {stage.name}: {stage.before} → {stage.after} nodes, {stage.seconds * 1e3:.1f} ms")
        if self.seconds:
            lines.append("  time: " + ", ".join(f"{phase} {value * 1e3:.1f} ms" for phase, value in self.seconds.items()))
        return "\n".join(lines + [f"  note: {note}" for note in self.notes])


def _size(count: int) -> str:
    for unit in ("B", "KiB", "MiB"):
        if count < 1024:
            return f"{count:.0f} {unit}" if unit == "B" else f"{count:.1f} {unit}"
        count /= 1024  # type: ignore[assignment]
    return f"{count:.1f} GiB"


@dataclasses.dataclass(frozen=True)
class Report:
    """The reports of all graphs of a model, in the order in which they were compiled."""

    graphs: Sequence[GraphReport] = ()

    def __str__(self) -> str:
        if not self.graphs:
            return "no graph: nothing was compiled by backend 'ge'"
        return "\n".join(map(str, self.graphs))

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        printer.text(str(self))


# ---- from a model to its graphs --------------------------------------------------------------------------------------

_lock = threading.Lock()
_collectors: list[list[Any]] = []


def register(compiled: Any, data: Mapping[str, Any]) -> None:
    """Tells the open collectors that `compiled`, a native CompiledModel, was made and what its report is."""
    with _lock:
        for collector in _collectors:
            collector.append(data)


@contextlib.contextmanager
def collecting() -> Iterator[list[Any]]:
    """Collects the reports, as dicts, of all graphs that are compiled inside, by any thread."""
    found: list[Any] = []
    with _lock:
        _collectors.append(found)
    try:
        yield found
    finally:
        with _lock:
            _collectors[:] = [c for c in _collectors if c is not found]


# What the wrappers that AOTAutograd and Dynamo put around a graph's callable are made of.
_WRAPPER_PARTS = (FunctionType, MethodType, CellType, MappingProxyType, functools.partial, dict, list, tuple)
_MOST_WRAPPER_PARTS = 20_000


def _is_native(value: Any) -> bool:
    """Whether `value` is a native CompiledModel. Tells it by its interface, so that nothing is loaded to ask."""
    return hasattr(type(value), "report") and hasattr(type(value), "_boxed_call")


def _unwrap(compiled: Any) -> Iterator[Any]:
    """The native compiled models that the wrappers around `compiled` hold, or `compiled` itself."""
    seen: set[int] = set()
    pending = [compiled]
    while pending and len(seen) < _MOST_WRAPPER_PARTS:
        current = pending.pop()
        if id(current) in seen:
            continue
        seen.add(id(current))
        if _is_native(current):
            yield current
            continue
        if isinstance(current, dict) and "__spec__" in current:
            continue  # the globals of a module
        functorch = isinstance(current, type) and issubclass(current, torch.autograd.Function)
        if functorch or isinstance(current, _WRAPPER_PARTS) or type(current).__module__.startswith("torch._functorch"):
            pending += gc.get_referents(current)


def _code_objects(compiled: Any) -> Iterator[tuple[CodeType, dict[str, Any]]]:
    """The code objects, with their globals, that running `compiled` enters."""
    inner = getattr(compiled, "_orig_mod", compiled)
    starts = [compiled.forward] if isinstance(compiled, torch.nn.Module) else [compiled]
    if isinstance(inner, torch.nn.Module):
        starts += [module.forward for module in inner.modules()]
    for start in starts:
        current = start
        while current is not None:
            original = getattr(current, "_torchdynamo_orig_callable", None)
            function = getattr(current, "__func__", current)
            if original is None and hasattr(function, "__code__"):
                yield function.__code__, function.__globals__
            current = original


def _own_entries(entries: Sequence[Any], compiled: Any) -> Sequence[Any]:
    """Those cache entries that this torch.compile call made, or shares with an equal call.

    Modules of torch.nn all run through one code object of Dynamo's, whose cache holds the entries of every one of them.
    """
    current: Any = getattr(getattr(compiled, "dynamo_ctx", None), "callback", None)
    while hasattr(current, "_torchdynamo_orig_backend"):
        current = current._torchdynamo_orig_backend
    if current is None:
        return entries
    return [e for e in entries if e.backend is current] or [e for e in entries if e.backend == current]


def _compiled_models(compiled: Any) -> list[Any]:
    """The native models behind `compiled`, in the order in which Dynamo made their graphs; resume functions included."""
    from torch._dynamo.eval_frame import _debug_get_cache_entry_list

    found: dict[int, tuple[int, Any]] = {}
    pending = list(_code_objects(compiled))
    seen: set[int] = set()
    while pending:
        code, scope = pending.pop()
        if id(code) in seen:
            continue
        seen.add(id(code))
        for entry in _own_entries(_debug_get_cache_entry_list(code), compiled):
            for name in entry.code.co_names:
                value: Any = scope.get(name)
                if graph := re.match(r"__compiled_fn_(\d+)", name):
                    found.update({id(model): (int(graph[1]), model) for model in _unwrap(value)})
                elif name.startswith("__resume_at") and hasattr(value, "__code__"):
                    pending.append((value.__code__, scope))
    return [model for _, model in sorted(found.values(), key=lambda pair: pair[0])]


def callables_of(compiled: Any) -> list[Any]:
    """The native compiled models behind something already compiled, by torch.compile or torch_ge.compile."""
    return list(_unwrap(compiled)) or _compiled_models(compiled)


def explain(model: Any, *args: Any, options: Mapping[str, Any] | None = None, **kwargs: Any) -> Report:
    """What the ge backend does with `model`, as a printable report with one entry a graph.

    With arguments: compiles `model` for them, runs it once and reports the graphs compiled on the way. Without: `model`
    is something already compiled (by torch.compile or torch_ge.compile), and nothing is run.
    """
    if not args and not kwargs:
        return Report(tuple(GraphReport.from_dict(m.report) for m in callables_of(model)))
    target = getattr(model, "_orig_mod", model)
    settings: dict[str, Any] = {"options": dict(options)} if options else {}
    with collecting() as found:
        # isolate_recompiles: graphs that another torch.compile of this model holds are compiled again, to be seen.
        torch.compile(target, backend="ge", isolate_recompiles=True, **settings)(*args, **kwargs)
    return Report(tuple(map(GraphReport.from_dict, found)))
