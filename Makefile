# make demo: learn and solve something; make test: every check; make bench: the measured tables.
# make portable: the tests of saved bytes under several kernels of OpenBLAS and numbers of threads; it writes no files.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
SHELL := /bin/bash

# A kernel of OpenBLAS, the processor's flag that it needs, and a number of threads.
KERNELS := Prescott:pni:1 Haswell:avx2:2 SkylakeX:avx512vl:1 Zen:avx2:2
PORTABLE := tests/data/test_products.py tests/mining/test_cuts.py tests/sources/test_cuts_on_disk.py \
	tests/sources/test_far_cuts.py tests/sources/test_mine_stream.py

.PHONY: demo test portable bench clean

demo: $(VENV)/.demo
	@$(BIN)/unwritten demo

test: $(VENV)/.dev
	$(BIN)/ruff check src experiments tests benchmarks docs
	$(BIN)/ruff format --check src experiments tests benchmarks docs
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python -m pytest -n auto --dist loadfile

portable: $(VENV)/.dev
	@for each in $(KERNELS); do \
	  IFS=: read -r kernel flag threads <<< "$$each"; \
	  if ! grep -qw "$$flag" /proc/cpuinfo 2>/dev/null; then \
	    echo "$$kernel: skipped, this processor does not report $$flag"; \
	    continue; \
	  fi; \
	  echo "$$kernel, threads: $$threads"; \
	  OPENBLAS_CORETYPE=$$kernel OPENBLAS_NUM_THREADS=$$threads $(BIN)/python -m pytest -q -p no:cacheprovider \
	    -k "not lost_worker and not kernel" $(PORTABLE) || exit 1; \
	done

bench: $(VENV)/.dev
	$(BIN)/python -m benchmarks

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --upgrade pip

$(VENV)/.demo: $(VENV)/bin/python pyproject.toml
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e .
	@touch $@

$(VENV)/.dev: $(VENV)/bin/python pyproject.toml
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[dev]'
	@touch $@ $(VENV)/.demo

clean:
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
