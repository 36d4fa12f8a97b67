"""Exchanges: some cells of a solution can hold other values, whatever the other cells hold.

An exchange found in one solution refutes all solutions in which it is possible, and so do its images under the symmetries of the
rules. Where rules only say which cells differ, values can be renamed: an exchange is groups of cells with equal values. Otherwise
it is cells with their values.
"""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, NamedTuple

from sudoku_cp.model import AllDifferent, Model, cells_of

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Sequence

    from sudoku_cp.backends import Solution
    from sudoku_cp.grid import Cell

IMAGES = 3_000
"""The most images of an exchange that are generated."""


class Swap(NamedTuple):
    """If each group of cells holds one value (its label, if it has one), the cells ``moved`` can hold other values."""

    groups: frozenset[tuple[int | None, frozenset[Cell]]]
    moved: frozenset[Cell]

    def image(self, move: Sequence[Cell]) -> Swap:
        """Return its image under a permutation of the cells."""
        return Swap(
            frozenset((label, frozenset(move[cell] for cell in group)) for label, group in self.groups),
            frozenset(move[cell] for cell in self.moved),
        )


def swap_of(model: Model, solution: Solution, other: Solution, *, renames: bool) -> Swap | None:
    """Return the exchange that turns one solution into the other, None where its condition involves auxiliaries.

    ``renames`` says that values can be renamed.
    """
    moved = frozenset(cell for cell, (one, two) in enumerate(zip(solution, other, strict=True)) if one != two)
    needed: set[Cell] = set(moved)
    house: set[Cell] = set()
    for constraint in model.constraints:
        cells = cells_of(constraint)
        touched = moved.intersection(cells)
        if not touched:
            continue
        if isinstance(constraint, AllDifferent) and {solution[cell] for cell in touched} == {other[cell] for cell in touched}:
            house |= touched
        else:
            needed.update(cells)
    if max(needed) >= model.board:
        return None
    nameless = renames and needed == moved == house
    values = {solution[cell] for cell in needed}
    groups = ((None if nameless else value, frozenset(cell for cell in needed if solution[cell] == value)) for value in values)
    return Swap(frozenset(groups), moved)


def images(
    swap: Swap, moves: Sequence[Sequence[Cell]], held: Collection[Cell], most: int, tick: Callable[[], object]
) -> Iterator[Swap]:
    """Yield the exchange and its images that move none of the cells ``held``, at most ``most`` of them."""
    seen, waiting = {swap}, deque([swap])
    number = 0
    while waiting:
        tick()
        one = waiting.popleft()
        if one.moved.isdisjoint(held):
            yield one
            number += 1
            if number >= most:
                return
        for move in moves if len(seen) < IMAGES else ():
            image = one.image(move)
            if image not in seen:
                seen.add(image)
                waiting.append(image)
