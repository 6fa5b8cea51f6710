# The first `make mark` or `make test` sets everything up; it needs only make and Python 3.11
# or newer.  Choose another Python with `make PYTHON=/path/to/python3.12 test`.

VENV := .venv
RUN := $(VENV)/bin/python -m
RUNTIME := $(VENV)/.grader-installed
DEVELOPMENT := $(VENV)/.grader-dev-installed
# What audits the pages: one file of the package.  Playwright, which it would bring, is 160 MB.
AXE_VERSION := 0.1.8
AXE := $(VENV)/axe-$(AXE_VERSION)/axe_playwright_python/axe.min.js
CANDIDATES := python3.13 python3.12 python3.11 python3 python
# Compile once, even where Python is told to write no bytecode: else hundreds of processes compile.
COMPILE = $(RUN) compileall -q grader
# The tests' own bytecode is kept too: to compile all tests takes each process of the suite ten seconds.
PYTEST := PYTHONDONTWRITEBYTECODE= $(RUN) pytest --dist worksteal
PIP_INSTALL := $(RUN) pip install --quiet --disable-pip-version-check

.DEFAULT_GOAL := help
.PHONY: help mark test acceptance lint docs rehearsal release clean

help:
	@echo "make mark        mark the sample batch of every spec; look at reports/course/index.html"
	@echo "make test        style, types, layers, and the tests that find faults fast"
	@echo "make acceptance  the tests that take long: sample batches, attacks, browser, cluster"
	@echo "make lint        style, types and layers alone"
	@echo "make docs        build the pages of docs/ into build/docs/"
	@echo "make rehearsal   build the last commit twice, compare, and try it with every Python that is here"
	@echo "make release     the same for a release: the files go to dist/; nothing is uploaded"
	@echo "make clean       remove .venv, caches and builds; reports stay"

mark: $(RUNTIME)
	@$(COMPILE)
	@$(RUN) grader course mark || status=$$?; $(RUN) grader course report && exit $${status:-0}

test: lint $(AXE)
	@$(COMPILE)
	@# Half of the time these tests wait, so three processes keep two cores busy.
	$(PYTEST) -n 3 -m "not acceptance"

acceptance: $(DEVELOPMENT) $(AXE)
	@$(COMPILE)
	@# More of their time is spent waiting for programs, browsers and clusters.
	$(PYTEST) -n 3 -m acceptance

lint: $(DEVELOPMENT)
	$(RUN) ruff check
	$(RUN) ruff format --check
	$(RUN) mypy
	$(VENV)/bin/lint-imports

docs: $(DEVELOPMENT)
	$(RUN) sphinx -q -n -W --keep-going -d build/doctrees docs build/docs
	@echo "docs: build/docs/index.html"

rehearsal: $(DEVELOPMENT)
	@$(VENV)/bin/python .ci/release.py --rehearse

release: $(DEVELOPMENT)
	@$(VENV)/bin/python .ci/release.py --tag "$(TAG)"

clean:
	rm -rf $(VENV) dist build .hypothesis .import_linter_cache .mypy_cache .pytest_cache .ruff_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# Make the virtual environment again if it was moved or its Python is gone.
define make_venv
	@if ! $(VENV)/bin/pip --version >/dev/null 2>&1; then \
	    chosen=; \
	    for python in $(or $(PYTHON),$(CANDIDATES)); do \
	        if "$$python" -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))' \
	            >/dev/null 2>&1; then chosen=$$python; break; fi; \
	    done; \
	    if [ -z "$$chosen" ]; then \
	        echo "no usable Python was found; tried: $(or $(PYTHON),$(CANDIDATES))" >&2; \
	        echo "expected Python 3.11 or newer, with its venv module" >&2; \
	        echo "hint: on Debian or Ubuntu, apt-get install python3-venv; or make PYTHON=/path/to/python3" >&2; \
	        exit 1; \
	    fi; \
	    echo "setting up $(VENV) with $$("$$chosen" --version)"; \
	    "$$chosen" -m venv --clear $(VENV); \
	fi
endef

$(RUNTIME): pyproject.toml
	$(make_venv)
	@$(PIP_INSTALL) --editable '.[arrays,rules]'
	@touch $@

$(DEVELOPMENT): pyproject.toml
	$(make_venv)
	@$(PIP_INSTALL) --editable '.[dev,arrays,cluster,pages,plots,rules,similar,tables]'
	@touch $(RUNTIME) $@

$(AXE): | $(DEVELOPMENT)
	@$(PIP_INSTALL) --no-deps --target $(VENV)/axe-$(AXE_VERSION) axe-playwright-python==$(AXE_VERSION)
