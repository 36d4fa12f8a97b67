"""Connected cells: those that hold a wanted value form one area.

Cells that may hold one are the vertices of a graph. A depth-first search finds those that can be reached, and the articulation
points (Hopcroft and Tarjan, "Efficient algorithms for graph manipulation", 1973), without which the graph falls into pieces. A
cell must be in if no piece without it is enough: one that has all cells that surely are in, and as many cells as are needed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from numba import uint64

from sudoku_cp.backends.native.kernel.bits import NONE, compiled, inlined
from sudoku_cp.backends.native.kernel.memory import CHANGED, NOBODY, narrow, offset

if TYPE_CHECKING:
    from sudoku_cp.backends.native.kernel.bits import Mask
    from sudoku_cp.backends.native.kernel.memory import LiveDomains, Pointer, Scope

OUT, POSSIBLE, SURE = range(3)
"""What is known of a cell: that it holds no wanted value, nothing, or that it holds one."""
ROWS = 10
"""The numbers that are noted for each cell by a search."""
WANTED, LEAST, SEEN, STARTS = range(4)
"""The parameters: the wanted values, the least number of cells, and where the states are that the last search saw.

Then, for each cell, where the list of its neighbours starts; where the last one ends; and the lists.
"""


class Visits(NamedTuple):
    """What a search notes for each cell, by its place in the constraint."""

    settled: Pointer  # whether nothing follows from the states
    state: Pointer  # out, possible or sure
    order: Pointer  # cells in the order in which they were entered
    entered: Pointer  # a cell's place in that order, or nobody's
    lowest: Pointer  # the first cell that is beside a cell of its branch
    parent: Pointer
    edge: Pointer  # which cell beside it comes next
    size: Pointer  # cells of its branch
    sure: Pointer  # those of them that surely are in
    cut_size: Pointer  # the same for the branches that are cut off without it
    cut_sure: Pointer
    enough: Pointer  # whether one of these is enough


class Area(NamedTuple):
    """The wanted values, how many cells hold one at least, how many surely do, and which cells are neighbours."""

    wanted: Mask
    least: int
    sure: int
    starts: Pointer
    beside: Pointer


@inlined
def visits_of(room: Pointer, seen: Pointer, size: int) -> Visits:
    """Return the rows of notes."""
    return Visits(
        seen,
        offset(seen, 1),
        room,
        offset(room, size),
        offset(room, 2 * size),
        offset(room, 3 * size),
        offset(room, 4 * size),
        offset(room, 5 * size),
        offset(room, 6 * size),
        offset(room, 7 * size),
        offset(room, 8 * size),
        offset(room, 9 * size),
    )


@compiled
def connected(live: LiveDomains, scope: Scope, room: Pointer, seen: Pointer) -> bool:
    """Rule out the wanted values in cells that cannot be reached, and put them into cells without which no area is enough.

    Nothing follows from the states that the last search saw if nothing did then.
    """
    visits = visits_of(room, offset(seen, scope.parameters[SEEN]), scope.size)
    wanted, starts = uint64(scope.parameters[WANTED]), offset(scope.parameters, STARTS)
    sure, root = note_states(live, scope, visits, wanted)
    if visits.settled[0]:
        return True
    area = Area(wanted, scope.parameters[LEAST], sure, starts, offset(starts, scope.size + 1))
    fits = narrow_area(live, scope, visits, area, root)
    visits.settled[0] = fits and live.control[CHANGED] == 0
    return fits


@inlined
def narrow_area(live: LiveDomains, scope: Scope, visits: Visits, area: Area, root: int) -> bool:
    """Narrow the cells by a search from the root, or from all cells until one surely is in."""
    sure, wanted = area.sure, area.wanted
    if sure == 0:
        return largest_areas(live, scope, visits, area)
    reached = visit(visits, area, root, 0)
    if visits.sure[root] < sure or reached < area.least:
        return False
    for place in range(scope.size):
        if visits.entered[place] == NOBODY and not narrow(live, scope.cells[place], ~wanted):
            return False
    return put_in(live, scope, visits, area, 0, reached)


@inlined
def note_states(live: LiveDomains, scope: Scope, visits: Visits, wanted: Mask) -> tuple[int, int]:
    """Note what is known of each cell, and whether it was before; return how many surely are in, and the place of one of them."""
    sure, root = 0, NOBODY
    for place in range(scope.size):
        domain = live.domains[scope.cells[place]]
        visits.entered[place] = NOBODY
        state = OUT
        if domain & wanted:
            state = POSSIBLE
            if domain & ~wanted == NONE:
                state = SURE
                sure += 1
                root = place
        if visits.state[place] != state:
            visits.state[place] = state
            visits.settled[0] = 0
    return sure, root


@compiled
def largest_areas(live: LiveDomains, scope: Scope, visits: Visits, area: Area) -> bool:
    """Until a cell surely is in, rule out the wanted values in areas that are too small."""
    first = last = found = areas = 0
    for root in range(scope.size):
        if visits.state[root] == OUT or visits.entered[root] != NOBODY:
            continue
        before, found = found, visit(visits, area, root, found)
        if found - before >= area.least:
            areas += 1
            first, last = before, found
            continue
        for index in range(before, found):
            if not narrow(live, scope.cells[visits.order[index]], ~area.wanted):
                return False
    return areas > 1 or (areas == 1 and put_in(live, scope, visits, area, first, last))


@compiled
def visit(visits: Visits, area: Area, root: int, found: int) -> int:
    """Enter all cells that can be reached from the root, and return how many have been entered then, ``found`` of them before."""
    visits.parent[root] = NOBODY
    cell = enter(visits, area, root, found)
    found += 1
    while cell != NOBODY:
        edge = visits.edge[cell]
        if edge == area.starts[cell + 1]:
            above = visits.parent[cell]
            if above != NOBODY:
                leave(visits, area, cell, above)
            cell = above
            continue
        visits.edge[cell] = edge + 1
        other = area.beside[edge]
        if visits.state[other] == OUT:
            continue
        if visits.entered[other] == NOBODY:
            visits.parent[other] = cell
            cell = enter(visits, area, other, found)
            found += 1
        else:
            visits.lowest[cell] = min(visits.lowest[cell], visits.entered[other])
    return found


@inlined
def enter(visits: Visits, area: Area, cell: int, number: int) -> int:
    """Enter a cell, which so far is a branch of its own, as the one of that number; return it."""
    visits.order[number] = cell
    visits.entered[cell] = visits.lowest[cell] = number
    visits.edge[cell] = area.starts[cell]
    visits.size[cell] = 1
    visits.sure[cell] = visits.state[cell] == SURE
    visits.cut_size[cell] = visits.cut_sure[cell] = visits.enough[cell] = 0
    return cell


@inlined
def leave(visits: Visits, area: Area, cell: int, above: int) -> None:
    """Add the branch of a cell to that of its parent, without which it is cut off if it touches no earlier cell."""
    size, sure = visits.size[cell], visits.sure[cell]
    visits.size[above] += size
    visits.sure[above] += sure
    visits.lowest[above] = min(visits.lowest[above], visits.lowest[cell])
    if visits.lowest[cell] >= visits.entered[above]:
        visits.cut_size[above] += size
        visits.cut_sure[above] += sure
        if sure == area.sure and size >= area.least:
            visits.enough[above] = 1


@inlined
def put_in(live: LiveDomains, scope: Scope, visits: Visits, area: Area, first: int, last: int) -> bool:
    """Put wanted values into the cells without which neither a piece that is cut off nor the rest is enough."""
    for index in range(first, last):
        cell = visits.order[index]
        if visits.state[cell] == POSSIBLE and not visits.enough[cell]:
            rest = last - first - 1 - visits.cut_size[cell]
            if (visits.cut_sure[cell] or rest < area.least) and not narrow(live, scope.cells[cell], area.wanted):
                return False
    return True
