"""Removal of clues that are not needed for a unique solution."""

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
"""Conflicts allowed for the question whether a clue can go; without an answer it stays."""
IN_ALL = 8
"""Questions without an answer after which all other clues stay."""
TRIED_HARD = 100_000
"""The same where every clue left must be needed."""


@dataclass(frozen=True)
class SelectedClues:
    """Clues that leave one solution.

    ``unsure`` counts those for which it is not known whether they are needed; ``spare`` those that are not, but stay for the
    number of givens requested or for a symmetry. A ``reason`` names the limit that came before all were tried.
    """

    clues: tuple[CandidateClue, ...]
    unsure: int = 0
    spare: int = 0
    reason: Reason | None = None


def minimize_clues(random: Random, solver: ClueSolver, chosen: Sequence[CandidateClue], spec: SelectionSpec) -> SelectedClues:
    """Remove clues that are not needed for a unique solution; a clue of each family stays if possible."""
    held = list(chosen)
    settled: set[CandidateClue] = set()
    unsure = spare = 0
    covered = Counter(place for clue in held for place in clue.places)
    ranks = {clue: _display_cost(clue, covered) * random.uniform(0.5, 1.5) for clue in held}
    try:
        while (clue := _next_clue(held, settled, ranks, spec)) is not None:
            settled.add(clue)
            if unsure >= IN_ALL and not spec.minimal:
                unsure += 1
                continue
            rest = [one for one in held if one is not clue]
            found = solver.other(rest, TRIED_HARD if spec.minimal else TRIED)
            unsure += found is None
            if isinstance(found, list):
                stays = _must_stay(clue, held, spec)
                spare += stays
                held = held if stays else _complete_core(rest, found, spec)
    except LimitReached as reached:
        if reached.reason == "cancelled":
            raise
        return SelectedClues(tuple(held), unsure, spare, reached.reason)
    return SelectedClues(tuple(held), unsure, spare)


def check_givens_singly(board: Puzzle, solution: Solution, selection: SelectedClues, clock: Clock) -> SelectedClues:
    """Return the selection with ``unsure`` and ``spare`` counting also the givens of symmetric units, each tried by itself."""
    parts = {clue: [replace(clue, cells=(cell,)) for cell in clue.cells] for clue in selection.clues if len(clue.cells) > 1}
    if not parts or selection.reason:
        return selection
    singles = [single for clue in parts for single in parts[clue]]
    held = [*(clue for clue in selection.clues if clue not in parts), *singles]
    unsure, spare = selection.unsure, selection.spare
    try:
        solver = ClueSolver(board, solution, held, clock)
        for single in singles:
            found = solver.other([one for one in held if one is not single], TRIED_HARD)
            unsure += found is None
            spare += isinstance(found, list)
    except LimitReached as reached:
        if reached.reason == "cancelled":
            raise
        return replace(selection, reason=reached.reason)
    return replace(selection, unsure=unsure, spare=spare)


def _display_cost(clue: CandidateClue, covered: Mapping[Place, int]) -> float:
    """Return the cost of a clue, higher where it overlaps others."""
    return clue.cost * (1 + sum(covered[place] > 1 for place in clue.places) / (len(clue.places) or 1))


def _must_stay(clue: CandidateClue, held: Sequence[CandidateClue], spec: SelectionSpec) -> bool:
    """Return whether a clue stays even if it is not needed."""
    if clue.family != GIVEN:
        return not spec.minimal and sum(one.family == clue.family for one in held) == 1
    return clue in spec.fixed or sum(len(one.cells) for one in held) - len(clue.cells) < spec.givens.least


def _complete_core(rest: list[CandidateClue], core: list[CandidateClue], spec: SelectionSpec) -> list[CandidateClue]:
    """Return the clues of a core, with all clues of families missing from it, and the givens that are required."""
    among = set(core) | spec.fixed
    families = {clue.family for clue in core}
    found = [clue for clue in rest if clue in among or (clue.family not in families and clue.family in spec.families)]
    cells = sum(len(clue.cells) for clue in found)
    for clue in rest:
        if clue.family == GIVEN and clue not in among and cells < spec.givens.least:
            found.append(clue)
            cells += len(clue.cells)
    return found


def _next_clue(
    held: Sequence[CandidateClue], settled: Collection[CandidateClue], ranks: Mapping[CandidateClue, float], spec: SelectionSpec
) -> CandidateClue | None:
    """Return the clue to try next: a given that was not requested, else the most expensive one of the largest family.

    Clues that stay in any case are tried only where every clue must be needed, at the end.
    """
    left = [clue for clue in held if clue not in settled]
    free = [clue for clue in left if not _must_stay(clue, held, spec)] or (left if spec.minimal else [])
    givens = [clue for clue in free if clue.family == GIVEN]
    clues = [clue for clue in free if clue.family != GIVEN]
    if clues and (spec.givens.least or not givens):
        numbers = Counter(clue.family for clue in held)
        return max(clues, key=lambda clue: (numbers[clue.family] > 1, numbers[clue.family] / spec.most[clue.family], ranks[clue]))
    return max(givens, key=ranks.__getitem__, default=None)
