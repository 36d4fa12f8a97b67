"""Machines, which read the values of some cells one after the other, and say whether a rule is content with them."""

from __future__ import annotations

import operator
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple


class Machine(NamedTuple):
    """Reads values one after the other, from the state ``start``.

    ``step`` takes a state, the number of the cell in the list and its value to the next state, or to None where the rule is
    broken already; ``accept`` says whether the last state is a good one. A ``free`` one comes to the same state in whatever
    order the cells are read. ``of_set`` is there where all values must differ, and says what must hold of them in order of size.
    """

    start: Any
    step: Callable[[Any, int, int], Any]
    accept: Callable[[Any], bool] = lambda _: True
    free: bool = False
    of_set: Callable[[list[int]], bool] | None = None

    def __call__(self, values: Sequence[int]) -> bool:
        """Say whether the machine is content with these values."""
        state = self.start
        for place, value in enumerate(values):
            state = self.step(state, place, value)
            if state is None:
                return False
        return self.accept(state)


Cells = Sequence[int]
Statement = tuple[tuple[int, ...], Machine]
Statements = Iterable[Statement]


def test(holds: Callable[..., bool]) -> Machine:
    """Return the machine that keeps all values and asks in the end."""
    return Machine((), lambda state, _, value: (*state, value), lambda state: holds(*state))


def in_order(holds: Callable[[int, int], bool]) -> Machine:
    """Return the machine of what holds between each value and the next."""
    return Machine((), lambda state, _, value: (value,) if not state or holds(state[0], value) else None)


def adding(holds: Callable[[int], bool], factors: Sequence[int] = ()) -> Machine:
    """Return the machine of a sum that ``holds`` looks at, each value as often as its factor says."""
    return Machine(0, lambda state, place, value: state + value * (factors[place] if factors else 1), holds, free=True)


def different(holds: Callable[[list[int]], bool] = lambda _: True) -> Machine:
    """Return the machine of values that all differ; ``holds`` looks at them in order of size."""

    def members(mask: int) -> list[int]:
        return [value for value in range(mask.bit_length()) if mask >> value & 1]

    step = lambda state, _, value: None if state >> value & 1 else state | 1 << value
    return Machine(0, step, lambda mask: holds(members(mask)), free=True, of_set=holds)


def last_differ(size: int, sort: Callable[[int], int]) -> Machine:
    """Return the machine of values of which any ``size`` in a row are of different sorts."""

    def step(state: tuple[int, ...], _: int, value: int) -> Any:
        own = sort(value)
        return None if own in state else (*state, own)[-(size - 1) :] if size > 1 else ()

    return Machine((), step)


def counting(digits: Sequence[int], holds: Callable[[int, int], bool]) -> Machine:
    """Return the machine that compares how often each of the digits is read with how often it is listed."""
    listed = Counter(digits)

    def step(state: tuple[int, ...], _: int, value: int) -> tuple[int, ...]:
        return tuple(min(count + (value == digit), listed[digit] + 1) for digit, count in zip(listed, state, strict=True))

    return Machine((0,) * len(listed), step, lambda state: all(map(holds, state, listed.values())))


def ends_first(ends: Callable[[int, int], bool], inner: Callable[[int, int, int], bool]) -> Machine:
    """Return the machine that reads a line's ends, then each value between, and compares it with the lower and higher end."""

    def step(state: tuple[int, ...], place: int, value: int) -> Any:
        if place < 2:
            after = tuple(sorted((*state, value)))
            return after if place == 0 or ends(*after) else None
        return state if inner(*state, value) else None  # type: ignore[call-arg]

    return Machine((), step)


def even_steps(size: Callable[[int], int]) -> Machine:
    """Return the machine of steps between values that are all of the same size."""

    def step(state: tuple[int, ...], _: int, value: int) -> Any:
        own = (value, *(size(value - last) for last in state[:1]))
        return own if len(state) < 2 or own[1] == state[1] else None

    return Machine((), step)


DIFFERENT = different()
EQUAL = in_order(operator.eq)


def together(cells: Cells, statements: Sequence[Statement]) -> Machine:
    """Return the machine that reads ``cells`` and accepts where every statement about some of them holds."""
    parts = [reordered(cells, own, machine) for own, machine in statements]
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
    return Machine(tuple(part.start for part in parts), step, accept)


def reordered(cells: Cells, own: Cells, machine: Machine) -> Machine:
    """Return a machine that reads ``cells``, each once, and says of them what ``machine`` says of its ``own``."""
    if tuple(cells) == tuple(own):
        return machine
    place_in = {cell: place for place, cell in enumerate(cells)}
    read = [place_in[cell] for cell in own]
    if read == sorted(set(read)):  # in the same order, and each once: the others are passed over
        turn = {place: number for number, place in enumerate(read)}
        step = lambda state, place, value: machine.step(state, turn[place], value) if place in turn else state
        return machine._replace(step=step, of_set=None)
    if machine.free:
        return _in_any_order(read, machine, len(cells))
    wanted, last = set(read), max(read)

    def keep(state: tuple[Any, ...], place: int, value: int) -> Any:
        kept = (*state, value if place in wanted else None) if place <= last else state
        if place == last:
            return ("good",) if machine([kept[where] for where in read]) else None
        return kept

    return Machine((), keep)


def _in_any_order(read: Sequence[int], machine: Machine, size: int) -> Machine:
    """Return a free machine that reads so many cells and gives each to all of its own places, which are ``read`` there."""
    turns: list[list[int]] = [[] for _ in range(size)]
    for number, place in enumerate(read):
        turns[place].append(number)

    def step(state: Any, place: int, value: int) -> Any:
        for number in turns[place]:
            state = None if state is None else machine.step(state, number, value)
        return state

    once = sorted(read) == list(range(size))
    return machine._replace(step=step, of_set=machine.of_set if once else None)
