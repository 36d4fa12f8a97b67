"""A plain grid is recognised by its houses, whatever rules they come from, and no other model is."""

from __future__ import annotations

import pytest

from sudoku_cp.backends import backend
from sudoku_cp.backends.fast import SHAPES, shape_of, side_of
from sudoku_cp.errors import Unsupported
from sudoku_cp.grid import Grid
from sudoku_cp.model import AllDifferent, Clause, Literal, Model, build_model, to_mask
from sudoku_cp.puzzle import Puzzle
from sudoku_cp.rules import AntiKnight, ExtraRegion, Houses, KillerCage

NINE = Grid.square(9)


def _model(houses, values=NINE.values, cells=81) -> Model:
    """Return the model of these houses, all under one name."""
    return build_model([to_mask(values)] * cells, [("anything", [("part", AllDifferent(house)) for house in houses])])


def _houses(boxes=(3, 3)) -> list[tuple[int, ...]]:
    return list(Grid.square(side_of(boxes), boxes).houses.values())


@pytest.mark.parametrize("boxes", SHAPES)
def test_a_plain_grid_is_recognised(boxes) -> None:
    """Every shape of box is told from the others, its transpose among them."""
    assert shape_of(Puzzle(Grid.square(side_of(boxes), boxes)).model()) == boxes


def test_the_order_of_what_is_said_does_not_matter() -> None:
    """Statements in any order, cells in any order, a statement repeated: it is the same grid."""
    houses = [(*house[5:], *house[4::-1]) for house in _houses()][::-1]
    assert shape_of(_model(houses)) == (3, 3)
    assert shape_of(_model([*houses, houses[0][::-1]])) == (3, 3)


OTHERS = {
    "a house less": _model(_houses()[1:]),
    "a house more": _model([*_houses(), (0, 10, 20)]),
    "a cell off": _model([*_houses()[1:], (0, 1, 2, 3, 4, 5, 6, 7, 9)]),
    "a cell too often": _model([*_houses()[1:], (0, 0, 1, 2, 3, 4, 5, 6, 7, 8)]),
    "a cell instead of another": _model([*_houses()[1:], (0, 1, 2, 3, 4, 5, 6, 7, 7)]),
    "values from 0": _model(_houses(), range(9)),
    "a value more": _model(_houses(), range(1, 11)),
    "a cell more": _model(_houses(), cells=82),
    "a cell of fewer values": build_model(
        [to_mask(NINE.values)] * 80 + [0b110], [("all", [("p", AllDifferent(h)) for h in _houses()])]
    ),
    "clauses": build_model([to_mask(NINE.values)] * 81, [("no", [("part", Clause((Literal(0, 1), Literal(1, 2))))])]),
    "no boxes": Puzzle(Grid.rectangle(9, 9)).model(),
    "a prime": Puzzle(Grid.square(7)).model(),
    "flat boxes": Puzzle(Grid.square(10, (2, 5))).model(),
    "no square": Puzzle(Grid.rectangle(6, 9, (3, 3))).model(),
    "pairs": Puzzle(NINE, (Houses(), AntiKnight())).model(),
    "a diagonal": Puzzle(NINE, (Houses(), ExtraRegion(tuple(range(0, 81, 10))))).model(),
    "a cage": Puzzle(NINE, (Houses(), KillerCage((0, 1), 5))).model(),
    "nothing": build_model([], []),
}


@pytest.mark.parametrize("name", OTHERS)
def test_nothing_else_is_taken_for_one(name: str) -> None:
    """A house less, more or other, other values, other rules: no plain grid, and every kind of the engine refuses it."""
    assert shape_of(OTHERS[name]) is None
    for kind in ("fast", "fast:bigint", "fast:lanes", "fast:scalar"):
        with pytest.raises(Unsupported, match=f"^{kind}: expected a square with boxes of 2x2, .* got another model"):
            backend(kind).open(OTHERS[name])


def test_a_jigsaw_of_the_usual_boxes_is_a_plain_grid() -> None:
    """Only the houses matter, not their names."""
    layout = "".join(str(row // 3 * 3 + column // 3) for row in range(9) for column in range(9))
    puzzle = Puzzle(Grid.jigsaw(layout))
    assert not puzzle.grid.is_plain
    assert shape_of(puzzle.model()) == (3, 3)
