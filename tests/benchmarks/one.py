"""Times one model under one backend, in this process: `one.py MODEL BACKEND [--seconds S]`. Prints a JSON line.

Backends: eager, aot_eager, inductor, inductor_freeze, ge (through torch.compile), ge_direct (torch_ge.compile: called
without Dynamo), and the peers onnxruntime and openvino, called through their own sessions.
"""

import argparse
import json
import os
import resource
import statistics
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "models"))


def time_calls(call, seconds, least=5, most=2000):
    """`(median, minimum)` of the call's time in microseconds, over about `seconds` of calls after two warm-ups."""
    call()
    call()
    start = time.perf_counter()
    call()
    count = max(least, min(most, int(seconds / max(time.perf_counter() - start, 1e-6))))
    times = []
    for _ in range(count):
        start = time.perf_counter()
        call()
        times.append(time.perf_counter() - start)
    return statistics.median(times) * 1e6, min(times) * 1e6


def _onnxruntime(model, arguments):
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


def _openvino(model, arguments):
    import openvino
    import torch

    converted = openvino.convert_model(model, example_input=arguments if len(arguments) > 1 else arguments[0])
    settings = {"INFERENCE_NUM_THREADS": torch.get_num_threads(), "PERFORMANCE_HINT": "LATENCY", "INFERENCE_PRECISION_HINT": "f32"}
    request = openvino.Core().compile_model(converted, "CPU", settings).create_infer_request()
    arrays = [a.numpy() for a in arguments]
    return lambda *_: torch.from_numpy(request.infer(arrays, share_inputs=True, share_outputs=True)[0])


def build(model, arguments, backend):
    """What to call with the model's arguments."""
    import torch

    if backend == "eager":
        return model
    if backend == "ge_direct":
        import torch_ge

        return torch_ge.compile(model, *arguments)
    if backend == "onnxruntime":
        return _onnxruntime(model, arguments)
    if backend == "openvino":
        return _openvino(model, arguments)
    if backend == "inductor_freeze":
        import torch._inductor.config

        torch._inductor.config.freezing = True
    return torch.compile(model, backend=backend.removesuffix("_freeze"))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("model")
    parser.add_argument("backend")
    parser.add_argument("--seconds", type=float, default=3.0)
    options = parser.parse_args()

    import torch
    import zoo

    torch.set_grad_enabled(False)
    model, arguments = zoo.make(options.model)
    expected = model(*arguments)
    expected = model(*arguments)  # a cache that the first call wrote is the same for both sides now
    row = {"model": options.model, "backend": options.backend}
    try:
        start = time.perf_counter()
        call = build(model, arguments, options.backend)
        result = call(*arguments)
        row["first_call_s"] = round(time.perf_counter() - start, 3)
        row["error"] = float((result - expected).abs().max() / expected.abs().max())
        median, least = time_calls(lambda: call(*arguments), options.seconds)
        row.update(us=round(median, 1), min_us=round(least, 1))
    except Exception as error:
        row["fail"] = f"{type(error).__name__}: {str(error)[:200]}"
    row["peak_rss_mib"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    print(json.dumps(row))


if __name__ == "__main__":
    main()
