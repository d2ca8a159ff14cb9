"""Reports: built from the native library's dict, printed, and found again for a compiled function."""

import pytest
import torch
from functorch.compile import make_boxed_func
from torch._dynamo.backends.common import aot_autograd

from torch_ge.report import GraphReport, Report, Stage, collecting, explain, register

DATA = {
    "name": "inference",
    "nodes_imported": 9,
    "compute_nodes": 2,
    "native_nodes": 3,
    "fallback_nodes": {"aten:sort": 1},
    "stages": [("Prepare", 9, 7, 0.001), ("OptimizeStage1", 7, 4, 0.002)],
    "engines": {"DNN_VM_HOST_CPU": 2},
    "tasks": 2,
    "arena_bytes": 4096,
    "arena_lower_bound_bytes": 2048,
    "weights_bytes": 3 << 20,
    "copies": 1,
    "seconds": {"import": 0.01, "passes": 0.003},
    "nodes": [
        {"name": "n1", "type": "Add", "engine": "E", "location": "m.py:3", "notes": ["not folded: input is not constant"]},
        {"name": "n2", "type": "Add"},
    ],
}


def test_from_dict_and_printing():
    graph = GraphReport.from_dict(DATA)
    assert graph.stages[0] == Stage("Prepare", 9, 7, 0.001)
    assert graph.node_types == {"Add": 2}
    text = str(Report((graph,)))
    for part in (
        "graph inference: 9 nodes imported",
        "2 compute nodes",
        "3 native, 1 fallback",
        "stage Prepare: 9 → 7",
        "aten:sort × 1",
        "3.0 MiB",
        "import 10.0 ms",
    ):
        assert part in text
    assert "nothing was compiled" in str(Report())
    assert GraphReport.from_dict({}) == GraphReport()


def test_nodes_explain_themselves():
    graph = GraphReport.from_dict(DATA)
    assert graph.node("n1").why() == "n1 = Add on E, from m.py:3\n  not folded: input is not constant"
    with pytest.raises(KeyError, match="nearest: n"):
        graph.node("n3")


def test_unknown_keys_are_refused():
    with pytest.raises(ValueError, match="'nodez'"):
        GraphReport.from_dict({"nodez": 1})


class Compiled:
    """Stands for the native CompiledModel of a graph."""

    _boxed_call = True

    def __init__(self, graph, name):
        self.graph, self.name = graph, name

    @property
    def report(self):
        return {**DATA, "name": self.name}

    def __call__(self, inputs):
        return self.graph(*inputs)


def recording(names):
    def compiler(graph, _):
        names.append(f"graph{len(names)}")
        return Compiled(graph, names[-1])

    return aot_autograd(fw_compiler=compiler, bw_compiler=lambda graph, _: make_boxed_func(graph.forward))


def test_report_of_a_native_model():
    assert [g.name for g in explain(Compiled(None, "one")).graphs] == ["one"]


def test_collecting():
    with collecting() as outer:
        register(None, {"name": "a"})
        with collecting() as inner:
            register(None, {"name": "b"})
    register(None, {"name": "c"})
    assert [d["name"] for d in outer] == ["a", "b"] and [d["name"] for d in inner] == ["b"]


@pytest.mark.parametrize("grad", [False, True])
def test_report_of_a_compiled_function(grad):
    names = []
    compiled = torch.compile(lambda x: torch.sin(x) + 1, backend=recording(names), dynamic=False)
    assert explain(compiled).graphs == ()
    with torch.set_grad_enabled(grad):
        compiled(torch.randn(3, requires_grad=grad))
        assert [g.name for g in explain(compiled).graphs] == ["graph0"]
        compiled(torch.randn(4, requires_grad=grad))
    assert [g.name for g in explain(compiled).graphs] == ["graph0", "graph1"]
    if grad:
        compiled(torch.randn(3, requires_grad=True)).sum().backward()
        assert {g.name for g in explain(compiled).graphs} >= {"graph0", "graph1"}


def test_report_of_modules_and_pieces_after_a_break():
    names = []

    class Net(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.l = torch.nn.Linear(3, 3)

        def forward(self, x):
            y = self.l(x)
            torch._dynamo.graph_break()
            return y * 2

    compiled = torch.compile(Net(), backend=recording(names))
    other = torch.compile(lambda x: x - 1, backend=recording(names))
    with torch.no_grad():
        compiled(torch.randn(2, 3))
        other(torch.randn(2))
    assert [g.name for g in explain(compiled).graphs] == ["graph0", "graph1"]
    assert [g.name for g in explain(other).graphs] == ["graph2"]


def test_report_of_torch_nn_modules():
    names = []
    net = torch.nn.Sequential(torch.nn.Linear(3, 3), torch.nn.ReLU())
    compiled = torch.compile(net, backend=recording(names))
    with torch.no_grad():
        compiled(torch.randn(2, 3))
        other = torch.compile(torch.nn.Linear(2, 2), backend=recording(names))
        other(torch.randn(1, 2))
    assert [g.name for g in explain(compiled).graphs] == ["graph0"]
    assert [g.name for g in explain(other).graphs] == ["graph1"]


@pytest.mark.ge_only
def test_explain_of_a_model():
    net = torch.nn.Sequential(torch.nn.Linear(4, 4), torch.nn.ReLU()).eval()
    with torch.no_grad():
        [graph] = explain(net, torch.randn(2, 4)).graphs
        compiled = torch.compile(net, backend="ge")
        compiled(torch.randn(2, 4))
        [again] = explain(compiled).graphs
    assert graph.compute_nodes >= 1 and graph.nodes_imported >= graph.compute_nodes
    assert graph.tasks >= 1 and graph.weights_bytes >= 4 * 20 and graph.seconds
    assert again.compute_nodes == graph.compute_nodes
    assert graph.nodes and graph.node(graph.nodes[0].name).why()
