"""Verdicts of engines on one puzzle: its solutions, and which of its givens are unnecessary."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from sudoku_cp.backends.fast import Boxes, shape_of
from sudoku_cp.puzzle import Puzzle
from sudoku_cp.puzzle.pattern_symmetry import is_symmetric, symmetry_names
from sudoku_cp.puzzle.puzzle import CLASSIC
from sudoku_cp.queries import Answer, count, necessary_givens

if TYPE_CHECKING:
    from sudoku_cp.audit.findings import Kind
    from sudoku_cp.backends import Clock, Limits, Solution
    from sudoku_cp.errors import Reason
    from sudoku_cp.grid import Cell, Grid
    from sudoku_cp.queries.solution_search import Engine
    from sudoku_cp.rules import Rule

QUESTIONS = 50
"""Questions counted for each puzzle when an engine is chosen: one about its solutions, and harder ones about its givens."""


@dataclass(frozen=True)
class VerdictRequest:
    """How verdicts are found: by which engine, within which limits for each puzzle, counting how many solutions at most.

    ``minimal`` requests which givens are needed; for puzzles with symmetric givens, only with ``symmetric_too``.
    """

    engine: Engine
    limits: Limits
    most: int
    minimal: bool
    symmetric_too: bool = False

    def is_about_givens(self, puzzle: Puzzle) -> bool:
        """Return whether this puzzle is to be checked for unnecessary givens."""
        return self.minimal and (self.symmetric_too or not has_symmetry(puzzle))


def has_symmetry(puzzle: Puzzle) -> bool:
    """Return whether the givens have some symmetry; if every cell is given, that does not count."""
    grid, cells = puzzle.grid, tuple(puzzle.givens)
    return len(cells) < len(grid.cells) and any(is_symmetric(grid, name, cells) for name in symmetry_names(grid))


@dataclass(frozen=True)
class PuzzleVerdict:
    """The answer, and the givens without which there would still be one solution, if they were ``asked`` for.

    ``stopped`` is the limit that was reached before every given was decided, if one was.
    """

    answer: Answer
    unnecessary: tuple[Cell, ...] = ()
    stopped: Reason | None = None
    asked: bool = False

    @property
    def solution(self) -> Solution | None:
        """The only solution, None if there is no such or it is not known."""
        return self.answer.solution if self.answer.status == "unique" else None

    @property
    def is_minimal(self) -> bool:
        """Whether it is known that every given is needed."""
        return self.asked and not self.unnecessary and self.stopped is None

    @property
    def reason(self) -> Reason | None:
        """The limit that came first, if one did."""
        return self.answer.reason or self.stopped

    @property
    def undecided(self) -> tuple[Kind, ...]:
        """The findings that a limit left open."""
        if self.answer.status == "unknown":
            left: tuple[Kind, ...] = ("not-unique", "not-minimal", "same-solution", "contains")
            return left if self.answer.count else ("contradictory", *left)
        return ("not-minimal",) if self.stopped else ()


@lru_cache(maxsize=64)
def plain_boxes(grid: Grid, rules: tuple[Rule, ...]) -> Boxes | None:
    """Return the boxes (height, width) of plain boards for the batch kernel, None for all others."""
    return shape_of(Puzzle(grid).model()) if rules == CLASSIC and len(grid.boards) == 1 else None


def verdict(puzzle: Puzzle, request: VerdictRequest, clock: Clock) -> PuzzleVerdict:
    """Return the engine's verdict on one puzzle, within the limits of the clock."""
    answer = count(puzzle, backend=request.engine, limits=clock.left(), solution_limit=request.most)
    clock.nodes += answer.counters.get("nodes", 0)
    if answer.status != "unique" or answer.solution is None or not request.is_about_givens(puzzle):
        return PuzzleVerdict(answer)
    necessity = necessary_givens(puzzle, answer.solution, backend=request.engine, limits=clock.left())
    return PuzzleVerdict(answer, necessity.unnecessary, necessity.reason, asked=True)
