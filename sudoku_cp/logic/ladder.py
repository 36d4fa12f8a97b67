"""The ladder: all techniques, those tried first in front, with the score and level that a path of them gets; and walks along it.

A further technique is a function in `techniques`, a name in `Technique`, and a line in `RUNGS`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from sudoku_cp.logic.candidate_board import CandidateBoard, make_board
from sudoku_cp.logic.step import Step
from sudoku_cp.logic.technique import Technique
from sudoku_cp.logic.techniques.chains import alternating_chains, grouped_chains, remote_pairs, x_chains, xy_chains
from sudoku_cp.logic.techniques.nice_loops import (
    continuous_loops,
    discontinuous_loops,
    grouped_continuous_loops,
    grouped_discontinuous_loops,
)
from sudoku_cp.logic.techniques.singles import full_houses, hidden_singles, naked_singles

if TYPE_CHECKING:
    from sudoku_cp.puzzle import Position, Puzzle

Finder: TypeAlias = Callable[[CandidateBoard], Iterator[Step]]
"""A technique's search: yields the steps it finds on a board, which it does not change."""


class Rung(NamedTuple):
    """A technique on the ladder, what finds it, and its score and level after HoDoKu (E easy, M, H, U, X extreme)."""

    technique: Technique
    find: Finder
    score: int
    level: str


RUNGS: tuple[Rung, ...] = (
    Rung(Technique.FULL_HOUSE, full_houses, 4, "E"),
    Rung(Technique.HIDDEN_SINGLE, hidden_singles, 14, "E"),
    Rung(Technique.NAKED_SINGLE, naked_singles, 4, "E"),
    Rung(Technique.REMOTE_PAIR, remote_pairs, 110, "H"),
    Rung(Technique.X_CHAIN, x_chains, 260, "U"),
    Rung(Technique.XY_CHAIN, xy_chains, 260, "U"),
    Rung(Technique.CONTINUOUS_LOOP, continuous_loops, 280, "U"),
    Rung(Technique.DISCONTINUOUS_LOOP, discontinuous_loops, 280, "U"),
    Rung(Technique.AIC, alternating_chains, 280, "U"),
    Rung(Technique.GROUPED_CONTINUOUS_LOOP, grouped_continuous_loops, 300, "U"),
    Rung(Technique.GROUPED_DISCONTINUOUS_LOOP, grouped_discontinuous_loops, 300, "U"),
    Rung(Technique.GROUPED_AIC, grouped_chains, 300, "U"),
)
"""All techniques, those tried first in front."""
HIDDEN_ONLY: tuple[Rung, ...] = RUNGS[:2]
"""The techniques of easy puzzles."""
SINGLES: tuple[Rung, ...] = RUNGS[:3]
"""The techniques of medium puzzles: the words for difficulty mean these alone, however long the ladder is."""


def steps(start: Puzzle | Position, rungs: Iterable[Rung] = RUNGS) -> Iterator[Step]:
    """Yield step after step, each the first that the lowest rung finds, until none finds any."""
    return apply_steps(make_board(start), tuple(rungs))


def apply_steps(board: CandidateBoard, rungs: tuple[Rung, ...]) -> Iterator[Step]:
    """Yield the steps, each once it has been made on the board; after each the lowest rung is tried again."""
    while step := next_step(board, rungs):
        board.apply(step)
        yield step


def next_step(board: CandidateBoard, rungs: Iterable[Rung]) -> Step | None:
    """Return the first step of the lowest rung that has one; None if no rung has."""
    return next((step for rung in rungs for step in rung.find(board)), None)


def all_steps(board: CandidateBoard, technique: Technique) -> list[Step]:
    """Return every step of a technique on a board, with one for each result: that of the fewest cells, then links."""
    best: dict[object, Step] = {}
    for step in find_steps(board, technique):
        other = best.get(step.result)
        if other is None or _size(step) < _size(other):
            best[step.result] = step
    return list(best.values())


def find_steps(board: CandidateBoard, technique: Technique) -> Iterator[Step]:
    """Yield every step of a technique as it is found; results may repeat."""
    (find,) = (rung.find for rung in RUNGS if rung.technique is technique)
    return find(board)


def _size(step: Step) -> tuple[int, int]:
    return step.cells.bit_count(), len(step.pattern.links)
