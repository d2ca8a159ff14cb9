#!/usr/bin/env bash
# Installs what the project needs on Debian 12: apt packages, .venv, Python packages.
#   tests/ci/setup.sh [test] [bench] [lint]     the base set is always installed
# Does nothing, in well under a second, when all is there. PYTHON=... chooses the interpreter of .venv, TORCH_INDEX=URL
# the package index that torch comes from.
set -euo pipefail
cd "$(dirname "$0")/../.."
say() { printf '[set-up] %s\n' "$*"; }

apt_packages=(g++ cmake ninja-build ccache llvm-19-dev libdnnl-dev libprotobuf-dev protobuf-compiler libfmt-dev libgtest-dev
              python3-dev python3-venv)
for group in "$@"; do
  case $group in
    lint) apt_packages+=(clang-format-19 clang-tidy-19) ;;
    bench) apt_packages+=(libbenchmark-dev) ;;
    test) ;;
    *) echo "setup.sh: unknown group '$group'; expected test, bench or lint" >&2; exit 2 ;;
  esac
done

install_apt_packages() {
  local missing=() package
  if ! command -v dpkg-query > /dev/null; then
    say "no dpkg here: install the equivalents of these Debian packages yourself: ${apt_packages[*]}"
    return
  fi
  for package in "${apt_packages[@]}"; do
    # "ii" only: a removed package with leftover configuration files is not installed.
    [[ $(dpkg-query -W -f '${db:Status-Abbrev}' "$package" 2> /dev/null) == ii* ]] || missing+=("$package")
  done
  [[ ${#missing[@]} -eq 0 ]] && return
  local as_root=()
  if [[ $(id -u) -ne 0 ]]; then
    if command -v sudo > /dev/null && sudo -n true 2> /dev/null; then
      as_root=(sudo -n)
    else
      echo "Debian packages are missing and I am not root. Run this line, then the same make command again:" >&2
      echo "  sudo apt-get update && sudo apt-get install -y --no-install-recommends ${missing[*]}" >&2
      exit 1
    fi
  fi
  say "apt-get install ${missing[*]}"
  "${as_root[@]}" apt-get update -qq
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" < /dev/null
}

# An interpreter that can make a virtual environment and has Python.h. Debian's own is tried last: a user's choice wins.
find_python() {
  local candidate
  for candidate in ${PYTHON:-} python3 /usr/bin/python3; do
    if "$candidate" - 2> /dev/null <<'PY'
import ensurepip, os, sys, sysconfig, venv
sys.exit(not (sys.version_info >= (3, 10) and os.path.exists(os.path.join(sysconfig.get_paths()["include"], "Python.h"))))
PY
    then command -v "$candidate"; return; fi
  done
  echo "no Python >= 3.10 with venv and Python.h found (tried: ${PYTHON:-} python3 /usr/bin/python3); set PYTHON=..." >&2
  exit 1
}

# The CPU wheel of torch: from the configured indexes where they have one, else from PyTorch's CPU index. PyPI's wheel
# (several GB of CUDA libraries) is the last resort: the project runs with it, too.
choose_torch() {
  if [[ -n ${TORCH_INDEX:-} ]]; then
    torch_args=(--extra-index-url "$TORCH_INDEX"); torch_version=2.13.0
  elif "$pip" install -q --dry-run --no-deps 'torch==2.13.0+cpu' > /dev/null 2>&1; then
    torch_args=(); torch_version=2.13.0+cpu
  elif "$pip" install -q --dry-run --no-deps --retries 1 --index-url https://download.pytorch.org/whl/cpu 'torch==2.13.0' > /dev/null 2>&1; then
    torch_args=(--extra-index-url https://download.pytorch.org/whl/cpu); torch_version=2.13.0
  else
    torch_args=(); torch_version=2.13.0
  fi
}

install_apt_packages
if [[ ! -x .venv/bin/python ]]; then
  python=$(find_python)
  say "making .venv with $python"
  "$python" -m venv .venv
fi
pip=.venv/bin/pip
mkdir -p .venv/stamps

# One stamp a group, named after the content that decides the result.
for group in base "$@"; do
  file=requirements-$group.txt
  [[ $group == base ]] && file=requirements.txt
  stamp=.venv/stamps/$group-$(cat constraints.txt "$file" | sha256sum | cut -c1-16)
  [[ -e $stamp ]] && continue
  if [[ -z ${torch_version:-} ]]; then
    choose_torch
    say "pip install torch==$torch_version ${torch_args[*]}"
    "$pip" install --progress-bar off --disable-pip-version-check "${torch_args[@]}" -c constraints.txt "torch==$torch_version" | sed 's/^/[pip] /'
  fi
  say "pip install -r $file"
  "$pip" install --progress-bar off --disable-pip-version-check "${torch_args[@]}" -c constraints.txt -r "$file" | sed 's/^/[pip] /'
  rm -f .venv/stamps/"$group"-*
  touch "$stamp"
done
