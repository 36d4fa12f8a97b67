"""Paths from a position to the solution: what is wrong with the position first, then step after step and why they end."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from sudoku_cp.arguments import checked
from sudoku_cp.backends import UNLIMITED, Limits
from sudoku_cp.errors import LimitReached, Unsupported
from sudoku_cp.logic.candidate_board import make_board
from sudoku_cp.logic.ladder import FoundSteps, list_steps, path_end, walk
from sudoku_cp.logic.path_pages import path_panels, steps_html, steps_svg
from sudoku_cp.logic.position_check import check_position, find_clash
from sudoku_cp.logic.rungs import LAST_RESORT, RUNGS, rungs_named
from sudoku_cp.logic.words.wording import plural
from sudoku_cp.puzzle import Position, Puzzle

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sudoku_cp.errors import Reason
    from sudoku_cp.logic.candidate_board import CandidateBoard
    from sudoku_cp.logic.ladder import PathEnd
    from sudoku_cp.logic.path_pages import PathPanel
    from sudoku_cp.logic.position_check import PositionCheck
    from sudoku_cp.logic.rungs import Rung
    from sudoku_cp.logic.step import Step
    from sudoku_cp.model import Domain
    from sudoku_cp.queries.conflicts import Conflict


@dataclass(frozen=True)
class SolvePath:
    """The steps from a position, ``start``, or all that are possible there, which have no ``end``.

    ``reason`` is the limit that came first, if one did, and ``board`` is what the steps leave, None if the limit came before
    there was a board. ``check`` tells whether the puzzle has one solution and what is wrong with the position. Where the ``end``
    is "none" or "wrong" no step was looked for, and ``clash`` is what cannot be right together, if that was found within the
    limits.
    """

    start: Position
    check: PositionCheck
    steps: tuple[Step, ...]
    reason: Reason | None
    board: CandidateBoard | None = field(hash=False)
    end: PathEnd | None = None
    clash: Conflict | None = None

    @property
    def complete(self) -> bool:
        """Whether it ended by itself, and not at a limit."""
        return self.reason is None

    def __repr__(self) -> str:
        """Return how many steps there are and how they end: the fields are long."""
        return (
            f"<SolvePath: {plural(len(self.steps), 'step')}, {self.end or 'possible now'}{', incomplete' * (not self.complete)}>"
        )

    @property
    def open_cells(self) -> int:
        """How many cells the steps leave open."""
        return self.start.values.count(None) if self.board is None else self.board.open.bit_count()

    def panels(self) -> Iterator[PathPanel]:
        """Yield each step of a path with the position in which it is made, its sentence, its proof in words and its picture."""
        return path_panels(self.start, self.steps)

    def html(self) -> str:
        """Return a path as one HTML file that needs no other: a picture and a sentence for each step."""
        return steps_html(self.start, self.steps)

    @checked
    def svg(self, *, columns: int = 4) -> str:
        """Return a path as one SVG with a picture and a sentence for each step, in rows of ``columns``."""
        return steps_svg(self.start, self.steps, columns=columns)

    def _repr_svg_(self) -> str | None:
        """Return the pictures of a path for notebooks, nothing where they would be too large."""
        try:
            return self.svg()
        except Unsupported:
            return None


@checked
def steps(
    start: Puzzle | Position, techniques: str | Sequence[str] = (), *, every: bool = False, limits: Limits = UNLIMITED
) -> SolvePath:
    """Return the steps that a person could take, from the easiest technique upwards, each with what proves it.

    ``techniques`` are names or codes of those to use, all by default; with ``every``, each step that is possible at once is
    listed instead of a path. Techniques that argue from uniqueness are left out unless the puzzle has exactly one solution.
    """
    names = [techniques] if isinstance(techniques, str) else techniques
    rungs = rungs_named(names)
    finder = PathFinder(Position.of(start) if isinstance(start, Puzzle) else start, limits)
    return finder.possible(rungs or RUNGS) if every else finder.path(rungs or (*RUNGS, LAST_RESORT))


class PathFinder:
    """Answers for one position which steps lead on: ``check`` is known at once, and ``path`` takes the time that is left."""

    def __init__(self, position: Position, limits: Limits, *, searched: Domain | None = None) -> None:
        """Check the position; techniques of one value keep to those ``searched``, all by default."""
        self.position = position
        self._clock = limits.started()
        self.check: PositionCheck = check_position(position, limits=self._clock.left())
        self._searched = searched

    def path(self, rungs: Sequence[Rung] = (*RUNGS, LAST_RESORT)) -> SolvePath:
        """Walk step after step if the position can be completed; otherwise name what clashes."""
        board, reason = self._board()
        if self.check.is_wrong:
            clash = find_clash(self.position, self.check, limits=self._clock.left())
            end: PathEnd = "none" if self.check.status == "none" else "wrong"
            return self._path(FoundSteps([]), board, end, clash)
        if board is None:
            return self._path(FoundSteps([], reason), board, "limit")
        usable = self._usable(rungs)
        found = walk(board, tuple(usable))
        return self._path(found, board, path_end(board, found, usable))

    def possible(self, rungs: Sequence[Rung] = RUNGS) -> SolvePath:
        """List every step that is possible now, whether or not the position can be completed."""
        board, reason = self._board()
        return self._path(list_steps(board, self._usable(rungs)) if board else FoundSteps([], reason), board)

    def _path(
        self, found: FoundSteps, board: CandidateBoard | None, end: PathEnd | None = None, clash: Conflict | None = None
    ) -> SolvePath:
        return SolvePath(self.position, self.check, tuple(found.steps), found.reason, board, end, clash)

    def _board(self) -> tuple[CandidateBoard | None, Reason | None]:
        """Return the board of the position, or the limit that comes first."""
        try:
            board = make_board(self.position, self._clock)
        except LimitReached as reached:
            return None, reached.reason
        if self._searched:
            board.searched = self._searched
        return board, None

    def _usable(self, rungs: Sequence[Rung]) -> list[Rung]:
        return [rung for rung in rungs if self.check.is_sound or not rung.technique.needs_uniqueness]
