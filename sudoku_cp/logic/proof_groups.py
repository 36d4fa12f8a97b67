"""The proof groups by which cells differ: what most techniques state about the cells that they eliminate."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sudoku_cp.logic.step import ProofGroup, ProofStatement
from sudoku_cp.model import members

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from sudoku_cp.grid import Cell
    from sudoku_cp.logic.layout import CellSet, GroupIndex, Layout


def once_in(layout: Layout, value: int, group: GroupIndex) -> ProofGroup:
    """Return the reason why a value stands at most once in a group: the rule part, where the group is part of one."""
    part = layout.groups[group].part
    return ProofGroup(ProofStatement.ONCE, group, value) if part is None else ProofGroup(ProofStatement.PART, part)


def once(layout: Layout, value: int, cells: CellSet) -> ProofGroup:
    """Return the reason why a value stands at most once in ``cells``, all in some group: a house if possible."""
    return once_in(layout, value, next(layout.groups_over(cells)))


def sees(layout: Layout, value: int, cell: Cell, cells: CellSet) -> Iterator[ProofGroup]:
    """Yield the reasons why no cell of ``cells``, all seen by ``cell``, holds a value if ``cell`` does: few, houses first."""
    while cells:
        group = max(layout.groups_of[cell], key=lambda index: (cells & layout.groups[index].mask).bit_count())
        if not cells & layout.groups[group].mask:
            return
        yield once_in(layout, value, group)
        cells &= ~layout.groups[group].mask


def sees_each_other(layout: Layout, value: int, some: CellSet, others: CellSet) -> tuple[ProofGroup, ...]:
    """Return the reasons why no cell of ``some`` and one of ``others``, all of which it sees, both hold a value."""
    common = next(layout.groups_over(some | others), None) if some | others else None
    if common is not None:
        return (once_in(layout, value, common),)
    return distinct(group for cell in members(some) for group in sees(layout, value, cell, others & ~(1 << cell)))


def distinct(groups: Iterable[ProofGroup]) -> tuple[ProofGroup, ...]:
    """Return proof groups in their order, each once."""
    return tuple(dict.fromkeys(groups))
