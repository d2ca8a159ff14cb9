"""The process that measures. Nothing is said of how long anything takes."""

import gc

import pytest
import torch
import torch._dynamo
from harness import backends, models, worker


def test_calls_are_counted_after_the_warm_up():
    calls = []
    times = worker.time_calls(lambda: calls.append(gc.isenabled()), seconds=0.0, least=5)
    assert len(times) == 5
    assert len(calls) == 7
    assert not any(calls[2:])  # no garbage collection among the calls that count
    assert gc.isenabled()


def test_models_are_those_of_the_zoo():
    assert len(models.names()) == 10
    model, arguments = models.make("mlp", "bf16")
    assert {p.dtype for p in model.parameters()} == {arguments[0].dtype} == {torch.bfloat16}
    assert models.make("decode", "bf16")[1][0].dtype is torch.int64


def test_default_backends_are_of_the_dtype():
    assert backends.default_names("f32")[0] == "ge"
    assert not {"onnxruntime", "openvino"} & set(backends.default_names("bf16"))
    assert "eager" not in backends.default_names("f32")  # the rounds add it, twice


@pytest.mark.parametrize("backend", ["eager_again", "floor_dynamo", "floor_aot", "aot_eager", "ge", "ge_direct", "ge_native"])
def test_backends_give_the_models_result(backend):
    with torch._dynamo.config.patch(allow_rnn=False):  # what the worker sets ends here
        row = worker.measure("mlp", backend, "f32", 0.0)
    assert row["error"] < 1e-5
    assert row["peak_rss_mib"] > 100
    assert row["low_us"] <= row["us"] <= row["high_us"]
