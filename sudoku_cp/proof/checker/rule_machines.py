"""State machines that read the values of some cells one after the other and accept those that a rule allows."""

from __future__ import annotations

import operator
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from .report import CheckBudget


MACHINES = 4096
"""How many machines of a kind are kept: two rules with equal machines need one comparison."""


class RuleMachine(NamedTuple):
    """Reads values one after the other, from the state ``start``.

    ``step`` maps a state, the position of the cell in the list and its value to the next state, or to None if the rule is
    already broken; ``accept`` says whether the last state is accepting. A ``free`` machine reaches the same state whatever the
    order of the cells. ``of_set``, if given, says that all values must differ, and what must hold of them in ascending order.
    ``cost`` is how many machines step when this one does. ``in_order``, if given, makes the machine that reads the same cells in
    another order, and ``holds`` is a quicker test of values than reading them. ``branches``, if given, are other states to start
    from: from ``start`` it accepts what it accepts from one of them at least.
    """

    start: Any
    step: Callable[[Any, int, int], Any]
    accept: Callable[[Any], bool] = lambda _: True
    free: bool = False
    of_set: Callable[[list[int]], bool] | None = None
    cost: int = 1
    in_order: Callable[[Sequence[int]], RuleMachine] | None = None
    holds: Callable[[Sequence[int]], bool] | None = None
    branches: tuple[Any, ...] = ()

    def __call__(self, values: Sequence[int]) -> bool:
        """Return whether the machine accepts these values."""
        if self.holds is not None:
            return self.holds(values)
        state = self.start
        for place, value in enumerate(values):
            state = self.step(state, place, value)
            if state is None:
                return False
        return self.accept(state)


def state_size(state: Any) -> int:
    """Return how many values a state keeps, in whatever tuples and sets."""
    return 1 + sum(map(state_size, state)) if isinstance(state, tuple | frozenset) else 1


Cells = Sequence[int]
Statement = tuple[tuple[int, ...], RuleMachine]
Statements = Iterable[Statement]


def keep_all(holds: Callable[..., bool]) -> RuleMachine:
    """Return the machine that keeps all values and tests them at the end."""
    return RuleMachine((), lambda state, _, value: (*state, value), lambda state: holds(*state))


def neighbours(holds: Callable[[int, int], bool]) -> RuleMachine:
    """Return the machine of a relation between each value and the next."""
    return RuleMachine((), lambda state, _, value: (value,) if not state or holds(state[0], value) else None)


def weighted_sum(holds: Callable[[int], bool], factors: Sequence[int] = ()) -> RuleMachine:
    """Return the machine of a sum, each value times its factor, that ``holds`` tests."""
    return RuleMachine(0, lambda state, place, value: state + value * (factors[place] if factors else 1), holds, free=True)


def all_different(holds: Callable[[list[int]], bool] = lambda _: True) -> RuleMachine:
    """Return the machine of values that all differ; ``holds`` tests them in ascending order."""

    def members(mask: int) -> list[int]:
        return [value for value in range(mask.bit_length()) if mask >> value & 1]

    step = lambda state, _, value: None if state >> value & 1 else state | 1 << value
    return RuleMachine(0, step, lambda mask: holds(members(mask)), free=True, of_set=holds)


def digit_counts(digits: Sequence[int], holds: Callable[[int, int], bool]) -> RuleMachine:
    """Return the machine that compares how often each of the digits is read with how often it is listed."""
    listed = Counter(digits)

    def step(state: tuple[int, ...], _: int, value: int) -> tuple[int, ...]:
        return tuple(min(count + (value == digit), listed[digit] + 1) for digit, count in zip(listed, state, strict=True))

    return RuleMachine((0,) * len(listed), step, lambda state: all(map(holds, state, listed.values())))


DIFFERENT = all_different()
EQUAL = neighbours(operator.eq)


# --- several statements as one ----------------------------------------------------------------------------------------


def conjunction(cells: Cells, statements: Sequence[Statement], budget: CheckBudget) -> RuleMachine:
    """Return the machine that reads ``cells`` and accepts if every statement about some of them holds.

    Its state holds only the statements that have been begun and not yet read to their ends, with their numbers.
    """
    if len(statements) == 1:
        return reorder(cells, *statements[0])
    place_in = {cell: place for place, cell in enumerate(cells)}
    readers: list[list[tuple[int, RuleMachine, int, bool]]] = [[] for _ in cells]
    possible = True
    for number, (own, machine) in enumerate(statements):
        budget.spend(2 + len(own))
        order = sorted(set(own), key=place_in.__getitem__)
        part = reorder(order, own, machine)
        possible = possible and (bool(order) or part(()))
        for turn, cell in enumerate(order):
            readers[place_in[cell]].append((number, part, turn, turn == len(order) - 1))

    def step(state: tuple[tuple[int, Any], ...], place: int, value: int) -> Any:
        if not readers[place]:
            return state
        now = dict(state)
        for number, part, turn, last in readers[place]:
            own = part.step(now.pop(number) if turn else part.start, turn, value)
            if own is None or (last and not part.accept(own)):
                return None
            if not last:
                now[number] = own
        return tuple(sorted(now.items()))

    return RuleMachine((), step, lambda _: possible, cost=_cost(cells, statements))


def disjunction(cells: Cells, branches: Sequence[Sequence[Statement]], budget: CheckBudget) -> RuleMachine:
    """Return the machine that reads ``cells`` and accepts if in some branch every statement holds.

    The state has that of each branch, None where it is broken; once a branch holds, it is ``()`` whatever follows. The machines
    of branches are made when the first value is read: values are tested, and large ones given up, without them.
    """
    place_in = {cell: place for place, cell in enumerate(cells)}
    ends = [max((place_in[cell] for own, _ in branch for cell in own), default=-1) for branch in branches]

    @cache
    def parts() -> list[RuleMachine]:
        return [conjunction(cells, branch, budget) for branch in branches]

    def holds(values: Sequence[int]) -> bool:
        return any(all(part([values[place_in[cell]] for cell in own]) for own, part in branch) for branch in branches)

    def step(state: tuple[Any, ...], place: int, value: int) -> Any:
        if state == ():
            return state
        after = []
        for own, part, end in zip(state if place else [part.start for part in parts()], parts(), ends, strict=True):
            new = None if own is None else part.step(own, place, value)
            if new is not None and place >= end:
                if part.accept(new):
                    return ()
                new = None
            after.append(new)
        return tuple(after) if any(new is not None for new in after) else None

    sure = any(end < 0 and all(part(()) for _, part in branch) for branch, end in zip(branches, ends, strict=True))
    return RuleMachine(
        () if sure else ("open",),
        step,
        lambda state: state == (),
        cost=len(branches) + sum(_cost(cells, branch) for branch in branches),
        in_order=lambda order: disjunction(order, branches, budget),
        holds=holds,
    )


def _cost(cells: Cells, statements: Sequence[Statement]) -> int:
    """Return how many machines step with a value on average."""
    return 1 + sum(len(own) * machine.cost for own, machine in statements) // max(1, len(cells))


def reorder(cells: Cells, own: Cells, machine: RuleMachine) -> RuleMachine:
    """Return a machine that reads ``cells``, each once, and accepts what ``machine`` accepts of its ``own`` cells."""
    if tuple(cells) == tuple(own):
        return machine
    place_in = {cell: place for place, cell in enumerate(cells)}
    read = [place_in[cell] for cell in own]
    if read == sorted(set(read)):  # in the same order, and each once: the others are skipped
        turn = {place: number for number, place in enumerate(read)}
        step = lambda state, place, value: machine.step(state, turn[place], value) if place in turn else state
        return machine._replace(step=step, of_set=None, in_order=None, holds=None)
    if machine.in_order is not None:
        order = sorted(set(own), key=place_in.__getitem__)
        return reorder(cells, order, machine.in_order(order))
    if machine.free:
        return _read_in_any_order(read, machine, len(cells))
    wanted, last = set(read), max(read)

    def keep(state: tuple[Any, ...], place: int, value: int) -> Any:
        if place == last:
            kept = dict(zip(sorted(wanted), (*state, value), strict=True))
            return ("good",) if machine([kept[where] for where in read]) else None
        return (*state, value) if place in wanted and place < last else state

    return RuleMachine((), keep, cost=machine.cost)


def _read_in_any_order(read: Sequence[int], machine: RuleMachine, size: int) -> RuleMachine:
    """Return a free machine that reads ``size`` cells and passes each on to all positions where ``machine`` reads it."""
    turns: list[list[int]] = [[] for _ in range(size)]
    for number, place in enumerate(read):
        turns[place].append(number)

    def step(state: Any, place: int, value: int) -> Any:
        for number in turns[place]:
            state = None if state is None else machine.step(state, number, value)
        return state

    once = sorted(read) == list(range(size))
    return machine._replace(step=step, of_set=machine.of_set if once else None, in_order=None, holds=None)
