# Daily commands. `make demo` and `make test` need nothing but python3 (3.11 or newer): they make their own .venv.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
CONTAINER ?= podman
VERSION = $(shell sed -n 's/^__version__ = "\(.*\)"/\1/p' sudoku_cp/__init__.py)
LONG := --rounds 3 --seconds 0.15 --patience 3 --generation
SHORT := --rounds 2 --seconds 0.05 --patience 1 --sets kaggle,17clue,forum

.PHONY: help demo test test-all arm browser check format bench docs docs-pages docs-rules docs-cli docs-formats docs-techniques docs-http docs-python docs-shelf pictures notebooks dist sbom image constraints clean
.DEFAULT_GOAL := help

help:  ## Show this list
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:[^#]*## /\t/' | expand -t 14

INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt
APT := DEBIAN_FRONTEND=noninteractive apt-get install -qq --yes --no-install-recommends
EXTRAS := service,pdf
# Where it is forbidden to keep compiled modules, each of a thousand processes would compile its own.
export PYTHONDONTWRITEBYTECODE :=

# Older ones of pip, such as Python 3.11 brings, take three times as long to choose versions.
$(BIN)/sudoku-cp: pyproject.toml constraints.txt
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check "pip>=25.1"
	$(INSTALL) $(COMPILE) --editable ".[$(EXTRAS)]"
	@echo "$(EXTRAS)" >$(VENV)/.extras
	@touch $@

# Of what tests need, most modules are never imported: those that are get compiled then.
$(VENV)/.dev: EXTRAS := dev
$(VENV)/.dev: COMPILE := --no-compile
$(VENV)/.dev: $(BIN)/sudoku-cp
	@grep -qsx dev $(VENV)/.extras || $(INSTALL) $(COMPILE) --editable ".[dev]"
	@touch $@

demo: $(BIN)/sudoku-cp  ## Solve Project Euler's 50 puzzles with every engine, compare them, print the sum
	$(BIN)/sudoku-cp compare examples/euler96.txt --backends fast,native,sat,cpsat
	$(BIN)/python examples/euler96.py

test: $(VENV)/.dev  ## Run the tests on all cores (about eight minutes on two, the first time)
	$(BIN)/python -m pytest --numprocesses auto --dist worksteal

test-all: $(VENV)/.dev  ## Run every test, the long ones too, with new random examples
	$(BIN)/python -m pytest --numprocesses auto --dist worksteal --hypothesis-profile random -m "slow or not slow" --timeout 3600 -o faulthandler_timeout=4000 --cov --cov-report=term

arm: $(VENV)/.dev  ## Run the tests of the fast engine as on 64-bit ARM, emulated by Debian's qemu-user-static (an hour)
	$(BIN)/python tests/backends/fast/emulated_arm.py

browser:  ## Install Debian's chromium for the tests of the page, where it is missing and root asks; without it they are skipped
	@{ command -v chromium-headless-shell || command -v chromium || { [ "$$(id -u)" = 0 ] && command -v apt-get && apt-get update -qq \
	&& { $(APT) chromium-headless-shell 2>/dev/null || $(APT) chromium; }; }; } >/dev/null \
	|| echo "chromium could not be installed here: the tests of the page will be skipped"

check: $(VENV)/.dev  ## Lint, types, and the layers of the architecture
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports

format: $(VENV)/.dev  ## Let ruff put the code in order
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

$(VENV)/.bench: $(VENV)/.dev
	$(INSTALL) --editable ".[bench]"
	@touch $@

bench: $(VENV)/.bench browser  ## Time our engines, our generator and every peer, into docs/ (20 minutes; QUICK=1: one minute)
	$(BIN)/sudoku-cp bench $(if $(DATA),--data $(DATA)) --out $(if $(QUICK),build/bench,docs) $(if $(QUICK),$(SHORT),$(LONG))
	$(BIN)/python -m sudoku_cp.bench.service_load --out $(if $(QUICK),build/bench,docs)/service-load.md --seconds $(if $(QUICK),1,5)
	$(BIN)/python -m sudoku_cp.bench.print_times --out $(if $(QUICK),build/bench,docs)/print-times.md --rounds $(if $(QUICK),1,5)
	$(BIN)/python -m sudoku_cp.bench.page_speed --out $(if $(QUICK),build/bench,docs)/page-speed.md --keys $(if $(QUICK),30,200)

docs: $(VENV)/.dev  ## Build the documentation as a site: build/docs/index.html
	$(BIN)/sphinx-build -W --keep-going -q -j auto -b html docs build/docs
	@echo build/docs/index.html

docs-pages: docs-rules docs-cli docs-formats docs-techniques docs-http docs-python docs-shelf  ## Regenerate what pages say of rules, verbs, formats, techniques, HTTP and Python

docs-rules: $(BIN)/sudoku-cp  ## ... of rules alone: seconds
	$(BIN)/python tests/rules/rule_exports.py
	$(BIN)/sudoku-cp rules --gallery docs

docs-cli: $(BIN)/sudoku-cp  ## ... of the command line alone: a second
	$(BIN)/python tests/cli/cli_reference.py

docs-formats: $(BIN)/sudoku-cp  ## ... of formats alone: a minute or two
	$(BIN)/python tests/formats/format_matrix.py

docs-techniques: $(BIN)/sudoku-cp  ## ... of techniques alone: seconds
	$(BIN)/python -m tests.logic.technique_gallery

docs-http: $(VENV)/.dev  ## ... of HTTP alone: seconds
	$(BIN)/python -m tests.service.http_reference

docs-python: $(BIN)/sudoku-cp  ## ... of questions in Python alone: a second
	$(BIN)/python -m tests.questions.python_reference

docs-shelf: $(BIN)/sudoku-cp  ## ... of the examples on the page's shelf alone: a second
	$(BIN)/python -m tests.page.shelf_examples

pictures: $(VENV)/.dev browser  ## Make the pictures of printed pages and of the page that the documentation shows
	$(BIN)/python -m tests.docs.page_pictures
	$(BIN)/python -m tests.docs.browser_pictures
	$(BIN)/python -m tests.docs.contact_sheets

notebooks: $(VENV)/.dev  ## Run the notebooks and keep what they print
	PYTHONPATH=. $(BIN)/python -m nbconvert --to notebook --execute --inplace --ExecutePreprocessor.record_timing=False notebooks/*.ipynb

dist: $(VENV)/.dev  ## Build the source archive and the wheel into dist/, from what git tracks
	rm -rf dist build/dist
	git archive --format=tar --prefix=dist/ HEAD | (mkdir -p build && tar -x -C build)
	cd build/dist && $(CURDIR)/$(BIN)/python -m hatchling build -d $(CURDIR)/dist
	rm -rf build/dist

sbom: dist  ## List all that an installation of the wheel consists of, in CycloneDX: dist/sbom.json
	$(PYTHON) -m venv --clear build/sbom
	build/sbom/bin/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt "$$(ls dist/*.whl)[service,pdf,png,parquet,zstd]"
	$(BIN)/python -m pip install --quiet --disable-pip-version-check cyclonedx-bom
	$(BIN)/cyclonedx-py environment --output-reproducible --output-file dist/sbom.json build/sbom/bin/python
	rm -rf build/sbom

image:  ## Build the image of the service, tagged with the version (CONTAINER=docker for docker)
	$(CONTAINER) build --tag sudoku-cp:$(VERSION) .

constraints: $(VENV)/.dev  ## Compile constraints.txt anew
	$(BIN)/python -m pip install --quiet uv
	$(BIN)/uv pip compile --quiet --universal --no-header --no-annotate --no-emit-index-url --extra dev --extra notebook --extra cluster --extra parquet pyproject.toml --output-file constraints.txt

clean:  ## Remove what can be made again
	rm -rf $(VENV) dist build .coverage .hypothesis .mypy_cache .pytest_cache .ruff_cache .import_linter_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
