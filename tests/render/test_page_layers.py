"""Pictures in layers: the same elements as the whole picture, and those of each rule."""

from __future__ import annotations

import re
from xml.etree import ElementTree as ET

import pytest

from sudoku_cp import Grid, Puzzle
from sudoku_cp.errors import InvalidInput
from sudoku_cp.model import different_cells, members
from sudoku_cp.questions.listings import example_grid
from sudoku_cp.render import layers, svg
from sudoku_cp.rules import RULES, KillerCage, Sandwich, Thermometer

NINE = Grid.square(9)
FOURS = {"chaos-construction", "connected-values"}
"""Kinds whose models are large on larger boards."""
ELEMENTS = {"g", "path", "rect", "circle", "polygon", "polyline", "text"}


def tags(text):
    """Return the names of the elements in a text of SVG."""
    return {element.tag for element in ET.fromstring(f"<g>{text}</g>").iter()}  # noqa: S314  # our own


@pytest.mark.parametrize("kind", sorted(RULES))
def test_layers_are_the_picture(kind):
    """For every kind of rule, the elements of the layers are those of the picture, and the rule's own are among them."""
    grid = example_grid(RULES[kind], 9)
    puzzle = Puzzle(grid, (RULES[kind].example(grid),))
    made = layers(puzzle)
    whole = svg(puzzle).replace("\n", "")
    for name in ("under", "lines", "over", "outside", "legend"):
        assert made[name] in whole
        assert tags(made[name]) <= ELEMENTS
    assert all(elements in made[name] for name, elements in made["parts"]["0"].items())
    assert bool(made["under"] + made["over"] + made["outside"]) == bool(made["parts"]["0"])


@pytest.mark.parametrize("kind", sorted(RULES))
def test_cells_that_must_differ_are_those_of_the_model(kind):
    """What the page is told without a model is what the model's constraints say of the board."""
    grid = example_grid(RULES[kind], 4) if kind in FOURS else example_grid(RULES[kind], 9)
    puzzle = Puzzle(grid, (RULES[kind].example(grid),))
    board = (1 << len(grid.places)) - 1
    assert layers(puzzle)["sees"] == [members(seen & board) for seen in different_cells(puzzle.model())[: len(grid.places)]]


def test_each_rule_has_its_own_part():
    """A cage, a thermometer and a clue outside each have their elements and no others."""
    rules = (KillerCage((0, 1), 7), Thermometer((40, 41, 42)), Sandwich(NINE.lines[0], 10))
    made = layers(Puzzle(NINE, rules, givens={3: 5}))
    assert {index: set(part) for index, part in made["parts"].items()} == {
        "0": {"under", "over"},
        "1": {"under"},
        "2": {"outside"},
    }
    assert made["labelled"] == [0]
    assert made["givens"] == {"3": 5}
    assert made["box"][0] < -50


def test_what_a_page_draws_itself_is_not_there():
    """Values and pencil marks are in no layer."""
    made = layers(Puzzle(NINE, givens={0: 7}, candidates={1: 0b1100}))
    assert not re.search("<text", made["under"] + made["lines"] + made["over"] + made["outside"])


def test_what_is_no_puzzle_is_refused():
    """An argument of another type is named."""
    with pytest.raises(InvalidInput, match="puzzle"):
        layers("." * 81)
