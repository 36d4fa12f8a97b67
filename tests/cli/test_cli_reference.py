"""The reference of the command line, docs/cli.md, agrees with the parser."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from sudoku_cp.cli.parser import flatten_options
from sudoku_cp.cli.verbs import VERBS, verb_function

sys.path.insert(0, str(Path(__file__).parent))

import cli_reference

STALE = "docs/cli.md is not what the parser knows: run `make docs-pages`"


def test_the_page_is_up_to_date() -> None:
    """The page is what `make docs-pages` writes now."""
    assert cli_reference.PAGE.read_text(encoding="utf-8") == cli_reference.reference(), STALE


@pytest.mark.parametrize("verb", VERBS)
def test_every_verb_and_option_is_on_the_page(verb: str) -> None:
    """Each verb has a section with a row for each parameter of its signature."""
    page = cli_reference.PAGE.read_text(encoding="utf-8")
    section = page.partition(f"\n## {verb}\n")[2].partition("\n## ")[0]
    rows = [line for line in section.splitlines() if line.startswith("| `")]
    assert len(rows) == len(flatten_options(verb_function(verb)).__annotations__), STALE
