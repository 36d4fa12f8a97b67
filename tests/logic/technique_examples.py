"""A position for each technique that shows it: technique_examples.txt has lines as in HoDoKu's library of cases.

``:code:values:grid:deleted:eliminations:placements:``. In the grid ``+`` stands before values that are placed, not given; the
other fields list candidates by value, row and column. Techniques of variants have their puzzles in variant_examples.jsonl.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from sudoku_cp import Puzzle
from sudoku_cp.logic import all_steps, make_board, parse_technique
from sudoku_cp.logic.ladder import ON_DEMAND, RUNGS
from sudoku_cp.logic.pictures import position_of
from sudoku_cp.puzzle.json_document import from_json

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sudoku_cp import Position
    from sudoku_cp.logic import CandidateBoard, Step, Technique
    from sudoku_cp.logic.step import Candidate

FILE = Path(__file__).with_name("technique_examples.txt")
VARIANT_FILE = Path(__file__).with_name("variant_examples.jsonl")
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


def read_variant_example(line: str) -> Example:
    """Return the example of a line of JSON: a code, a puzzle in our JSON, and what goes or is placed."""
    data = json.loads(line)
    puzzle = from_json(data["puzzle"])
    result = tuple(
        tuple((puzzle.grid.parse_cell(name), value) for name, value in data.get(part, ()))
        for part in ("eliminations", "placements")
    )
    return Example(parse_technique(data["code"]), puzzle, make_board(puzzle), (result[0], result[1]))


def _examples() -> Iterator[Example]:
    """Yield the examples of both files."""
    for line in FILE.read_text(encoding="utf-8").splitlines():
        if line.startswith(":"):
            yield read_example(line)
    for line in VARIANT_FILE.read_text(encoding="utf-8").splitlines():
        yield read_variant_example(line)


def _candidates(text: str) -> tuple[Candidate, ...]:
    return tuple(sorted((9 * (int(row) - 1) + int(column) - 1, int(value)) for value, row, column in text.split()))


EXAMPLES: dict[Technique, Example] = {example.technique: example for example in _examples() if example.technique in FOUND}
"""The examples of all techniques that have a finder, in the order of the files."""
