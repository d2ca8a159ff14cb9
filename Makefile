# `make demo` and `make test` need nothing but this checkout, make, and root (or sudo) on Debian 12. See docs/building.md.
SHELL := /bin/bash
PY := .venv/bin/python
CI := tests/ci
SHARDS := $(PY) tests/tools/shards.py

.PHONY: help setup build demo test bench lint docs asan-full tsan fuzz conformance pass-matrix wheel clean distclean

help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-12s %s\n", $$1, $$2}' Makefile

setup: ## install what is missing: apt packages, .venv, torch, test packages
	@$(CI)/setup.sh test

build: ## compile, and make `import torch_ge` work in .venv
	@$(CI)/setup.sh
	@$(CI)/build.sh

demo: build ## compile three built-in models and compare with eager
	@$(PY) -m torch_ge.demo

test: ## everything that CI checks, stage by stage
	@start=$$(date +%s.%N); $(CI)/setup.sh test && $(PY) $(CI)/run_tests.py --started $$start $(STAGES)

bench: build ## kernels against the machine's limits, the cost of a call, models against eager and the peers
	@$(CI)/setup.sh bench
	@$(CI)/build.sh build-bench -DGE_BENCH=ON -DGE_TORCH=OFF -DGE_TESTS=OFF
	@$(PY) tests/benchmarks/kernels.py
	@$(PY) tests/benchmarks/call_cost.py
	@$(PY) tests/benchmarks/speed.py $(ARGS)

lint: ## clang-format, clang-tidy, ruff, mypy
	@$(CI)/setup.sh lint
	@$(CI)/lint.sh

docs: build ## check links and regenerate what is generated
	@$(PY) tests/tools/check_docs.py

asan-full: ## all sanitizer checks, all C++ tests, longer fuzzing
	@$(CI)/setup.sh test
	@$(CI)/build.sh build-asan-full -DGE_SANITIZE=ON -DGE_UBSAN_ALL=ON -DGE_TORCH=OFF -DGE_TESTS=ON -DGE_FUZZ=ON
	@$(SHARDS) asan-full --build build-asan-full --cpp-tests --fuzz 300

tsan: ## C++ tests under ThreadSanitizer
	@$(CI)/setup.sh test
	@$(CI)/build.sh build-tsan -DGE_TSAN=ON -DGE_TORCH=OFF -DGE_TESTS=ON
	@$(SHARDS) tsan --build build-tsan --cpp-tests

fuzz: ## an hour of parser fuzzing, in shards
	@$(CI)/setup.sh test
	@$(CI)/build.sh build-asan -DGE_SANITIZE=ON -DGE_TORCH=OFF -DGE_TESTS=ON -DGE_FUZZ=ON
	@$(SHARDS) fuzz --build build-asan --fuzz 3600

conformance: build ## all of PyTorch's op_db, in shards
	@$(CI)/setup.sh test
	@$(SHARDS) conformance --over 'seq -f %.0f/48 0 47' -- env GE_OP_DB={} $(PY) -m pytest tests/conformance

pass-matrix: build ## bug cases and models with each pass off in turn, and at each level, in shards
	@$(CI)/setup.sh test
	@$(SHARDS) pass-matrix --over '$(PY) -c "import torch_ge; print(*torch_ge.list_passes(), *[f\"O{n}\" for n in (1, 2, 3)], sep=chr(10))"' -- \
	  $(PY) -m pytest -p tests.tools.pytest_pass_off tests/cases tests/models

wheel: build ## a wheel in dist/
	@.venv/bin/pip wheel -q --no-build-isolation --no-deps -w dist .

clean: ## remove build trees, keep .venv and the compiler cache
	rm -rf build build-asan build-asan-full build-tsan build-bench dist *.egg-info torch_backend/*.so

distclean: clean ## also remove .venv
	rm -rf .venv
