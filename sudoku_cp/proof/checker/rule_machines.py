"""State machines that read the values of some cells one after the other and accept those that a rule allows."""

from __future__ import annotations

import operator
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple


class RuleMachine(NamedTuple):
    """Reads values one after the other, from the state ``start``.

    ``step`` maps a state, the position of the cell in the list and its value to the next state, or to None if the rule is
    already broken; ``accept`` says whether the last state is accepting. A ``free`` machine reaches the same state whatever the
    order of the cells. ``of_set``, if given, says that all values must differ, and what must hold of them in ascending order.
    """

    start: Any
    step: Callable[[Any, int, int], Any]
    accept: Callable[[Any], bool] = lambda _: True
    free: bool = False
    of_set: Callable[[list[int]], bool] | None = None

    def __call__(self, values: Sequence[int]) -> bool:
        """Say whether the machine accepts these values."""
        state = self.start
        for place, value in enumerate(values):
            state = self.step(state, place, value)
            if state is None:
                return False
        return self.accept(state)


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


def conjunction(cells: Cells, statements: Sequence[Statement]) -> RuleMachine:
    """Return the machine that reads ``cells`` and accepts if every statement about some of them holds."""
    parts = [reorder(cells, own, machine) for own, machine in statements]
    if len(parts) == 1:
        return parts[0]

    def step(state: tuple[Any, ...], place: int, value: int) -> Any:
        after = []
        for own, part in zip(state, parts, strict=True):
            after.append(part.step(own, place, value))
            if after[-1] is None:
                return None
        return tuple(after)

    accept = lambda state: all(part.accept(own) for own, part in zip(state, parts, strict=True))
    return RuleMachine(tuple(part.start for part in parts), step, accept)


def reorder(cells: Cells, own: Cells, machine: RuleMachine) -> RuleMachine:
    """Return a machine that reads ``cells``, each once, and accepts what ``machine`` accepts of its ``own`` cells."""
    if tuple(cells) == tuple(own):
        return machine
    place_in = {cell: place for place, cell in enumerate(cells)}
    read = [place_in[cell] for cell in own]
    if read == sorted(set(read)):  # in the same order, and each once: the others are skipped
        turn = {place: number for number, place in enumerate(read)}
        step = lambda state, place, value: machine.step(state, turn[place], value) if place in turn else state
        return machine._replace(step=step, of_set=None)
    if machine.free:
        return _read_in_any_order(read, machine, len(cells))
    wanted, last = set(read), max(read)

    def keep(state: tuple[Any, ...], place: int, value: int) -> Any:
        kept = (*state, value if place in wanted else None) if place <= last else state
        if place == last:
            return ("good",) if machine([kept[where] for where in read]) else None
        return kept

    return RuleMachine((), keep)


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
    return machine._replace(step=step, of_set=machine.of_set if once else None)
