"""Regions to be found: cells with the same label are a connected region of so many cells with different values.

A region is what its label says: the cells that surely have it are in, those that may have it are possible. Labels are numbered in
the order of their first cells, then counted with the values of their cells. If nothing follows from that, each region that has
changed since it was last searched is searched again. A breadth-first search from a cell that is in finds the cells that a region
of so many can reach: to enter a cell that is not in yet uses up one of those that are missing. Of what is left, articulation
points are in (`connections`). A contradiction names its region (`memory.REGION`), as the others have nothing to do with it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from numba import uint64

from sudoku_cp.backends.native.kernel.bits import NONE, bit, compiled, inlined, is_single, size_of, smallest, without_lowest
from sudoku_cp.backends.native.kernel.connections import OUT, POSSIBLE, SURE, Area, put_in, visit, visits_of
from sudoku_cp.backends.native.kernel.memory import CHANGED, NOBODY, REGION, REGION_LABELS, Scope, narrow, offset

if TYPE_CHECKING:
    from sudoku_cp.backends.native.kernel.bits import Mask
    from sudoku_cp.backends.native.kernel.memory import LiveDomains, Pointer

NUMBER, SIZE, FIRST, COUNT, SEEN, STARTS = range(6)
"""The parameters: how many cells, how many in a region, the label of the first region, how many regions, and where the labels
are that the last search saw.

Then, for each cell, where the list of its neighbours starts; where the last one ends; and the lists. The cells of the constraint
are those with values, then those with labels.
"""
MOST = 64
"""The most regions."""
ROWS = 15
"""The numbers that are noted for each cell, besides two for each region."""
REACHED, IN_PIECE = 1, 2
"""What `reach` notes of a cell that it has reached; and of one in the piece of cells that are in from which it started."""


class PartitionScope(NamedTuple):
    """The cells to be cut, by place, and the regions."""

    cells: Pointer  # those with values
    labels: Pointer  # the cells with labels
    number: int
    size: int
    first: int
    count: int
    starts: Pointer
    beside: Pointer


class Tallies(NamedTuple):
    """What is known of each region: how many cells are in, how many possible, and the values of these."""

    sure: Pointer
    possible: Pointer
    once: Pointer  # values that some possible cell may hold
    twice: Pointer  # those that several may hold
    taken: Pointer  # the values of cells that are in


@inlined
def partition_of(scope: Scope) -> PartitionScope:
    """Return the constraint."""
    number = scope.parameters[NUMBER]
    starts = offset(scope.parameters, STARTS)
    return PartitionScope(
        scope.cells,
        offset(scope.cells, number),
        number,
        scope.parameters[SIZE],
        scope.parameters[FIRST],
        scope.parameters[COUNT],
        starts,
        offset(starts, number + 1),
    )


@compiled
def regions(live: LiveDomains, scope: Scope, room: Pointer, sets: Pointer, memory: Pointer) -> bool:
    """Propagate what follows from numbers and counts; if that is nothing, from connection."""
    cut = partition_of(scope)
    tallies = Tallies(room, offset(room, MOST), sets, offset(sets, MOST), offset(sets, 2 * MOST))
    live.control[REGION] = 0
    if not in_order(live, cut):
        return False
    if not count_labels(live, cut, tallies) or not fit_values(live, cut, tallies):
        return False
    live.control[REGION] = 0
    if live.control[CHANGED]:
        return True
    return search_changed(live, cut, offset(room, 2 * MOST), offset(memory, scope.parameters[SEEN]))


@inlined
def blame(live: LiveDomains, label: int, only_labels: int) -> None:
    """Note which region is about to be narrowed, and whether because of its cells' labels alone."""
    live.control[REGION] = label + 1
    live.control[REGION_LABELS] = only_labels


# --- numbers ----------------------------------------------------------------------------------------------------


@compiled
def in_order(live: LiveDomains, cut: PartitionScope) -> bool:
    """Number the regions in the order of their first cells: each label but the first follows the one before it."""
    allowed, whole = bit(cut.first), (bit(cut.count) - bit(0)) << uint64(cut.first)
    for place in range(cut.number):
        if allowed == whole:
            break
        if not narrow(live, cut.labels[place], allowed):
            return False
        allowed |= live.domains[cut.labels[place]] << uint64(1) & whole
    begun, label = True, cut.first + 1
    while begun and label < cut.first + cut.count:
        begun = is_begun(live, cut, bit(label), bit(label - 1))
        label += 1
    return begun


@inlined
def is_begun(live: LiveDomains, cut: PartitionScope, label: Mask, before: Mask) -> bool:
    """Put the label before into the only cell that may have it in front of the first that surely has this one."""
    places, last = 0, NOBODY
    for place in range(cut.number):
        domain = live.domains[cut.labels[place]]
        if domain == label:
            return places > 1 or (places == 1 and narrow(live, cut.labels[last], before))
        if domain & before:
            places += 1
            last = place
            if places > 1:
                break
    return True


# --- counts and values ------------------------------------------------------------------------------------------


@compiled
def count_labels(live: LiveDomains, cut: PartitionScope, tallies: Tallies) -> bool:
    """Count the cells and values of each region; return False if a region has too many, or too few are possible."""
    for label in range(cut.count):
        tallies.sure[label] = tallies.possible[label] = 0
        tallies.once[label] = tallies.twice[label] = tallies.taken[label] = NONE
    for place in range(cut.number):
        labels, values = live.domains[cut.labels[place]], live.domains[cut.cells[place]]
        if is_single(labels):
            label = smallest(labels) - cut.first
            tallies.sure[label] += 1
            if is_single(values):
                if values & tallies.taken[label]:
                    blame(live, label, 0)
                    return False
                tallies.taken[label] |= values
        while labels:
            label = smallest(labels) - cut.first
            labels = without_lowest(labels)
            tallies.possible[label] += 1
            tallies.twice[label] |= tallies.once[label] & values
            tallies.once[label] |= values
    for label in range(cut.count):
        blame(live, label, 1)
        if tallies.sure[label] > cut.size or tallies.possible[label] < cut.size:
            return False
        blame(live, label, 0)
        if size_of(tallies.once[label]) < cut.size:
            return False
    return True


@compiled
def fit_values(live: LiveDomains, cut: PartitionScope, tallies: Tallies) -> bool:
    """Narrow cells of regions that are full or just large enough, and by values that a region has or needs."""
    for place in range(cut.number):
        labels, values = live.domains[cut.labels[place]], live.domains[cut.cells[place]]
        rest = labels
        while rest:
            one = bit(smallest(rest))
            label = smallest(rest) - cut.first
            rest = without_lowest(rest)
            if size_of(tallies.once[label]) == cut.size and not put_hidden(live, cut, tallies, place, label):
                return False
            if is_single(labels):
                taken = tallies.taken[label] & values
                blame(live, label, 0)
                if taken and not is_single(values) and not narrow(live, cut.cells[place], ~taken):
                    return False
            elif is_single(values) and values & tallies.taken[label]:
                blame(live, label, 0)
                if not narrow(live, cut.labels[place], ~one):
                    return False
            elif tallies.sure[label] == cut.size or tallies.possible[label] == cut.size:
                blame(live, label, 1)
                if not narrow(live, cut.labels[place], ~one if tallies.sure[label] == cut.size else one):
                    return False
    return True


@inlined
def put_hidden(live: LiveDomains, cut: PartitionScope, tallies: Tallies, place: int, label: int) -> bool:
    """Put a value that the region needs into the only possible cell for it."""
    hidden = tallies.once[label] & ~tallies.twice[label] & live.domains[cut.cells[place]]
    if hidden == NONE:
        return True
    blame(live, label, 0)
    if not is_single(hidden):
        return False
    return narrow(live, cut.labels[place], bit(cut.first + label)) and narrow(live, cut.cells[place], hidden)


# --- connection -------------------------------------------------------------------------------------------------


@compiled
def search_changed(live: LiveDomains, cut: PartitionScope, room: Pointer, memory: Pointer) -> bool:
    """Search the regions whose labels have changed since a search changed nothing: ``memory`` has the labels seen last.

    After the labels of the cells it holds the labels whose search changed nothing.
    """
    settled = memory[cut.number]
    for place in range(cut.number):
        before, labels = memory[place], live.domains[cut.labels[place]]
        if before != labels:
            memory[place] = labels
            settled &= ~((before ^ labels) | (before if is_single(before) else NONE) | (labels if is_single(labels) else NONE))
    for label in range(cut.count):
        one = bit(cut.first + label)
        if settled & one:
            continue
        memory[cut.number] = settled
        blame(live, label, 1)
        before_search = live.control[CHANGED]
        if not connect(live, cut, room, one):
            return False
        if live.control[CHANGED] == before_search:
            settled |= one
    memory[cut.number] = settled
    live.control[REGION] = 0
    return True


@compiled
def connect(live: LiveDomains, cut: PartitionScope, room: Pointer, wanted: Mask) -> bool:
    """Rule out the label where its region cannot reach, and put it into cells without which the region falls into pieces."""
    if not keep_reachable(live, cut, room, wanted):
        return False
    visits = visits_of(offset(room, 4 * cut.number), offset(room, 14 * cut.number), cut.number)
    sure, root = 0, NOBODY
    for place in range(cut.number):
        domain = live.domains[cut.labels[place]]
        visits.entered[place] = NOBODY
        visits.state[place] = POSSIBLE if domain & wanted else OUT
        if domain == wanted:
            visits.state[place] = SURE
            sure += 1
            root = place
    area = Area(wanted, cut.size, sure, cut.starts, cut.beside)
    labels = Scope(cut.labels, cut.number, cut.labels)
    if sure == 0:
        return keep_large_enough(live, cut, labels, visits, area)
    reached = visit(visits, area, root, 0)
    if sure > cut.size or visits.sure[root] < sure or reached < cut.size:
        return False
    return put_in(live, labels, visits, area, 0, reached)


@compiled
def keep_reachable(live: LiveDomains, cut: PartitionScope, room: Pointer, wanted: Mask) -> bool:
    """Rule out the label in cells that are too far from a piece of the region; return False if another piece is."""
    sure = 0
    covered = offset(room, 3 * cut.number)
    for place in range(cut.number):
        sure += live.domains[cut.labels[place]] == wanted
        covered[place] = 0
    for source in range(cut.number):
        if covered[source] or live.domains[cut.labels[source]] != wanted:
            continue
        if reach(live, cut, room, source, wanted, cut.size - sure) < sure:
            return False
        for place in range(cut.number):
            if room[place] == IN_PIECE:
                covered[place] = 1
            elif not room[place] and not narrow(live, cut.labels[place], ~wanted):
                return False
    return True


@compiled
def reach(live: LiveDomains, cut: PartitionScope, room: Pointer, source: int, wanted: Mask, budget: int) -> int:
    """Mark the cells that can be reached from one over so many possible ones at most; return how many of them are in."""
    mark, near, far = room, offset(room, cut.number), offset(room, 2 * cut.number)
    for place in range(cut.number):
        mark[place] = 0
    near[0] = source
    mark[source] = REACHED
    count, sure, spent = 1, 0, 0
    while count:
        waiting, index = 0, 0
        while index < count:
            here = near[index]
            index += 1
            if live.domains[cut.labels[here]] == wanted:
                sure += 1
                if spent == 0:
                    mark[here] = IN_PIECE
            count, waiting = spread(live, cut, room, here, wanted, budget - spent, count, waiting)
        spent += 1
        count = waiting
        for place in range(waiting):
            near[place] = far[place]
    return sure


@inlined
def spread(
    live: LiveDomains, cut: PartitionScope, room: Pointer, here: int, wanted: Mask, left: int, count: int, waiting: int
) -> tuple[int, int]:
    """Mark the neighbours of a cell; return how many cells are near now, and how many far: those that are not in yet."""
    mark, near, far = room, offset(room, cut.number), offset(room, 2 * cut.number)
    for edge in range(cut.starts[here], cut.starts[here + 1]):
        there = cut.beside[edge]
        domain = live.domains[cut.labels[there]]
        if mark[there] or not domain & wanted:
            continue
        if domain == wanted:
            mark[there] = REACHED
            near[count] = there
            count += 1
        elif left:
            mark[there] = REACHED
            far[waiting] = there
            waiting += 1
    return count, waiting


@compiled
def keep_large_enough(live: LiveDomains, cut: PartitionScope, labels: Scope, visits: Pointer, area: Area) -> bool:
    """Until a cell is in, rule out the label in areas of too few cells or values; search the only one that is left."""
    found = areas = first = last = 0
    for root in range(cut.number):
        if visits.state[root] == OUT or visits.entered[root] != NOBODY:
            continue
        begin, found = found, visit(visits, area, root, found)
        values = NONE
        for index in range(begin, found):
            values |= live.domains[cut.cells[visits.order[index]]]
        if found - begin >= cut.size and size_of(values) >= cut.size:
            areas += 1
            first, last = begin, found
            continue
        for index in range(begin, found):
            if not narrow(live, cut.labels[visits.order[index]], ~area.wanted):
                return False
    return areas > 1 or (areas == 1 and put_in(live, labels, visits, area, first, last))
