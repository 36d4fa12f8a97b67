"""Of clues that allow one solution, those stay that are needed."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from sudoku_cp.errors import LimitReached
from sudoku_cp.generate.variants.clue_solver import GIVEN, CandidateClue, ClueSolver

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence
    from random import Random

    from sudoku_cp.backends import Clock, Solution
    from sudoku_cp.errors import Reason
    from sudoku_cp.generate.variants.selection_spec import SelectionSpec
    from sudoku_cp.grid import Place
    from sudoku_cp.puzzle import Puzzle

TRIED = 1_500
"""Conflicts of a question whether a clue can be left out; one that it does not tell of stays."""
IN_ALL = 8
"""So many questions may end so before the rest stay without being asked about."""
TRIED_HARD = 100_000
"""The same where everything left must be needed."""


@dataclass(frozen=True)
class SelectedClues:
    """Clues that allow one solution.

    Of the ``unsure`` nobody told whether they are needed; the ``spare`` are not, and are there because so many were asked for, or
    for a symmetry. A ``reason`` says which limit came before all were looked at.
    """

    clues: tuple[CandidateClue, ...]
    unsure: int = 0
    spare: int = 0
    reason: Reason | None = None


def minimize_clues(random: Random, asking: ClueSolver, chosen: Sequence[CandidateClue], terms: SelectionSpec) -> SelectedClues:
    """Leave out of clues that allow one solution what is not needed; of each family something stays if it can."""
    held = list(chosen)
    settled: set[CandidateClue] = set()
    unsure = spare = 0
    covered = Counter(place for clue in held for place in clue.places)
    ranks = {clue: _display_cost(clue, covered) * random.uniform(0.5, 1.5) for clue in held}
    try:
        while (clue := _next_clue(held, settled, ranks, terms)) is not None:
            settled.add(clue)
            if unsure >= IN_ALL and not terms.minimal:
                unsure += 1
                continue
            rest = [one for one in held if one is not clue]
            found = asking.other(rest, TRIED_HARD if terms.minimal else TRIED)
            unsure += found is None
            if isinstance(found, list):
                stays = _must_stay(clue, held, terms)
                spare += stays
                held = held if stays else _complete_core(rest, found, terms)
    except LimitReached as reached:
        if reached.reason == "cancelled":
            raise
        return SelectedClues(tuple(held), unsure, spare, reached.reason)
    return SelectedClues(tuple(held), unsure, spare)


def check_givens_singly(board: Puzzle, solution: Solution, choice: SelectedClues, clock: Clock) -> SelectedClues:
    """Return the choice with what is to be told of givens that came together, for a symmetry: is each needed by itself?"""
    parts = {clue: [replace(clue, cells=(cell,)) for cell in clue.cells] for clue in choice.clues if len(clue.cells) > 1}
    if not parts or choice.reason:
        return choice
    singles = [single for clue in parts for single in parts[clue]]
    held = [*(clue for clue in choice.clues if clue not in parts), *singles]
    unsure, spare = choice.unsure, choice.spare
    try:
        asking = ClueSolver(board, solution, held, clock)
        for single in singles:
            found = asking.other([one for one in held if one is not single], TRIED_HARD)
            unsure += found is None
            spare += isinstance(found, list)
    except LimitReached as reached:
        if reached.reason == "cancelled":
            raise
        return replace(choice, reason=reached.reason)
    return replace(choice, unsure=unsure, spare=spare)


def _display_cost(clue: CandidateClue, covered: Mapping[Place, int]) -> float:
    """Return what a clue costs, more where it lies over others."""
    return clue.cost * (1 + sum(covered[place] > 1 for place in clue.places) / (len(clue.places) or 1))


def _must_stay(clue: CandidateClue, held: Sequence[CandidateClue], terms: SelectionSpec) -> bool:
    """Say whether a clue is to stay even if it is not needed."""
    if clue.family != GIVEN:
        return not terms.minimal and sum(one.family == clue.family for one in held) == 1
    return clue in terms.fixed or sum(len(one.cells) for one in held) - len(clue.cells) < terms.givens.least


def _complete_core(rest: list[CandidateClue], core: list[CandidateClue], terms: SelectionSpec) -> list[CandidateClue]:
    """Return the clues that are enough, with all of the families that they have nothing of, and the givens there must be."""
    among = set(core) | terms.fixed
    families = {clue.family for clue in core}
    found = [clue for clue in rest if clue in among or (clue.family not in families and clue.family in terms.families)]
    cells = sum(len(clue.cells) for clue in found)
    for clue in rest:
        if clue.family == GIVEN and clue not in among and cells < terms.givens.least:
            found.append(clue)
            cells += len(clue.cells)
    return found


def _next_clue(
    held: Sequence[CandidateClue], settled: Collection[CandidateClue], ranks: Mapping[CandidateClue, float], terms: SelectionSpec
) -> CandidateClue | None:
    """Return which clue to try next: a given that nobody asked for, else the dearest of the family with the most.

    Those that stay in any case are tried only where everything must be needed, at the end.
    """
    left = [clue for clue in held if clue not in settled]
    free = [clue for clue in left if not _must_stay(clue, held, terms)] or (left if terms.minimal else [])
    givens = [clue for clue in free if clue.family == GIVEN]
    clues = [clue for clue in free if clue.family != GIVEN]
    if clues and (terms.givens.least or not givens):
        numbers = Counter(clue.family for clue in held)
        return max(
            clues, key=lambda clue: (numbers[clue.family] > 1, numbers[clue.family] / terms.most[clue.family], ranks[clue])
        )
    return max(givens, key=ranks.__getitem__, default=None)
