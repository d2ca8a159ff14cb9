"""Timelines: torch_ge.trace, and our tasks in torch.profiler (docs/trace.md)."""

from __future__ import annotations

import json
import threading

import pytest
import torch
import torch_ge
from torch import nn
from torch.profiler import ProfilerActivity, profile


class Perceptron(nn.Module):
    def __init__(self):
        super().__init__()
        self.up, self.down = nn.Linear(8, 16), nn.Linear(16, 4)

    def forward(self, x):
        return self.down(torch.nn.functional.gelu(self.up(x)))


def model():
    return Perceptron().eval()


def compiled(device="host", m=None):
    return torch.compile(m or model(), backend="ge", options={"ge.exec.device": device})


def tasks(path):
    """The events of tasks, in the file's order."""
    trace = json.loads(path.read_text())
    return [e for e in trace["traceEvents"] if e["ph"] == "X"]


@pytest.mark.parametrize("device", ["host", "sim"])
def test_every_task_of_the_plan_is_in_the_file(device, tmp_path):
    m, x = compiled(device), torch.randn(2, 8)
    path = tmp_path / "run.json"
    with torch.no_grad():
        m(x)
        with torch_ge.trace(path):
            m(x)
            m(x)
        m(x)  # not in it
    events = tasks(path)
    (graph,) = torch_ge.explain(m).graphs
    names = [e["args"]["node"] for e in events]
    assert names and len(names) == 2 * len(set(names))
    engines = {n.name: n.engine for n in graph.nodes}
    for e in events:
        args = e["args"]
        assert e["cat"] == args["engine"]
        assert engines[args["node"]].startswith(args["engine"])
        assert e["dur"] >= 0
        assert args["bytes_read"] > 0
        assert args["bytes_written"] > 0
        assert "failed" not in args
    assert any("test_trace.py:" in e["args"].get("source", "") for e in events)
    begins = [e["ts"] for e in events]
    if device == "host":
        assert begins == sorted(begins)
        assert {e["args"]["stream"] for e in events} == {0}


def test_tasks_of_the_constant_stage_are_marked(tmp_path):
    m, x = compiled(), torch.randn(2, 8)
    with torch.no_grad():
        with torch_ge.trace(tmp_path / "first.json"):
            m(x)
        with torch_ge.trace(tmp_path / "second.json"):
            m(x)
    first, second = tasks(tmp_path / "first.json"), tasks(tmp_path / "second.json")
    assert any(e["args"].get("stage") == "weights" for e in first)
    assert second and not any("stage" in e["args"] for e in second)


def test_branches_use_several_streams_of_the_simulated_device(tmp_path):
    def f(x):
        return (x.exp() @ x) + (x.sin() @ x.t()) + (x.cos() @ x)

    m, x = torch.compile(f, backend="ge", options={"ge.exec.device": "sim"}), torch.randn(4, 4)
    m(x)
    with torch_ge.trace(tmp_path / "run.json"):
        m(x)
    assert len({e["args"]["stream"] for e in tasks(tmp_path / "run.json")}) > 1


def test_tasks_of_branches_lie_inside_the_control_flow_task(tmp_path):
    def f(x):
        return torch.cond(x.sum() > 0, lambda x: x.sin() @ x, lambda x: x.cos() @ x, (x,))

    m, x = torch.compile(f, backend="ge"), torch.ones(3, 3)
    m(x)
    with torch_ge.trace(tmp_path / "run.json"):
        m(x)
    events = tasks(tmp_path / "run.json")
    (outer,) = [e for e in events if e["name"] == "If"]
    inner = [e for e in events if e["args"]["graph"] != outer["args"]["graph"]]
    assert inner
    for e in inner:
        assert outer["ts"] <= e["ts"]
        assert e["ts"] + e["dur"] <= outer["ts"] + outer["dur"] + 0.001


def test_failed_tasks_are_marked(tmp_path):
    m = torch.compile(lambda x, i: x.index_select(0, i), backend="ge")
    x = torch.randn(3, 2)
    with torch.no_grad():
        m(x, torch.tensor([1, 2]))
        with torch_ge.trace(tmp_path / "run.json"), pytest.raises(IndexError):
            m(x, torch.tensor([1, 7]))
    assert tasks(tmp_path / "run.json")[-1]["args"]["failed"] is True


def test_calls_of_other_threads_are_in_it(tmp_path):
    m, x = compiled(), torch.randn(2, 8)

    def call():
        with torch.no_grad():
            m(x)

    call()
    with torch_ge.trace(tmp_path / "run.json"):
        threads = [threading.Thread(target=call) for _ in range(3)]
        for t in threads:
            t.start()
        for t in threads:
            t.join()
        call()
    events = tasks(tmp_path / "run.json")
    assert len(events) % 4 == 0
    assert len(events) >= 4


def test_one_trace_at_a_time_and_wrong_places(tmp_path):
    with torch_ge.trace(tmp_path / "a.json"), pytest.raises(RuntimeError, match="a trace is running already"):
        with torch_ge.trace(tmp_path / "b.json"):
            pass
    assert tasks(tmp_path / "a.json") == []
    with pytest.raises(OSError), torch_ge.trace(tmp_path / "missing" / "a.json"):
        pytest.fail("the block ran")
    with pytest.raises(KeyError), torch_ge.trace(tmp_path / "c.json"):
        raise KeyError("x")
    assert tasks(tmp_path / "c.json") == []


@pytest.mark.parametrize("device", ["host", "sim"])
def test_the_profiler_shows_tasks_by_name(device, tmp_path):
    m, x = compiled(device), torch.randn(2, 8)
    with torch.no_grad():
        m(x)
        with torch_ge.trace(tmp_path / "run.json"), profile(activities=[ProfilerActivity.CPU]) as prof:
            m(x)
    shown = {e.key for e in prof.key_averages()}
    for e in tasks(tmp_path / "run.json"):
        assert f"ge::{e['name']} {e['args']['node']}" in shown


def test_the_profiler_together_with_the_node_check():
    m = torch.compile(model(), backend="ge", options={"ge.debug.check": "node"})
    with torch.no_grad(), profile(activities=[ProfilerActivity.CPU]) as prof:
        m(torch.randn(2, 8))
    assert any(e.key.startswith("ge::") for e in prof.key_averages())


def test_compiled_without_dynamo(tmp_path):
    m, x = torch_ge.compile(model(), torch.randn(2, 8)), torch.randn(2, 8)
    with torch.no_grad(), torch_ge.trace(tmp_path / "run.json"):
        m(x)
    assert tasks(tmp_path / "run.json")
