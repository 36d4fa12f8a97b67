"""The page of techniques in docs is what the code draws and says."""

from __future__ import annotations

import pytest

from sudoku_cp.logic.ladder import LAST_RESORT, ON_DEMAND, RUNGS
from sudoku_cp.logic.technique import Technique
from tests.logic.technique_examples import EXAMPLES, FILE, VARIANT_FILE
from tests.logic.technique_gallery import DOCS, FAMILIES, PAGE, PICTURES, gallery_files

STALE = "run `make docs-techniques`"


@pytest.fixture(scope="module")
def files():
    """The page and its pictures as they would be written now."""
    return gallery_files()


def test_the_page_is_up_to_date(files) -> None:
    """The page and its pictures in docs are those that `make docs-techniques` writes."""
    assert {path.name for path in (DOCS / PICTURES).iterdir()} == {path.name for path in files if path != PAGE}, STALE
    stale = [str(path) for path, text in files.items() if (DOCS / path).read_text(encoding="utf-8") != text]
    assert not stale, STALE


def test_every_technique_of_the_ladder_has_an_example() -> None:
    """A technique that paths use is on the page."""
    missing = [rung.technique.code for rung in RUNGS if rung.technique not in EXAMPLES]
    finder = "`python -m tests.logic.find_example NAME` finds one"
    assert not missing, f"add a position to {FILE.name} ({finder}) or {VARIANT_FILE.name}, and {STALE}"


def test_every_technique_is_found_by_something() -> None:
    """A technique with a name has a line in `RUNGS`, or is looked for where it is asked for: otherwise nobody meets it."""
    found = {rung.technique for rung in (*RUNGS, *ON_DEMAND, LAST_RESORT)}
    missing = [technique.title for technique in Technique if technique not in found]
    assert not missing, "add a line to RUNGS of sudoku_cp/logic/ladder.py"


def test_codes_belong_to_families() -> None:
    """Every code has a heading."""
    assert {technique.code[:2] for technique in EXAMPLES} <= set(FAMILIES)
