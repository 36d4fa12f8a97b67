"""Compares clauses with a rule by the sets of different values that some cells may hold, whatever their order.

Clauses about a cage treat all of its cells alike, so what they say can be stated about the set of its values:

- every two cells differ: a clause for each pair of cells and each value;
- a clause with a value in all cells says that the value is in the set;
- a clause for each cell alone, that it does not have the value unless some auxiliary is true, says that the value is in the
  set only then.

Clauses of another form are left to `joint_walk`. The sets that the clauses allow are found by the auxiliaries that stand for
them: if one of some auxiliaries must be true, and each of them forces as many values as there are cells, there are no other sets.
Each of these is then tested; and the rule is tested on every set.
"""

from __future__ import annotations

from itertools import combinations
from math import comb
from typing import TYPE_CHECKING, NamedTuple

from .clause_remainders import ClauseRemainders, MeaningDifference, TooMuchWork, WorkBudget

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

MAX_SETS = 400_000
"""The most sets that are listed."""


class SetClause(NamedTuple):
    """A clause about a set of values (bits): one of ``inside`` is in it, one of ``outside`` is not, or an auxiliary is true."""

    inside: int
    outside: int
    auxiliaries: frozenset[int]

    def holds(self, chosen: int) -> bool:
        """Return whether the clause is true of a set, whatever the auxiliaries are."""
        return bool(self.inside & chosen or self.outside & ~chosen)


def compare_sets(
    holds: Callable[[list[int]], bool], size: int, values: range, clauses: Iterable[Sequence[int]], work: WorkBudget
) -> MeaningDifference | None:
    """Compare what ``holds`` of a set of ``size`` values with clauses, as `walk` does; None if they are of another form."""
    left = allowed_sets(clauses, size, len(values), work)
    if left is None:
        return None
    allowed = set()
    for some in combinations(range(len(values)), size):
        work.spend(2)
        if holds([values[number] for number in some]):
            allowed.add(sum(1 << number for number in some))

    def first(some: set[int]) -> tuple[int, ...] | None:
        chosen = min(some, default=None)
        return None if chosen is None else tuple(value for number, value in enumerate(values) if chosen >> number & 1)

    return MeaningDifference(first(allowed - left), first(left - allowed))


def allowed_sets(clauses: Iterable[Sequence[int]], size: int, width: int, work: WorkBudget) -> set[int] | None:
    """Return the sets of ``size`` values (bits) that clauses allow; None if they are of another form."""
    clauses_of_set = set_clauses(clauses, size, width, work)
    if clauses_of_set is None:
        return None
    if comb(width, size) > MAX_SETS:
        raise TooMuchWork
    return _remaining_sets(clauses_of_set, size, width, work)


def set_clauses(clauses: Iterable[Sequence[int]], size: int, width: int, work: WorkBudget) -> list[SetClause] | None:
    """Return the clauses as clauses about the set, without those that keep cells different; None if they are of another form."""
    differing: set[tuple[int, int, int]] = set()
    places_of: dict[tuple[int, frozenset[int]], set[int]] = {}
    clauses_of_set: list[SetClause] = []
    for clause in clauses:
        work.spend(1 + len(clause) // 4)
        board = [(*divmod(abs(literal) - 1, width), literal > 0) for literal in clause if abs(literal) <= size * width]
        auxiliaries = frozenset(literal for literal in clause if abs(literal) > size * width)
        if all(positive for _, _, positive in board):
            numbers = {number for _, number, _ in board}
            if len(set(board)) != size * len(numbers):
                return None
            clauses_of_set.append(SetClause(sum(1 << number for number in numbers), 0, auxiliaries))
        elif len(board) == 1:
            place, number, _ = board[0]
            places_of.setdefault((number, auxiliaries), set()).add(place)
        elif len(set(board)) == 2 == len(board) and not auxiliaries and board[0][1:] == board[1][1:]:
            differing.add((board[0][1], *sorted((board[0][0], board[1][0]))))  # type: ignore[arg-type]
        else:
            return None
    if len(differing) < width * comb(size, 2) or any(len(places) < size for places in places_of.values()):
        return None
    return clauses_of_set + [SetClause(0, 1 << number, auxiliaries) for number, auxiliaries in places_of]


def _remaining_sets(clauses_of_set: list[SetClause], size: int, width: int, work: WorkBudget) -> set[int]:
    """Return the sets for which all clauses can be true."""
    found = _candidate_sets(clauses_of_set, size)
    if found is None:
        every = (sum(1 << number for number in some) for some in combinations(range(width), size))
        return {chosen for chosen in every if not clauses_of_set or _is_possible(clauses_of_set, chosen, work)}
    positive = [clause for clause in clauses_of_set if min(clause.auxiliaries, default=0) >= 0]
    without: dict[int, list[SetClause]] = {}
    for clause in clauses_of_set:
        for literal in clause.auxiliaries:
            if literal < 0:
                without.setdefault(-literal, []).append(clause)
    left = set()
    for chosen, auxiliary in found:
        # Try with this auxiliary alone true, which is nearly always enough; otherwise search all choices.
        own = [*positive, *without.get(auxiliary, ())]
        work.spend(len(own))
        is_enough = all(clause.holds(chosen) or auxiliary in clause.auxiliaries for clause in own)
        if is_enough or _is_possible(clauses_of_set, chosen, work):
            left.add(chosen)
    return left


def _candidate_sets(clauses_of_set: list[SetClause], size: int) -> list[tuple[int, int]] | None:
    """Return a superset of the possible sets, each with an auxiliary that forces it (0: none); None for any set."""
    forced: dict[int, int] = {}
    for inside, outside, auxiliaries in clauses_of_set:
        if not outside and inside.bit_count() == 1 and len(auxiliaries) <= 1 and max(auxiliaries, default=0) <= 0:
            of = -min(auxiliaries, default=0)
            forced[of] = forced.get(of, 0) | inside
    always = forced.get(0, 0)
    if always.bit_count() >= size:
        return [(always, 0)] * (always.bit_count() == size)
    for inside, outside, auxiliaries in clauses_of_set:
        if not inside and not outside and min(auxiliaries, default=0) >= 0:
            sets = [(forced.get(auxiliary, 0) | always, auxiliary) for auxiliary in auxiliaries]
            if all(chosen.bit_count() >= size for chosen, _ in sets):
                return [one for one in sets if one[0].bit_count() == size]
    return None


def _is_possible(clauses_of_set: list[SetClause], chosen: int, work: WorkBudget) -> bool:
    """Return whether some choice of auxiliaries makes all clauses true of a set."""
    work.spend(len(clauses_of_set))
    undecided = (clause.auxiliaries for clause in clauses_of_set if not clause.holds(chosen))
    return ClauseRemainders(undecided, work).is_satisfiable()
