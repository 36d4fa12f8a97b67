"""The page of techniques in docs is what the code draws and says."""

from __future__ import annotations

import pytest

from sudoku_cp import Puzzle
from sudoku_cp.logic import parse_technique
from sudoku_cp.logic.ladder import LAST_RESORT, ON_DEMAND, RUNGS
from sudoku_cp.logic.layout import layout_of
from sudoku_cp.logic.step import Technique
from sudoku_cp.logic.words import describe_step
from tests.logic.find_example import find_example
from tests.logic.technique_examples import EXAMPLES, FILE, VARIANT_FILE, read_example
from tests.logic.technique_gallery import DOCS, FAMILIES, PAGE, PICTURES, gallery_files

# --- technique gallery ------------------------------------------------------------------------------------------------


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


# --- find example -----------------------------------------------------------------------------------------------------


HARD = "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......"


@pytest.mark.parametrize("technique", ["naked pair", "locked candidates (pointing)", "hidden single", "X-wing"])
def test_the_line_shows_the_step(technique: str) -> None:
    """Its candidates, its result and its sentence are those of the position that was found."""
    wanted = parse_technique(technique)
    found = find_example(wanted, [Puzzle.parse(HARD)])
    assert found is not None
    example = read_example(found.line)
    assert example.technique is wanted
    assert describe_step(layout_of(example.puzzle), example.puzzle.symbols, example.step) == found.sentence


def test_none_is_found_where_there_is_none() -> None:
    """A puzzle with a few empty cells shows no swordfish."""
    nearly = Puzzle.parse("5346789126721953481983425678597614234268537917139248569615372842874196353452861..")
    assert find_example(parse_technique("swordfish"), [nearly]) is None
