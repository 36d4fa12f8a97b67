"""The ladder of techniques: the first step on it, all steps of a technique, and walks of step after step."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from sudoku_cp.errors import LimitReached
from sudoku_cp.logic.candidate_board import make_board
from sudoku_cp.logic.rungs import RUNGS, rung_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from sudoku_cp.logic.candidate_board import CandidateBoard
    from sudoku_cp.logic.rungs import Rung
    from sudoku_cp.logic.step import Step
    from sudoku_cp.logic.technique import Technique
    from sudoku_cp.puzzle import Position, Puzzle


def steps(start: Puzzle | Position, rungs: Iterable[Rung] = RUNGS) -> Iterator[Step]:
    """Yield step after step, each the first that the lowest rung finds, until none finds any."""
    return apply_steps(make_board(start), tuple(rungs))


def apply_steps(board: CandidateBoard, rungs: tuple[Rung, ...]) -> Iterator[Step]:
    """Yield the steps, each once it has been made on the board; after each the lowest rung is tried again."""
    while step := next_step(board, rungs):
        board.apply(step)
        yield step


def next_step(board: CandidateBoard, rungs: Iterable[Rung]) -> Step | None:
    """Return the first step of the lowest rung that has one; None if no rung has, as on a full grid."""
    for rung in rungs if board.open else ():
        board.tick()
        for step in rung.find(board):
            return step
    return None


class FoundSteps(NamedTuple):
    """Steps on one board, or on the way from it; not ``complete`` if a limit came first."""

    steps: list[Step]
    complete: bool


def all_steps(board: CandidateBoard, technique: Technique) -> list[Step]:
    """Return every step of a technique on a board, with one for each result: that of the fewest cells, then links."""
    best: dict[object, Step] = {}
    for step in find_steps(board, technique):
        _keep_smallest(best, step)
    return list(best.values())


def list_steps(board: CandidateBoard, rungs: Iterable[Rung]) -> FoundSteps:
    """Return every step of some rungs on a board, as `all_steps` does for one, and whatever is known when a limit is reached."""
    found: list[Step] = []
    for rung in rungs:
        best: dict[object, Step] = {}
        try:
            board.tick()
            for step in rung.find(board):
                _keep_smallest(best, step)
        except LimitReached:
            return FoundSteps([*found, *best.values()], complete=False)
        found += best.values()
    return FoundSteps(found, complete=True)


def walk(board: CandidateBoard, rungs: tuple[Rung, ...]) -> FoundSteps:
    """Make steps until no rung finds one, or a limit is reached; return them."""
    found: list[Step] = []
    try:
        found.extend(apply_steps(board, rungs))  # keeps what came before an error
    except LimitReached:
        return FoundSteps(found, complete=False)
    return FoundSteps(found, complete=True)


def find_steps(board: CandidateBoard, technique: Technique) -> Iterator[Step]:
    """Yield every step of a technique as it is found; results may repeat."""
    return rung_of(technique).find(board)


def _keep_smallest(best: dict[object, Step], step: Step) -> None:
    other = best.get(step.result)
    if other is None or _size(step) < _size(other):
        best[step.result] = step


def _size(step: Step) -> tuple[int, int]:
    return step.cells.bit_count(), len(step.pattern.links)
