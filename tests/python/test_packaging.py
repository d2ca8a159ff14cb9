"""The installed package: entry point, version, typing marker, and what happens with another torch."""

from __future__ import annotations

import importlib.metadata
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import torch

import torch_ge

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def other_torch(tmp_path: Path) -> dict[str, str]:
    """An environment in which `import torch` finds release 2.12.1."""
    package = tmp_path / "torch"
    package.mkdir()
    (package / "__init__.py").write_text('__version__ = "2.12.1+cpu"\n')
    return {**os.environ, "PYTHONPATH": str(tmp_path)}


def test_backend_is_found_by_name() -> None:
    found = [e for e in importlib.metadata.entry_points(group="torch_dynamo_backends") if e.name == "ge"]
    assert [e.value for e in found] == ["torch_ge.dynamo:backend"]
    assert "ge" in torch._dynamo.list_backends()


def test_compile_needs_no_import_of_ours() -> None:
    # In a fresh process: the suite itself has imported the package long ago.
    code = (
        "import sys, torch\n"
        "assert not any(m == 'torch_ge' or m.startswith('torch_ge.') for m in sys.modules)\n"
        "f = torch.compile(lambda x: x.relu() + 1, backend='ge')\n"
        "print(f(torch.tensor([-1.0, 2.0])).tolist())\n"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd="/", check=False)
    assert result.returncode == 0, result.stderr
    assert result.stdout.strip() == "[1.0, 3.0]"


def test_version_is_the_same_everywhere() -> None:
    match = re.search(r"project\(torch_ge VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text())
    assert match is not None
    assert torch_ge.__version__ == match.group(1) == importlib.metadata.version("torch-ge")


def test_metadata() -> None:
    metadata = importlib.metadata.metadata("torch-ge")
    assert metadata["Requires-Python"] == ">=3.10"
    assert "torch==2.13.0" in (importlib.metadata.requires("torch-ge") or [])
    assert "torch==2.13.0" in (ROOT / "constraints.txt").read_text().splitlines()


def test_package_is_typed() -> None:
    assert Path(torch_ge.__file__ or "").with_name("py.typed").exists()


def test_build_refuses_another_torch(other_torch: dict[str, str]) -> None:
    command = [sys.executable, "setup.py", "build_ext"]
    result = subprocess.run(command, cwd=ROOT, env=other_torch, capture_output=True, text=True, check=False)
    assert result.returncode != 0
    assert "needs torch==2.13.0" in result.stderr
    assert "has torch 2.12.1+cpu" in result.stderr
    assert "Traceback" not in result.stderr


def test_import_refuses_another_torch(other_torch: dict[str, str]) -> None:
    command = [sys.executable, "-c", "import torch_ge"]
    result = subprocess.run(command, env=other_torch, capture_output=True, text=True, check=False, cwd="/")
    assert result.returncode != 0
    last = result.stderr.strip().splitlines()[-1]
    assert last.startswith("ImportError:")
    assert "2.13" in last and "2.12.1" in last and "pip install" in last
