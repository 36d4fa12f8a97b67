"""The gallery of rules in docs agrees with the registry."""

from __future__ import annotations

from pathlib import Path

import pytest

from sudoku_cp.cli.verbs.rules import PAGE, PICTURES, gallery_files
from sudoku_cp.rules import RULES

DOCS = Path(__file__).parents[2] / "docs"


@pytest.fixture(scope="module")
def files():
    """Return the gallery as it would be written now."""
    return gallery_files()


def test_the_gallery_is_up_to_date(files):
    """The page and its pictures in docs are what `make docs-pages` writes."""
    assert set((DOCS / PICTURES).iterdir()) == {DOCS / path for path in files if path.suffix == ".svg"}
    stale = [str(path) for path, content in files.items() if (DOCS / path).read_text(encoding="utf-8") != content]
    assert not stale, "run `make docs-pages`"


def test_every_rule_is_in_it(files):
    """Each rule has a heading, a picture and the names that other tools give it."""
    page = files[Path(PAGE)]
    for kind, rule in RULES.items():
        if rule.__module__.startswith("sudoku_cp."):
            assert f"### {kind}\n" in page
            assert f"{PICTURES}/{kind}.svg" in page
            assert all(f"{tool}: {name}" in page for tool, name in rule.elsewhere.items())


def test_every_picture_shows_values(files):
    """Each rule's example has a solution, which its picture shows: a symbol in every cell."""
    for path, content in files.items():
        assert path.suffix != ".svg" or content.count("<text") >= 36, path
