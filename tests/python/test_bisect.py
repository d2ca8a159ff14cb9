"""torch_ge.bisect names the change, the engine, or says that nothing is wrong."""

import contextlib

import pytest
import torch

import torch_ge

pytestmark = pytest.mark.ge_only


def program(x):
    a = torch.full((3,), 0.5)
    return torch.exp(x) + a.cos() + torch.erfinv(a)


@contextlib.contextmanager
def wrong_folding():
    """Inside, folding computes erfinv wrongly: its operands are constants of three elements there, and fresh at run time."""
    from torch_ge import _C

    inside = []
    original = _C.compile_fx

    def compile_fx(*args, **kwargs):
        inside.append(1)
        try:
            return original(*args, **kwargs)
        finally:
            inside.pop()

    right = torch.special.erfinv(torch.tensor(0.5)).item()
    with torch.library._scoped_library("aten", "IMPL") as library:
        library.impl("erfinv", lambda x: torch.full_like(x, 9.0 if inside else right), "CPU", allow_override=True)
        _C.compile_fx = compile_fx
        try:
            yield
        finally:
            _C.compile_fx = original


def test_nothing_is_wrong():
    found = torch_ge.bisect(program, torch.ones(3))
    assert (found.verdict, found.number) == ("right", 0)
    assert found.total > 2
    assert "nothing is wrong" in str(found)


def test_a_wrong_change_is_named():
    with wrong_folding(), torch.no_grad():
        found = torch_ge.bisect(program, torch.ones(3))
    assert found.verdict == "change", str(found)
    [(graph, change)] = found.changes
    assert graph.startswith("inference")
    assert (change.pass_name, change.node) == ("constant-folding", "erfinv")
    assert "test_bisect.py:" in change.location
    assert f"change {found.number} of {found.total} is wrong: pass constant-folding" in str(found)
    assert found.differences


def test_the_users_own_check_decides():
    with wrong_folding(), torch.no_grad():
        found = torch_ge.bisect(program, check=lambda f: bool((f(torch.ones(3)) < 9).all()))
        assert found.verdict == "change" and found.changes[0][1].node == "erfinv"
        assert torch_ge.bisect(program, check=lambda f: f(torch.ones(3)) is not None).verdict == "right"


def test_an_engine_is_named_where_no_change_is_guilty():
    with torch.library._scoped_library("aten", "IMPL") as library, torch.no_grad():
        library.impl("exp", lambda x: torch.exp2(x * 1.4426950408889634) + 1, "CPU", allow_override=True)
        found = torch_ge.bisect(program, torch.ones(3))
    assert (found.verdict, tuple(found.engines)) == ("engine", ("jit",))
    assert "not without engine jit" in str(found)


def test_neither_passes_nor_engines():
    calls = []

    def fickle(f):
        calls.append(1)
        return False

    assert torch_ge.bisect(program, check=fickle).verdict == "other"
    assert len(calls) == 3  # as it is, without passes, and with ATen alone


def test_the_report_numbers_changes_as_the_bound_does():
    [graph] = torch_ge.explain(program, torch.ones(3)).graphs
    assert len(graph.changes) > 2
    for bound in (0, 1, 2):
        [some] = torch_ge.explain(program, torch.ones(3), options={"ge.debug.maxChanges": bound}).graphs
        assert list(some.changes) == list(graph.changes[:bound])
