"""Whether a position can still be completed: how many solutions its puzzle has, which entries are wrong, and what clashes."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from sudoku_cp import queries
from sudoku_cp.backends import UNLIMITED
from sudoku_cp.errors import LimitReached
from sudoku_cp.puzzle import Origin
from sudoku_cp.queries.conflicts import conflict

if TYPE_CHECKING:
    from sudoku_cp.backends import Limits
    from sudoku_cp.errors import Reason
    from sudoku_cp.logic.step import Candidate
    from sudoku_cp.puzzle import Position, Puzzle
    from sudoku_cp.queries import Status
    from sudoku_cp.queries.conflicts import Conflict


@dataclass(frozen=True)
class PositionCheck:
    """What is known of a position.

    ``status`` tells how many solutions the puzzle has. If it has just one, that is ``solution``, ``wrong_values`` are the values
    filled in that differ from it, and ``wrong_marks`` the candidates that were eliminated and are true. If it has several,
    ``is_dead`` says that the position leads to none of them. ``reason`` is the limit that came first if it is "unknown".
    """

    status: Status
    solution: tuple[int, ...] | None = None
    wrong_values: tuple[Candidate, ...] = ()
    wrong_marks: tuple[Candidate, ...] = ()
    is_dead: bool = False
    reason: Reason | None = None

    @property
    def is_sound(self) -> bool:
        """Whether the puzzle has one solution and the position leads to it."""
        return self.status == "unique" and not self.wrong_values and not self.wrong_marks

    @property
    def is_wrong(self) -> bool:
        """Whether the position is known to lead to no solution."""
        return self.status == "none" or self.is_dead or bool(self.wrong_values or self.wrong_marks)


def check_position(position: Position, *, limits: Limits = UNLIMITED) -> PositionCheck:
    """Solve the puzzle, and compare what was filled in and eliminated; "unknown" if a limit came first."""
    clock = limits.started()
    answer = queries.solve(position.puzzle, limits=clock.left())
    if answer.status == "multiple":
        return PositionCheck("multiple", is_dead=_is_dead(position, clock.left()))
    if answer.status != "unique":
        return PositionCheck(answer.status, reason=answer.reason)
    solution = answer.solution
    assert solution is not None  # noqa: S101  # a unique puzzle has one
    filled = ((cell, value) for cell, value in enumerate(position.values) if value is not None)
    wrong = ((cell, value) for cell, value in filled if value != solution[cell] and position.origins[cell] is not Origin.GIVEN)
    marks = ((cell, solution[cell]) for cell, marks in enumerate(position.marks) if marks and not marks >> solution[cell] & 1)
    return PositionCheck("unique", solution, tuple(wrong), tuple(marks))


def _is_dead(position: Position, limits: Limits) -> bool:
    """Return whether nothing completes the entries of a position; not if a limit comes first."""
    entries = with_entries(position)
    is_changed = entries.givens != position.puzzle.givens or entries.candidates != position.puzzle.candidates
    return is_changed and queries.solve(entries, limits=limits).status == "none"


def clashing_puzzle(position: Position, check: PositionCheck) -> Puzzle:
    """Return the puzzle that the clash of a wrong position is part of: its givens, or all entries if givens do not clash."""
    return position.puzzle if check.status == "none" else with_entries(position)


def find_clash(position: Position, check: PositionCheck, *, limits: Limits = UNLIMITED) -> Conflict | None:
    """Return a smallest set of entries of a wrong position that cannot all be right; None if a limit came first."""
    try:
        return conflict(clashing_puzzle(position, check), limits=limits)
    except LimitReached:
        return None


def with_entries(position: Position) -> Puzzle:
    """Return the puzzle whose givens and candidates are the entries of a position: what was filled in, and the marks."""
    puzzle = position.puzzle
    entries = {cell: value for cell, value in enumerate(position.values) if value is not None}
    marks = {cell: domain & puzzle.candidates.get(cell, domain) for cell, domain in enumerate(position.marks) if domain}
    left = {cell: domain for cell, domain in marks.items() if domain}
    return replace(puzzle, givens=entries, candidates={**puzzle.candidates, **left}, solution=None)


def without_errors(position: Position, check: PositionCheck) -> Position:
    """Return the position with what is wrong taken back: wrong values are gone, and true candidates are marks again."""
    values, origins, marks = list(position.values), list(position.origins), list(position.marks)
    for cell, _ in check.wrong_values:
        values[cell] = origins[cell] = None
    for cell, value in check.wrong_marks:
        marks[cell] |= 1 << value
    return replace(position, values=tuple(values), origins=tuple(origins), marks=tuple(marks))
