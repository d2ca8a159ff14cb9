"""Every ATen mapping row of the operators fits a schema of the installed PyTorch.

The rows are read from the sources (`.Aten("aten::add.Tensor(x1, x2, 1)")`; grammar in ge_core/ir/aten_mapping.h), so the
test needs no build. A row that names a missing overload, has an operand where the schema takes a number, or leaves out an
argument that has no default would otherwise only be noticed as a fallback node.
"""

import pathlib
import re

import pytest
import torch

KERNELS = pathlib.Path(__file__).resolve().parents[2] / "host_kernels"
STRING = r'"((?:[^"\\]|\\.)*)"'
STRINGS = r'((?:"(?:[^"\\]|\\.)*"\s*)+)'  # adjacent literals, joined by the compiler
DEFINITION = re.compile(r"GE_DEFINE_OP\((\w+)\)(.*?);\n", re.S)
ROW = re.compile(
    r"(?P<namespace>\w+)::(?P<name>\w+)(?:\.(?P<overload>\w+))?\((?P<items>.*?)\)\s*(?:->\s*(?P<out>[\w, ]+?))?\s*(?:if\b.*)?$"
)


def collect():
    rows = []
    for source in sorted(KERNELS.glob("*_ops/*.cc")):
        for definition in DEFINITION.finditer(source.read_text()):
            op, body = definition.groups()
            ports = {
                name: kind for kind, name in re.findall(r"\.(Input|OptionalInput|VariadicInput|OptionalVariadicInput)\(" + STRING, body)
            }
            outputs = re.findall(r"\.(?:Variadic)?Output\(" + STRING, body)
            attrs = {name: kind for kind, name in re.findall(r"\.(Required|Optional|Int|Bool|Float|String)\(" + STRING, body)}
            for literals in re.findall(r"\.Aten\(" + STRINGS, body):
                row = "".join(re.findall(STRING, literals)).replace('\\"', '"')
                rows.append(pytest.param(row, ports, outputs, attrs, id=f"{op}-{row}"))
    return rows


def split_items(text):
    items, depth, start = [], 0, 0
    for i, c in enumerate(text + ","):
        depth += (c == "[") - (c == "]")
        if c == "," and depth == 0:
            items.append(text[start:i].strip())
            start = i + 1
    return [i for i in items if i]


def literal_fits(item, argument_type):
    base = argument_type[len("Optional[") : -1] if argument_type.startswith("Optional[") else argument_type
    if item in ("none", "None"):
        return argument_type.startswith("Optional[")
    if item in ("true", "false", "True", "False"):
        return base in ("bool", "number")
    if item.startswith('"'):
        return base in ("str", "Device") or (argument_type == "Optional[int]" and item == '"strided"')  # layout
    if item.startswith("dtype("):
        return base == "int"
    if item.startswith("["):
        return base.startswith("List[")
    if re.fullmatch(r"-?\d+", item):
        return base in ("int", "SymInt", "number", "float")
    return base in ("float", "number")


def find_schema(namespace, name, overload):
    packet = getattr(getattr(torch.ops, namespace), name, None)
    assert packet is not None, f"torch has no {namespace}::{name}"
    assert (overload or "default") in packet.overloads(), f"{namespace}::{name} has overloads {packet.overloads()}"
    return getattr(packet, overload or "default")._schema


@pytest.mark.parametrize("row, ports, outputs, attrs", collect())
def test_row_fits_schema(row, ports, outputs, attrs):
    match = ROW.match(row)
    assert match, f"row is not of the form name(items): {row}"
    schema = find_schema(match["namespace"], match["name"], match["overload"])
    items = split_items(match["items"])
    arguments = schema.arguments
    assert len(items) <= len(arguments), f"{len(items)} items for {schema}"
    for item, argument in zip(items, arguments, strict=False):
        kind = str(argument.type)
        where = f"{item!r} for argument {kind} {argument.name!r} of {schema}"
        if item.startswith("#"):
            port, _, single = item[1:].partition(".")
            assert port in ports, where
            base = kind[len("Optional[") : -1] if kind.startswith("Optional[") else kind
            assert base in ({"int", "SymInt", "number"} if single else {"List[int]", "List[SymInt]"}), where
        elif item.startswith("@"):
            assert item[1:] in attrs, where
            base = kind[len("Optional[") : -1] if kind.startswith("Optional[") else kind
            # A Python number may stand where the schema has a Tensor: aten.add.Tensor(x, 2.0).
            assert base != "Tensor" or item[1:] in ("scalar", "value"), where
            assert not (kind.startswith("Optional[") and attrs[item[1:]] == "Required" and base == "Tensor"), where
        elif re.fullmatch(r"[A-Za-z_]\w*(\^T)?", item) and item.removesuffix("^T") in ports:
            assert "Tensor" in kind, where
            assert "Variadic" not in ports[item.removesuffix("^T")] or kind.startswith("List["), where
        else:
            assert literal_fits(item, kind), where
    for argument in arguments[len(items) :]:
        assert argument.has_default_value(), f"{row} leaves out {argument.name!r}, which has no default: {schema}"
    if match["out"]:
        results = [r.strip() for r in match["out"].split(",")]
        assert len(results) <= len(schema.returns), f"{row} names {len(results)} results of {schema}"
        assert all(r == "_" or r in outputs for r in results), row


def test_rows_were_found():
    assert len(collect()) > 200
