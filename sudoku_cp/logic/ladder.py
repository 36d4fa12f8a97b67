"""The ladder: all techniques, those tried first in front, with the score and level that a path of them gets; and walks along it.

A further technique is a function in `techniques`, a name in `Technique`, and a line in `RUNGS`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from sudoku_cp.logic.candidate_board import CandidateBoard, make_board
from sudoku_cp.logic.step import Step
from sudoku_cp.logic.technique import Technique
from sudoku_cp.logic.techniques.colouring import colour_traps, colour_wraps, multi_colours_1, multi_colours_2
from sudoku_cp.logic.techniques.fish import FISH, fish_finder
from sudoku_cp.logic.techniques.single_digit import (
    dual_empty_rectangles,
    dual_two_string_kites,
    empty_rectangles,
    skyscrapers,
    turbot_fish,
    two_string_kites,
)
from sudoku_cp.logic.techniques.singles import full_houses, hidden_singles, naked_singles
from sudoku_cp.logic.techniques.wings import w_wings, xy_wings, xyz_wings

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


def _fish(technique: Technique, score: int, level: str) -> Rung:
    return Rung(technique, fish_finder(technique), score, level)


RUNGS: tuple[Rung, ...] = (
    Rung(Technique.FULL_HOUSE, full_houses, 4, "E"),
    Rung(Technique.HIDDEN_SINGLE, hidden_singles, 14, "E"),
    Rung(Technique.NAKED_SINGLE, naked_singles, 4, "E"),
    _fish(Technique.X_WING, 140, "H"),
    _fish(Technique.SWORDFISH, 150, "H"),
    _fish(Technique.JELLYFISH, 160, "H"),
    Rung(Technique.SKYSCRAPER, skyscrapers, 130, "H"),
    Rung(Technique.TWO_STRING_KITE, two_string_kites, 150, "H"),
    Rung(Technique.DUAL_TWO_STRING_KITE, dual_two_string_kites, 150, "H"),
    Rung(Technique.TURBOT_FISH, turbot_fish, 120, "H"),
    Rung(Technique.EMPTY_RECTANGLE, empty_rectangles, 120, "H"),
    Rung(Technique.DUAL_EMPTY_RECTANGLE, dual_empty_rectangles, 120, "H"),
    Rung(Technique.W_WING, w_wings, 150, "H"),
    Rung(Technique.XY_WING, xy_wings, 160, "H"),
    Rung(Technique.XYZ_WING, xyz_wings, 180, "H"),
    _fish(Technique.FINNED_X_WING, 130, "H"),
    _fish(Technique.SASHIMI_X_WING, 150, "H"),
    _fish(Technique.FINNED_SWORDFISH, 200, "U"),
    _fish(Technique.SASHIMI_SWORDFISH, 240, "U"),
    _fish(Technique.FINNED_JELLYFISH, 250, "U"),
    _fish(Technique.SASHIMI_JELLYFISH, 260, "U"),
    Rung(Technique.COLOUR_TRAP, colour_traps, 150, "H"),
    Rung(Technique.COLOUR_WRAP, colour_wraps, 150, "H"),
    Rung(Technique.MULTI_COLOURS_1, multi_colours_1, 200, "H"),
    Rung(Technique.MULTI_COLOURS_2, multi_colours_2, 200, "H"),
    _fish(Technique.FRANKEN_X_WING, 300, "U"),
    _fish(Technique.FRANKEN_SWORDFISH, 350, "U"),
    _fish(Technique.FRANKEN_JELLYFISH, 370, "U"),
    _fish(Technique.FINNED_FRANKEN_X_WING, 390, "U"),
    _fish(Technique.FINNED_FRANKEN_SWORDFISH, 410, "U"),
    _fish(Technique.FINNED_FRANKEN_JELLYFISH, 430, "U"),
)
"""The techniques of a path, those tried first in front."""
LARGE_FISH: tuple[Rung, ...] = (
    _fish(Technique.MUTANT_X_WING, 450, "X"),
    _fish(Technique.MUTANT_SWORDFISH, 450, "X"),
    _fish(Technique.MUTANT_JELLYFISH, 450, "X"),
    _fish(Technique.FINNED_MUTANT_X_WING, 470, "X"),
    _fish(Technique.FINNED_MUTANT_SWORDFISH, 470, "X"),
    _fish(Technique.FINNED_MUTANT_JELLYFISH, 470, "X"),
    *(_fish(technique, 470, "X") for technique in FISH if technique.code[3] > "2"),
)
"""Techniques found only where they are asked for: each takes longer than all of a path."""
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
    (find,) = (rung.find for rung in (*RUNGS, *LARGE_FISH) if rung.technique is technique)
    return find(board)


def _size(step: Step) -> tuple[int, int]:
    return step.cells.bit_count(), len(step.pattern.links)
