"""Python helpers that the C++ importer calls while it walks an FX graph."""

from __future__ import annotations

import functools
import operator
from collections.abc import Callable
from typing import Any

import sympy
import torch
from torch.fx.node import map_arg
from torch.utils._pytree import tree_flatten, tree_unflatten


@functools.lru_cache(maxsize=4096)
def _text(expr: sympy.Expr) -> str:
    return str(expr)


def expr_text(value: Any) -> str | None:
    """Text of a SymInt's sympy expression, or None. Reads the expression only: never adds a guard."""
    node = getattr(value, "node", None)
    expr = getattr(node, "expr", None)
    return None if expr is None else _text(expr)


def _attribute(module: torch.nn.Module, path: str) -> Any:
    for name in path.split("."):
        module = getattr(module, name)
    return module


def _result(node: torch.fx.Node) -> Any:
    """The metadata of a node's result. Some higher-order ops have none: then what the nodes that take it apart know."""
    if "val" in node.meta:
        return node.meta["val"]
    items: dict[int, Any] = {}
    for user in node.users:
        if user.target is not operator.getitem or not isinstance(user.args[1], int):
            return None
        items[user.args[1]] = _result(user)
    return [items.get(i) for i in range(max(items) + 1)] if items else None


def _leaves(result: Any, like: Any) -> list[Any]:
    """Flattens a result as its metadata is flattened: what the graph does not take apart stays one object."""
    if isinstance(like, (list, tuple)):
        return [leaf for item, part in zip(result, like, strict=False) for leaf in _leaves(item, part)]
    return [result]


def make_py_call(node: torch.fx.Node, gm: torch.fx.GraphModule) -> tuple[Callable[..., list[Any]], list[torch.fx.Node], Any]:
    """A callable that runs ``node``'s target on flat values, the nodes whose (flattened) values it takes, and the metadata
    of its result.

    The FX arguments are kept with each input node replaced by a number, so that the FX graph itself can be freed.
    """
    target = node.target
    result = _result(node)
    inputs: list[torch.fx.Node] = []
    specs: list[Any] = []
    counts: list[int] = []

    class Input:
        def __init__(self, index: int) -> None:
            self.index = index

    positions: dict[torch.fx.Node, Input] = {}

    def replace(n: torch.fx.Node) -> Any:
        if n.op == "get_attr":
            value = _attribute(gm, str(n.target))
            if not isinstance(value, torch.Tensor):
                return value
        if n not in positions:
            positions[n] = Input(len(inputs))
            inputs.append(n)
            leaves, spec = tree_flatten(_result(n))
            specs.append(spec)
            counts.append(len(leaves))
        return positions[n]

    args = map_arg(node.args, replace)
    kwargs = map_arg(node.kwargs, replace)

    def call(*values: Any) -> list[Any]:
        env = []
        at = 0
        for spec, count in zip(specs, counts, strict=True):
            env.append(tree_unflatten(list(values[at : at + count]), spec))
            at += count

        def load(x: Any) -> Any:
            if isinstance(x, Input):
                return env[x.index]
            if isinstance(x, tuple | list):
                return type(x)(load(i) for i in x) if type(x) in (tuple, list) else tuple(load(i) for i in x)
            if isinstance(x, dict):
                return {k: load(v) for k, v in x.items()}
            if isinstance(x, slice):
                return slice(load(x.start), load(x.stop), load(x.step))
            return x

        return _leaves(target(*load(args), **load(kwargs)), result)  # type: ignore[operator]

    return call, inputs, result


def constant(value: Any) -> Callable[[], list[Any]]:
    """A callable without inputs that returns ``value``: a constant that the IR cannot hold."""
    return lambda: [value]
