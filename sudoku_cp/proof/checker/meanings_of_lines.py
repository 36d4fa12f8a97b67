"""Meanings of lines, and of custom rules: relations of values, and automata."""

from __future__ import annotations

import operator
from functools import lru_cache
from itertools import combinations
from typing import TYPE_CHECKING, Any

from .rule_machines import EQUAL, MACHINES, Cells, RuleMachine, Statements, all_different, neighbours, weighted_sum
from .rule_meanings import MEANINGS, UnknownMeaning, meaning, on_cells, on_distinct_cells, on_each_pair

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from .certified_grid import CertifiedGrid


def different_in_window(size: int, sort: Callable[[int], int]) -> RuleMachine:
    """Return the machine that accepts values of which any ``size`` in a row are of different sorts."""

    def step(state: tuple[int, ...], _: int, value: int) -> Any:
        own = sort(value)
        return None if own in state else (*state, own)[-(size - 1) :] if size > 1 else ()

    return RuleMachine((), step)


def on_ends_and_inner(cells: Cells, ends: Callable[[int, int], bool], inner: Callable[[int, int, int], bool]) -> Statements:
    """Return the statement about a line: of its ends, which are read first, and of each value between with low and high end."""

    def step(state: tuple[int, ...], place: int, value: int) -> Any:
        if place < 2:
            after = tuple(sorted((*state, value)))
            return after if place == 0 or ends(*after) else None
        return state if inner(*state, value) else None  # type: ignore[call-arg]

    return on_cells((cells[0], cells[-1], *cells[1:-1]), RuleMachine((), step))


def equal_steps(size: Callable[[int], int]) -> RuleMachine:
    """Return the machine of values whose steps are all of the same size."""

    def step(state: tuple[int, ...], _: int, value: int) -> Any:
        own = (value, *(size(value - last) for last in state[:1]))
        return own if len(state) < 2 or own[1] == state[1] else None

    return RuleMachine((), step)


@meaning
def whisper(grid: CertifiedGrid, cells: Cells, difference: int | None) -> Statements:
    """Neighbours on the line are far apart."""
    least = -(-len(grid.values) // 2) if difference is None else difference
    return on_cells(cells, neighbours(lambda a, b: abs(a - b) >= least))


@meaning
def nabner(_: CertifiedGrid, cells: Cells) -> Statements:
    """No two values are equal or consecutive."""
    step = lambda state, _, value: None if state >> value & 1 else state | (7 << value >> 1)
    return on_distinct_cells(cells, RuleMachine(0, step))


@meaning
def entropic_line(grid: CertifiedGrid, cells: Cells) -> Statements:
    """Any three cells in a row hold a low, a middle and a high value; of five values, two are low and two are high."""
    size, low = len(grid.values), grid.values[0]
    third = (size + 1) // 3
    sort = lambda value: 0 if value - low < third else 2 if value - low >= size - third else 1
    return on_cells(cells, different_in_window(3, sort))


@meaning
def modular_line(_: CertifiedGrid, cells: Cells, modulus: int) -> Statements:
    """Any ``modulus`` cells in a row leave different remainders."""
    return on_cells(cells, different_in_window(modulus, lambda value: value % modulus))


@meaning
def between_line(_: CertifiedGrid, cells: Cells) -> Statements:
    """The values between the ends lie between them."""
    if len(cells) <= 2:
        return []
    return on_ends_and_inner(cells, lambda *_: True, lambda low, high, own: low < own < high)


@meaning
def lockout_line(_: CertifiedGrid, cells: Cells, difference: int) -> Statements:
    """The ends are far apart, and no value between them lies between them."""
    if len(cells) < 2:
        raise UnknownMeaning
    apart = lambda low, high: high - low >= difference
    return on_ends_and_inner(cells, apart, lambda low, high, own: not low <= own <= high)


@meaning
def arrow(_: CertifiedGrid, bulb: Any, shafts: Sequence[Cells]) -> Statements:
    """The bulb, read as a number, is the sum of each shaft."""
    bulb = [bulb] if isinstance(bulb, int) else bulb
    factors = [10**place for place in reversed(range(len(bulb)))]
    for shaft in shafts:
        yield (*bulb, *shaft), weighted_sum(lambda found: found == 0, (*factors, *(-1 for _ in shaft)))


@meaning
def ambiguous_arrow(_: CertifiedGrid, cells: Cells) -> Statements:
    """The greatest value is the sum of the others."""
    step = lambda state, _, value: (max(state[0], value), state[1] + value)
    return on_cells(cells, RuleMachine((0, 0), step, lambda state: 2 * state[0] == state[1]))


MAX_BRANCHES = 64
"""The most branches of a machine."""


@lru_cache(maxsize=MACHINES)
def loop_machine(total: int) -> RuleMachine:
    """Return the machine of a loop that can be divided into stretches that each add up to the total.

    The cuts of a division leave the same remainder: the sum of all values before each, modulo the total. A remainder is possible
    while no value has stepped over a place where it must be cut. A state has the sum read, modulo the total, and the possible
    remainders as bits, counted from that sum; any division uses one of them, and the values add up to a multiple of the total.
    So every remainder is a branch; where there are too many, they are not listed.
    """
    every = (1 << total) - 1

    def step(state: tuple[int, int], _: int, value: int) -> Any:
        read, possible = state
        if value > total:
            return None
        possible &= ~((1 << value) - 2) if value else every
        turned = (possible >> value | possible << total - value) & every
        return ((read + value - 1) % total + 1 if read or value else 0, turned) if turned else None

    branches = tuple((0, 1 << remainder) for remainder in range(total if total <= MAX_BRANCHES else 0))
    return RuleMachine((0, every), step, lambda state: state[0] == total, cost=1 + total // 32, branches=branches)


@meaning
def sum_line(grid: CertifiedGrid, cells: Cells, total: int, loop: bool) -> Statements:
    """The line can be divided into stretches that each add up to the total."""

    def step(state: frozenset[int], place: int, value: int) -> Any:
        longer = {value} if not place else {part + value for part in state} | ({value} if total in state else set())
        return frozenset(part for part in longer if part <= total) or None

    if not loop:
        return on_cells(cells, RuleMachine(frozenset(), step, lambda state: total in state))
    round_ = cells[:-1] if len(cells) > 1 and cells[0] == cells[-1] else cells
    if 2 * total > len(round_) * grid.values[-1]:  # there is one stretch, wherever it begins
        return on_cells(round_, weighted_sum(lambda found: found == total))
    return on_cells(round_, loop_machine(total))


@lru_cache(maxsize=MACHINES)
def lunchbox_machine(total: int) -> RuleMachine:
    """Return the machine of different values of which those between the smallest and the largest add up to the total.

    A state is the set of values read, the two ends so far in the order they were read, the sum between them, and the sum behind
    the second. A value outside the ends replaces one of them; then all that was read after the end that stays lies between.
    """

    def step(state: tuple[int, ...], place: int, value: int) -> Any:
        used, first, last, between, behind = state if place else (0, value, value, 0, 0)
        if used >> value & 1:
            return None
        low, high = sorted((first, last))
        if low <= value <= high:
            return used | 1 << value, first, last, between, behind + value * (place > 0)
        stays = high if value < low else low
        return used | 1 << value, stays, value, behind + (between + last if stays != last else 0), 0

    return RuleMachine((), step, lambda state: state[3] == total)


@meaning
def lunchbox(_: CertifiedGrid, cells: Cells, total: int) -> Statements:
    """Different values; those between the smallest and the largest add up to the total."""
    return on_cells(cells, lunchbox_machine(total))


@meaning
def automaton(
    _: CertifiedGrid, cells: Cells, start: Sequence[int], edges: Sequence[Sequence[int]], accepting: Sequence[int]
) -> Statements:
    """The values lead from a start to an accepting state."""
    after: dict[tuple[int, int], set[int]] = {}
    for before, value, end in edges:
        after.setdefault((before, value), set()).add(end)
    good = frozenset(accepting)

    def step(states: frozenset[int], _: int, value: int) -> Any:
        return frozenset().union(*(after.get((state, value), ()) for state in states)) or None

    return on_cells(cells, RuleMachine(frozenset(start), step, lambda states: not states.isdisjoint(good)))


def is_listed(pairs: Sequence[Sequence[int]]) -> Callable[[int, int], bool]:
    """Return the relation of the listed pairs."""
    listed = set(map(tuple, pairs))
    return lambda a, b: (a, b) in listed


MEANINGS |= {
    "arithmetic-sequence": lambda _, cells: on_cells(cells, equal_steps(int)),
    "double-arrow": lambda _, cells: on_cells(
        cells, weighted_sum(lambda found: found == 0, [1, *[-1] * (len(cells) - 2), 1] if len(cells) > 1 else [-1])
    ),
    "pairs-in-order": lambda _, cells, pairs: on_cells(cells, neighbours(is_listed(pairs))),
    "pairs-of-all": lambda _, cells, pairs: on_each_pair(combinations(cells, 2), is_listed(pairs)),
    "palindrome": lambda _, cells: (((cells[k], cells[-1 - k]), EQUAL) for k in range(len(cells) // 2)),
    "parity-line": lambda _, cells: on_cells(cells, neighbours(lambda a, b: a % 2 != b % 2)),
    "pill-arrow": arrow,
    "renban": lambda _, cells: on_distinct_cells(cells, all_different(lambda some: some[-1] - some[0] < len(some))),
    "same-difference-line": lambda _, cells: on_cells(cells, equal_steps(abs)),
    "slow-thermometer": lambda _, cells: on_cells(cells, neighbours(operator.le)),
    "thermometer": lambda _, cells: on_cells(cells, neighbours(operator.lt)),
}
