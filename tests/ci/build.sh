#!/usr/bin/env bash
# Builds the project and leaves `import torch_ge` working in .venv. Run tests/ci/setup.sh first.
#   tests/ci/build.sh                 release build in build/, libraries linked into torch_backend/, editable install
#   tests/ci/build.sh DIR [-D...]     only configure and build in DIR, with these CMake options
# CMake runs again only when the options or the interpreter change (Ninja itself watches the CMakeLists and new files).
set -euo pipefail
cd "$(dirname "$0")/../.."
python=$PWD/.venv/bin/python
release=0
if [[ $# -eq 0 ]]; then release=1; set -- build -DGE_TESTS=OFF; fi
dir=$1; shift

# A job with torch or LLVM headers takes about 1.5 GB.
memory_gb=$(awk '/MemAvailable/ {print int($2 / 1048576)}' /proc/meminfo)
jobs=$(nproc); (( jobs > memory_gb / 2 )) && jobs=$(( memory_gb / 2 > 0 ? memory_gb / 2 : 1 ))
jobs=${MAX_JOBS:-$jobs}

options=(-DGE_PYTHON="$python" "$@")
stamp=$dir/configured-$(printf '%s\n' "$PWD" "${options[@]}" "$("$python" -c 'import sys; print(sys.version)')" | sha256sum | cut -c1-16)
if [[ ! -e $stamp || ! -e $dir/build.ninja ]]; then
  mkdir -p "$dir"
  rm -f "$dir"/configured-*
  cmake -S . -B "$dir" -G Ninja --log-level=WARNING "${options[@]}"
  touch "$stamp"
fi
NINJA_STATUS=${NINJA_STATUS:-"[$dir %f/%t %es] "} ninja -C "$dir" -j "$jobs"

if [[ $release -eq 1 ]]; then
  # Again when what decides the package changes: its metadata, or the place of the checkout.
  stamp=.venv/stamps/editable-$( (echo "$PWD"; cat setup.py pyproject.toml; ls torch_backend/*/__init__.py 2> /dev/null || true) | sha256sum | cut -c1-16)
  linked=1
  for library in build/lib/*.so; do [[ torch_backend/$(basename "$library") -ef $library ]] || linked=0; done
  if [[ ! -e $stamp || $linked -eq 0 ]]; then
    MAX_JOBS=$jobs .venv/bin/pip install -q --disable-pip-version-check --no-build-isolation --no-deps -e .
    rm -f .venv/stamps/editable-*
    touch "$stamp"
  fi
fi
