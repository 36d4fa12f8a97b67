"""What engines say of one puzzle: its solutions, and which of its givens it could do without."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from sudoku_cp.backends.fast.box_shapes import Boxes, shape_of
from sudoku_cp.puzzle import Puzzle
from sudoku_cp.puzzle.pattern_symmetry import is_symmetric, symmetry_names
from sudoku_cp.puzzle.puzzle import CLASSIC
from sudoku_cp.queries import Answer, count, necessary_givens

if TYPE_CHECKING:
    from sudoku_cp.audit.findings import Kind
    from sudoku_cp.backends import Clock, Limits
    from sudoku_cp.errors import Reason
    from sudoku_cp.grid import Cell, Grid
    from sudoku_cp.queries.session_pool import Engine
    from sudoku_cp.rules import Rule

QUESTIONS = 50
"""So many questions a puzzle asks, or as many as are worth that: one about its solutions, and harder ones about its givens."""


@dataclass(frozen=True)
class VerdictRequest:
    """Who is asked, how long (a puzzle), how many solutions are counted, and whether it is asked which givens are needed.

    Of puzzles whose givens are symmetric that is asked only where it is wanted of all of them.
    """

    engine: Engine
    limits: Limits
    most: int
    minimal: bool
    symmetric_too: bool = False

    def is_about_givens(self, puzzle: Puzzle) -> bool:
        """Say whether this puzzle is to need all of its givens."""
        return self.minimal and (self.symmetric_too or not has_symmetry(puzzle))


def has_symmetry(puzzle: Puzzle) -> bool:
    """Say whether some symmetry tells where the givens stand; where every cell is given, none does."""
    grid, cells = puzzle.grid, tuple(puzzle.givens)
    return len(cells) < len(grid.cells) and any(is_symmetric(grid, name, cells) for name in symmetry_names(grid))


@dataclass(frozen=True)
class PuzzleVerdict:
    """The answer, and the givens without which there would still be one solution.

    ``stopped`` says which limit came before every given had been asked about.
    """

    answer: Answer
    unnecessary: tuple[Cell, ...] = ()
    stopped: Reason | None = None

    @property
    def reason(self) -> Reason | None:
        """The limit that came first, where one did."""
        return self.answer.reason or self.stopped

    @property
    def undecided(self) -> tuple[Kind, ...]:
        """What a limit left open, and may be found with more time."""
        if self.answer.status == "unknown":
            return ("not-unique", "not-minimal") if self.answer.count else ("contradictory", "not-unique", "not-minimal")
        return ("not-minimal",) if self.stopped else ()


@lru_cache(maxsize=64)
def shape(grid: Grid, rules: tuple[Rule, ...]) -> Boxes | None:
    """Return the boxes (height, width) of plain boards that the batch kernel knows, None for all others."""
    return shape_of(Puzzle(grid).model()) if rules == CLASSIC and len(grid.boards) == 1 else None


def verdict(puzzle: Puzzle, asking: VerdictRequest, clock: Clock) -> PuzzleVerdict:
    """Return what the engine says of one puzzle while the clock runs."""
    answer = count(puzzle, backend=asking.engine, limits=clock.left(), solution_limit=asking.most)
    clock.nodes += answer.counters.get("nodes", 0)
    if answer.status != "unique" or answer.solution is None or not asking.is_about_givens(puzzle):
        return PuzzleVerdict(answer)
    necessity = necessary_givens(puzzle, answer.solution, backend=asking.engine, limits=clock.left())
    return PuzzleVerdict(answer, necessity.unnecessary, necessity.reason)
