"""Clues that are not needed come back, one by one, until a puzzle is no harder than asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sudoku_cp.generate.variants.selection_spec import Occupancy

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from random import Random

    from sudoku_cp.generate.variants.clue_solver import CandidateClue
    from sudoku_cp.generate.variants.selection_spec import SelectionSpec

STEPS = 40
"""Clues that come back before a puzzle is left as it is."""
COMPARED = 3
"""Clues of which the best comes back."""


def ease_puzzle(
    random: Random,
    chosen: Sequence[CandidateClue],
    pool: Sequence[CandidateClue],
    terms: SelectionSpec,
    miss: Callable[[Sequence[CandidateClue]], float],
) -> tuple[list[CandidateClue], float]:
    """Return clues that miss the target by as little as was found, and by how much; those ``chosen`` are among them."""
    held = list(chosen)
    missed = miss(held)
    for _ in range(STEPS):
        room, among = Occupancy(held, terms), set(held)
        able = [clue for clue in pool if clue not in among and room.takes(clue)]
        if not missed or not able:
            break
        tried = [(miss([*held, clue]), clue) for clue in random.sample(able, min(COMPARED, len(able)))]
        least, clue = min(tried, key=lambda pair: pair[0])
        if least > missed:
            break
        held, missed = [*held, clue], least
    return held, missed
