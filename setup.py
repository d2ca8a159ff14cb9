"""Builds the CMake project and packs its libraries into the Python package `torch_ge` (folder torch_backend).

    pip install --no-build-isolation .       a copy in site-packages
    pip install --no-build-isolation -e .    the folder torch_backend itself, with links to build/lib
    python setup.py bdist_wheel              a wheel, in dist/

The CMake build tree is build/, the one that `make build` uses, so nothing is compiled twice. Environment:
GE_BUILD_DIR (default build), GE_CMAKE_ARGS (more -D options), MAX_JOBS.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

ROOT = Path(__file__).resolve().parent
TORCH_VERSION = "2.13.0"


def project_version() -> str:
    """The version is written once, in CMakeLists.txt."""
    match = re.search(r"project\(torch_ge VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text(encoding="utf-8"))
    if match is None:
        sys.exit("setup.py: CMakeLists.txt has no line 'project(torch_ge VERSION x.y.z ...'")
    return match.group(1)


def check_torch() -> None:
    """The compiled part is bound to one torch release: its C++ interfaces change with every one."""
    try:
        import torch
    except ImportError:
        sys.exit(
            f"torch_ge needs torch=={TORCH_VERSION} to compile against, and {sys.executable} has no torch.\n"
            f"Install it, then build without isolation:\n"
            f"  pip install torch=={TORCH_VERSION} --index-url https://download.pytorch.org/whl/cpu\n"
            f"  pip install --no-build-isolation ."
        )
    found = torch.__version__.split("+")[0]
    if found != TORCH_VERSION:
        sys.exit(
            f"torch_ge needs torch=={TORCH_VERSION}, but {sys.executable} has torch {torch.__version__}.\n"
            f"Install the right one (pip install torch=={TORCH_VERSION}), or use a virtual environment of its own."
        )


class CMakeBuild(build_ext):
    """Runs CMake and Ninja, then installs the libraries beside the package's Python files."""

    def run(self) -> None:
        check_torch()
        build = ROOT / os.environ.get("GE_BUILD_DIR", "build")
        configure = ["cmake", "-S", str(ROOT), "-B", str(build), "-G", "Ninja", "-DGE_TESTS=OFF", f"-DGE_PYTHON={sys.executable}"]
        self._call(configure + shlex.split(os.environ.get("GE_CMAKE_ARGS", "")))
        jobs = ["-j", os.environ["MAX_JOBS"]] if os.environ.get("MAX_JOBS") else []
        self._call(["ninja", "-C", str(build), *jobs])
        if self.inplace or self.editable_mode:
            self._link(build / "lib", ROOT / "torch_backend")
        else:
            package = Path(self.build_lib) / "torch_ge"
            package.mkdir(parents=True, exist_ok=True)
            for stale in package.glob("*.so"):  # of an earlier build with other options
                stale.unlink()
            self._call(["cmake", "--install", str(build), "--prefix", str(package.resolve()), "--component", "python"])
            if not (package / "_C.so").exists():
                sys.exit(f"setup.py: the build in {build} made no _C.so; see the CMake output above")

    def get_outputs(self) -> list[str]:
        return []

    def get_output_mapping(self) -> dict[str, str]:
        return {}

    def get_source_files(self) -> list[str]:
        return []

    @staticmethod
    def _call(command: list[str]) -> None:
        if shutil.which(command[0]) is None:
            sys.exit(f"setup.py: {command[0]} not found; `tests/ci/setup.sh` installs what the build needs on Debian 12")
        print("+ " + shlex.join(command), flush=True)
        code = subprocess.run(command, check=False).returncode
        if code != 0:
            sys.exit(f"setup.py: {command[0]} failed with exit code {code}; its own message is above")

    @staticmethod
    def _link(libraries: Path, package: Path) -> None:
        """Links, not copies: a later `ninja -C build` is then in effect at once."""
        for library in sorted(libraries.glob("*.so")):
            link = package / library.name
            target = os.path.relpath(library, package)
            if link.is_symlink() and os.readlink(link) == target:
                continue
            link.unlink(missing_ok=True)
            link.symlink_to(target)


def packages() -> list[str]:
    """torch_ge and its Python subpackages; folders without __init__.py (csrc) are none."""
    found = ["torch_ge"]
    for init in sorted((ROOT / "torch_backend").glob("*/**/__init__.py")):
        found.append(".".join(("torch_ge", *init.parent.relative_to(ROOT / "torch_backend").parts)))
    return found


setup(
    version=project_version(),
    packages=packages(),
    package_dir={"torch_ge": "torch_backend"},
    package_data={"torch_ge": ["py.typed", "*.pyi"]},
    include_package_data=False,
    options={"build": {"build_base": "build/setuptools"}},  # beside CMake's own files, not among them
    ext_modules=[Extension("torch_ge._C", sources=[])],  # marks the wheel as platform-specific; CMakeBuild compiles
    cmdclass={"build_ext": CMakeBuild},
    zip_safe=False,
)
