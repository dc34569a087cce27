# Everything a fresh machine needs is installed into .venv; nothing but Python 3.11 or later and make has to be there.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/pip install --quiet --disable-pip-version-check --constraint constraints.txt
# pip compiles what it copies, and an editable installation is not copied; without this every start compiles anew where
# Python may not write bytecode.
COMPILE := $(BIN)/python -m compileall -q reconcile
INPUTS := setup.cfg pyproject.toml constraints.txt
# Pairs of a Python and a TensorFlow that `make matrix` builds models with.
MATRIX ?= 3.11:2.15 3.12:2.16 3.12:2.18 3.13:2.20 3.13:2.21
# Implementations whose models `make test-implementations` builds with their own libraries.
IMPLEMENTATIONS ?= $(patsubst tests/implementations/%.txt,%,$(wildcard tests/implementations/*.txt))
FUZZ_SECONDS ?= 60
MODEL ?= models/stackexchange-bert-base.toml

.PHONY: run test lint bench fuzz reports taxonomy outputs docs page matrix test-implementations test-pytest test-browser clean

run: $(VENV)/.run
	@$(BIN)/reconcile build $(MODEL)

test: $(VENV)/.develop
	$(BIN)/python -m pytest $(PYTEST_ARGS)

lint: $(VENV)/.develop
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache

bench: $(VENV)/.develop
	@$(COMPILE)
	$(BIN)/python -m benchmarks

fuzz: $(VENV)/.develop
	@for script in tests/*/fuzz_*.py; do \
	  echo "$$script"; $(BIN)/python $$script --seconds $(FUZZ_SECONDS) || exit 1; \
	done

reports: $(VENV)/.develop
	$(BIN)/python reports/write.py

taxonomy: $(VENV)/.develop
	$(BIN)/python docs/write.py

# What README and docs show of the program's output, as it prints it today.
outputs: $(VENV)/.develop
	$(BIN)/python docs/outputs.py

# README, docs and reports as a site; a link that leads nowhere fails. python -m http.server -d build/docs
docs: $(VENV)/.docs
	$(BIN)/python docs/build.py build/docs

# A folder that any web server can serve: python -m http.server -d build/page
page: $(VENV)/.develop
	$(BIN)/python page/build.py build/page

# Reports, the page and the docs in headless Chromium; what is missing is installed. Pictures of them go to build/screenshots.
test-browser: $(VENV)/.browser page docs
	$(BIN)/python -m pytest tests/browser $(PYTEST_ARGS)

# Not part of the tests: each pair needs an environment of its own, 2 GB and some minutes.
matrix:
	@for pair in $(MATRIX); do .ci/matrix "$${pair%%:*}" "$${pair##*:}" || exit 1; done

# An environment of its own for each, 1 to 2 GB and some minutes; `make test` reads the lists that they have to print.
test-implementations:
	@for name in $(IMPLEMENTATIONS); do .ci/implementations "$$name" || exit 1; done

# The plugin's tests with each pytest that it is meant for.
test-pytest:
	@for version in 7 8 9; do PYTHON=$(PYTHON) .ci/pytest "$$version" || exit 1; done

$(VENV)/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "keras-reconcile needs Python 3.11 or later; say which with: make PYTHON=python3.12"; exit 1; }
	@$(PYTHON) -m venv $(VENV)

$(VENV)/.run: $(VENV)/bin/python $(INPUTS)
	@echo "installing keras-reconcile with TensorFlow and keras-bert into $(VENV) (a minute or two, once)"
	@$(PIP) --editable '.[build]'
	@$(COMPILE)
	@touch $@

$(VENV)/.develop: $(VENV)/bin/python $(INPUTS)
	@echo "installing keras-reconcile with what building, testing and linting need into $(VENV) (once)"
	@$(PIP) --editable '.[build,test,lint]'
	@$(COMPILE)
	@touch $@ $(VENV)/.run

$(VENV)/.docs: $(VENV)/.develop
	@$(PIP) --editable '.[build,test,lint,docs]'
	@touch $@

$(VENV)/.browser: $(VENV)/.develop
	@PYTHON=$(BIN)/python .ci/browser
	@$(PIP) --editable '.[build,test,lint,browser]'
	@touch $@

clean:
	rm -rf $(VENV) .venv-matrix .venv-implementations .venv-pytest build *.egg-info
