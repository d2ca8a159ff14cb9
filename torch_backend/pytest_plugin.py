"""A pytest fixture that runs a test on chosen engines and devices.

    pytest_plugins = ["torch_ge.pytest_plugin"]           # in the top-level conftest.py

    @pytest.mark.ge(engines=["", "DNN_VM_HOST_CPU"], devices=["host", "sim"])
    def test_block(ge_target):
        ge_target.assert_same_as_eager(Block().eval(), torch.randn(2, 8))

The test runs once for each engine list and device. Without the marker, the command line decides (`--ge-engines`,
`--ge-devices`: lists separated by semicolons); without both, the defaults of the backend hold.
"""

from __future__ import annotations

import dataclasses
import os
from typing import Any

import pytest


@dataclasses.dataclass(frozen=True)
class Target:
    """Where a test is to run: hand `options` to torch.compile, or use the methods, which do."""

    backend: str
    engines: str
    device: str

    @property
    def options(self) -> dict[str, str]:
        """Options for torch.compile; empty for the defaults, and for a backend that has no such options."""
        if self.backend != "ge":
            return {}
        chosen = {"ge.exec.engines": self.engines, "ge.exec.device": self.device}
        return {key: value for key, value in chosen.items() if value}

    def assert_same_as_eager(self, model: Any, *args: Any, **settings: Any) -> None:
        """`torch_ge.testing.assert_same_as_eager` on this target."""
        from .testing import assert_same_as_eager

        options = {**self.options, **settings.pop("options", {})}
        assert_same_as_eager(model, *args, backend=self.backend, options=options, **settings)

    def assert_nodes(self, model: Any, *args: Any, **settings: Any) -> None:
        """`torch_ge.testing.assert_nodes` on this target."""
        from .testing import assert_nodes

        if self.backend != "ge":
            pytest.skip("only backend ge has a report")
        assert_nodes(model, *args, options={**self.options, **settings.pop("options", {})}, **settings)


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("torch_ge")
    group.addoption("--ge-engines", default="", help="engine lists for the fixture ge_target, separated by ';'")
    group.addoption("--ge-devices", default="", help="devices for the fixture ge_target, separated by ';'")


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "ge(engines, devices): engine lists and devices the fixture ge_target runs on")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "ge_target" not in metafunc.fixturenames:
        return
    marker = metafunc.definition.get_closest_marker("ge")
    chosen = marker.kwargs if marker else {}
    unknown = set(chosen) - {"engines", "devices"}
    if unknown or (marker and marker.args):
        raise pytest.UsageError(f"marker ge takes engines= and devices=, not {sorted(unknown) or marker.args}")  # type: ignore[union-attr]
    engines = chosen.get("engines", metafunc.config.getoption("--ge-engines").split(";"))
    devices = chosen.get("devices", metafunc.config.getoption("--ge-devices").split(";"))
    backend = os.environ.get("GE_TEST_BACKEND", "ge")
    targets = [Target(backend, engine, device) for engine in engines for device in devices]
    if backend != "ge":
        targets = targets[:1]  # other backends have no engines to choose
    metafunc.parametrize("ge_target", targets, ids=[f"{t.engines or 'all'}-{t.device or 'host'}" for t in targets])
