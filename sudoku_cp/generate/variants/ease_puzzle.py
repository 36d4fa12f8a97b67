"""Redundant clues are added one by one until a puzzle is no harder than requested."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sudoku_cp.generate.variants.selection_spec import Occupancy

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from random import Random

    from sudoku_cp.generate.variants.clue_solver import CandidateClue
    from sudoku_cp.generate.variants.selection_spec import SelectionSpec

STEPS = 40
"""The most clues that are added."""
COMPARED = 3
"""Clues compared for each one that is added."""


def ease_puzzle(
    random: Random,
    chosen: Sequence[CandidateClue],
    pool: Sequence[CandidateClue],
    spec: SelectionSpec,
    miss: Callable[[Sequence[CandidateClue]], float],
) -> tuple[list[CandidateClue], float]:
    """Return the ``chosen`` clues with some of the ``pool`` that bring the puzzle closest to its target, and how far it is."""
    held = list(chosen)
    missed = miss(held)
    for _ in range(STEPS):
        occupancy, among = Occupancy(held, spec), set(held)
        able = [clue for clue in pool if clue not in among and occupancy.takes(clue)]
        if not missed or not able:
            break
        tried = [(miss([*held, clue]), clue) for clue in random.sample(able, min(COMPARED, len(able)))]
        least, clue = min(tried, key=lambda pair: pair[0])
        if least > missed:
            break
        held, missed = [*held, clue], least
    return held, missed
