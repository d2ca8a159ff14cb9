"""The Dynamo backend: `torch.compile(model, backend="ge")`.

Dynamo's graph goes through AOTAutograd (no decompositions but those functionalisation forces, so that a fallback runs
eager's own kernel) to the C++ importer. What is private in PyTorch is touched here and in `_fx.py` only.
"""

from __future__ import annotations

import contextlib
import logging
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import torch
import torch._inductor.config as inductor_config
from torch._functorch._aot_autograd.descriptors import SyntheticBaseAOTInput
from torch._functorch.aot_autograd import aot_module_simplified
from torch._functorch.partitioners import min_cut_rematerialization_partition
from torch._guards import TracingContext
from torch.optim.optimizer import register_optimizer_step_post_hook
from torch.utils._python_dispatch import _disable_current_modes

from . import _C, report
from .config import CompilerConfig

log = logging.getLogger("torch_ge.dynamo")

CompiledModel = _C.CompiledModel


def _step_hook(*_: Any) -> None:
    _C.advance_optimizer_epoch()


register_optimizer_step_post_hook(_step_hook)


def _weight_positions(gm: torch.fx.GraphModule) -> list[int]:
    """Placeholders that are parameters or buffers which this graph neither writes nor returns (nor views of them)."""
    context = TracingContext.try_get()
    metadata = context.fw_metadata if context is not None else None
    if metadata is None:
        return []
    static = set(metadata.static_input_indices or ())
    for index, info in enumerate(metadata.input_info):
        if info.mutates_data or info.mutates_metadata:
            static.discard(index)
    for info in metadata.output_info:
        if info.base_idx is not None:
            static.discard(info.base_idx)
    placeholders = [n for n in gm.graph.nodes if n.op == "placeholder"]
    written = {n.args[0] for n in gm.graph.nodes if n.op == "call_function" and n.target is torch.ops.aten.copy_.default}
    returned = set(gm.graph.output_node().all_input_nodes)
    result = []
    for position, node in enumerate(placeholders):
        input_index = getattr(node.meta.get("desc"), "idx", None)
        if input_index in static and node not in written and node not in returned:
            result.append(position)
    return result


def _has_synthetic_base(gm: torch.fx.GraphModule) -> bool:
    """Whether AOTAutograd passes, for views that share memory, a base that it makes at the call: of any size."""
    return any(isinstance(n.meta.get("desc"), SyntheticBaseAOTInput) for n in gm.graph.nodes if n.op == "placeholder")


def _compiler(config: CompilerConfig, kind: str) -> Callable[..., Any]:
    def compile_graph(gm: torch.fx.GraphModule, example_inputs: Sequence[Any]) -> Any:
        weights = _weight_positions(gm) if kind == "inference" else []
        options = config.as_text()
        if kind != "inference" and not options.get("ge.exec.engines"):
            # Training follows eager bit by bit: rounding differences would grow from step to step.
            options = {**options, "ge.exec.engines": "aten"}
        with _disable_current_modes():
            compiled = _C.compile_fx(gm, options, weights, kind == "inference" and not _has_synthetic_base(gm))
        data = compiled.report
        data["name"] = f"{kind} {data['name']}".strip()
        report.register(compiled, data)
        if log.isEnabledFor(logging.DEBUG):
            log.debug("%s graph:\n%s", kind, compiled.text)
        for note in data["notes"]:
            log.warning("%s", note)
        return compiled

    return compile_graph


# Composite upsampling is taken apart by Python kernels before a backend sees it; the whole op is one node of ours.
_WHOLE = [
    getattr(getattr(torch.ops.aten, name), overload)
    for name in ("upsample_nearest1d", "upsample_nearest2d", "upsample_nearest3d", "upsample_bilinear2d", "upsample_bicubic2d")
    for overload in ("vec", "default")
    if hasattr(getattr(torch.ops.aten, name), overload)
]


@contextlib.contextmanager
def _tracing() -> Iterator[None]:
    """AOTAutograd's settings while it traces for us.

    `fallback_random` keeps random draws whose result is unused: eager advances the generator for them.
    """
    key_set = (torch._C.DispatchKey.CompositeImplicitAutograd, torch._C.DispatchKey.Autograd)
    saved = []
    for op in _WHOLE:
        for key in key_set:
            kernel = op.py_kernels.pop(key, None)
            if kernel is not None:
                saved.append((op, key, kernel))
        op._dispatch_cache.clear()
    try:
        with inductor_config.patch(fallback_random=True):
            yield
    finally:
        for op, key, kernel in saved:
            op.py_kernels[key] = kernel
            op._dispatch_cache.clear()


def backend(
    gm: torch.fx.GraphModule, example_inputs: Sequence[Any], *, options: Any = None, mode: Any = None, **unknown: Any
) -> Callable[..., Any]:
    """Compiles one Dynamo graph. Entry point `ge` of group `torch_dynamo_backends`.

    `options` and `mode` are those of `torch.compile`; a wrong key or value raises ValueError naming the nearest valid one.
    """
    if unknown:
        raise ValueError(f"backend 'ge' takes options= and mode=, not {', '.join(sorted(unknown))}")
    config = CompilerConfig.from_torch(options, mode)
    with _tracing():
        return aot_module_simplified(
            gm,
            list(example_inputs),
            fw_compiler=_compiler(config, "forward"),
            bw_compiler=_compiler(config, "backward"),
            inference_compiler=_compiler(config, "inference"),
            partition_fn=min_cut_rematerialization_partition,
            decompositions={},
            keep_inference_input_mutations=True,
        )
