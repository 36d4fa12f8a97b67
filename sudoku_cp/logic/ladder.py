"""The ladder of techniques: the first step on it, all steps of a technique, and walks of step after step."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

from sudoku_cp.errors import LimitReached
from sudoku_cp.logic.rungs import LAST_RESORT, rung_of
from sudoku_cp.model import members
from sudoku_cp.ticks import ticking

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from sudoku_cp.errors import Reason
    from sudoku_cp.logic.candidate_board import CandidateBoard
    from sudoku_cp.logic.rungs import Rung
    from sudoku_cp.logic.step import Step
    from sudoku_cp.logic.technique import Technique


def apply_steps(board: CandidateBoard, rungs: tuple[Rung, ...]) -> Iterator[Step]:
    """Yield the steps, each once it has been made on the board; then the lowest rung is tried again.

    Several steps of a rung are made where finding them takes long: each stays proved when the others are made.
    """
    while found := _next_steps(board, rungs):
        for step in found:
            if board.is_changed_by(step):
                board.apply(step)
                yield step


def _next_steps(board: CandidateBoard, rungs: Iterable[Rung]) -> list[Step]:
    """Return the first step of the lowest rung that has one, or as many as are made there at once; none on a full grid."""
    with ticking(board.tick):
        for rung in rungs if board.open else ():
            board.tick()
            if found := list(islice(rung.find(board), rung.most_steps(board))):
                return found
    return []


def next_step(board: CandidateBoard, rungs: Iterable[Rung]) -> Step | None:
    """Return the first step of the lowest rung that has one; None if no rung has, as on a full grid."""
    with ticking(board.tick):
        for rung in rungs if board.open else ():
            board.tick()
            for step in rung.find(board):
                return step
    return None


def possible_steps(board: CandidateBoard, rungs: Iterable[Rung]) -> Iterator[Step]:
    """Yield the steps that are possible on a board, those of the lowest rung in front; of steps with one result the first.

    The caller sets the board's tick around it (see `ticks`), as for `find_steps`.
    """
    seen = set()
    for rung in rungs if board.open else ():
        board.tick()
        for step in rung.find(board):
            if step.result not in seen:
                seen.add(step.result)
                yield step


PathEnd: TypeAlias = Literal["solved", "none", "wrong", "contradiction", "limit", "ambiguous", "stuck"]
"""Why a path ends: the board is full; the puzzle has no solution; entries are wrong; a cell has no candidate left, or two cells
clash; a limit came first; each candidate left holds in some solution; none of the techniques that were tried leads further."""


class FoundSteps(NamedTuple):
    """Steps on one board, or on the way from it; not ``complete`` if a limit, the ``reason``, came first."""

    steps: list[Step]
    reason: Reason | None = None

    @property
    def complete(self) -> bool:
        """Whether no limit came first."""
        return self.reason is None


def all_steps(board: CandidateBoard, technique: Technique) -> list[Step]:
    """Return every step of a technique on a board, with one for each result: that of the fewest cells, then links."""
    best: dict[object, Step] = {}
    with ticking(board.tick):
        for step in find_steps(board, technique):
            _keep_smallest(best, step)
    return list(best.values())


def list_steps(board: CandidateBoard, rungs: Iterable[Rung]) -> FoundSteps:
    """Return every step of some rungs on a board, as `all_steps` does for one, and whatever is known when a limit is reached."""
    found: list[Step] = []
    for rung in rungs:
        best: dict[object, Step] = {}
        try:
            with ticking(board.tick):
                board.tick()
                for step in rung.find(board):
                    _keep_smallest(best, step)
        except LimitReached as reached:
            return FoundSteps([*found, *best.values()], reached.reason)
        found += best.values()
    return FoundSteps(found)


def walk(board: CandidateBoard, rungs: tuple[Rung, ...]) -> FoundSteps:
    """Make steps until no rung finds one, or a limit is reached; return them."""
    found: list[Step] = []
    try:
        found.extend(apply_steps(board, rungs))  # keeps what came before an error
    except LimitReached as reached:
        return FoundSteps(found, reached.reason)
    return FoundSteps(found)


def path_end(board: CandidateBoard, found: FoundSteps, rungs: Iterable[Rung]) -> PathEnd:
    """Return why a walk of these rungs ended with this board."""
    if any(not board.candidates[cell] for cell in members(board.open)) or not board.is_consistent():
        return "contradiction"
    if not board.open:
        return "solved"
    if not found.complete:
        return "limit"
    return "ambiguous" if any(rung is LAST_RESORT for rung in rungs) else "stuck"


def find_steps(board: CandidateBoard, technique: Technique) -> Iterator[Step]:
    """Yield every step of a technique as it is found; results may repeat."""
    return rung_of(technique).find(board)


def _keep_smallest(best: dict[object, Step], step: Step) -> None:
    other = best.get(step.result)
    if other is None or _size(step) < _size(other):
        best[step.result] = step


def _size(step: Step) -> tuple[int, int]:
    return step.cells.bit_count(), len(step.pattern.links)
