"""What a call costs before any kernel runs: `floor.py [MODEL…]`, in microseconds.

`dynamo` and `dynamo + aot` are backends that return stored results: nobody behind them can be faster. `ge` is ours,
`native` our compiled graph called directly with the same inputs; `added` is what `ge` costs beyond those two.
"""

import os
import statistics
import sys
import time
from unittest import mock

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "models"))

import torch
import torch._dynamo
import zoo
from functorch.compile import make_boxed_func
from torch._dynamo.backends.common import aot_autograd


def median_us(call, count=400):
    for _ in range(20):
        call()
    times = []
    for _ in range(count):
        start = time.perf_counter()
        call()
        times.append(time.perf_counter() - start)
    return statistics.median(times) * 1e6


def floor(model, arguments, results):
    """Cost of the wrappers alone, by kind."""

    def stored(graph, _):
        return make_boxed_func(lambda *inputs: results)

    kinds = {"dynamo": lambda graph, _: lambda *inputs: results, "dynamo + aot": aot_autograd(fw_compiler=stored)}
    out = {}
    for kind, backend in kinds.items():
        torch._dynamo.reset()
        compiled = torch.compile(model, backend=backend)
        compiled(*arguments)
        out[kind] = median_us(lambda compiled=compiled: compiled(*arguments))
    return out


class Spy:
    """A native compiled model that remembers the inputs of its last call, to be called again without Dynamo."""

    _boxed_call = True

    def __init__(self, native):
        self.native, self.inputs = native, []

    def __call__(self, inputs):
        self.inputs = list(inputs)
        return self.native(inputs)

    def __getattr__(self, name):
        return getattr(self.native, name)


def ours(model, arguments):
    """The cost of a call of ours, and of the native model alone with the inputs that AOTAutograd hands it."""
    from torch_ge import dynamo

    spies = []

    def compile_fx(*settings, original=dynamo._C.compile_fx):
        spies.append(Spy(original(*settings)))
        return spies[-1]

    torch._dynamo.reset()
    with mock.patch.object(dynamo._C, "compile_fx", compile_fx):
        torch.compile(model, backend="ge")(*arguments)
    [spy] = spies
    inputs = list(spy.inputs)
    kernels = median_us(lambda: spy.native(list(inputs)))
    torch._dynamo.reset()
    compiled = torch.compile(model, backend="ge")
    return {"ge": median_us(lambda: compiled(*arguments)), "native": kernels}


def main():
    torch.set_grad_enabled(False)
    for name in sys.argv[1:] or ["mlp"]:
        model, arguments = zoo.make(name)
        row = floor(model, arguments, [model(*arguments)])
        try:
            row.update(ours(model, arguments))
            row["added"] = row["ge"] - row["native"] - row["dynamo + aot"]
        except ImportError as error:
            print(f"ge is not built: {error}", file=sys.stderr)
        print(f"{name:12s} " + ", ".join(f"{kind} {value:.1f} us" for kind, value in row.items()))


if __name__ == "__main__":
    main()
