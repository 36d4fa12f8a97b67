"""What is left of clauses when literals become true, with a count of the work done."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from collections.abc import Set as AbstractSet

Remainder = tuple[int, frozenset[int]]
"""What is left of clauses: the set of true clauses (bits), and the false literals that matter for the others."""
BITS_OF_WORK = 2000
"""How many clauses as bits are as much work as one."""
MAX_CHOICES = 1000
"""How many choices a search for satisfaction makes before it is given up."""


class TooMuchWork(Exception):
    """A comparison takes more work than its budget."""


class MeaningDifference(NamedTuple):
    """Values that the rule allows and the clauses forbid (``lost``), and values that the clauses allow and the rule forbids."""

    lost: tuple[int, ...] | None
    loose: tuple[int, ...] | None


WORK_BETWEEN_TICKS = 4000
"""The work of some hundredths of a second."""


class WorkBudget:
    """Counts clauses looked at and steps made, so that a comparison is given up at the same point on every machine.

    Work is counted before it is done, and what is kept is work as well, so that the memory of a comparison is limited, too.
    """

    def __init__(self, most: float, tick: Callable[[], object]) -> None:
        """Allow ``most`` units of work; ``tick`` looks at the clock."""
        self.most, self.tick = most, tick
        self.spent = self.ticked = 0

    def spend(self, amount: int) -> None:
        """Count more work, or raise `TooMuchWork`."""
        self.spent += amount
        if self.spent > self.most:
            raise TooMuchWork
        if self.spent > self.ticked:
            self.ticked = self.spent + WORK_BETWEEN_TICKS
            self.tick()


class ValueEffect(NamedTuple):
    """The effect of a cell's value on some clauses: the literals that become true, and which clauses they satisfy or shorten."""

    literals: frozenset[int]
    false: frozenset[int]
    satisfied: int
    touched: int
    shortened: dict[int, frozenset[int]]


def to_bits(numbers: Iterable[int], size: int) -> int:
    """Return a set of numbers below ``size`` as bits."""
    found = bytearray(size // 8 + 1)
    for number in numbers:
        found[number >> 3] |= 1 << (number & 7)
    return int.from_bytes(found, "little")


def group_by_shared(some: Iterable[Iterable[int]]) -> list[list[int]]:
    """Return the indices of some sets of numbers in groups of which no two share a number, ordered by their first members."""
    joined: list[int] = []  # union-find: the leader of a group is its first member
    owner: dict[int, int] = {}

    def leader(place: int) -> int:
        while joined[place] != place:
            joined[place] = place = joined[joined[place]]
        return place

    for place, numbers in enumerate(some):
        joined.append(place)
        first = place
        for number in numbers:
            other = leader(owner.setdefault(number, place))
            if other != first:
                first, second = sorted((first, other))
                joined[second] = first
    groups: dict[int, list[int]] = {}
    for place in range(len(joined)):
        groups.setdefault(leader(place), []).append(place)
    return list(groups.values())


def only_open_literal(clause: Iterable[int], false: AbstractSet[int]) -> int | None:
    """Return the only literal of a clause that is not false, 0 if there is none, and None if there are several."""
    found = 0
    for literal in clause:
        if literal not in false:
            if found:
                return None
            found = literal
    return found


class ClauseRemainders:
    """Some clauses, and the operations on their remainders."""

    def __init__(self, clauses: Iterable[Iterable[int]], work: WorkBudget) -> None:
        """Index the clauses by their literals."""
        self.clauses = [tuple(dict.fromkeys(clause)) for clause in clauses]
        self.sets = [frozenset(clause) for clause in self.clauses]
        self.work = work
        self.all = (1 << len(self.clauses)) - 1
        among: dict[int, set[int]] = {}
        for number, clause in enumerate(self.clauses):
            work.spend(1 + len(clause) // 4)
            for literal in clause:
                among.setdefault(literal, set()).add(number)
        self.width = 1 + len(self.clauses) // BITS_OF_WORK
        work.spend(len(among) * (self.width - 1))
        self.where = {literal: to_bits(numbers, len(self.clauses)) for literal, numbers in among.items()}

    def begin(self, unread: range = range(0), literals: Sequence[int] = ()) -> Remainder | None:
        """Return the remainder after unit propagation with these literals true; None for a contradiction."""
        units = [clause[0] for clause in self.clauses if len(clause) == 1]
        return None if () in self.clauses else self.after((0, frozenset()), [*literals, *units], unread)

    def effect_of(self, literals: Iterable[int]) -> ValueEffect:
        """Return the effect on the clauses of these literals becoming true."""
        known = frozenset(literal for literal in literals if literal in self.where or -literal in self.where)
        false = frozenset(-literal for literal in known)
        satisfied = 0
        for literal in known:
            satisfied |= self.where.get(literal, 0)
        touched = 0
        for literal in false:
            touched |= self.where.get(literal, 0) & ~satisfied
        shortened = {number: self.sets[number] - false for number in self._bits(touched)}
        return ValueEffect(known, false, satisfied, touched, shortened)

    def apply(self, rest: Remainder, effect: ValueEffect, unread: range) -> Remainder | None:
        """Return the remainder after a value's effect, as `after` does."""
        if not effect.literals.isdisjoint(rest[1]):
            return None
        true, false = rest[0] | effect.satisfied, rest[1] | effect.false
        units: list[int] = []
        for number in self._bits(effect.touched & ~true):
            left = effect.shortened[number] - false
            if not left:
                return None
            if len(left) == 1:
                units += left
        return self.after((true, false), units, unread)

    def _bits(self, some: int) -> Iterator[int]:
        """Yield the indices of some clauses, and count them as work."""
        self.work.spend(self.width + some.bit_count())
        while some:
            lowest = some & -some
            some ^= lowest
            yield lowest.bit_length() - 1

    def after(self, rest: Remainder, literals: Iterable[int], unread: range = range(0)) -> Remainder | None:
        """Return the remainder once these literals are true and units are propagated; None for a contradiction.

        Decisions about ``unread`` variables are kept even if no clause that is left mentions them.
        """
        where, true, false = self.where, rest[0], set(rest[1])
        wave = set(literals)
        while wave:
            self.work.spend(self.width + (len(wave) + len(false)) // 16)
            denied = {-literal for literal in wave}
            if not wave.isdisjoint(false) or not wave.isdisjoint(denied):
                return None
            false |= denied
            touched = 0
            for literal in wave:
                true |= where.get(literal, 0)
                touched |= where.get(-literal, 0)
            wave = set()
            for number in self._bits(touched & ~true):
                left = self.sets[number] - false
                if not left:
                    return None
                if len(left) == 1:
                    wave |= left
        return self._kept(true, false, unread)

    def _kept(self, true: int, false: AbstractSet[int], unread: range) -> Remainder:
        """Return a remainder without the literals that matter no more."""
        where_is, left, first, behind = self.where.get, self.all & ~true, unread.start, unread.stop
        return true, frozenset([one for one in false if where_is(one, 0) & left or first <= abs(one) < behind])

    def choices(self, rest: Remainder, variables: Iterable[int]) -> list[int]:
        """Return literals of one of the variables that are left, such that a remainder holds if it does with one of them true."""
        left = self.all & ~rest[0]
        for variable in variables:
            self.work.spend(self.width)
            if variable in rest[1] or -variable in rest[1]:
                continue
            found = [literal for literal in (variable, -variable) if self.where.get(literal, 0) & left]
            if found:
                return found
        return []

    def forget(self, rest: Remainder, auxiliaries: Iterable[int], unread: range) -> Remainder:
        """Return the remainder without the clauses about some auxiliaries: it forbids no more than before."""
        true = rest[0]
        for auxiliary in auxiliaries:
            true |= self.where.get(auxiliary, 0) | self.where.get(-auxiliary, 0)
        return self._kept(true, rest[1], unread)

    def content(self, rest: Remainder, unread: range) -> Any:
        """Return a canonical form of a remainder: equal for remainders with equal clauses."""
        left = self.all & ~rest[0]
        touched = 0
        for literal in rest[1]:
            touched |= self.where.get(literal, 0)
        shorter = frozenset([self.sets[number] - rest[1] for number in self._bits(touched & left)])
        return left & ~touched, shorter, frozenset([literal for literal in rest[1] if abs(literal) in unread])

    def satisfiable(self, rest: Remainder | None) -> bool:
        """Return whether a remainder can be made true, by a small backtracking search; raises `TooMuchWork`."""
        waiting = [rest]
        tries = 0
        while waiting:
            found = waiting.pop()
            if found is None:
                continue
            left = self.all & ~found[0]
            if not left:
                return True
            tries += 1
            if tries > MAX_CHOICES:
                raise TooMuchWork
            clause = self.clauses[(left & -left).bit_length() - 1]
            literal = next(one for one in clause if one not in found[1])
            waiting += [self.after(found, [-literal]), self.after(found, [literal])]
        return False

    def is_satisfiable(self) -> bool:
        """Return whether the clauses can be satisfied."""
        return self.satisfiable(self.begin())
