# Two commands do everything on a machine with Python >= 3.11: `make study` and `make test`.
# The set-up goes into .venv; PYTHON=python3.12 chooses another interpreter.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
JOBS ?= auto

# Most of what the stacks bring is never imported; Python itself compiles what is.
export PIP_COMPILE := 0

.PHONY: study test test-golden test-bounds test-core test-slow check setup setup-test clean

# The main job: a balance study of a million games of Bites, with a table and data files in results/.
study: setup
	$(BIN)/critters balance bites --players 4 --games 1000000 --bots greedy,uniform,greedy,uniform --seed 1 --out results/bites

# Static checks, then all tests but the slow ones, with all optional stacks.
test: setup-test
	$(MAKE) --jobs 2 check test-golden
	$(BIN)/python -m pytest -n $(JOBS) --dist loadgroup -m "not slow"

# The golden games without the compiler, as plain Python, and compiled so that a wrong index is an error.
test-golden: setup-test
	NUMBA_DISABLE_JIT=1 $(BIN)/python -m pytest tests/test_golden.py
	NUMBA_BOUNDSCHECK=1 $(BIN)/python -m pytest -n $(JOBS) --dist loadgroup tests/test_golden.py

# Random games of every game with every promise checked at every node, compiled so that a wrong index is an error.
test-bounds: setup-test
	NUMBA_BOUNDSCHECK=1 $(BIN)/python -m pytest -n $(JOBS) --dist loadgroup tests/test_promises.py

# Only what the core install can run; the tests of optional stacks are skipped and say so.
test-core: $(VENV)/core-tests
	$(BIN)/python -m pytest -n $(JOBS) --dist loadgroup -m "not slow" -rs

# The large runs: a hundred thousand games under every invariant, what compiles much for each game, and the like.
test-slow: setup-test
	$(BIN)/python -m pytest -m slow

check: setup-test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

setup: $(VENV)/pictures

setup-test: $(VENV)/all

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip

$(VENV)/core: pyproject.toml $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet --editable .
	touch $@

$(VENV)/pictures: pyproject.toml $(VENV)/core
	$(BIN)/python -m pip install --quiet --editable '.[plots]'
	touch $@

$(VENV)/core-tests: pyproject.toml constraints.txt $(VENV)/core
	$(BIN)/python -m pip install --quiet --constraint constraints.txt --editable '.[test]'
	touch $@

# The constraints name builds of PyTorch that need no GPU; users of the package are free to take others.
$(VENV)/all: pyproject.toml constraints.txt $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet --constraint constraints.txt torch
	$(BIN)/python -m pip install --quiet --constraint constraints.txt --editable '.[test,dev,ratings,tuning,plots,multiagent,train,openspiel,cluster,notebooks]'
	$(BIN)/python -m pip install --quiet --no-deps 'gymnasium>=1.4'  # RLlib asks for an older one but works with it
	touch $(VENV)/core $(VENV)/pictures $(VENV)/core-tests $@

clean:
	rm -rf $(VENV) build *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis
