"""Hints tell what their level says and no more, in words and pictures, and say first what is wrong."""

from __future__ import annotations

from xml.etree import ElementTree as ET

import pytest

from sudoku_cp import InvalidInput, Position, Puzzle, hint, steps
from sudoku_cp.logic import HintLevel
from sudoku_cp.model import members

PUZZLE = Puzzle.parse("53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79")
NEARLY_FULL = Puzzle.parse("534678912672195348198342567859761423426853791713924856961537284287419635.........")
"""The same with all but its last row, so that there are few steps."""


def filled(cell: int, value: int) -> Position:
    """Return the puzzle with one more value."""
    return Position.of(PUZZLE, [value if one == cell else PUZZLE.givens.get(one) for one in PUZZLE.grid.cells])


@pytest.mark.parametrize("level", HintLevel)
def test_a_level_tells_no_more_than_it_should(level: HintLevel) -> None:
    """Place, technique, cells and result appear in the words from their level on."""
    found = hint(PUZZLE)
    assert found.step is not None
    name = PUZZLE.grid.cell_name
    result = [f"{name(cell)} is {value}" for cell, value in found.step.placements]
    words = {
        HintLevel.TECHNIQUE: found.step.technique.title.lower(),
        HintLevel.CELLS: name(next(iter(members(found.step.cells)))),
        HintLevel.STEP: result[0],
    }
    text = found.text(level)
    assert {least for least, word in words.items() if word in text or word in text.lower()} == {
        one for one in words if level >= one
    }


@pytest.mark.parametrize("level", HintLevel)
def test_every_level_has_a_picture(level: HintLevel) -> None:
    """The position stands unchanged below the last level, which shows the value placed."""
    texts = [one.text for one in ET.fromstring(hint(PUZZLE).svg(level)).iter("{http://www.w3.org/2000/svg}text")]  # noqa: S314  # our own
    marks = 0 if level < HintLevel.STEP else len(texts) - len(PUZZLE.givens)
    assert len(texts) == len(PUZZLE.givens) + marks
    assert (marks > 0) == (level >= HintLevel.STEP)


def test_notebooks_draw_the_step() -> None:
    """An answer draws itself: a hint its step, a path all of them."""
    assert hint(PUZZLE)._repr_svg_() == hint(PUZZLE).svg(HintLevel.STEP)
    assert steps(PUZZLE, "0000")._repr_svg_().startswith("<svg")


def test_what_is_wrong_comes_first() -> None:
    """A wrong entry is named with what it clashes with, and the position without it is offered."""
    found = hint(filled(2, 7))
    assert found.answer == "wrong"
    assert found.text() == "r1c3 = 7 is wrong. Clash: r1c3=7 and r1c5=7 cannot both stand in row 1."
    assert found.position is not None
    assert found.position.values[2] is None


def test_another_hint_is_another_step() -> None:
    """Steps that are passed over have other results; when all are, that is said."""
    first, second = hint(PUZZLE), hint(PUZZLE, skip=1)
    assert first.step is not None
    assert second.step is not None
    assert first.step.result != second.step.result
    assert hint(NEARLY_FULL, skip=10**6).text() == "No other step is possible."


@pytest.mark.parametrize("level", [0, 6, -1])
def test_levels_out_of_range_are_refused(level: int) -> None:
    """What is no level is named with what is one."""
    for ask in (hint(PUZZLE).text, hint(PUZZLE).svg):
        with pytest.raises(InvalidInput, match=f"expected a level of 1 to 5, got {level}"):
            ask(level)


def test_steps_keep_to_techniques() -> None:
    """A path of some techniques ends where they do; a list has every step that is possible now, and no end."""
    only = steps(PUZZLE, ["0000", "Hidden Single"])
    assert {step.technique.title for step in only.steps} <= {"full house", "hidden single"}
    possible = steps(PUZZLE, "naked single", every=True)
    assert possible.end is None
    assert len({step.result for step in possible.steps}) == len(possible.steps) > 1
    with pytest.raises(InvalidInput):
        steps(PUZZLE, "no such technique")
