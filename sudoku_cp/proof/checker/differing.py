"""The rules that only say that cells differ: the checker makes their clauses itself, and they must be the same."""

from __future__ import annotations

from collections import Counter
from functools import partial
from itertools import chain, product
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from .grid import Cells, Grid
    from .rules import Rule


def diagonals(grid: Grid, *, down: bool, up: bool) -> Iterator[list[int]]:
    """Yield the long diagonals of every square board."""
    for rows, _, _ in grid.boards:
        if len(rows) == len(rows[0]):
            if down:
                yield [row[k] for k, row in enumerate(rows)]
            if up:
                yield [row[k] for k, row in enumerate(reversed(rows))]


def windows(grid: Grid) -> Iterator[list[int]]:
    """Yield blocks of the boxes' size, one cell inside the border and one cell from each other."""
    for rows, box, _ in grid.boards:
        high, wide = box or (len(rows), len(rows[0]))
        for top, left in product(range(1, len(rows) - high, high + 1), range(1, len(rows[0]) - wide, wide + 1)):
            yield [cell for row in rows[top : top + high] for cell in row[left : left + wide]]


def disjoint_groups(grid: Grid) -> Iterator[list[int]]:
    """Yield the cells in the same place of their regions."""
    for rows, _, labels in grid.boards:
        groups: dict[int, list[int]] = {}
        before: Counter[int] = Counter()
        for cell, label in zip(chain.from_iterable(rows), labels, strict=True):
            if label is not None:
                groups.setdefault(before[label], []).append(cell)
                before[label] += 1
        yield from groups.values()


def leaps(grid: Grid, steps: Iterable[Sequence[int]]) -> Iterator[Cells]:
    """Yield every two cells a step apart."""
    return grid.apart([(one, other) for one, other in steps])


FARTHEST = 4000
"""No two cells are so many steps apart."""


def taxi(distance: int) -> list[tuple[int, int]]:
    """Return the steps that are so many along rows and columns."""
    return [(down, distance - down) for down in range(distance + 1)] if 0 < distance < FARTHEST else []


DIFFERING: dict[str, Callable[..., Iterable[Cells]]] = {
    "houses": lambda grid: grid.houses.values(),
    "diagonals": diagonals,
    "windoku": windows,
    "disjoint-groups": disjoint_groups,
    "extra-region": lambda _, cells: [cells],
    "anti-king": partial(leaps, steps=[(1, 1)]),
    "anti-knight": partial(leaps, steps=[(1, 2)]),
    "anti-leaper": leaps,
    "taxicab": lambda grid, distance: leaps(grid, taxi(distance)),
}
"""The lists of cells that differ by each of these rules: the checker makes their clauses itself, and they must be the same."""


def differing(grid: Grid, rule: Rule) -> list[tuple[int, ...]] | None:
    """Return the cells that differ by a rule that says only that; None for any other rule."""
    return [tuple(cells) for cells in DIFFERING[rule.kind](grid, **rule.fields)] if rule.kind in DIFFERING else None
