"""What clues at the border mean, and cells that point to cells."""

from __future__ import annotations

from functools import lru_cache, partial
from itertools import product
from typing import TYPE_CHECKING, Any

from .machines import Cells, Machine, Statements, test
from .meanings import Unknown, meaning, one

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from .grid import Grid

# --- clues at the border ----------------------------------------------------------------------------------------------


@meaning
def sandwich(grid: Grid, cells: Cells, total: int, crusts: Sequence[int]) -> Statements:
    """What is strictly between the two crusts adds up to the total; each stands once."""
    both = tuple(crusts) or (grid.values[0], grid.values[-1])
    if len(set(both)) != 2:
        raise Unknown

    def step(state: tuple[frozenset[int], int], _: int, value: int) -> Any:
        seen, found = state
        if value in both:
            return None if value in seen else (seen | {value}, found)
        return (seen, found + value) if len(seen) == 1 else state

    return one(cells, Machine((frozenset(), 0), step, lambda state: len(state[0]) == 2 and state[1] == total))


@meaning
def skyscraper(_: Grid, cells: Cells, visible: int) -> Statements:
    """So many values are higher than all before them."""
    step = lambda state, _, value: (max(state[0], value), state[1] + (value > state[0]))
    return one(cells, Machine((0, 0), step, lambda state: state[1] == visible))


@meaning
def hidden_skyscraper(_: Grid, cells: Cells, value: int) -> Statements:
    """The first value behind a higher one is the clue."""
    step = lambda state, _, own: state if state == -1 else own if own >= state else -1 if own == value else None
    return one(cells, Machine(0, step, lambda state: state == -1))


@meaning
def numbered_room(_: Grid, cells: Cells, value: int) -> Statements:
    """The cell whose number the first one says holds the clue."""

    def step(state: int, place: int, own: int) -> Any:
        room = own if place == 0 else state
        return room if 0 < room <= len(cells) and (place != room - 1 or own == value) else None

    return one(cells, Machine(0, step, lambda room: room > 0))


@meaning
def x_sum(_: Grid, cells: Cells, total: int) -> Statements:
    """As many values as the first one says, from the first on, add up to the total."""

    def step(state: tuple[int, int], place: int, own: int) -> Any:
        size, found = (own, 0) if place == 0 else state
        return (size, found + own * (place < size)) if 0 < size <= len(cells) else None

    return one(cells, Machine((0, 0), step, lambda state: state[0] > 0 and state[1] == total))


# --- cells that point to cells ----------------------------------------------------------------------------------------


@lru_cache(maxsize=4096)
def implies(value: int, there: int) -> Machine:
    """Return the machine of a cell that has a value only if another one has the value ``there``."""
    return test(lambda own, other: own != value or other == there)


def pointing(grid: Grid, cell: int, targets: Mapping[int, int], there: Callable[[int], int]) -> Statements:
    """If the cell has a value, then that value's target has the value ``there``; no value may point nowhere, or to no value."""
    possible = {value for value in grid.values if value in targets and there(value) in grid.values}
    yield (cell,), test(lambda own: own in possible)
    for value in grid.values:
        if value in possible:
            yield (cell, targets[value]), implies(value, there(value))


def always(number: int, _: int) -> int:
    """Return the same whatever the value."""
    return number


@meaning
def indexer(grid: Grid, cells: Cells, rows: bool) -> Statements:
    """A cell in column C with value V: in its row, column V has C; or the same with rows and columns exchanged."""
    for cell in dict.fromkeys(cells):
        place = grid.places[cell]
        line = {there[not rows] + 1: other for there, other in grid.cell_at.items() if there[rows] == place[rows]}
        yield from pointing(grid, cell, line, partial(always, place[not rows] + 1))


@meaning
def box_indexer(grid: Grid, cells: Cells) -> Statements:
    """A cell at position P of its box with value V: position V of the box has P."""
    for cell, (name, box) in product(dict.fromkeys(cells), grid.houses.items()):
        if name.startswith(("box", "region")) and cell in box:
            yield from pointing(grid, cell, dict(enumerate(box, 1)), partial(always, box.index(cell) + 1))


@meaning
def index_line(grid: Grid, cells: Cells) -> Statements:
    """The Nth cell says where on the line N is."""
    for place, cell in enumerate(cells, 1):
        yield from pointing(grid, cell, dict(enumerate(cells, 1)), partial(always, place))


@meaning
def successor_arrow(grid: Grid, cells: Cells) -> Statements:
    """The first cell's N says that N + 1 is N cells further."""
    return pointing(grid, cells[0], dict(enumerate(cells[1:], 1)), lambda value: value + 1)


@meaning
def value_indexing(_: Grid, value: int, index: int, cells: Cells) -> Statements:
    """The value stands again as many cells on as the index says."""

    def step(state: tuple[int, ...], place: int, own: int) -> Any:
        if place < 2:
            return (*state, own) if place or 0 < own <= len(cells) else None
        return None if place - 1 == state[0] and own != state[1] else state

    return one((index, value, *cells), Machine((), step))
