"""The rules that only require cells to differ: their clauses are rebuilt and must be the same."""

from __future__ import annotations

from collections import Counter
from itertools import chain, product
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from .certified_grid import Cells, CertifiedGrid
    from .certified_rules import CertifiedRule


def diagonals(grid: CertifiedGrid, *, down: bool, up: bool) -> Iterator[list[int]]:
    """Yield the long diagonals of every square board."""
    for rows, _, _ in grid.boards:
        if len(rows) == len(rows[0]):
            if down:
                yield [row[k] for k, row in enumerate(rows)]
            if up:
                yield [row[k] for k, row in enumerate(reversed(rows))]


def windows(grid: CertifiedGrid) -> Iterator[list[int]]:
    """Yield windows of the boxes' size, one cell inside the border and one cell apart."""
    for rows, box, _ in grid.boards:
        high, wide = box or (len(rows), len(rows[0]))
        for top, left in product(range(1, len(rows) - high, high + 1), range(1, len(rows[0]) - wide, wide + 1)):
            yield [cell for row in rows[top : top + high] for cell in row[left : left + wide]]


def disjoint_groups(grid: CertifiedGrid) -> Iterator[list[int]]:
    """Yield the cells at the same position of their regions."""
    for rows, _, labels in grid.boards:
        groups: dict[int, list[int]] = {}
        before: Counter[int] = Counter()
        for cell, label in zip(chain.from_iterable(rows), labels, strict=True):
            if label is not None:
                groups.setdefault(before[label], []).append(cell)
                before[label] += 1
        yield from groups.values()


MAX_DISTANCE = 4000
"""No two cells are this many steps apart."""


def taxicab_steps(distance: int) -> list[tuple[int, int]]:
    """Return the steps of this length along rows and columns."""
    return [(down, distance - down) for down in range(distance + 1)] if 0 < distance < MAX_DISTANCE else []


ALL_DIFFERENT_RULES: dict[str, Callable[..., Iterable[Cells]]] = {
    "houses": lambda grid: grid.houses.values(),
    "diagonals": diagonals,
    "windoku": windows,
    "disjoint-groups": disjoint_groups,
    "extra-region": lambda _, cells: [cells],
    "anti-king": lambda grid: grid.apart([(1, 1)]),
    "anti-knight": lambda grid: grid.apart([(1, 2)]),
    "anti-leaper": lambda grid, steps: grid.apart([(one, other) for one, other in steps]),
    "taxicab": lambda grid, distance: grid.apart(taxicab_steps(distance)),
}
"""By kind of rule, the function that lists the groups of cells that differ."""


def all_different_cells(grid: CertifiedGrid, rule: CertifiedRule) -> Iterator[tuple[int, ...]]:
    """Yield the groups of cells that differ by a rule that requires nothing else; none for any other rule."""
    if rule.kind in ALL_DIFFERENT_RULES:
        for cells in ALL_DIFFERENT_RULES[rule.kind](grid, **rule.fields):
            grid.budget.spend(2 + len(cells))
            yield tuple(cells)
