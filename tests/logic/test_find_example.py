"""The tool that finds a position for a technique writes lines that are read back as that position."""

from __future__ import annotations

import pytest

from sudoku_cp import Puzzle
from sudoku_cp.logic import parse_technique
from sudoku_cp.logic.layout import layout_of
from sudoku_cp.logic.words import describe_step
from tests.logic.find_example import find_example
from tests.logic.technique_examples import read_example

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
