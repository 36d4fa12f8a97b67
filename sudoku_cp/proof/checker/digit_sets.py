"""Whether clauses say which sets of different values some cells may hold, without looking at the values in every order.

Clauses about a cage of many cells are alike for all of its cells. What they say can then be told by sets of values alone:

- every two cells differ, which is said by a clause for each pair of cells and each value;
- a clause with a value in all cells says that the value is in the set;
- clauses that say the same of one cell each, that it has not the value unless something else is so, say that the value is
  in the set only then.

Clauses of another form are left to the walk. The sets that are left are found by the auxiliaries that stand for them: where one
of some auxiliaries is true, and each of them forces as many values as there are cells, there are no other sets. Each of these is
then tried; and the rule is asked for every set.
"""

from __future__ import annotations

from itertools import combinations
from math import comb
from typing import TYPE_CHECKING, NamedTuple

from .remainders import Remainders, TooLarge, Verdict, Work

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

MOST = 400_000
"""No more sets than these are listed."""


class Saying(NamedTuple):
    """A clause about a set of values, as bits: one ``inside`` is in it, or one ``outside`` is not, or an auxiliary is true."""

    inside: int
    outside: int
    auxiliaries: frozenset[int]

    def holds(self, chosen: int) -> bool:
        """Say whether it is true of a set, whatever the auxiliaries are."""
        return bool(self.inside & chosen or self.outside & ~chosen)


def compare_sets(
    holds: Callable[[list[int]], bool], size: int, values: range, clauses: Iterable[Sequence[int]], work: Work
) -> Verdict | None:
    """Compare what holds of a set of ``size`` values with clauses as `walk` does; None where they are of another form."""
    sayings = _sayings(clauses, size, len(values))
    if sayings is None:
        return None
    count = comb(len(values), size)
    if count > MOST:
        raise TooLarge
    work.spend(count)
    allowed = {
        sum(1 << number for number in some)
        for some in combinations(range(len(values)), size)
        if holds([values[number] for number in some])
    }
    left = _left(sayings, size, len(values), work)

    def first(some: set[int]) -> tuple[int, ...] | None:
        chosen = min(some, default=None)
        return None if chosen is None else tuple(value for number, value in enumerate(values) if chosen >> number & 1)

    return Verdict(first(allowed - left), first(left - allowed))


def _sayings(clauses: Iterable[Sequence[int]], size: int, width: int) -> list[Saying] | None:
    """Return clauses as sayings about the set, but those that say that cells differ; None where they cannot be said so."""
    differing: set[tuple[int, int, int]] = set()
    said_of: dict[tuple[int, frozenset[int]], set[int]] = {}
    sayings: list[Saying] = []
    for clause in clauses:
        board = [(*divmod(abs(literal) - 1, width), literal > 0) for literal in clause if abs(literal) <= size * width]
        auxiliaries = frozenset(literal for literal in clause if abs(literal) > size * width)
        if all(positive for _, _, positive in board):
            numbers = {number for _, number, _ in board}
            if len(set(board)) != size * len(numbers):
                return None
            sayings.append(Saying(sum(1 << number for number in numbers), 0, auxiliaries))
        elif len(board) == 1:
            place, number, _ = board[0]
            said_of.setdefault((number, auxiliaries), set()).add(place)
        elif len(board) == 2 and not auxiliaries and not (board[0][2] or board[1][2]) and board[0][1] == board[1][1]:
            differing.add((board[0][1], *sorted((board[0][0], board[1][0]))))  # type: ignore[arg-type]
        else:
            return None
    if len(differing) < width * comb(size, 2) or any(len(places) < size for places in said_of.values()):
        return None
    return sayings + [Saying(0, 1 << number, auxiliaries) for number, auxiliaries in said_of]


def _left(sayings: list[Saying], size: int, width: int, work: Work) -> set[int]:
    """Return the sets of which all sayings can be true."""
    found = _candidates(sayings, size)
    if found is None:
        every = (sum(1 << number for number in some) for some in combinations(range(width), size))
        return {chosen for chosen in every if not sayings or _possible(sayings, chosen, work)}
    positive = [saying for saying in sayings if min(saying.auxiliaries, default=0) >= 0]
    without: dict[int, list[Saying]] = {}
    for saying in sayings:
        for literal in saying.auxiliaries:
            if literal < 0:
                without.setdefault(-literal, []).append(saying)
    left = set()
    for chosen, auxiliary in found:
        # It alone is true of all auxiliaries: that is enough, as a rule; all other choices are tried where it is not.
        own = [*positive, *without.get(auxiliary, ())]
        work.spend(len(own))
        if all(saying.holds(chosen) or auxiliary in saying.auxiliaries for saying in own) or _possible(sayings, chosen, work):
            left.add(chosen)
    return left


def _candidates(sayings: list[Saying], size: int) -> list[tuple[int, int]] | None:
    """Return sets among which are all that are left, each with an auxiliary that forces it (0: none); None for any set."""
    forced: dict[int, int] = {}
    for inside, outside, auxiliaries in sayings:
        if not outside and inside.bit_count() == 1 and len(auxiliaries) <= 1 and max(auxiliaries, default=0) <= 0:
            of = -min(auxiliaries, default=0)
            forced[of] = forced.get(of, 0) | inside
    always = forced.get(0, 0)
    if always.bit_count() >= size:
        return [(always, 0)] * (always.bit_count() == size)
    for inside, outside, auxiliaries in sayings:
        if not inside and not outside and min(auxiliaries, default=0) >= 0:
            sets = [(forced.get(auxiliary, 0) | always, auxiliary) for auxiliary in auxiliaries]
            if all(chosen.bit_count() >= size for chosen, _ in sets):
                return [one for one in sets if one[0].bit_count() == size]
    return None


def _possible(sayings: list[Saying], chosen: int, work: Work) -> bool:
    """Say whether auxiliaries can make all sayings true of a set."""
    work.spend(len(sayings))
    return Remainders((saying.auxiliaries for saying in _open(sayings, chosen)), work).can_be_true()


def _open(sayings: list[Saying], chosen: int) -> Iterator[Saying]:
    return (saying for saying in sayings if not saying.holds(chosen))
