"""The backends: how each makes a callable of a model, and which are compared with which.

A builder takes `(model, arguments)` and returns what is called with the arguments. Imports are inside the builders: a process
loads only what it measures.
"""

from __future__ import annotations

import importlib.util
import os
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

Build = Callable[[Any, tuple[Any, ...]], Callable[..., Any]]


@dataclass(frozen=True)
class Backend:
    build: Build
    packages: tuple[str, ...] = ()  # must be installed
    dtypes: tuple[str, ...] = ("f32", "bf16")

    def installed(self) -> bool:
        return all(importlib.util.find_spec(p) for p in self.packages)


@dataclass(frozen=True)
class Mode:
    """One way of calling, in which ours and the peers are alike."""

    ours: str
    peers: tuple[str, ...]


MODES = (
    Mode("ge", ("eager", "inductor", "inductor_freeze")),  # through torch.compile: Dynamo's guards are in the time
    Mode("ge_direct", ("onnxruntime", "openvino")),  # a compiled model, or a session, called directly
)
CONTROL, CONTROL_AGAIN = "eager", "eager_again"  # the A/A pair
REFERENCE = "aot_eager"  # what PyTorch itself costs before the first result: time and memory


def _eager(model: Any, arguments: tuple[Any, ...]) -> Callable[..., Any]:
    return model


def _torch_compile(backend: str) -> Build:
    def build(model: Any, arguments: tuple[Any, ...]) -> Callable[..., Any]:
        import torch

        return torch.compile(model, backend=backend)

    return build


def _inductor_freeze(model: Any, arguments: tuple[Any, ...]) -> Callable[..., Any]:
    import torch._inductor.config

    torch._inductor.config.freezing = True
    return torch.compile(model)


def _ge_direct(model: Any, arguments: tuple[Any, ...]) -> Callable[..., Any]:
    import torch_ge

    return torch_ge.compile(model, *arguments)


def _onnxruntime(model: Any, arguments: tuple[Any, ...]) -> Callable[..., Any]:
    import onnxruntime
    import torch

    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "model.onnx")
        torch.onnx.export(model, arguments, dynamo=True, verbose=False).save(path)
        settings = onnxruntime.SessionOptions()
        settings.intra_op_num_threads = torch.get_num_threads()
        session = onnxruntime.InferenceSession(path, settings, providers=["CPUExecutionProvider"])
    feeds = dict(zip([i.name for i in session.get_inputs()], [a.numpy() for a in arguments], strict=True))
    return lambda *_: torch.from_numpy(session.run(None, feeds)[0])


def _openvino(model: Any, arguments: tuple[Any, ...]) -> Callable[..., Any]:
    import openvino
    import torch

    try:
        converted = openvino.convert_model(model, example_input=arguments if len(arguments) > 1 else arguments[0])
    except RuntimeError:  # TorchScript cannot trace the model
        converted = openvino.convert_model(torch.export.export(model, arguments))
    settings = {"INFERENCE_NUM_THREADS": torch.get_num_threads(), "PERFORMANCE_HINT": "LATENCY", "INFERENCE_PRECISION_HINT": "f32"}
    request = openvino.Core().compile_model(converted, "CPU", settings).create_infer_request()
    arrays = [a.numpy() for a in arguments]
    return lambda *_: torch.from_numpy(request.infer(arrays, share_inputs=True, share_outputs=True)[0])


def _stored(with_aot: bool) -> Build:
    """What the wrappers alone cost: a backend that computes once and then returns the stored results."""

    def build(model: Any, arguments: tuple[Any, ...]) -> Callable[..., Any]:
        import torch
        from functorch.compile import make_boxed_func
        from torch._dynamo.backends.common import aot_autograd

        def backend(graph: Any, _: Any) -> Any:
            results: list[Any] = []

            def call(*inputs: Any) -> Any:
                if not results:
                    results.append(graph(*inputs))
                return results[0]

            return make_boxed_func(call) if with_aot else call

        return torch.compile(model, backend=aot_autograd(fw_compiler=backend) if with_aot else backend)

    return build


class _Spy:
    """A native compiled model that remembers the inputs of its last call, to be called again without Dynamo."""

    _boxed_call = True

    def __init__(self, native: Any) -> None:
        self.native, self.inputs = native, list[Any]()

    def __call__(self, inputs: Any) -> Any:
        self.inputs = list(inputs)
        return self.native(inputs)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.native, name)


def _ge_native(model: Any, arguments: tuple[Any, ...]) -> Callable[..., Any]:
    """Our compiled graph alone, with the inputs that AOTAutograd hands it."""
    from unittest import mock

    import torch

    from torch_ge import _C

    spies: list[_Spy] = []

    def compile_fx(*settings: Any, original: Any = _C.compile_fx) -> _Spy:
        spies.append(_Spy(original(*settings)))
        return spies[-1]

    with mock.patch.object(_C, "compile_fx", compile_fx):
        torch.compile(model, backend="ge")(*arguments)
    [spy] = spies
    native, inputs = spy.native, spy.inputs
    return lambda *_: native(list(inputs))


BACKENDS = {
    "ge": Backend(_torch_compile("ge"), ("torch_ge",)),
    "ge_direct": Backend(_ge_direct, ("torch_ge",)),
    "eager": Backend(_eager),
    "eager_again": Backend(_eager),
    "inductor": Backend(_torch_compile("inductor")),
    "inductor_freeze": Backend(_inductor_freeze),
    "openvino": Backend(_openvino, ("openvino",), ("f32",)),
    "onnxruntime": Backend(_onnxruntime, ("onnxruntime", "onnx", "onnxscript"), ("f32",)),
    "aot_eager": Backend(_torch_compile("aot_eager")),
    # the call alone: call_cost.py
    "floor_dynamo": Backend(_stored(with_aot=False)),
    "floor_aot": Backend(_stored(with_aot=True)),
    "ge_native": Backend(_ge_native, ("torch_ge",)),
}


def default_names(dtype: str) -> list[str]:
    """All installed backends that are measured without being asked for, in the order of a round."""
    wanted = [*(name for mode in MODES for name in (mode.ours, *mode.peers) if name != CONTROL), REFERENCE]
    return [name for name in wanted if BACKENDS[name].installed() and dtype in BACKENDS[name].dtypes]
