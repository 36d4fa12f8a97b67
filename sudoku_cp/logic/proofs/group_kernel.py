"""`part_clauses` in Numba's language, for all groups but rule parts: the same groups in the same order, as arrays."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

HAS_VALUE, ONE_VALUE, HAS_PLACE, ONCE, PART = range(5)
"""Statements of proof groups, in the order of `Statement`."""
CLAUSES, LITERALS, SETS, SET_LITERALS, GROUPS = range(5)
"""The counts of what has been listed."""
ZERO, ONE = np.uint64(0), np.uint64(1)


class LayoutArrays(NamedTuple):
    """The groups of a layout: ``cells[starts[g] : starts[g + 1]]``, the first ``houses`` of them houses.

    ``differing`` are those that say of a value that it stands once. A cell has ``values`` possible values, from ``first`` on;
    on boards, and inside this file, the first counts as 0.
    """

    cells: Any
    starts: Any
    differing: Any
    houses: int
    values: int
    first: int


class GroupLists(NamedTuple):
    """Room for clauses, exclusive sets, and the groups (statement, subject, value); ``counts`` says how much is used."""

    starts: Any
    literals: Any
    owners: Any
    exclusive_starts: Any
    exclusive_literals: Any
    exclusive_owners: Any
    groups: Any
    counts: Any


def make_room(layout: Any, cells: int) -> Any:
    """Return lists with room for all that a layout can say."""
    pairs = len(layout.starts) * layout.values + cells
    literals = (len(layout.cells) + cells) * layout.values
    return GroupLists(
        np.zeros(pairs + 1, np.int64),
        np.empty(literals, np.int64),
        np.empty(pairs, np.int64),
        np.zeros(pairs + 1, np.int64),
        np.empty(literals, np.int64),
        np.empty(pairs, np.int64),
        np.empty((2 * pairs, 3), np.int64),
        np.zeros(5, np.int64),
    )


def add_group(out: Any, statement: int, subject: int, value: int, literals: Any) -> None:
    """Add a group that says something of these literals: that one is true, or at most one."""
    counts = out.counts
    group = counts[GROUPS]
    out.groups[group, 0], out.groups[group, 1], out.groups[group, 2] = statement, subject, value
    counts[GROUPS] += 1
    if statement in (HAS_VALUE, HAS_PLACE):  # a set would take seconds to compile
        end = counts[LITERALS] + len(literals)
        out.literals[counts[LITERALS] : end] = literals
        out.owners[counts[CLAUSES]] = group
        counts[CLAUSES] += 1
        counts[LITERALS] = out.starts[counts[CLAUSES]] = end
    else:
        end = counts[SET_LITERALS] + len(literals)
        out.exclusive_literals[counts[SET_LITERALS] : end] = literals
        out.exclusive_owners[counts[SETS]] = group
        counts[SETS] += 1
        counts[SET_LITERALS] = out.exclusive_starts[counts[SETS]] = end


def add_cell_groups(layout: Any, candidates: Any, filled: Any, out: Any) -> None:
    """Add that each open cell has a value, and only one."""
    literals = np.empty(layout.values, np.int64)
    for cell in range(len(candidates)):
        if filled[cell] >= 0:
            continue
        length = 0
        for value in range(layout.values):
            if candidates[cell] >> np.uint64(value) & ONE:
                literals[length] = 2 * (cell * layout.values + value)
                length += 1
        add_group(out, HAS_VALUE, cell, 0, literals[:length])
        if length > 1:
            add_group(out, ONE_VALUE, cell, 0, literals[:length])


def placed_values(layout: Any, filled: Any, group: int) -> Any:
    """Return the values that cells of a group are filled with, as bits."""
    placed = ZERO
    for place in range(layout.starts[group], layout.starts[group + 1]):
        if filled[layout.cells[place]] >= 0:
            placed |= ONE << np.uint64(filled[layout.cells[place]])
    return placed


def list_places(layout: Any, candidates: Any, group: int, value: int, literals: Any) -> int:
    """List the literals that open cells of a group hold a value; return how many there are."""
    length = 0
    for place in range(layout.starts[group], layout.starts[group + 1]):
        cell = layout.cells[place]
        if candidates[cell] >> np.uint64(value) & ONE:
            literals[length] = 2 * (cell * layout.values + value)
            length += 1
    return length


def add_house_groups(layout: Any, candidates: Any, filled: Any, out: Any) -> None:
    """Add that each value has a place in each house, and stands once in each group."""
    literals = np.empty(len(candidates), np.int64)
    for group in range(len(layout.starts) - 1):
        placed = placed_values(layout, filled, group)
        if group >= layout.houses and not layout.differing[group]:
            continue
        for value in range(layout.values):
            length = list_places(layout, candidates, group, value, literals)
            if group < layout.houses and not placed >> np.uint64(value) & ONE:
                add_group(out, HAS_PLACE, group, layout.first + value, literals[:length])
            if layout.differing[group] and length > 1:
                add_group(out, ONCE, group, layout.first + value, literals[:length])


def list_groups(layout: Any, candidates: Any, filled: Any) -> Any:
    """Return the groups of a board, with the clauses and exclusive sets that they say."""
    out = make_room(layout, len(candidates))
    add_cell_groups(layout, candidates, filled, out)
    add_house_groups(layout, candidates, filled, out)
    counts = out.counts
    return (
        out.starts[: counts[CLAUSES] + 1],
        out.literals[: counts[LITERALS]],
        out.owners[: counts[CLAUSES]],
        out.exclusive_starts[: counts[SETS] + 1],
        out.exclusive_literals[: counts[SET_LITERALS]],
        out.exclusive_owners[: counts[SETS]],
        out.groups[: counts[GROUPS]],
    )


def index_literals(starts: Any, literals: Any, number: int, negate: int) -> Any:
    """Return for each of ``number`` literals in which lists it occurs, or its negation if ``negate`` is 1, as two arrays."""
    ends = np.zeros(number + 1, np.int64)
    for literal in literals:
        ends[(literal ^ negate) + 1] += 1
    for literal in range(number):
        ends[literal + 1] += ends[literal]
    places, found = ends.copy(), np.empty(len(literals), np.int64)
    for index in range(len(starts) - 1):
        for place in range(starts[index], starts[index + 1]):
            literal = literals[place] ^ negate
            found[places[literal]] = index
            places[literal] += 1
    return ends, found
