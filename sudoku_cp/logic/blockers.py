"""What blocks a single: the placed values that rule out the other places of its value, or the other values of its cell."""

from __future__ import annotations

from functools import reduce
from operator import or_
from typing import TYPE_CHECKING, NamedTuple

from sudoku_cp.logic.step import Technique
from sudoku_cp.model import to_mask

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sudoku_cp.logic.layout import CellSet, Layout
    from sudoku_cp.logic.step import Candidate, Step


class Blockers(NamedTuple):
    """Placed values, few of them, and of a hidden single the ``cleared`` cells: open ones of its house that see none of them.

    There other steps, or the cells' own rules, have ruled the value out.
    """

    placed: tuple[Candidate, ...] = ()
    cleared: CellSet = 0


def blockers_of(layout: Layout, step: Step) -> Blockers:
    """Return what blocks a single; nothing for other steps."""
    if step.technique is Technique.HIDDEN_SINGLE and step.pattern.filled:
        return _of_places(layout, step)
    if step.technique is Technique.NAKED_SINGLE and step.pattern.filled:
        return Blockers(tuple(_of_values(layout, step)))
    return Blockers()


def _of_places(layout: Layout, step: Step) -> Blockers:
    """Return placed cells that see the other open cells of the house, those that see the most in front, and none too many."""
    ((own, value),), filled, sight = step.placements, step.pattern.filled, layout.sight
    house = layout.groups[step.pattern.bases[0]].cells
    others = to_mask(cell for cell in house if filled[cell] is None and cell != own)
    placed = [cell for cell, known in enumerate(filled) if known == value]
    left, chosen = others, []
    while placed:
        best = max(placed, key=lambda cell: (sight[cell] & left).bit_count())
        if not sight[best] & left:
            break
        left &= ~sight[best]
        chosen.append(best)
    for cell in chosen[:-1]:  # what was taken first may not be needed with those taken later
        if not others & sight[cell] & ~left & ~reduce(or_, (sight[one] for one in chosen if one != cell)):
            chosen.remove(cell)
    return Blockers(tuple((cell, value) for cell in sorted(chosen)), left)


def _of_values(layout: Layout, step: Step) -> Iterator[Candidate]:
    """Yield for each value that a cell sees a cell that holds it; those in the groups with most of them, group by group."""
    ((own, value),), filled = step.placements, step.pattern.filled
    left = layout.domains[own] & ~(1 << value)
    groups = list(layout.groups_of[own])
    while left and groups:
        seen = [
            {known: cell for cell in layout.groups[group].cells if (known := filled[cell]) is not None and left >> known & 1}
            for group in groups
        ]
        best = max(range(len(groups)), key=lambda index: len(seen[index]))
        if not seen[best]:
            return
        del groups[best]
        for known in sorted(seen[best]):
            left &= ~(1 << known)
            yield seen[best][known], known
