"""What a rule's docstring says of edge cases (even ranges, empty sets, loops, lines of one cell, zeros) is true."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from sudoku_cp.grid import Grid
from sudoku_cp.puzzle import Puzzle
from sudoku_cp.queries import solve
from sudoku_cp.rules import (
    Arrow,
    ConnectedValues,
    CountingCircles,
    DigitalRootCage,
    DutchFlatmates,
    EqualityCage,
    HiddenSkyscraper,
    IndexLine,
    Lunchbox,
    NumberedRoom,
    OddEvenLot,
    Ratio,
    RellikCage,
    SuccessorArrow,
    SumLine,
    ValueIndexing,
    ZipperLine,
)

if TYPE_CHECKING:
    from sudoku_cp.rules import Rule

EDGES: list[tuple[str, Rule, str, range, bool]] = [
    ("the middle of 1 to 4 is 2", DutchFlatmates(), "1/2/3/1", range(1, 5), True),
    ("and needs a mate", DutchFlatmates(), "3/2/3/1", range(1, 5), False),
    ("3 is not the middle of 1 to 4", DutchFlatmates(), "2/4/3/1", range(1, 5), True),
    ("the middle of 0 to 3 is 1", DutchFlatmates(), "2/1/0/2", range(4), False),
    ("the largest below will do", DutchFlatmates(), "2/1/3/2", range(4), True),
    ("both mates", DutchFlatmates(), "0/1/3/2", range(4), True),
    ("the middle of 1 to 5 is 3", DutchFlatmates(), "4/3/2/1", range(1, 6), False),
    ("no cell hangs together with none", ConnectedValues((4,)), "1231", range(1, 5), False),
    ("a cell hangs together with itself", ConnectedValues((4,)), "1241", range(1, 5), True),
    ("a size that nothing has", ConnectedValues((4,), 0), "1231", range(1, 5), False),
    ("neighbours", ConnectedValues((3, 4), 2), "1341", range(1, 5), True),
    ("a gap", ConnectedValues((3, 4), 2), "3141", range(1, 5), False),
    ("a loop cut in the middle of the line", SumLine((0, 1, 2, 3), 5, loop=True), "1423", range(1, 5), True),
    ("a loop cut elsewhere", SumLine((0, 1, 2, 3), 5, loop=True), "3142", range(1, 5), True),
    ("which is no line", SumLine((0, 1, 2, 3), 5), "3142", range(1, 5), False),
    ("the cell that closes a loop counts once", SumLine((0, 1, 2, 3, 0), 5, loop=True), "3142", range(1, 5), True),
    ("where it would not do twice", SumLine((0, 1, 2, 0), 4, loop=True), "2114", range(1, 5), True),
    ("a line counts it twice", SumLine((0, 1, 2, 0), 3), "2114", range(1, 5), True),
    ("and not once", SumLine((0, 1, 2, 0), 4), "2114", range(1, 5), False),
    ("an even zipper has no middle cell", ZipperLine((0, 1, 2, 3)), "1423", range(1, 5), False),
    ("its pairs have the same sum", ZipperLine((0, 1, 2, 3)), "1234", range(1, 5), True),
    ("an odd one's middle is the sum", ZipperLine((0, 1, 2)), "1324", range(1, 5), True),
    ("one cell is its own middle", ZipperLine((0,)), "1324", range(1, 5), True),
    ("two of 1 to 4 are low", EqualityCage((0, 1)), "2314", range(1, 5), True),
    ("none is the middle of 1 to 5", EqualityCage((0, 1)), "3214", range(1, 6), False),
    ("0 is even", EqualityCage((0, 1)), "0314", range(6), True),
    ("one value alone is a sum", RellikCage((0, 1), 3), "3124", range(1, 5), False),
    ("no value is no sum", RellikCage((0, 1), 0), "3124", range(1, 5), True),
    ("the root of 9 is 9", DigitalRootCage((0, 1), 9), "4511", range(10), True),
    ("and not 0", DigitalRootCage((0, 1), 0), "4511", range(10), False),
    ("the root of 0 is 0", DigitalRootCage((0,), 0), "0511", range(10), True),
    ("no circle holds a 0", CountingCircles((0,)), "0123", range(4), False),
    ("a 1 stands in one circle", CountingCircles((1,)), "0123", range(4), True),
    ("nothing is hidden", HiddenSkyscraper((0, 1, 2), 2), "1224", range(1, 5), False),
    ("the first that is hidden", HiddenSkyscraper((0, 1, 2), 2), "1324", range(1, 5), True),
    ("a room that is not there", NumberedRoom((0, 1), 2), "3233", range(1, 5), False),
    ("room 0", NumberedRoom((0, 1), 2), "0223", range(4), False),
    ("room 2", NumberedRoom((0, 1), 2), "2223", range(4), True),
    ("two zeros at a black dot", Ratio((0, 1)), "0012", range(4), True),
    ("a zero beside another value", Ratio((0, 1)), "0112", range(4), False),
    ("an index of 0", ValueIndexing(0, 1, (2, 3)), "2022", range(4), False),
    ("an index that counts no cell", ValueIndexing(0, 1, (2, 3)), "2322", range(4), False),
    ("0 leads nowhere", SuccessorArrow((0, 1, 2, 3)), "0111", range(4), False),
    ("beyond the end", SuccessorArrow((0, 1)), "2333", range(4), False),
    ("a value that is no place", IndexLine((0, 1)), "3112", range(1, 5), False),
    ("places that name each other", IndexLine((0, 1)), "2112", range(1, 5), True),
    ("a lunchbox of neighbours", Lunchbox((0, 1), 0), "2312", range(1, 5), True),
    ("the largest of its cells, not of the grid", Lunchbox((0, 1, 2), 2), "1234", range(1, 5), True),
    ("a shaft that comes back counts twice", Arrow(0, ((1, 2, 1),)), "4124", range(1, 5), True),
    ("0 is no odd value", OddEvenLot((0, 1, 2)), "1022", range(4), True),
    ("it is an even one", OddEvenLot((0, 1, 2), even=True), "3022", range(4), False),
]


def _puzzle(rule: Rule, text: str, values: range) -> Puzzle:
    """Return a row, or a column if the values are separated by slashes, in which every cell is given."""
    signs = text.replace("/", "")
    shape = (len(signs), 1) if "/" in text else (1, len(signs))
    return Puzzle(Grid.rectangle(*shape, None, values), (rule,), dict(enumerate(map(int, signs))))


@pytest.mark.parametrize(("rule", "text", "values", "right"), [edge[1:] for edge in EDGES], ids=[edge[0] for edge in EDGES])
def test_the_words_hold_at_the_edges(rule: Rule, text: str, values: range, right: bool, engine: str) -> None:
    """The rule and every engine agree on each edge case that its docstring mentions."""
    puzzle = _puzzle(rule, text, values)
    assert rule.holds(puzzle.grid, tuple(puzzle.givens.values())) == right
    assert solve(puzzle, backend=engine).status == ("unique" if right else "none")
