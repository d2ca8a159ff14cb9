"""Engine plug-ins through torch.compile: the sample of docs/examples/flip_engine, built here, and the local engine."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
import torch

import torch_ge

pytestmark = pytest.mark.ge_only
ROOT = Path(__file__).resolve().parents[2]
SAMPLE = ROOT / "docs" / "examples" / "flip_engine"


@pytest.fixture(scope="module")
def plugin(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """libflip_engine.so, in a folder of its own."""
    build = tmp_path_factory.mktemp("flip_engine")
    configure = ["cmake", "-S", str(SAMPLE), "-B", str(build), f"-DTORCH_GE_PYTHON={sys.executable}"]
    for command in (configure, ["cmake", "--build", str(build)]):
        result = subprocess.run(command, capture_output=True, text=True, cwd=build, check=False)
        assert result.returncode == 0, result.stdout + result.stderr
    return build / "libflip_engine.so"


def turned(x):
    return torch.flip(x, [-1]) + torch.flip(x, [0])


def explain(function, *args, **options):
    with torch.no_grad():
        [graph] = torch_ge.explain(function, *args, options=options).graphs
    return graph


def answers(function, *args, **options):
    torch._dynamo.reset()
    with torch.no_grad():
        return torch.compile(function, backend="ge", options=options)(*args)


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64, torch.int32, torch.complex64])
@pytest.mark.parametrize("shape", [(3, 4), (5,), (2, 0), (0, 3), (2, 3, 4)])
def test_the_engine_computes_what_eager_does(plugin, dtype, shape):
    x = torch.arange(torch.Size(shape).numel()).reshape(shape).to(dtype)
    assert torch.equal(answers(turned, x, **{"ge.engines.path": str(plugin)}), turned(x))
    y = torch.arange(torch.Size(shape).numel()).reshape(shape[::-1]).to(dtype).permute(*reversed(range(len(shape))))  # other strides
    assert torch.equal(answers(turned, y, **{"ge.engines.path": str(plugin)}), turned(y))


def test_the_report_says_who_was_asked_and_who_refused_why(plugin):
    graph = explain(turned, torch.rand(3, 4), **{"ge.engines.path": str(plugin)})
    order = list(graph.engine_order)
    assert order.index("DNN_VM_GE_LOCAL") < order.index("onednn") < order.index("SAMPLE_FLIP") < order.index("aten")
    assert f"asked in this order: {', '.join(order)}" in str(graph)
    first, second = (node for node in graph.nodes if node.type == "ReverseV2")
    assert (first.engine, second.engine) == ("SAMPLE_FLIP", "aten")
    assert "SAMPLE_FLIP: it flips the last axis only" in second.why()
    assert "DNN_VM_GE_LOCAL: ReverseV2 is none of its operators" in first.why()
    assert graph.engines["SAMPLE_FLIP"] == 1

    half = explain(turned, torch.rand(3, 4).half(), **{"ge.engines.path": str(plugin)})
    assert "SAMPLE_FLIP: it flips elements of 4 or 8 bytes, input 0 is f16[3,4]" in "\n".join(node.why() for node in half.nodes)


def test_the_option_of_engines_orders_and_leaves_out(plugin):
    options = {"ge.engines.path": str(plugin.parent), "ge.exec.engines": "SAMPLE_FLIP,jit"}
    order = list(explain(turned, torch.rand(3, 4), **options).engine_order)
    assert order.index("SAMPLE_FLIP") < order.index("jit") and "onednn" not in order
    without = explain(turned, torch.rand(3, 4), **{**options, "ge.exec.engines": "aten"})
    assert "SAMPLE_FLIP" not in without.engine_order
    # An engine that was never loaded is unknown.
    with pytest.raises(Exception, match="unknown engine 'SAMPLE_FLIPS'; known: .*SAMPLE_FLIP"):
        answers(turned, torch.rand(3, 4), **{**options, "ge.exec.engines": "SAMPLE_FLIPS"})


def test_a_view_behind_a_plug_in_kernel_has_no_task(plugin):
    def program(x):
        return -torch.flip(x, [-1]).reshape(6, 2)  # exact, whichever engine negates

    graph = explain(program, torch.rand(3, 4), **{"ge.engines.path": str(plugin)})
    [view] = (node for node in graph.nodes if node.type == "Reshape")
    assert view.engine == "DNN_VM_GE_LOCAL"
    assert graph.no_task_nodes == 1 and "views without a task: 1" in str(graph)
    x = torch.rand(3, 4)
    assert torch.equal(answers(program, x, **{"ge.engines.path": str(plugin)}), program(x))


def test_the_environment_names_the_search_path(plugin):
    code = (
        "import torch, torch_ge\n"
        "[graph] = torch_ge.explain(lambda x: torch.flip(x, [-1]), torch.rand(3, 4)).graphs\n"
        "print(graph.nodes[-1].engine, torch_ge.build_info()['engines']['DNN_VM_GE_LOCAL'])\n"
    )
    environment = {**os.environ, "GE_ENGINE_PATH": str(plugin.parent)}
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment, check=False)
    assert result.returncode == 0, result.stderr
    assert result.stdout.split() == ["SAMPLE_FLIP", "present"]


def test_the_script_of_the_page_runs(plugin):
    result = subprocess.run([sys.executable, str(SAMPLE / "run.py"), str(plugin)], capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr
    assert "ReverseV2 on SAMPLE_FLIP" in result.stdout


@pytest.mark.parametrize("wrong", ["/no/such/folder", str(ROOT / "README.md"), "libm.so.6"])
def test_a_wrong_path_is_an_error_that_names_it(wrong, tmp_path):
    if wrong == "libm.so.6":  # a library, but no plug-in
        [libm] = {line.split()[-1] for line in Path("/proc/self/maps").read_text().splitlines() if "/libm.so.6" in line}
        wrong = libm
    with pytest.raises(Exception, match=wrong.replace(".", r"\.")) as caught:
        answers(turned, torch.rand(3, 4), **{"ge.engines.path": wrong})
    assert any(says in str(caught.value) for says in ("does not exist", "cannot be opened", "does not export ge_engine_plugin_abi"))


def test_operators_that_passes_remove_run_where_the_pass_is_off():
    def program(x):
        return torch.ops.aten.alias(x.sin()).cos()

    graph = explain(program, torch.rand(4), **{"ge.disableOptimizations": "identity-remove"})
    [node] = (node for node in graph.nodes if node.type == "Identity")
    assert node.engine == "aten"
    assert "pass 'identity-remove' removes it, which is off (ge.disableOptimizations names it)" in node.why()
    with pytest.raises(Exception, match="reached DNN_VM_GE_LOCAL; expected: removed before placement"):
        answers(program, torch.rand(4), **{"ge.disableOptimizations": "identity-remove", "ge.local.strict": True})


def test_control_flow_is_placed_on_the_local_engine():
    def program(x):
        return torch.cond(x.sum() > 0, torch.sin, torch.cos, (x,))

    graph = explain(program, torch.rand(4))
    assert {node.engine for node in graph.nodes if node.type == "If"} == {"DNN_VM_GE_LOCAL"}
    assert graph.engines["DNN_VM_GE_LOCAL"] == 1
