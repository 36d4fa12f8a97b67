"""Finds a clean position that shows a technique: ``python -m tests.logic.find_example TECHNIQUE [FILE [SECONDS]]``.

FILE has puzzles, one a line; without it, new ones are generated. Each is solved by the easiest steps, and the technique is looked
for at every position on the way. The position with the fewest instances of it, and then with the fewest open cells, is printed
as a line for technique_examples.txt, with the sentence of its step below.
"""

from __future__ import annotations

import sys
from itertools import count
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, NamedTuple

from sudoku_cp import Puzzle, generate
from sudoku_cp.backends import Limits
from sudoku_cp.logic import all_steps, make_board, parse_technique
from sudoku_cp.logic.layout import layout_of
from sudoku_cp.logic.paths import PathFinder
from sudoku_cp.logic.words import describe_step
from sudoku_cp.puzzle import Position

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from sudoku_cp.logic import CandidateBoard, Step, Technique
    from sudoku_cp.logic.step import Candidate

CLEAN = 1
"""Instances of a technique in a position that shows nothing else of it."""
SECONDS = 60.0


class Found(NamedTuple):
    """A position that shows a technique; the smaller, the cleaner."""

    instances: int
    open_cells: int
    line: str
    sentence: str


def positions_of(puzzle: Puzzle) -> Iterator[CandidateBoard]:
    """Yield the board at the beginning, and after each of the easiest steps; the same object, changed."""
    board = make_board(puzzle)
    yield board
    for step in PathFinder(Position.of(puzzle), Limits(10)).path().steps:
        board.apply(step)
        yield board


def example_on(puzzle: Puzzle, technique: Technique) -> Found | None:
    """Return the cleanest position on the way through a puzzle that shows a technique, None if there is none."""
    found = []
    for board in positions_of(puzzle):
        if steps := list(all_steps(board, technique)):
            sentence = describe_step(layout_of(puzzle), puzzle.symbols, steps[0])
            line = library_line(puzzle, board, technique, steps[0])
            found.append(Found(len(steps), board.open.bit_count(), line, sentence))
    return min(found, default=None)


def library_line(puzzle: Puzzle, board: CandidateBoard, technique: Technique, step: Step) -> str:
    """Return the line of technique_examples.txt for a step of a position."""
    known = make_board(puzzle)
    signs = []
    for cell in puzzle.grid.cells:
        value = board.values[cell]
        given = cell in puzzle.givens
        if value is not None and not given:
            known.place(cell, value)
        signs.append("." if value is None else f"{'' if given else '+'}{value}")
    deleted = [
        (cell, value)
        for cell in puzzle.grid.cells
        if board.values[cell] is None
        for value in puzzle.grid.values
        if known.candidates[cell] >> value & 1 and not board.candidates[cell] >> value & 1
    ]
    values = "".join(map(str, sorted({value for _, value in (*step.eliminations, *step.placements)})))
    fields = (technique.code, values, "".join(signs), _words(deleted), _words(step.eliminations), _words(step.placements))
    return f":{':'.join(fields)}:"


def _words(candidates: Iterable[Candidate]) -> str:
    """Return candidates as value, row and column."""
    return " ".join(sorted(f"{value}{cell // 9 + 1}{cell % 9 + 1}" for cell, value in candidates))


def puzzles_of(file: str | None) -> Iterator[Puzzle]:
    """Yield the 9x9 puzzles of a file, or new ones without end."""
    if file is not None:
        yield from (Puzzle.parse(line) for line in Path(file).read_text(encoding="utf-8").splitlines() if line.strip())
        return
    for seed in count(1):
        yield from (made.puzzle for made in generate(20, seed=seed, difficulty="hard", prove=False))


def find_example(technique: Technique, puzzles: Iterable[Puzzle], seconds: float = SECONDS) -> Found | None:
    """Return the cleanest position found in some seconds; a clean one ends the search."""
    end, best = monotonic() + seconds, None
    for puzzle in puzzles:
        found = example_on(puzzle, technique)
        best = min((one for one in (best, found) if one is not None), default=None)
        if (best is not None and best.instances == CLEAN) or monotonic() > end:
            break
    return best


def main(name: str, file: str | None = None, seconds: str = f"{SECONDS}") -> int:
    """Print the line and the sentence."""
    found = find_example(parse_technique(name), puzzles_of(file), float(seconds))
    none = "none was found; a technique that reads the rules of variants needs puzzles with such rules: give a FILE of them"
    print(none if found is None else f"{found.line}\n{found.sentence}")
    return found is None


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
