"""The form of the bug cases: `@program(...)` over a `make` function; `collect` turns a module's programs into one test.

A case is a small program of a kind that graph compilers have got wrong in public bug reports. It must behave as in
eager in everything a user can observe. `front_end` marks a fault that PyTorch's own tracing has under every backend:
then a difference is expected (xfail), agreement is fine.
"""

import contextlib

import pytest

from torch_ge.testing import Case, Rules, case_differences

EXACT = 0.0


def program(
    *,
    train=False,
    dynamic=None,
    context=contextlib.nullcontext,
    call=lambda f, args: f(*args),
    tol=None,
    sign=False,
    strides=True,
    aliasing=True,
    random_state=True,
    messages=True,
    front_end=None,
):
    """Marks `make() -> (function or module, [arguments of each call])` as a case."""

    def mark(make):
        rules = Rules(tol, strides, aliasing, random_state, sign, messages)
        make.case = Case(make, call, context, train, dynamic, rules)
        make.front_end = front_end
        return make

    return mark


def calls(*arguments, **settings):
    """Short form for a plain function: `@calls((x,), (y,))` over the program itself. Arguments are copied for each side."""

    def mark(fn):
        def make():
            import copy

            return fn, copy.deepcopy(list(arguments))

        make.__name__ = fn.__name__
        return program(**settings)(make)

    return mark


def collect(names):
    """The test function over all programs of a module; call with globals() at its end."""
    found = [value for value in names.values() if isinstance(getattr(value, "case", None), Case)]

    @pytest.mark.parametrize("make", found, ids=[make.__name__ for make in found])
    def test_same_as_eager(make, backend):
        differences = case_differences(make.case, backend)
        if differences and make.front_end:
            pytest.xfail(make.front_end)
        assert not differences, "\n" + "\n".join(differences)

    return test_same_as_eager
