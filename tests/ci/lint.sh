#!/usr/bin/env bash
# clang-format, clang-tidy, ruff, mypy. Runs all four, then fails if one did. `lint.sh fast` leaves clang-tidy out.
set -uo pipefail
cd "$(dirname "$0")/../.."
failed=()
check() {
  local name=$1; shift
  echo "== $name"
  "$@" || failed+=("$name")
}
mapfile -t sources < <(git ls-files '*.cc' '*.h')
mapfile -t scripts < <(git ls-files '*.py')

check clang-format clang-format-19 --dry-run --Werror "${sources[@]}"
check ruff .venv/bin/ruff check "${scripts[@]}"
# The package is checked under its import name: mypy does not know the mapping torch_ge -> torch_backend.
mkdir -p build/mypy && ln -sfn ../../torch_backend build/mypy/torch_ge
check mypy env MYPYPATH=build/mypy .venv/bin/mypy --cache-dir .mypy_cache -p torch_ge
check mypy-tools env MYPYPATH=build/mypy .venv/bin/mypy --cache-dir .mypy_cache tests/ci/run_tests.py tests/tools/*.py
check mypy-benchmarks env MYPYPATH=build/mypy:tests/benchmarks .venv/bin/mypy --cache-dir .mypy_cache \
  tests/benchmarks/{speed,call_cost,kernels}.py tests/benchmarks/harness/*.py
if [[ ${1:-} != fast ]]; then
  if [[ -e build/compile_commands.json ]]; then
    # Only files that the build compiles; generated code is not ours.
    mapfile -t compiled < <(.venv/bin/python -c '
import json
for f in sorted({e["file"] for e in json.load(open("build/compile_commands.json"))}):
    if "/build" not in f: print(f)')
    # GCC precompiled headers mean nothing to clang: their flags are dropped.
    mkdir -p build/tidy
    sed -E 's/-Winvalid-pch//g; s/-include [^ ]*cmake_pch.hxx//g' build/compile_commands.json > build/tidy/compile_commands.json
    tidy() { printf '%s\n' "${compiled[@]}" | xargs -P "$(nproc)" -n 4 clang-tidy-19 -p build/tidy --quiet; }
    check clang-tidy tidy
  else
    echo "clang-tidy: no build/compile_commands.json; run make build first"; failed+=(clang-tidy)
  fi
fi
if [[ ${#failed[@]} -gt 0 ]]; then echo "lint failed: ${failed[*]}"; exit 1; fi
echo "lint: clean"
