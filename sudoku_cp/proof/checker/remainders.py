"""Clauses, and what is left of them when literals become true."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from collections.abc import Set as AbstractSet

    from .report import Tick

Rest = tuple[int, frozenset[int]]
"""What is left of clauses: which are true, as bits; and the literals that are false in others."""
TRIES = 1000
"""So many choices are made to see whether what is left can be made true."""


class TooLarge(Exception):
    """A comparison would take too much work."""


class Verdict(NamedTuple):
    """Values that the rule allows and the clauses do not, and values that the clauses allow and the rule does not."""

    lost: tuple[int, ...] | None
    loose: tuple[int, ...] | None


class Work:
    """Counts clauses looked at and steps made, so that what takes too much is given up after as much on every machine."""

    def __init__(self, most: float, tick: Tick) -> None:
        """Allow so much; ``tick`` looks at the time."""
        self.most, self.tick = most, tick
        self.spent = self.ticked = 0

    def spend(self, amount: int) -> None:
        """Count some more, or raise that it is too much."""
        self.spent += amount
        if self.spent > self.most:
            raise TooLarge
        if self.spent > self.ticked:
            self.ticked = self.spent + 10_000
            self.tick()


class Letter(NamedTuple):
    """What it means for some clauses that a cell has a value: literals that become true, and what that does to the clauses."""

    literals: frozenset[int]
    false: frozenset[int]
    satisfied: int
    touched: int
    shortened: dict[int, tuple[int, ...]]


def as_bits(numbers: Iterable[int], size: int) -> int:
    """Return some of so many numbers as bits."""
    found = bytearray(size // 8 + 1)
    for number in numbers:
        found[number >> 3] |= 1 << (number & 7)
    return int.from_bytes(found, "little")


def only(clause: Iterable[int], false: AbstractSet[int]) -> int | None:
    """Return the only literal of a clause that is not false, 0 where there is none, and None where there are several."""
    found = 0
    for literal in clause:
        if literal not in false:
            if found:
                return None
            found = literal
    return found


class Remainders:
    """Clauses, and what is left of them when literals become true."""

    def __init__(self, clauses: Iterable[Iterable[int]], work: Work) -> None:
        """Note where each literal stands."""
        self.clauses = [tuple(dict.fromkeys(clause)) for clause in clauses]
        self.work = work
        self.all = (1 << len(self.clauses)) - 1
        among: dict[int, set[int]] = {}
        for number, clause in enumerate(self.clauses):
            for literal in clause:
                among.setdefault(literal, set()).add(number)
        self.where = {literal: as_bits(numbers, len(self.clauses)) for literal, numbers in among.items()}

    def begin(self, unread: range = range(0), literals: Sequence[int] = ()) -> Rest | None:
        """Return what unit clauses leave where these literals are true; None where that is a contradiction."""
        units = [clause[0] for clause in self.clauses if len(clause) == 1]
        return None if () in self.clauses else self.after((0, frozenset()), [*literals, *units], unread)

    def letter(self, literals: Iterable[int]) -> Letter:
        """Return what it does to the clauses that these literals become true."""
        known = frozenset(literal for literal in literals if literal in self.where or -literal in self.where)
        false = frozenset(-literal for literal in known)
        satisfied = 0
        for literal in known:
            satisfied |= self.where.get(literal, 0)
        touched = 0
        for literal in false:
            touched |= self.where.get(literal, 0) & ~satisfied
        shortened = {number: tuple(one for one in self.clauses[number] if one not in false) for number in self._bits(touched)}
        return Letter(known, false, satisfied, touched, shortened)

    def read(self, rest: Rest, letter: Letter, unread: range) -> Rest | None:
        """Return what is left behind a letter, as `after` does."""
        if not letter.literals.isdisjoint(rest[1]):
            return None
        true, false = rest[0] | letter.satisfied, rest[1] | letter.false
        units: list[int] = []
        for number in self._bits(letter.touched & ~true):
            unit = only(letter.shortened[number], false)
            if unit == 0:
                return None
            if unit:
                units.append(unit)
        return self.after((true, false), units, unread)

    def _bits(self, some: int) -> Iterator[int]:
        """Yield the numbers of some clauses, which are looked at."""
        self.work.spend(1 + some.bit_count())
        while some:
            lowest = some & -some
            some ^= lowest
            yield lowest.bit_length() - 1

    def after(self, rest: Rest, literals: Iterable[int], unread: range = range(0)) -> Rest | None:
        """Return what is left when these literals are true and units are followed; None where that is a contradiction.

        Of variables that are ``unread``, what was decided is remembered even where no clause is left that speaks of it.
        """
        true, false = rest[0], set(rest[1])
        now: set[int] = set()
        waiting = list(literals)
        for literal in waiting:  # grows while it is walked
            if literal in now:
                continue
            if literal in false or -literal in now:
                return None
            now.add(literal)
            true |= self.where.get(literal, 0)
            false.add(-literal)
            for number in self._bits(self.where.get(-literal, 0) & ~true):
                unit = only(self.clauses[number], false)
                if unit == 0:
                    return None
                if unit:
                    waiting.append(unit)
        left = self.all & ~true
        return true, frozenset(literal for literal in false if self.where.get(literal, 0) & left or abs(literal) in unread)

    def content(self, rest: Rest, unread: range) -> Any:
        """Return what is left as it reads, the same for remainders that read the same."""
        left = self.all & ~rest[0]
        touched = 0
        for literal in rest[1]:
            touched |= self.where.get(literal, 0)
        shorter = frozenset(frozenset(self.clauses[number]) - rest[1] for number in self._bits(touched & left))
        return left & ~touched, shorter, frozenset(literal for literal in rest[1] if abs(literal) in unread)

    def satisfiable(self, rest: Rest | None) -> bool:
        """Say whether what is left can be made true; looks far enough for the auxiliaries of a rule."""
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
            if tries > TRIES:
                raise TooLarge
            clause = self.clauses[(left & -left).bit_length() - 1]
            literal = next(one for one in clause if one not in found[1])
            waiting += [self.after(found, [-literal]), self.after(found, [literal])]
        return False

    def can_be_true(self) -> bool:
        """Say whether the clauses can be made true."""
        return self.satisfiable(self.begin())
