"""The includes form the tree of docs/architecture.md: nothing below knows what is above.

Every #include of every C++ file is read, tests aside. Three laws: a folder includes only the folders listed for it;
libtorch headers appear only in host_kernels/aten and torch_backend; a file that the torch targets see, headers of ours
included by them too, includes no protobuf, fmt, oneDNN or LLVM header (torch ships its own, other versions of the first
three).
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*(?:"([^"]+)"|<([^>]+)>)', re.MULTILINE)

BASE, IR = "ge_core/base", "ge_core/ir"
# Folder -> what it may include besides itself. The longest matching prefix of a path decides its folder.
ALLOWED: dict[str, set[str]] = {
    "ge_core/base": set(),
    "ge_core/ir": {BASE},
    "host_kernels": {BASE, IR},
    "host_kernels/onednn": {BASE, IR, "host_kernels"},
    "host_kernels/jit": {BASE, IR, "host_kernels"},
    "host_kernels/simd": {BASE, IR, "host_kernels"},
    "host_kernels/aten": {BASE, IR, "host_kernels"},
    "ge_core/eval": {BASE, IR},
    "ge_core/passes": {BASE, IR, "ge_core/eval"},
    "ge_core/autofuse": {BASE, IR, "ge_core/passes"},
    "ge_core/engine": {BASE, IR, "ge_core/eval", "ge_core/passes", "ge_core/autofuse"},
    "ge_core/compile": {BASE, IR, "ge_core/eval", "ge_core/passes", "ge_core/autofuse", "ge_core/engine"},
    "npu_runtime": {BASE, IR, "ge_core/compile/model.h"},
}
# They inject the tables and may include everything. Tools and the Python binding sit on top of one of them.
ROOTS = ("npu_runtime/host_session", "torch_backend/csrc/", "ge_core/tools/", "tests/")

OURS = ("ge_core/", "host_kernels/", "npu_runtime/", "torch_backend/")
TORCH = re.compile(r"^(torch|ATen|c10|caffe2|pybind11|Python\.h)(/|$)|^Python\.h$")
FOREIGN = re.compile(r"^(google/protobuf|fmt/|oneapi/|dnnl|llvm/|llvm-c/)|\.pb\.h$")
TORCH_TARGETS = ("host_kernels/aten/", "torch_backend/")


def sources() -> dict[str, list[str]]:
    """Path -> what it includes, in order."""
    files = {}
    for top in ("ge_core", "host_kernels", "npu_runtime", "torch_backend"):
        for path in sorted((ROOT / top).rglob("*")):
            if path.suffix in (".cc", ".h"):
                text = path.read_text(encoding="utf-8")
                files[path.relative_to(ROOT).as_posix()] = [a or b for a, b in INCLUDE.findall(text)]
    return files


def folder_of(path: str) -> str:
    fitting = [f for f in ALLOWED if path.startswith(f + "/")]
    assert fitting, f"{path}: this folder is not in the include tree; add it to docs/architecture.md and to this test"
    return max(fitting, key=len)


def edge_allowed(path: str, included: str) -> bool:
    if path.startswith(ROOTS):
        return True
    here, there = folder_of(path), folder_of(included)
    return here == there or there in ALLOWED[here] or included in ALLOWED[here]


def test_edges_are_in_the_tree() -> None:
    files = sources()
    assert len(files) > 20, "the test looks in the wrong place"
    wrong = [f"{p} -> {i}" for p, includes in files.items() for i in includes if i.startswith(OURS) and not edge_allowed(p, i)]
    assert not wrong, "includes outside the tree of docs/architecture.md:\n" + "\n".join(wrong)


def test_our_headers_exist_and_are_named_from_the_root() -> None:
    files = sources()
    wrong = []
    for path, includes in files.items():
        for included in includes:
            if included.startswith(OURS):
                # Files that the build generates live under build/gen.
                if not (ROOT / included).exists() and not included.endswith(".pb.h"):
                    wrong.append(f"{path}: {included} does not exist")
            elif (ROOT / path).parent.joinpath(included).exists():
                wrong.append(f"{path}: write {included!r} with its path from the root")
    assert not wrong, "\n".join(wrong)


def test_libtorch_only_where_it_belongs() -> None:
    wrong = [f"{p} -> {i}" for p, includes in sources().items() for i in includes if TORCH.search(i) and not p.startswith(TORCH_TARGETS)]
    assert not wrong, "libtorch or Python headers outside host_kernels/aten and torch_backend:\n" + "\n".join(wrong)


def test_headers_include_no_fmt() -> None:
    # Any of our headers may be included by a torch target one day, so the rule is for all of them.
    wrong = [f"{p} -> {i}" for p, includes in sources().items() for i in includes if p.endswith(".h") and i.startswith("fmt/")]
    assert not wrong, "use ge_core/base/str.h in headers:\n" + "\n".join(wrong)


def test_torch_targets_see_no_foreign_copy() -> None:
    files = sources()
    wrong = []
    for start in (p for p in files if p.startswith(TORCH_TARGETS)):
        seen, todo = {start}, [(start, start)]
        while todo:
            path, trail = todo.pop()
            for included in files.get(path, []):
                if FOREIGN.search(included):
                    wrong.append(f"{trail} -> {included}")
                elif included in files and included not in seen:
                    seen.add(included)
                    todo.append((included, f"{trail} -> {included}"))
    assert not wrong, "torch targets would mix two copies of a library:\n" + "\n".join(wrong)


def test_includes_have_no_cycle() -> None:
    files = sources()
    state: dict[str, int] = {}  # 1: on the way, 2: done

    def visit(path: str, trail: tuple[str, ...]) -> None:
        if state.get(path) == 2:
            return
        assert state.get(path) != 1, "cycle of includes: " + " -> ".join((*trail[trail.index(path) :], path))
        state[path] = 1
        for included in files[path]:
            if included in files:
                visit(included, (*trail, path))
        state[path] = 2

    for path in files:
        visit(path, ())


@pytest.mark.parametrize(
    ("path", "included", "allowed"),
    [
        ("ge_core/ir/graph.h", "ge_core/base/status.h", True),
        ("ge_core/base/status.h", "ge_core/ir/graph.h", False),
        ("ge_core/passes/cse.cc", "host_kernels/ops.h", False),
        ("ge_core/eval/evaluator.cc", "ge_core/passes/pass.h", False),
        ("npu_runtime/loader.cc", "ge_core/compile/model.h", True),
        ("npu_runtime/loader.cc", "ge_core/compile/memory_planner.h", False),
        ("npu_runtime/host_session.cc", "ge_core/compile/memory_planner.h", True),
        ("host_kernels/onednn/matmul.cc", "host_kernels/ops.h", True),
        ("host_kernels/ops.cc", "host_kernels/onednn/api.h", False),
        ("torch_backend/csrc/session.cc", "ge_core/passes/pipeline.h", True),
    ],
)
def test_the_rule_itself_can_fail(path: str, included: str, allowed: bool) -> None:
    assert edge_allowed(path, included) is allowed


def test_foreign_and_torch_patterns_can_fail() -> None:
    foreign = ("fmt/format.h", "google/protobuf/message.h", "dnnl.hpp", "oneapi/dnnl/dnnl.hpp", "llvm/IR/Module.h")
    for name in (*foreign, "ge_core/ir/torch_ge_ir.pb.h"):
        assert FOREIGN.search(name), name
    for name in ("torch/extension.h", "ATen/ATen.h", "c10/core/Device.h", "Python.h"):
        assert TORCH.search(name), name
    assert not TORCH.search("torch_backend/csrc/session.h")
