"""A puzzle as it is to be printed: what has been filled in, its solution, its level, a link to it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sudoku_cp.puzzle import Origin, Position

if TYPE_CHECKING:
    from sudoku_cp.puzzle import Puzzle


@dataclass(frozen=True)
class PrintedPuzzle:
    """A position with its ``number``, None without numbers.

    ``solution`` is None where none is printed; ``note`` then says why it is missing, if it is. ``level`` is the heading of the
    section of a booklet, ``link`` an address where the puzzle can be played.
    """

    position: Position
    number: int | None = None
    solution: tuple[int, ...] | None = None
    note: str = ""
    level: str = ""
    link: str = ""

    @property
    def puzzle(self) -> Puzzle:
        """The puzzle without entries."""
        return self.position.puzzle

    @property
    def heading(self) -> str:
        """The number, title and author, those that there are."""
        words = " by ".join(part for part in (self.puzzle.title, self.puzzle.author) if part)
        return ". ".join(part for part in (str(self.number or ""), words) if part)

    @property
    def name(self) -> str:
        """The number, or the heading, or at least the kind of grid."""
        return str(self.number) if self.number is not None else self.heading or f"Sudoku on {self.puzzle.grid}"

    @property
    def description(self) -> str:
        """The givens in words for those who cannot see the picture."""
        puzzle = self.puzzle
        givens = puzzle.line() if len(puzzle.grid.boards) == 1 else " / ".join(str(puzzle).splitlines())
        return f"{self.heading or 'Sudoku'}: {puzzle.grid}, {f'row by row {givens}' if puzzle.givens else 'no givens'}"

    def solved(self) -> Position:
        """Return the solution as a position; all values are of one ink."""
        assert self.solution is not None  # noqa: S101  # asked for only where there is one
        givens = self.puzzle.givens
        plain = tuple(Origin.GIVEN if cell in givens else Origin.FORCED for cell in self.puzzle.grid.cells)
        return Position(self.puzzle, self.solution, plain)
