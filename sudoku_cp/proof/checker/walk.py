"""Whether clauses say what a machine says, by walking through all values with both at once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from .machines import Machine

# Machine and clauses read the same cells, value by value, and every pair of what they have come to is looked at once: a state
# of the machine, and what is left of the clauses. Clauses about a sum or an automaton have few such remainders, as they were
# made from one; so a line of nine cells takes thousands of steps and not millions. Auxiliaries may be chosen freely: what is
# left when all cells are read must be satisfiable.

STEPS = 100_000
"""So many steps are walked for one comparison before it is given up, and the clauses are taken on trust."""

Rest = tuple[int, frozenset[int]]
"""What is left of clauses: which are true, as bits; and the literals that are false in others."""


class TooLarge(Exception):
    """A comparison would take too many steps."""


class Remainders:
    """Clauses, and what is left of them when literals become true."""

    def __init__(self, clauses: Iterable[Sequence[int]]) -> None:
        """Note where each literal stands."""
        self.clauses = [tuple(dict.fromkeys(clause)) for clause in clauses]
        self.all = (1 << len(self.clauses)) - 1
        self.where: dict[int, int] = {}
        self.among: dict[int, list[int]] = {}
        for number, clause in enumerate(self.clauses):
            for literal in clause:
                self.where[literal] = self.where.get(literal, 0) | 1 << number
                self.among.setdefault(literal, []).append(number)

    def units(self) -> list[int]:
        """Return the literals that stand alone in a clause."""
        return [clause[0] for clause in self.clauses if len(clause) == 1]

    def begin(self, unread: range = range(0)) -> Rest | None:
        """Return what unit clauses leave; None where that is a contradiction."""
        return None if () in self.clauses else self.after((0, frozenset()), self.units(), unread)

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
            for number in self.among.get(-literal, ()):
                if not true >> number & 1:
                    open_ = [one for one in self.clauses[number] if one not in false]
                    if not open_:
                        return None
                    if len(open_) == 1:
                        waiting.append(open_[0])
        left = self.all & ~true
        return true, frozenset(literal for literal in false if self.where.get(literal, 0) & left or abs(literal) in unread)

    def content(self, rest: Rest, unread: range) -> Any:
        """Return what is left as it reads, the same for remainders that read the same."""
        left = self.all & ~rest[0]
        touched = 0
        for literal in rest[1]:
            touched |= self.where.get(literal, 0)
        shorter = set()
        waiting = touched & left
        while waiting:
            lowest = waiting & -waiting
            waiting ^= lowest
            shorter.add(frozenset(self.clauses[lowest.bit_length() - 1]) - rest[1])
        return left & ~touched, frozenset(shorter), frozenset(literal for literal in rest[1] if abs(literal) in unread)

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
            if tries > 1000:
                raise TooLarge
            clause = self.clauses[(left & -left).bit_length() - 1]
            literal = next(one for one in clause if one not in found[1])
            waiting += [self.after(found, [-literal]), self.after(found, [literal])]
        return False


class Verdict(NamedTuple):
    """Values that the rule allows and the clauses do not, and values that the clauses allow and the rule does not."""

    lost: tuple[int, ...] | None
    loose: tuple[int, ...] | None


def reachable(machine: Machine, size: int, values: range) -> list[set[Any]]:
    """Return, for each number of cells read, the states from which some values lead to acceptance."""
    layers: list[dict[Any, list[Any]]] = []
    states = {machine.start}
    steps = 0
    for place in range(size):
        steps += len(states) * len(values)
        if steps > STEPS:
            raise TooLarge
        layers.append({state: [machine.step(state, place, value) for value in values] for state in states})
        states = {after for ends in layers[-1].values() for after in ends if after is not None}
    alive = [{state for state in states if machine.accept(state)}]
    for layer in reversed(layers):
        alive.insert(0, {state for state, ends in layer.items() if not alive[0].isdisjoint(ends)})
    return alive


def walk(machine: Machine, size: int, values: range, clauses: Iterable[Sequence[int]], tick: Callable[[], None]) -> Verdict:
    """Compare a machine with clauses in which the variable of the k-th cell's v-th value is 1 + k * (number of values) + v."""
    alive = reachable(machine, size, values)
    remainders = Remainders(clauses)
    lost = loose = None
    width = len(values)
    first = remainders.begin(range(1, size * width + 1))
    now: list[tuple[Any, Rest | None, tuple[int, ...]]] = [(machine.start if machine.start in alive[0] else None, first, ())]
    steps = 0
    for place in range(size):
        after: dict[Any, tuple[Any, Rest | None, tuple[int, ...]]] = {}
        base, unread = 1 + place * width, range(1 + (place + 1) * width, 1 + size * width)
        for state, rest, read in now:
            steps += width
            if steps > STEPS:
                raise TooLarge
            tick()
            for number, value in enumerate(values):
                end = None if state is None else machine.step(state, place, value)
                end = end if end in alive[place + 1] else None
                own = None
                if rest is not None:
                    own = remainders.after(rest, [base + k if k == number else -base - k for k in range(width)], unread)
                if end is not None or own is not None:
                    after.setdefault((end, own and remainders.content(own, unread)), (end, own, (*read, value)))
        now = list(after.values())
    for state, rest, read in now:
        good = rest is not None and remainders.satisfiable(rest)
        if state is None and good:
            loose = read
        if state is not None and not good:
            lost = read
    return Verdict(lost, loose)
