"""report.graphs[i].node(name).why(): every node says why it is there, and every removed one what became of it."""

import pytest
import torch

import torch_ge

pytestmark = pytest.mark.ge_only


def program(x, y):
    a = torch.full((4,), 2.0)
    folded = torch.sqrt(a)
    first = torch.sort(x + folded)[0]
    second = torch.sort(x + folded)[0]
    torch.cos(x)
    y.add_(first)
    return second, torch.bernoulli(x.abs().clamp(0, 1))


@pytest.fixture
def graph():
    with torch.no_grad():
        [graph] = torch_ge.explain(program, torch.rand(4), torch.rand(4), options={"ge.disableOptimizations": "autofuse"}).graphs
    return graph


def test_every_node_answers(graph):
    for node in graph.nodes:
        head, *notes = node.why().splitlines()
        assert head.startswith(f"{node.name} = {node.type}") and notes, node
        assert any("kept: " in note for note in notes), node.why()


def test_what_stays_says_why_it_is_no_constant_and_who_reads_it(graph):
    why = graph.node("add").why()
    assert "test_why.py:" in why
    assert "constant-folding: operand 0 ('" in why or "constant-folding: " in why
    assert "kept: read by '" in why
    assert "kept: a result of the graph" in graph.node("bernoulli").why() or "has effects" in graph.node("bernoulli").why()
    # The update of the buffer, which happens in place.
    assert "kept: it has effects" in "\n".join(node.why() for node in graph.nodes if node.type == "Add")


def test_what_is_gone_says_who_removed_it(graph):
    assert "(constant-folding)" in graph.node("sqrt").why()
    assert "common-subexpression-elimination" in graph.node("add_1").why()
    assert graph.node("sqrt").why().startswith("sqrt = (gone)")


def test_what_a_pass_made_says_so(graph):
    made = [node for node in graph.nodes if any(note == "made by pass constant-folding" for note in node.notes)]
    gone_by_folding = [fate for fate in graph.gone.values() if fate.endswith("(constant-folding)")]
    assert gone_by_folding
    assert all(node.type == "Const" for node in made)


def test_an_unknown_name_is_an_error_that_names_the_nearest(graph):
    with pytest.raises(KeyError, match="nearest: .*sqrt"):
        graph.node("sqr")
