"""The ladder: all techniques, those tried first in front, with the score and level that a path of them gets; and walks along it.

A further technique is a function in `techniques`, a name in `Technique`, and a line in `RUNGS`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from sudoku_cp.logic.candidate_board import CandidateBoard, make_board
from sudoku_cp.logic.step import Step
from sudoku_cp.logic.technique import Technique
from sudoku_cp.logic.techniques.als import als_xy_wings, als_xz
from sudoku_cp.logic.techniques.als_chains import als_chains
from sudoku_cp.logic.techniques.avoidable_rectangles import avoidable_rectangles_1, avoidable_rectangles_2
from sudoku_cp.logic.techniques.bivalue_grave import bug_plus_1
from sudoku_cp.logic.techniques.death_blossom import death_blossoms
from sudoku_cp.logic.techniques.locked import claiming, locked_pairs, locked_triples, pointing
from sudoku_cp.logic.techniques.singles import full_houses, hidden_singles, naked_singles
from sudoku_cp.logic.techniques.subsets import (
    hidden_pairs,
    hidden_quads,
    hidden_triples,
    naked_pairs,
    naked_quads,
    naked_triples,
)
from sudoku_cp.logic.techniques.sue_de_coq import sue_de_coqs
from sudoku_cp.logic.techniques.templates import template_deletes, template_sets
from sudoku_cp.logic.techniques.unique_rectangles import (
    hidden_rectangles,
    unique_rectangles_1,
    unique_rectangles_2,
    unique_rectangles_3,
    unique_rectangles_4,
    unique_rectangles_5,
    unique_rectangles_6,
)

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
    Rung(Technique.LOCKED_PAIR, locked_pairs, 40, "M"),
    Rung(Technique.LOCKED_TRIPLE, locked_triples, 60, "M"),
    Rung(Technique.POINTING, pointing, 50, "M"),
    Rung(Technique.CLAIMING, claiming, 50, "M"),
    Rung(Technique.NAKED_PAIR, naked_pairs, 60, "M"),
    Rung(Technique.NAKED_TRIPLE, naked_triples, 80, "M"),
    Rung(Technique.HIDDEN_PAIR, hidden_pairs, 70, "M"),
    Rung(Technique.HIDDEN_TRIPLE, hidden_triples, 100, "M"),
    Rung(Technique.NAKED_QUAD, naked_quads, 120, "H"),
    Rung(Technique.HIDDEN_QUAD, hidden_quads, 150, "H"),
    Rung(Technique.BUG_PLUS_1, bug_plus_1, 100, "H"),
    Rung(Technique.UNIQUE_RECTANGLE_1, unique_rectangles_1, 100, "H"),
    Rung(Technique.UNIQUE_RECTANGLE_2, unique_rectangles_2, 100, "H"),
    Rung(Technique.UNIQUE_RECTANGLE_3, unique_rectangles_3, 100, "H"),
    Rung(Technique.UNIQUE_RECTANGLE_4, unique_rectangles_4, 100, "H"),
    Rung(Technique.UNIQUE_RECTANGLE_5, unique_rectangles_5, 100, "H"),
    Rung(Technique.UNIQUE_RECTANGLE_6, unique_rectangles_6, 100, "H"),
    Rung(Technique.HIDDEN_RECTANGLE, hidden_rectangles, 100, "H"),
    Rung(Technique.AVOIDABLE_RECTANGLE_1, avoidable_rectangles_1, 100, "H"),
    Rung(Technique.AVOIDABLE_RECTANGLE_2, avoidable_rectangles_2, 100, "H"),
    Rung(Technique.SUE_DE_COQ, sue_de_coqs, 250, "U"),
    Rung(Technique.ALS_XZ, als_xz, 300, "U"),
    Rung(Technique.ALS_XY_WING, als_xy_wings, 320, "U"),
    Rung(Technique.ALS_CHAIN, als_chains, 340, "U"),
    Rung(Technique.DEATH_BLOSSOM, death_blossoms, 360, "U"),
    Rung(Technique.TEMPLATE_SET, template_sets, 10000, "X"),
    Rung(Technique.TEMPLATE_DELETE, template_deletes, 10000, "X"),
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
