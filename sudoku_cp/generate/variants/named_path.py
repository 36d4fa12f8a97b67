"""A way in for people: where named steps stop in a puzzle with one solution, clues or givens are added until they lead through.

The steps are those of hints up to the level hard: no chains through half of the board, and no suppositions. What they have found
stays true when a clue is added, so that a puzzle is walked through once, however many clues it takes.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from sudoku_cp.errors import LimitReached
from sudoku_cp.generate.variants.select_clues import GIVEN, Occupancy
from sudoku_cp.logic.candidate_board import make_board
from sudoku_cp.logic.ladder import TAUGHT, apply_steps
from sudoku_cp.model import members

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from random import Random

    from sudoku_cp.backends import Clock
    from sudoku_cp.errors import Reason
    from sudoku_cp.generate.base import GenerateRequest
    from sudoku_cp.generate.variants.select_clues import CandidateClue, SelectionSpec
    from sudoku_cp.grid import Place
    from sudoku_cp.logic.candidate_board import CandidateBoard
    from sudoku_cp.logic.ladder import Rung
    from sudoku_cp.puzzle import Puzzle

MOST_CELLS = 100
"""On larger boards a walk takes too long to be repeated for each puzzle."""
MOST_ADDED = 40
"""Clues and givens added to a puzzle, at most."""
_TRIED = 2
"""Clues that are tried before a given is taken, which leads on in any case."""
_LEVELS = "EMH"


class NamedPath(NamedTuple):
    """The clues of a puzzle, and how many cells named steps leave open in it; the ``reason`` is the limit that came first."""

    clues: list[CandidateClue]
    open_cells: int
    reason: Reason | None = None


def wants_way_in(request: GenerateRequest) -> bool:
    """Return whether named steps have to lead through: not in minimal puzzles, to which no clue is added, nor in rated ones."""
    named = not (request.any_path or request.minimal or request.is_rated or request.guesses is not None)
    return named and len(request.grid.cells) <= MOST_CELLS


@cache
def named_rungs() -> tuple[Rung, ...]:
    """Return the techniques by which a generated puzzle can be solved."""
    return tuple(rung for rung in TAUGHT if rung.level in _LEVELS and not rung.technique.needs_uniqueness)


def add_way_in(
    random: Random,
    chosen: Sequence[CandidateClue],
    pool: Sequence[CandidateClue],
    spec: SelectionSpec,
    make_puzzle: Callable[[Sequence[CandidateClue]], Puzzle],
    clock: Clock,
) -> NamedPath:
    """Return the ``chosen`` clues with those of the ``pool`` that named steps need; no more than ``spec`` allows.

    What is known when a limit comes is returned, with its reason.
    """
    held = list(chosen)
    board = make_board(make_puzzle(chosen))
    board.clock = clock
    try:
        _walk(board)
        while board.open and len(held) < len(chosen) + MOST_ADDED:
            added = _next_clue(random, held, pool, spec, board, make_puzzle)
            if added is None:
                break
            clue, board = added
            held.append(clue)
    except LimitReached as reached:
        return NamedPath(held, board.open.bit_count(), reached.reason)
    return NamedPath(held, board.open.bit_count())


def _walk(board: CandidateBoard) -> CandidateBoard:
    for _ in apply_steps(board, named_rungs()):
        pass
    return board


def _next_clue(
    random: Random,
    held: Sequence[CandidateClue],
    pool: Sequence[CandidateClue],
    spec: SelectionSpec,
    board: CandidateBoard,
    make_puzzle: Callable[[Sequence[CandidateClue]], Puzzle],
) -> tuple[CandidateClue, CandidateBoard] | None:
    """Return a clue that leads on, and the board after it; a given only where few clues were tried and none did."""
    occupancy, among = Occupancy(held, spec), set(held)
    able = [clue for clue in pool if clue not in among and occupancy.takes(clue)]
    random.shuffle(able)
    places = board.layout.grid.places
    unsolved = {places[cell] for cell in members(board.open)}
    about = {clue: len(unsolved.intersection(_places_about(clue, places))) for clue in able if clue.family != GIVEN}
    clues = sorted((clue for clue in about if about[clue] > 1), key=lambda clue: -about[clue])
    givens = [clue for clue in able if clue.family == GIVEN and any(board.open >> cell & 1 for cell in clue.cells)]
    givens.sort(key=lambda clue: clue.cost)  # those that are not on clues first
    for clue in (*clues[:_TRIED], *givens[:1], *clues[_TRIED:]):
        after = _walk(_with_known(board, make_puzzle([*held, clue])))
        if after.open != board.open:
            return clue, after
    return None


def _places_about(clue: CandidateClue, places: Sequence[Place]) -> frozenset[Place]:
    """Return the places that a clue is about: those that it covers, or that a dot lies between, or that a sum looks along."""
    return clue.places.union(places[cell] for rule in clue.rules for cell in getattr(rule, "cells", ()))


def _with_known(board: CandidateBoard, puzzle: Puzzle) -> CandidateBoard:
    """Return the board of a puzzle with more clues, and all that is known already."""
    after = make_board(puzzle, board.clock)
    for cell, value in enumerate(board.values):
        if value is not None and after.values[cell] is None:
            after.place(cell, value)
    for cell in members(after.open):
        after.keep_candidates(cell, board.candidates[cell])
    return after
