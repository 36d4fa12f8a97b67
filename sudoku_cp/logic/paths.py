"""Paths from a position to the solution: what is wrong with the position first, then step after step and why they end."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from sudoku_cp.logic.candidate_board import make_board
from sudoku_cp.logic.ladder import FoundSteps, list_steps, path_end, walk
from sudoku_cp.logic.position_check import check_position, find_clash
from sudoku_cp.logic.rungs import LAST_RESORT, RUNGS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sudoku_cp.backends import Limits
    from sudoku_cp.logic.candidate_board import CandidateBoard
    from sudoku_cp.logic.ladder import PathEnd
    from sudoku_cp.logic.position_check import PositionCheck
    from sudoku_cp.logic.rungs import Rung
    from sudoku_cp.model import Domain
    from sudoku_cp.puzzle import Position
    from sudoku_cp.queries.conflicts import Conflict


class FoundPath(NamedTuple):
    """The steps from a position, or of a list of all that are possible, which has no ``end``; and the ``board`` behind them.

    Where the ``end`` is "none" or "wrong" no step was looked for, and ``clash`` is what cannot be right together, if that was
    found within the limits.
    """

    found: FoundSteps
    board: CandidateBoard
    end: PathEnd | None = None
    clash: Conflict | None = None


class PathFinder:
    """Answers for one position which steps lead on: ``check`` is known at once, and ``path`` takes the time that is left."""

    def __init__(self, position: Position, limits: Limits, *, searched: Domain | None = None) -> None:
        """Check the position; techniques of one value keep to those ``searched``, all by default."""
        self.position = position
        self._clock = limits.started()
        self.check: PositionCheck = check_position(position, limits=self._clock.left())
        self._searched = searched

    def path(self, rungs: Sequence[Rung] = (*RUNGS, LAST_RESORT)) -> FoundPath:
        """Walk step after step, if the position can be completed; say what clashes otherwise."""
        if self.check.is_wrong:
            return self._no_path()
        board, usable = self._board(), self._usable(rungs)
        found = walk(board, tuple(usable))
        return FoundPath(found, board, path_end(board, found, usable))

    def possible(self, rungs: Sequence[Rung] = RUNGS) -> FoundPath:
        """List every step that is possible now, whether or not the position can be completed."""
        board = self._board()
        return FoundPath(list_steps(board, self._usable(rungs)), board)

    def _no_path(self) -> FoundPath:
        clash = find_clash(self.position, self.check, limits=self._clock.left())
        end: PathEnd = "none" if self.check.status == "none" else "wrong"
        return FoundPath(FoundSteps([], complete=True), self._board(), end, clash)

    def _board(self) -> CandidateBoard:
        board = make_board(self.position)
        board.clock = self._clock
        if self._searched:
            board.searched = self._searched
        return board

    def _usable(self, rungs: Sequence[Rung]) -> list[Rung]:
        return [rung for rung in rungs if self.check.is_sound or not rung.technique.needs_uniqueness]
