"""Whether a position can still be completed: how many solutions its puzzle has, and which entries are wrong."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sudoku_cp import queries
from sudoku_cp.backends import UNLIMITED
from sudoku_cp.puzzle import Origin

if TYPE_CHECKING:
    from sudoku_cp.backends import Limits
    from sudoku_cp.logic.step import Candidate
    from sudoku_cp.puzzle import Position
    from sudoku_cp.queries import Status


@dataclass(frozen=True)
class PositionCheck:
    """What is known of a position.

    ``status`` tells how many solutions the puzzle has. If it has just one, that is ``solution``, ``wrong_values`` are the values
    filled in that differ from it, and ``wrong_marks`` the candidates that were eliminated and are true.
    """

    status: Status
    solution: tuple[int, ...] | None = None
    wrong_values: tuple[Candidate, ...] = ()
    wrong_marks: tuple[Candidate, ...] = ()

    @property
    def is_sound(self) -> bool:
        """Whether the puzzle has one solution and the position leads to it."""
        return self.status == "unique" and not self.wrong_values and not self.wrong_marks


def check_position(position: Position, *, limits: Limits = UNLIMITED) -> PositionCheck:
    """Solve the puzzle, and compare what was filled in and eliminated; "unknown" if a limit came first."""
    answer = queries.solve(position.puzzle, limits=limits)
    if answer.status != "unique":
        return PositionCheck(answer.status)
    solution = answer.solution
    assert solution is not None  # noqa: S101  # a unique puzzle has one
    filled = ((cell, value) for cell, value in enumerate(position.values) if value is not None)
    wrong = ((cell, value) for cell, value in filled if value != solution[cell] and position.origins[cell] is not Origin.GIVEN)
    marks = ((cell, solution[cell]) for cell, marks in enumerate(position.marks) if marks and not marks >> solution[cell] & 1)
    return PositionCheck("unique", solution, tuple(wrong), tuple(marks))
