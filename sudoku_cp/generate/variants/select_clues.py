"""Which clues are chosen, so many that there is one solution.

A counter-solution is another solution of the board that all clues chosen so far allow. A choice must exclude each that was ever
seen, which needs no solver to find; the solver then tells the next (implicit hitting sets: Chandrasekaran, Karp, Moreno-Centeno
and Vempala, 2011; here the sets are found by local search with tabus).
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
"""Conflicts of a question before its board is given up: too hard for people, and for whoever proves it."""
SPENT = 60_000
"""Conflicts of all questions together before a choice is given up."""
EASY = 2_000
"""Conflicts of a question before a given makes the board easier, where there may be one."""
ROUNDS = 400
"""Counter-solutions seen before a choice is given up."""
MOVES = 100
"""Changes of a choice before it is given up to exclude what was seen."""
SWAPPED, MOVED = 60, 10
"""Counter-solutions against which clues go for others, and moves against one, before givens come, where there may be some."""
DISTURBED = 2
"""Clues that may go for another one that overlaps them."""
TABU = 6
"""Moves in which a clue that went does not come again, by chance up to twice as many."""
SAMPLES = 64
"""Boards by which it is judged how much clues say."""


def pack_clues(random: Random, clues: Iterable[CandidateClue], terms: SelectionSpec) -> list[CandidateClue]:
    """Return as many clues as go together, the families taking turns; the more a clue says for its cost the likelier it is."""
    by_family: dict[str, list[CandidateClue]] = {name: [] for name in terms.families}
    for clue in clues:
        if clue.family in by_family:
            by_family[clue.family].append(clue)
    found: list[CandidateClue] = []
    room = Occupancy(found, terms)
    ranked = [_rank_clues(random, own, terms) for own in by_family.values()]
    for apart in (True, False):
        for clue in chain.from_iterable(zip_longest(*ranked)):
            if clue is not None and room.takes(clue) and not (apart and room.overlaps(clue)):
                found.append(clue)
                room.add(clue)
    return found


def _rank_clues(random: Random, clues: Sequence[CandidateClue], terms: SelectionSpec) -> list[CandidateClue]:
    """Return the clues in random order, cheap ones that say much earlier."""
    ranks = {clue: clue.cost * random.uniform(0.5, 1.5) / terms.bits[clue] for clue in clues}
    return sorted(clues, key=ranks.__getitem__)


def estimate_bits(random: Random, asking: ClueSolver, clues: Sequence[CandidateClue]) -> dict[CandidateClue, float]:
    """Return about how much each clue says: minus the logarithm of how often it holds when values are renamed at random."""
    values = list(asking.grid.values)
    renamed = []
    for _ in range(SAMPLES):
        name = dict(zip(values, random.sample(values, len(values)), strict=True))
        renamed.append(tuple(name[value] for value in asking.solution))
    return {clue: -log2((sum(not asking.excludes(clue, other) for other in renamed) + 0.5) / (SAMPLES + 1)) for clue in clues}


class _CounterSolutions:
    """Counter-solutions, and of each clue which of them (bits) it excludes."""

    def __init__(self, asking: ClueSolver, clues: Iterable[CandidateClue]) -> None:
        self.asking = asking
        self.excluded = dict.fromkeys(clues, 0)
        self.number = 0

    def add(self, other: Solution) -> None:
        bit = 1 << self.number
        self.number += 1
        for clue in self.excluded:
            if self.asking.excludes(clue, other):
                self.excluded[clue] |= bit

    def left(self, chosen: Iterable[CandidateClue]) -> int:
        """Return those (bits) that the chosen clues allow."""
        gone = 0
        for clue in chosen:
            gone |= self.excluded[clue]
        return ((1 << self.number) - 1) & ~gone


def select_clues(
    random: Random, asking: ClueSolver, chosen: Sequence[CandidateClue], pool: Sequence[CandidateClue], terms: SelectionSpec
) -> list[CandidateClue] | None:
    """Return clues that allow one solution, beginning with those ``chosen``; None where that was not found."""
    held: list[CandidateClue] | None = list(chosen)
    seen = _CounterSolutions(asking, dict.fromkeys([*chosen, *pool]))
    untold = 0
    while held is not None and seen.number < ROUNDS and asking.spent < SPENT:
        givens = _addable_givens(held, pool, terms, untold + 1)
        found = asking.other(held, EASY if givens else NODES)
        if isinstance(found, list):
            return held
        if found is not None:
            seen.add(found)
            held = _exclude_seen(random, held, pool, seen, terms)
        else:
            untold += 1  # large boards may be far from easy: each time one given more than the last
            held = [*held, *givens] if givens else None
    return None


def _addable_givens(
    held: Sequence[CandidateClue], pool: Sequence[CandidateClue], terms: SelectionSpec, number: int
) -> list[CandidateClue]:
    """Return so many givens that may come too, or fewer."""
    room, among = Occupancy(held, terms), set(held)
    found: list[CandidateClue] = []
    for clue in pool:
        if len(found) < number and clue.family == GIVEN and clue not in among and room.takes(clue):
            found.append(clue)
            room.add(clue)
    return found


def _exclude_seen(
    random: Random, chosen: list[CandidateClue], pool: Sequence[CandidateClue], seen: _CounterSolutions, terms: SelectionSpec
) -> list[CandidateClue] | None:
    """Return a choice that excludes everything seen, changed move by move."""
    back: dict[CandidateClue, int] = {}
    for move in range(MOVES):
        seen.asking.check()
        left = seen.left(chosen)
        if not left:
            return chosen
        bit = 1 << random.choice([number for number in range(seen.number) if left >> number & 1])
        held = set(chosen)
        able = [clue for clue in pool if seen.excluded[clue] & bit and clue not in held and back.get(clue, 0) <= move]
        changed = _change_selection(random, chosen, able, seen, terms, sparing=seen.number < SWAPPED and move < MOVED)
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
    terms: SelectionSpec,
    *,
    sparing: bool,
) -> list[CandidateClue] | None:
    """Return the choice with one of these clues: one more, one in the place of others, or a given; None where none can be.

    Who is ``sparing`` gives only where nothing else helps.
    """
    room = Occupancy(chosen, terms)
    clues = _rank_clues(random, [clue for clue in able if clue.family != GIVEN], terms)
    fitting = min((clue for clue in clues if room.takes(clue)), key=room.overlaps, default=None)
    if fitting is not None:
        return [*chosen, fitting]
    given = next((clue for clue in able if clue.family == GIVEN and room.takes(clue)), None)
    if given is not None and not (sparing and clues):
        return [*chosen, given]
    best, fewest = None, (0, 0)
    for clue in clues:
        going = room.displaced(clue)
        if len(going) <= DISTURBED:
            changed = [*(one for one in chosen if one not in going), clue]
            number = seen.left(changed).bit_count(), room.overlaps(clue)
            if best is None or number < fewest:
                best, fewest = changed, number
    return best if best is not None or given is None else [*chosen, given]
