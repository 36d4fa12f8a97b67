"""Meanings of clues at the border, and of cells that point to cells."""

from __future__ import annotations

from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any

from .rule_machines import MACHINES, Cells, RuleMachine, Statements, keep_all
from .rule_meanings import UnknownMeaning, meaning, on_cells

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from .certified_grid import CertifiedGrid

# --- clues at the border ----------------------------------------------------------------------------------------------


@lru_cache(maxsize=MACHINES)
def sandwich_machine(both: tuple[int, ...], total: int) -> RuleMachine:
    """Return the machine that sums up what lies between two values, each of which occurs once."""

    def step(state: tuple[frozenset[int], int], _: int, value: int) -> Any:
        seen, found = state
        if value in both:
            return None if value in seen else (seen | {value}, found)
        return (seen, found + value) if len(seen) == 1 else state

    return RuleMachine((frozenset(), 0), step, lambda state: len(state[0]) == 2 and state[1] == total)


@meaning
def sandwich(grid: CertifiedGrid, cells: Cells, total: int, crusts: Sequence[int]) -> Statements:
    """The values strictly between the two crusts add up to the total; each crust occurs once."""
    both = tuple(crusts) or (grid.values[0], grid.values[-1])
    if len(set(both)) != 2:
        raise UnknownMeaning
    return on_cells(cells, sandwich_machine(both, total))


@lru_cache(maxsize=MACHINES)
def skyscraper_machine(visible: int) -> RuleMachine:
    """Return the machine that counts the values that are higher than all before them."""
    step = lambda state, _, value: (max(state[0], value), state[1] + (value > state[0]))
    return RuleMachine((0, 0), step, lambda state: state[1] == visible)


@meaning
def skyscraper(_: CertifiedGrid, cells: Cells, visible: int) -> Statements:
    """``visible`` values are higher than all before them."""
    return on_cells(cells, skyscraper_machine(visible))


@lru_cache(maxsize=MACHINES)
def hidden_machine(value: int) -> RuleMachine:
    """Return the machine that waits for the first value behind a higher one."""
    step = lambda state, _, own: state if state == -1 else own if own >= state else -1 if own == value else None
    return RuleMachine(0, step, lambda state: state == -1)


@meaning
def hidden_skyscraper(_: CertifiedGrid, cells: Cells, value: int) -> Statements:
    """The first value behind a higher one is the clue."""
    return on_cells(cells, hidden_machine(value))


@lru_cache(maxsize=MACHINES)
def room_machine(size: int, value: int) -> RuleMachine:
    """Return the machine that looks for a value at the position that the first of ``size`` cells names."""

    def step(state: int, place: int, own: int) -> Any:
        room = own if place == 0 else state
        return room if 0 < room <= size and (place != room - 1 or own == value) else None

    return RuleMachine(0, step, lambda room: room > 0)


@meaning
def numbered_room(_: CertifiedGrid, cells: Cells, value: int) -> Statements:
    """The first cell holds the position of the clue's value."""
    return on_cells(cells, room_machine(len(cells), value))


@lru_cache(maxsize=MACHINES)
def prefix_sum_machine(size: int, total: int) -> RuleMachine:
    """Return the machine that sums up as many of ``size`` values as the first says."""

    def step(state: tuple[int, int], place: int, own: int) -> Any:
        wanted, found = (own, 0) if place == 0 else state
        return (wanted, found + own * (place < wanted)) if 0 < wanted <= size else None

    return RuleMachine((0, 0), step, lambda state: state[0] > 0 and state[1] == total)


@meaning
def x_sum(_: CertifiedGrid, cells: Cells, total: int) -> Statements:
    """The first N values add up to the total, where N is the first value."""
    return on_cells(cells, prefix_sum_machine(len(cells), total))


# --- cells that point to cells ----------------------------------------------------------------------------------------


@lru_cache(maxsize=MACHINES)
def implication(value: int, there: int) -> RuleMachine:
    """Return the machine of a cell that may have ``value`` only if another one has the value ``there``."""
    return keep_all(lambda own, other: own != value or other == there)


def on_pointed_cells(grid: CertifiedGrid, cell: int, targets: Mapping[int, int], there: Callable[[int], int]) -> Statements:
    """If the cell has a value, the target of that value has the value ``there``; every value must have a target."""
    possible = {value for value in grid.values if value in targets and there(value) in grid.values}
    yield (cell,), keep_all(lambda own: own in possible)
    for value in grid.values:
        if value in possible:
            yield (cell, targets[value]), implication(value, there(value))


def constant(number: int, _: int) -> int:
    """Return ``number`` whatever the value."""
    return number


@meaning
def indexer(grid: CertifiedGrid, cells: Cells, rows: bool) -> Statements:
    """A cell in column C of a board with value V: in its row, column V has C; or the same with rows and columns exchanged."""
    noun = "column " if rows else "row "
    return indexers(grid, cells, [line for name, line in grid.houses.items() if name.startswith(noun)])


@meaning
def box_indexer(grid: CertifiedGrid, cells: Cells) -> Statements:
    """A cell at position P of its box with value V: position V of the box has P."""
    return indexers(grid, cells, grid.regions)


def indexers(grid: CertifiedGrid, cells: Cells, houses: list[list[int]]) -> Statements:
    """A cell at position P of a house with value V: position V of the house has P."""
    houses_of: dict[int, list[int]] = {}
    for number, house in enumerate(houses):
        for cell in house:
            houses_of.setdefault(cell, []).append(number)
    for cell in dict.fromkeys(cells):
        for house in map(houses.__getitem__, houses_of.get(cell, ())):
            yield from on_pointed_cells(grid, cell, dict(enumerate(house, 1)), partial(constant, house.index(cell) + 1))


@meaning
def index_line(grid: CertifiedGrid, cells: Cells) -> Statements:
    """The Nth cell holds the place of N on the line."""
    for place, cell in enumerate(cells, 1):
        yield from on_pointed_cells(grid, cell, dict(enumerate(cells, 1)), partial(constant, place))


@meaning
def successor_arrow(grid: CertifiedGrid, cells: Cells) -> Statements:
    """If the first cell holds N, then N + 1 is N cells further."""
    return on_pointed_cells(grid, cells[0], dict(enumerate(cells[1:], 1)), lambda value: value + 1)


@meaning
def value_indexing(_: CertifiedGrid, value: int, index: int, cells: Cells) -> Statements:
    """The value occurs again as many cells on as the index says."""

    def step(state: tuple[int, ...], place: int, own: int) -> Any:
        if place < 2:
            return (*state, own) if place or 0 < own <= len(cells) else None
        return None if place - 1 == state[0] and own != state[1] else state

    return on_cells((index, value, *cells), RuleMachine((), step))
