"""Selection of clues that leave one solution, by implicit hitting sets and tabu search.

A counter-solution is another solution of the board that all clues selected so far allow. A selection must exclude every one seen
so far, which needs no solver; then the solver finds the next counter-solution, or that there is none (implicit hitting sets:
Chandrasekaran, Karp, Moreno-Centeno and Vempala, 2011; here the sets are found by local search with a tabu list).
"""

from __future__ import annotations

from itertools import chain, zip_longest
from math import log2
from typing import TYPE_CHECKING

from sudoku_cp.generate.variants.clue_solver import GIVEN, CandidateClue
from sudoku_cp.generate.variants.selection_spec import Occupancy, SelectionSpec

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from random import Random

    from sudoku_cp.backends import Solution
    from sudoku_cp.generate.variants.clue_solver import ClueSolver

NODES = 20_000
"""Conflicts of a question before its board is given up: too hard for people, and for the proof."""
SPENT = 60_000
"""Conflicts of all questions together before a selection is given up."""
EASY = 2_000
"""Conflicts of a question before a given makes the board easier, where there may be one."""
ROUNDS = 400
"""Counter-solutions seen before a selection is given up."""
MOVES = 100
"""Changes to a selection before the attempt to exclude all counter-solutions is given up."""
SWAPPED, MOVED = 60, 10
"""Counter-solutions answered by exchanging clues, and moves against one, before givens are added where they are allowed."""
DISTURBED = 2
"""The most clues that one that overlaps them may replace."""
TABU = 6
"""Moves for which a removed clue is tabu, at random up to twice as many."""
SAMPLES = 64
"""Random boards by which the information of clues is estimated."""


def pack_clues(random: Random, clues: Iterable[CandidateClue], spec: SelectionSpec) -> list[CandidateClue]:
    """Return as many clues as fit together, families taking turns; informative and cheap clues are likelier."""
    by_family: dict[str, list[CandidateClue]] = {name: [] for name in spec.families}
    for clue in clues:
        if clue.family in by_family:
            by_family[clue.family].append(clue)
    found: list[CandidateClue] = []
    occupancy = Occupancy(found, spec)
    ranked = [_rank_clues(random, own, spec) for own in by_family.values()]
    for apart in (True, False):
        for clue in chain.from_iterable(zip_longest(*ranked)):
            if clue is not None and occupancy.takes(clue) and not (apart and occupancy.overlaps(clue)):
                found.append(clue)
                occupancy.add(clue)
    return found


def _rank_clues(random: Random, clues: Sequence[CandidateClue], spec: SelectionSpec) -> list[CandidateClue]:
    """Return the clues in random order, with cheap and informative ones likelier to be first."""
    ranks = {clue: clue.cost * random.uniform(0.5, 1.5) / spec.bits[clue] for clue in clues}
    return sorted(clues, key=ranks.__getitem__)


def estimate_bits(random: Random, solver: ClueSolver, clues: Sequence[CandidateClue]) -> dict[CandidateClue, float]:
    """Return the approximate information of each clue: -log2 of how often it holds when values are renamed at random."""
    values = list(solver.grid.values)
    renamed = []
    for _ in range(SAMPLES):
        name = dict(zip(values, random.sample(values, len(values)), strict=True))
        renamed.append(tuple(name[value] for value in solver.solution))
    return {clue: -log2((sum(not solver.excludes(clue, other) for other in renamed) + 0.5) / (SAMPLES + 1)) for clue in clues}


class _CounterSolutions:
    """The counter-solutions seen, and which of them (bits) each clue excludes."""

    def __init__(self, solver: ClueSolver, clues: Iterable[CandidateClue]) -> None:
        self.solver = solver
        self.excluded = dict.fromkeys(clues, 0)
        self.number = 0

    def add(self, other: Solution) -> None:
        bit = 1 << self.number
        self.number += 1
        for clue in self.excluded:
            if self.solver.excludes(clue, other):
                self.excluded[clue] |= bit

    def allowed_by(self, chosen: Iterable[CandidateClue]) -> int:
        """Return the counter-solutions (bits) that the selected clues allow."""
        gone = 0
        for clue in chosen:
            gone |= self.excluded[clue]
        return ((1 << self.number) - 1) & ~gone


def select_clues(
    random: Random, solver: ClueSolver, chosen: Sequence[CandidateClue], pool: Sequence[CandidateClue], spec: SelectionSpec
) -> list[CandidateClue] | None:
    """Return clues that leave one solution, starting from those ``chosen``; None where none were found."""
    held: list[CandidateClue] | None = list(chosen)
    seen = _CounterSolutions(solver, dict.fromkeys([*chosen, *pool]))
    unanswered = 0
    while held is not None and seen.number < ROUNDS and solver.spent < SPENT:
        givens = _addable_givens(held, pool, spec, unanswered + 1)
        found = solver.other(held, EASY if givens else NODES)
        if isinstance(found, list):
            return held
        if found is not None:
            seen.add(found)
            held = _exclude_seen(random, held, pool, seen, spec)
        else:
            unanswered += 1  # large boards may be far from easy: each time one more given than the last
            held = [*held, *givens] if givens else None
    return None


def _addable_givens(
    held: Sequence[CandidateClue], pool: Sequence[CandidateClue], spec: SelectionSpec, number: int
) -> list[CandidateClue]:
    """Return up to ``number`` givens that may be added."""
    occupancy, among = Occupancy(held, spec), set(held)
    found: list[CandidateClue] = []
    for clue in pool:
        if len(found) < number and clue.family == GIVEN and clue not in among and occupancy.takes(clue):
            found.append(clue)
            occupancy.add(clue)
    return found


def _exclude_seen(
    random: Random, chosen: list[CandidateClue], pool: Sequence[CandidateClue], seen: _CounterSolutions, spec: SelectionSpec
) -> list[CandidateClue] | None:
    """Return a selection that excludes every counter-solution seen, changed move by move."""
    back: dict[CandidateClue, int] = {}
    for move in range(MOVES):
        seen.solver.check()
        left = seen.allowed_by(chosen)
        if not left:
            return chosen
        bit = 1 << random.choice([number for number in range(seen.number) if left >> number & 1])
        held = set(chosen)
        able = [clue for clue in pool if seen.excluded[clue] & bit and clue not in held and back.get(clue, 0) <= move]
        changed = _change_selection(random, chosen, able, seen, spec, sparing=seen.number < SWAPPED and move < MOVED)
        if changed is None:
            return None
        back |= {clue: move + random.randint(TABU, 2 * TABU) for clue in chosen if clue not in set(changed)}
        chosen = changed
    return None


def _change_selection(
    random: Random,
    chosen: list[CandidateClue],
    able: Sequence[CandidateClue],
    seen: _CounterSolutions,
    spec: SelectionSpec,
    *,
    sparing: bool,
) -> list[CandidateClue] | None:
    """Return the selection with one of the ``able`` clues: added, or in place of others, or a given; None if none fits.

    If ``sparing``, a given is added only where nothing else helps.
    """
    occupancy = Occupancy(chosen, spec)
    clues = _rank_clues(random, [clue for clue in able if clue.family != GIVEN], spec)
    fitting = min((clue for clue in clues if occupancy.takes(clue)), key=occupancy.overlaps, default=None)
    if fitting is not None:
        return [*chosen, fitting]
    given = next((clue for clue in able if clue.family == GIVEN and occupancy.takes(clue)), None)
    if given is not None and not (sparing and clues):
        return [*chosen, given]
    best, fewest = None, (0, 0)
    for clue in clues:
        going = occupancy.displaced(clue)
        if len(going) <= DISTURBED:
            changed = [*(one for one in chosen if one not in going), clue]
            number = seen.allowed_by(changed).bit_count(), occupancy.overlaps(clue)
            if best is None or number < fewest:
                best, fewest = changed, number
    return best if best is not None or given is None else [*chosen, given]
