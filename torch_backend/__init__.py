"""torch_ge: a graph compiler and runtime behind `torch.compile(model, backend="ge")`.

Importing this package is not needed for that line: the backend is found through the entry point group
`torch_dynamo_backends`. The package itself offers what else a user may want: `compile` (a compiled model called
without Dynamo), `explain` (a report of what was done), `testing`, `CompilerConfig`, `build_info` and logging.

The native library is loaded on first use, so that importing the package stays cheap and possible for tools.
"""

from __future__ import annotations

import importlib
import logging
from typing import TYPE_CHECKING, Any

import torch

from .config import CompilerConfig, session, set_options

if TYPE_CHECKING:
    from . import testing as testing
    from .bisection import Bisection as Bisection
    from .bisection import bisect as bisect
    from .compiled import DirectModel as DirectModel
    from .compiled import compile as compile
    from .compiled import refresh as refresh
    from .config import OPTIONS as OPTIONS
    from .dynamo import CompiledModel as CompiledModel
    from .dynamo import backend as backend
    from .keep import no_fold as no_fold
    from .report import GraphReport as GraphReport
    from .report import Report as Report
    from .report import explain as explain
    from .timeline import trace as trace

__version__ = "0.1.0"

# The release whose private interfaces and C++ ABI the package is built against.
SUPPORTED_TORCH = "2.13"

log = logging.getLogger("torch_ge")
log.addHandler(logging.NullHandler())


def _check_torch(version: str) -> None:
    if version.split("+")[0].rsplit(".", 1)[0] != SUPPORTED_TORCH:
        raise ImportError(
            f"torch_ge {__version__} is built for torch {SUPPORTED_TORCH}.x, but torch {version} is installed. "
            f"Install torch=={SUPPORTED_TORCH}.0 (CPU wheel: pip install torch=={SUPPORTED_TORCH}.0 "
            "--index-url https://download.pytorch.org/whl/cpu), or rebuild torch_ge for the installed version."
        )


_check_torch(str(torch.__version__))

# Public names that need the native library or slow imports: name -> module.
_LAZY = {
    "backend": ".dynamo",
    "compile": ".compiled",
    "refresh": ".compiled",
    "DirectModel": ".compiled",
    "CompiledModel": ".dynamo",
    "explain": ".report",
    "Report": ".report",
    "GraphReport": ".report",
    "bisect": ".bisection",
    "Bisection": ".bisection",
    "no_fold": ".keep",
    "testing": ".testing",
    "demo": ".demo",
    "trace": ".timeline",
    "OPTIONS": ".config",
}

__all__ = [
    "OPTIONS",
    "Bisection",
    "CompiledModel",
    "CompilerConfig",
    "DirectModel",
    "GraphReport",
    "Report",
    "backend",
    "bisect",
    "build_info",
    "compile",
    "explain",
    "list_passes",
    "no_fold",
    "refresh",
    "session",
    "set_options",
    "testing",
    "trace",
]


def __getattr__(name: str) -> Any:
    module_name = _LAZY.get(name)
    if module_name is None:
        raise AttributeError(f"module 'torch_ge' has no attribute {name!r}")
    module = importlib.import_module(module_name, __name__)
    value = module if module_name == "." + name else getattr(module, name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(set(globals()) | set(__all__))


def _native() -> Any:
    """The C++ extension, or an ImportError that says how to build it."""
    try:
        return importlib.import_module("._C", __name__)
    except ImportError as error:
        raise ImportError(
            f"torch_ge's native library cannot be loaded: {error}. Build it with `make build`, or reinstall the package "
            "with `pip install --no-build-isolation .` in its source folder."
        ) from error


def build_info() -> dict[str, Any]:
    """Versions, instruction set and engines of this installation, for bug reports.

    Keys: `version`, `torch`, `python`, `isa`, and what the native library adds (`engines`: name -> version or reason
    why it is absent). Where the native library cannot be loaded, `native` holds the reason.
    """
    import platform

    info: dict[str, Any] = {
        "version": __version__,
        "torch": str(torch.__version__),
        "python": platform.python_version(),
        "isa": torch.backends.cpu.get_cpu_capability(),
        "engines": {},
    }
    try:
        info.update(_native().build_info())
    except ImportError as error:
        info["native"] = str(error)
    return info


def list_passes() -> list[str]:
    """The names of all compiler passes, in the order of the pipeline: what `ge.optimizationSwitch` takes."""
    return list(_native().list_passes())
