"""A position for each technique that shows it, from technique_examples.txt: lines as in HoDoKu's library of cases.

``:code:values:grid:deleted:eliminations:placements:``. In the grid ``+`` stands before values that are placed, not given; the
other fields list candidates by value, row and column.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from sudoku_cp import Puzzle
from sudoku_cp.logic import all_steps, make_board, parse_technique
from sudoku_cp.logic.pictures import position_of
from sudoku_cp.logic.rungs import ON_DEMAND, RUNGS

if TYPE_CHECKING:
    from sudoku_cp import Position
    from sudoku_cp.logic import CandidateBoard, Step, Technique
    from sudoku_cp.logic.step import Candidate

FILE = Path(__file__).with_name("technique_examples.txt")
FOUND: frozenset[Technique] = frozenset(rung.technique for rung in (*RUNGS, *ON_DEMAND))
"""The techniques that have a finder."""


@dataclass(frozen=True)
class Example:
    """A technique, a position as a puzzle and a board, and the result of one of its steps there."""

    technique: Technique
    puzzle: Puzzle
    board: CandidateBoard
    result: tuple[tuple[Candidate, ...], tuple[Candidate, ...]]

    @cached_property
    def position(self) -> Position:
        """The position with all candidates as pencil marks."""
        return position_of(self.puzzle, self.board)

    @cached_property
    def step(self) -> Step:
        """The step that has the result."""
        (step,) = (step for step in all_steps(self.board, self.technique) if step.result == self.result)
        return step


def read_example(line: str) -> Example:
    """Return the example of a line."""
    _, code, _, grid, deleted, eliminations, placements, _ = line.split(":")
    signs = re.findall(r"\+?[0-9.]", grid)
    puzzle = Puzzle.parse("".join("." if sign.startswith("+") else sign for sign in signs))
    board = make_board(puzzle)
    for cell, sign in enumerate(signs):
        if sign.startswith("+"):
            board.place(cell, int(sign))
    for cell, value in _candidates(deleted):
        board.remove(1 << cell, value)
    return Example(parse_technique(code), puzzle, board, (_candidates(eliminations), _candidates(placements)))


def _candidates(text: str) -> tuple[Candidate, ...]:
    return tuple(sorted((9 * (int(row) - 1) + int(column) - 1, int(value)) for value, row, column in text.split()))


EXAMPLES: dict[Technique, Example] = {
    example.technique: example
    for line in FILE.read_text(encoding="utf-8").splitlines()
    if line.startswith(":")
    for example in [read_example(line)]
    if example.technique in FOUND
}
"""The examples of all techniques that have a finder, in the order of the file."""
