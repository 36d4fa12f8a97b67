"""What blocks a single: the placed values that rule out the other places of its value, or the other values of its cell."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from functools import reduce
from itertools import combinations
from operator import or_
from typing import TYPE_CHECKING, NamedTuple

from sudoku_cp.logic.part_candidates import left_by_all, left_by_each, left_by_one, left_with_sight
from sudoku_cp.logic.step import Technique, part_in
from sudoku_cp.model import cells_of, members, to_mask

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sudoku_cp.grid import Cell
    from sudoku_cp.logic.layout import CellSet, Layout, PartIndex
    from sudoku_cp.logic.part_candidates import Narrow
    from sudoku_cp.logic.step import Candidate, Step
    from sudoku_cp.model import Domain


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


# What a candidate of a rule part would need of few other cells of the part, and what goes for the plainest reason alone.


_MOST_VALUES = 12
"""Of more values the combinations are too many."""
_MOST_CELLS = 27
"""In parts of more cells only single constraints are looked at, such as those of a rule about the whole board."""


class PartNeed(NamedTuple):
    """The few ``cells`` of a part that rule out what other cells have ``lost``; of one cell, the ``partners`` that would do."""

    cells: tuple[Cell, ...]
    partners: Domain
    lost: dict[Cell, Domain]


def needs_of(layout: Layout, step: Step) -> list[PartNeed]:
    """Return why the candidates go that a part leaves no filling for, those that take the fewest other cells in front."""
    part = part_in(step.proof)
    known = {one.cells.bit_length() - 1: one.values for one in step.pattern.domains}
    if part is None or not known.keys() >= set(layout.parts[part].cells):
        return []  # a sum over houses
    lost: dict[tuple[Cell, ...], dict[Cell, Domain]] = defaultdict(lambda: defaultdict(int))
    partners: dict[tuple[Cell, ...], Domain] = defaultdict(int)
    for cell, value in step.eliminations:
        if (found := _need_of(layout, part, known, cell, value)) is not None:
            needed, would_do = found
            lost[needed][cell] |= 1 << value
            partners[needed] |= would_do
    ordered = sorted(lost, key=lambda cells: (len(cells), cells))
    return [PartNeed(cells, partners[cells], dict(lost[cells])) for cells in ordered]


def _need_of(
    layout: Layout, part: PartIndex, known: dict[Cell, Domain], cell: Cell, value: int
) -> tuple[tuple[Cell, ...], Domain] | None:
    """Return other cells whose candidates rule one out, and what would do if that is one cell; None if none are found."""
    domains = known | {cell: 1 << value}
    if len(layout.parts[part].cells) > _MOST_CELLS:
        return _need_of_one(layout, part, domains, cell)
    narrow = next((one for one in (left_by_each, left_by_all, left_with_sight) if _fails(layout, part, domains, one)), None)
    if narrow is None:
        return None
    needed = []
    for other in sorted((one for one in known if one != cell), key=lambda one: -known[one].bit_count()):
        wider = domains | {other: layout.domains[other]}
        if _fails(layout, part, wider, narrow):
            domains = wider
        else:
            needed.append(other)
    would_do = 0
    if len(needed) == 1:
        for one in members(layout.domains[needed[0]]):
            trial = domains | {needed[0]: 1 << one}
            if not _fails(layout, part, trial, narrow) and not _fails(layout, part, trial, left_with_sight):
                would_do |= 1 << one
    return tuple(sorted(needed)), would_do


def _need_of_one(
    layout: Layout, part: PartIndex, domains: dict[Cell, Domain], cell: Cell
) -> tuple[tuple[Cell, ...], Domain] | None:
    """Return the other cells of the first constraint that has no way left alone; None if none is like that."""
    for constraint in layout.parts[part].constraints:
        cells = cells_of(constraint)
        if cell in cells and not all(left_by_one(constraint, domains).values()):
            return tuple(sorted({*cells} - {cell})), 0
    return None


def _fails(layout: Layout, part: PartIndex, domains: dict[Cell, Domain], narrow: Narrow) -> bool:
    """Return whether a part has no filling left with these domains."""
    own = tuple(domains[cell] for cell in layout.parts[part].cells)
    return not all(narrow(layout, part, own))


def plainest(layout: Layout, step: Step) -> Step:
    """Return the part of a step that has one reason: what a rule part rules out by the fewest cells, or by one bound.

    A rule part often rules out candidates of all its cells at once; a hint tells one reason at a time.
    """
    if step.pattern.bounds:
        counts = {bound.cell: sum(cell == bound.cell for cell, _ in step.eliminations) for bound in step.pattern.bounds}
        best = max(counts, key=lambda cell: (counts[cell], -cell))
        bounds = tuple(bound for bound in step.pattern.bounds if bound.cell == best)
        own = replace(step, pattern=replace(step.pattern, bounds=bounds))
        return _with_eliminations(own, {best: -1})
    needs = needs_of(layout, step) if step.pattern.domains and len(step.eliminations) > 1 else []
    return _with_eliminations(step, needs[0].lost) if needs else step


def _with_eliminations(step: Step, lost: dict[Cell, Domain]) -> Step:
    kept = tuple((cell, value) for cell, value in step.eliminations if lost.get(cell, 0) >> value & 1)
    return replace(step, eliminations=kept, values=to_mask(value for _, value in kept))


def sandwich_lengths(layout: Layout, part: PartIndex) -> dict[int, list[tuple[int, ...]]]:
    """Return how many cells can lie between the crusts of a sandwich clue, and with which values; nothing for other rules."""
    rule = layout.parts[part].rule
    total, crusts = getattr(rule, "total", None), getattr(rule, "crusts", None)
    if rule.kind != "sandwich" or total is None:
        return {}
    ends = set(crusts or (min(layout.values), max(layout.values)))
    values = [value for value in layout.values if value not in ends]
    if len(values) > _MOST_VALUES:
        return {}
    ways = {count: [one for one in combinations(values, count) if sum(one) == total] for count in range(len(values) + 1)}
    return {count: found for count, found in ways.items() if found}
