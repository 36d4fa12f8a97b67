"""What the kernel works on: the addresses it is given, and the same as pointers in small groups.

Numba code here passes pointers, never arrays: every use of an array inside an inlined function would be reference-counted. A
propagator gets only the groups it needs, so that its arguments stay in registers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from numba import float64, int32, int64, types, uint8, uint64
from numba.extending import intrinsic

from sudoku_cp.backends.native.kernel.bits import NONE, inlined

if TYPE_CHECKING:
    from sudoku_cp.backends.native.kernel.bits import Mask

Pointer: TypeAlias = Any
"""An array's address with the type of its items, as Numba knows it."""

# --- the control block: numbers that change, by their place ------------------------------------------------------

CHANGED = 0
"""How many cells wait on the stack of changes."""
DEPTH = 1
DEEPEST = 2
PHASE = 3
NODES = 4
FAILS = 5
RUNS = 6
BLAMED = 7
"""The constraint run last, or ~cell where a cell lost its last value to a neighbour."""
GUESSED = 8
"""The cell of the last decision."""
FOUND = 9
"""Solutions in the buffer."""
SLICE_END = 10
"""How many propagator runs and nodes, together, there are when the kernel pauses: either may be what takes the time."""
MOST_NODES = 11
MOST_FOUND = 12
MOST_DEPTH = 13
REGION = 14
"""1 + the number of the region to be found that a failed constraint is about; 0 if it is about no single one."""
REGION_LABELS = 15
"""1 if it failed because of the labels of that region's cells alone, 0 if their values matter, too."""
CONTROLS = 16

NOBODY = -1
"""No cell."""


class Addresses(NamedTuple):
    """Where everything lies: first the arrays of the model, then those of the question, then scratch space."""

    # the model
    size: int  # cells, the auxiliaries among them
    board: int  # cells of the board
    constraints: int  # how many
    kinds: int  # [constraint]
    cell_starts: int  # [constraint + 1]
    cells: int
    parameter_starts: int  # [constraint]
    parameters: int  # a constraint's parameters
    first_rows: int  # [value]: the row of cell 0 where that value is meant; values with the same conflicts share their rows
    rows: int  # [row, word]: the cells that cannot hold the value too, as bits
    words: int  # of a row
    watch_starts: int  # [cell + 1]
    watch_words: int  # of the constraints that watch a cell: their words in ``waiting``
    watch_bits: int
    late_starts: int  # [cell + 1]: the same for those that watch it only once it is decided
    late_words: int
    late_bits: int
    ends_starts: int  # [cell + 1]: the same for those that watch its least and greatest values
    ends_words: int
    ends_bits: int
    house_count: int  # constraints whose cells hold every value
    first_house: int  # of these constraints
    house_rows: int  # [house, word]: its cells as bits
    house_values: int  # [house]
    house_starts: int  # [cell + 1]
    house_numbers: int  # of the houses that a cell is in
    splits: int  # sets of values that areas, or strips of squares, tell from the others
    split_count: int
    splits_first: int  # whether a cell is decided between them before a value's places are compared
    flags: int  # counted auxiliaries that follow from the values of the board
    flag_count: int
    masks: int  # sets of values
    amounts: int  # what each such set adds to a sum
    tables: int  # relations
    targets: int  # [arc] of graphs: the first arc of the state it leads to
    labels: int  # its values
    degrees: int  # of the first arc of a state: how many arcs it has
    # the question
    control: int
    domains: int  # [cell]; then [value, word]: the cells that may hold the value, as bits
    state_size: int  # words of the two together
    weights: int  # [cell]
    solutions: int  # [number, cell of the board]
    saved: int  # [depth]: such domains and places
    guesses: int  # [depth]: the cell decided there
    chosen: int  # [depth]: the values it was given
    lost: int  # [house]: values that its cells have lost since it was last propagated
    # room
    changed: int
    removed: int  # [cell]: the values lost since it was put on the stack of changes; none if it is not there
    waiting: int  # constraints to be run, as bits
    numbers: int
    kept_masks: int
    kept_amounts: int
    sums: int
    marks: int  # [first arc of a state]: none set between two runs
    seen: int  # states that are marked
    entered: int  # [layer]: the state in which the search is, and its arc
    taken: int
    missing: int  # [layer]: values for which no path is known
    memory: int  # of graphs: the kinds of values that cells hold, and those of them on a path
    visits: int  # what a search through connected cells notes
    areas: int  # the states that the last search of each constraint saw
    seen_labels: int  # the same of regions to be found


def _pointer_to(item: Any) -> Any:
    """Return an intrinsic that turns an address into a pointer to such items."""

    def pointer(_context: Any, address: Any) -> Any:  # noqa: ARG001
        def codegen(context: Any, builder: Any, signature: Any, values: Any) -> Any:
            return builder.inttoptr(values[0], context.get_value_type(signature.return_type))

        return types.CPointer(item)(types.intp), codegen

    return intrinsic(pointer)


@intrinsic
def offset(_context: Any, pointer: Any, index: Any) -> Any:  # noqa: ARG001
    """Return a pointer to the item at that index."""

    def codegen(_context: Any, builder: Any, _signature: Any, values: Any) -> Any:
        return builder.gep(values[0], [values[1]])

    return pointer(pointer, types.intp), codegen


bytes_at = _pointer_to(uint8)
cells_at = _pointer_to(int32)
numbers_at = _pointer_to(int64)
words_at = _pointer_to(uint64)
floats_at = _pointer_to(float64)


class LiveDomains(NamedTuple):
    """The domains that propagators narrow, the stack of changed cells, and the control block."""

    domains: Pointer
    changed: Pointer
    removed: Pointer
    control: Pointer


class Scope(NamedTuple):
    """A constraint's cells and its parameters."""

    cells: Pointer
    size: int
    parameters: Pointer


class Neighbourhood(NamedTuple):
    """Which cells cannot hold a value that another holds, and which may hold a value, as bits; room for a few cells."""

    first_rows: Pointer
    rows: Pointer
    words: int
    holders: Pointer
    places: Pointer


class ValueSets(NamedTuple):
    """Sets of values, what they add to a sum, and room for those that are still possible."""

    masks: Pointer
    amounts: Pointer
    kept_masks: Pointer
    kept_amounts: Pointer
    sums: Pointer
    numbers: Pointer


class GraphArcs(NamedTuple):
    """Arcs (state after, values, how many leave a state), room for a search along them, and what earlier ones found."""

    targets: Pointer
    labels: Pointer
    degrees: Pointer
    marks: Pointer
    seen: Pointer
    entered: Pointer
    taken: Pointer
    missing: Pointer
    memory: Pointer


@inlined
def live_of(addresses: Addresses) -> LiveDomains:
    """Return the domains and the stack of changes."""
    return LiveDomains(
        words_at(addresses.domains), cells_at(addresses.changed), words_at(addresses.removed), numbers_at(addresses.control)
    )


@inlined
def mark_changed(live: LiveDomains, cell: int, removed: Mask) -> None:
    """Note values that a cell has lost, and put it on the stack of changes, unless it has lost any since it was put there."""
    earlier = live.removed[cell]
    live.removed[cell] = earlier | removed
    if earlier == NONE:
        top = live.control[CHANGED]
        live.changed[top] = cell
        live.control[CHANGED] = top + 1


@inlined
def pop_changed(live: LiveDomains) -> tuple[int, Mask]:
    """Take a cell from the stack of changes and return it, with the values that it has lost."""
    top = live.control[CHANGED] - 1
    live.control[CHANGED] = top
    cell = live.changed[top]
    removed = live.removed[cell]
    live.removed[cell] = NONE
    return cell, removed


@inlined
def narrow(live: LiveDomains, cell: int, kept: Mask) -> bool:
    """Keep only the values in ``kept``; return False when none is left."""
    before = live.domains[cell]
    removed = before & ~kept
    if removed != NONE:
        live.domains[cell] = before ^ removed
        mark_changed(live, cell, removed)
    return before != removed
