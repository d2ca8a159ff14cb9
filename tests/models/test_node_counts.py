"""How many nodes four models have, stage by stage, and what each pass contributes: golden files in node_counts/.

A stage's number is of nodes that a call computes: no inputs, no constants, and nothing that depends on weights and constants
alone. A mismatch prints old → new; GE_ACCEPT=1 writes the new numbers, which then are read as code in review.
"""

import difflib
import os
import pathlib
import sys

import pytest
import torch
import zoo

GOLDEN = pathlib.Path(__file__).with_name("node_counts")
# The most nodes that may be left before fusion into regions: MobileNetV2 loses a third of its 153 ATen operators.
LIMITS = {"mobilenetv2": (153, 102), "resnet50": (176, 123)}

pytestmark = pytest.mark.ge_only


def describe(graph):
    """The numbers of a GraphReport as lines."""
    lines = [f"imported {graph.nodes_imported}"]
    lines += [f"stage {stage.name}: {stage.compute}" for stage in graph.stages]
    lines += [f"left: {graph.compute_nodes} at a call, {graph.weight_nodes} once per set of weights"]
    lines += [f"pass {name}: {row.nodes:+d}" for name, row in sorted(graph.passes.items()) if row.nodes]
    return lines


@pytest.mark.parametrize("name", ["bert", "mobilenetv2", "resnet50", "unet"])
def test_node_counts(name, backend):
    import torch_ge

    model, arguments = zoo.make(name)
    with torch.no_grad():
        compiled = torch.compile(model, backend=backend)
        compiled(*arguments)
    [graph] = torch_ge.explain(compiled).graphs
    if name in LIMITS:
        imported, most = LIMITS[name]
        before_regions = {stage.name: stage.compute for stage in graph.stages}["OptimizeStage2"]
        assert graph.nodes_imported == imported
        assert before_regions <= most, f"{before_regions} nodes left, at most {most} wanted"
    new, path = describe(graph), GOLDEN / f"{name}.txt"
    old = path.read_text().splitlines() if path.exists() else []
    if new == old:
        return
    change = "\n".join(difflib.unified_diff(old, new, "old", "new", lineterm="", n=0))
    if os.environ.get("GE_ACCEPT") == "1":
        path.parent.mkdir(exist_ok=True)
        path.write_text("\n".join(new) + "\n")
        print(f"{path.name}: accepted\n{change}")
        return
    command = f"GE_ACCEPT=1 {sys.executable} -m pytest {os.path.relpath(__file__)} -k {name}"
    pytest.fail(f"node counts of {name} changed, old → new:\n{change}\naccept with: {command}", pytrace=False)
