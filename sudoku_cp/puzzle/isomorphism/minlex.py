"""The smallest form of a board with boxes: row by row, following all arrangements that tie so far in parallel.

Theory of operation. An arrangement is a choice of transposition, of the order of stacks, and of the rows placed so far. Columns
are an ordered partition: columns that no row distinguishes share a part, and their orders are never enumerated, which is why it
is fast. A digit is labelled where it first occurs, by its column, its home: its label is an offset plus the position of that
column, and so is open while the column shares a part. An open label counts as the smallest it can be, and using it fixes it:
the column goes to the front of its part. Arrangements branch only there, and in the choice of rows; those that are worse than the
best at their row are dropped. Of equal rows or bands (``after`` names the previous one) only one order is tried.

State: numbers in flat sequences and nothing else, so that Numba compiles this file as it is (`canonical_forms`) and Python
runs it. A state is ``size_of(shape)`` numbers from ``base`` on: the names below, then the rows in order, the columns in order,
the position of each column, the home of each digit (-1 for none) and its offset. Digits are 1 to the number of values, 0 is
blank. ``given`` is the cells of the board, then those of the transposed one. ``best`` is the cells of the smallest form, then
the number of states that have it.

Calls: `smallest` starts with `start_states`, and for each row `extend`s every state by every row that `can_be_next`; `place_row`
`advance`s over the parts of the columns, and `branch`es where several columns bring the same label.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sudoku_cp.puzzle.isomorphism.canonical_labelling import (
    find_equal_lines,
    in_order,
)

if TYPE_CHECKING:
    from sudoku_cp.puzzle.isomorphism.canonical_labelling import Given, Numbers, Shape

TURNED, LABELS, STARTS, USED, AT = 0, 1, 2, 3, 4
"""Whether it is transposed, how many labels there are, the positions where parts start (bits), the rows used (bits), the
position in the row that is being placed."""
ORDER = 5
"""Where the rows in order start."""


def size_of(shape: Shape) -> int:
    """Return how many numbers a state takes."""
    rows, columns, _, _, values = shape
    return ORDER + rows + 2 * columns + 2 * (values + 1)


def scratch_of(shape: Shape) -> int:
    """Return how many numbers the branches within a row need."""
    return size_of(shape) * (shape[1] * shape[3] + 2)


def copy_state(source: Numbers, start: int, target: Numbers, base: int, size: int) -> None:
    """Copy a state."""
    for offset in range(size):
        target[base + offset] = source[start + offset]


def first_of(starts: int, position: int) -> int:
    """Return the first position of the part that ``position`` is in."""
    while not starts >> position & 1:
        position -= 1
    return position


def end_of(starts: int, position: int, columns: int) -> int:
    """Return the position after the part that ``position`` is in."""
    position += 1
    while position < columns and not starts >> position & 1:
        position += 1
    return position


def move_to_front(state: Numbers, base: int, column: int, position: int, shape: Shape) -> None:
    """Move a column of the part that starts at ``position`` to its front, and make it a part of its own."""
    ordered = base + ORDER + shape[0]
    places = ordered + shape[1]
    other, before = state[ordered + position], state[places + column]
    state[ordered + position], state[ordered + before] = column, other
    state[places + column], state[places + other] = position, before
    state[base + STARTS] |= 3 << position


def least_label(state: Numbers, base: int, digit: int, column: int, position: int, shape: Shape) -> int:
    """Return the smallest label that ``digit`` can have if its ``column`` goes to ``position``, where a part starts."""
    rows, columns, _, _, values = shape
    homes = base + ORDER + rows + 2 * columns
    home = state[homes + digit]
    if home < 0:
        return state[base + LABELS] + 1
    first = first_of(state[base + STARTS], state[base + ORDER + rows + columns + home])
    if first == position and home != column:
        first += 1
    return state[homes + values + 1 + digit] + first


def fix_column(state: Numbers, base: int, digit: int, column: int, position: int, shape: Shape) -> None:
    """Put a column at ``position``, where a part starts, and give its digit the smallest label it can have."""
    rows, columns, _, _, _ = shape
    homes = base + ORDER + rows + 2 * columns
    move_to_front(state, base, column, position, shape)
    home = state[homes + digit]
    if home < 0:
        set_home(state, base, digit, column, shape, state[base + LABELS] + 1 - position)
        state[base + LABELS] += 1
    else:
        move_to_front(state, base, home, first_of(state[base + STARTS], state[base + ORDER + rows + columns + home]), shape)


def set_home(state: Numbers, base: int, digit: int, column: int, shape: Shape, offset: int) -> None:
    """Make ``column`` the home of a digit."""
    homes = base + ORDER + shape[0] + 2 * shape[1]
    state[homes + digit] = column
    state[homes + shape[4] + 1 + digit] = offset


def improves_or_ties(best: Numbers, cell: int, value: int, shape: Shape) -> bool:
    """Return whether ``value`` is no worse in ``cell`` than the best so far; a better one becomes the new best."""
    if value < best[cell]:
        best[cell] = value
        columns = shape[1]
        for later in range(cell + 1, (cell // columns + 1) * columns):
            best[later] = shape[4] + 1
        best[shape[0] * columns] = 0
    return value == best[cell]


def blanks_first(state: Numbers, base: int, given: Given, row: int, end: int, shape: Shape) -> int:
    """Move the columns that are blank in a row to the front of the part that starts where the state is; return how many."""
    ordered = base + ORDER + shape[0]
    places = ordered + shape[1]
    front = state[base + AT]
    for position in range(front, end):
        column = state[ordered + position]
        if given[row + column] == 0:
            other = state[ordered + front]
            state[ordered + front], state[ordered + position] = column, other
            state[places + column], state[places + other] = front, position
            front += 1
    state[base + STARTS] |= 1 << front
    return front - state[base + AT]


def least_of(state: Numbers, base: int, given: Given, row: int, end: int, shape: Shape) -> int:
    """Return the smallest label that some column of the part can bring to the position where the state is."""
    ordered, at = base + ORDER + shape[0], state[base + AT]
    least = shape[4] + 1
    for position in range(at, end):
        column = state[ordered + position]
        least = min(least, least_label(state, base, given[row + column], column, at, shape))
    return least


def are_distinct(state: Numbers, base: int, given: Given, row: int, end: int, shape: Shape) -> bool:
    """Return whether the part holds no digit twice in a row; two that clash cannot stay in one part."""
    ordered, at = base + ORDER + shape[0], state[base + AT]
    for one in range(at, end):
        for other in range(at, one):
            if given[row + state[ordered + one]] == given[row + state[ordered + other]]:
                return False
    return True


def new_labels(state: Numbers, base: int, given: Given, row: int, end: int, shape: Shape) -> None:
    """Label the new digits of a part, each by its column; the columns stay in one part."""
    ordered, at = base + ORDER + shape[0], state[base + AT]
    offset = state[base + LABELS] + 1 - at
    for position in range(at, end):
        column = state[ordered + position]
        set_home(state, base, given[row + column], column, shape, offset)
    state[base + LABELS] += end - at


def branch(scratch: Numbers, top: int, given: Given, row: int, end: int, least: int, shape: Shape) -> int:
    """Replace the state on top by one for each column that brings the label ``least``; return how many there are now."""
    size = size_of(shape)
    base = top * size
    at = scratch[base + AT]
    found = 0
    for position in range(at, end):
        column = scratch[base + ORDER + shape[0] + position]
        digit = given[row + column]
        if least_label(scratch, base, digit, column, at, shape) == least:
            found += 1
            copy_state(scratch, base, scratch, base + found * size, size)
            fix_column(scratch, base + found * size, digit, column, at, shape)
            scratch[base + found * size + AT] = at + 1
    copy_state(scratch, base + found * size, scratch, base, size)
    return top + found


def advance(scratch: Numbers, top: int, given: Given, row: int, level: int, best: Numbers, shape: Shape) -> int:
    """Place the next part of a row in the state on top; return the number of states then, without those that are worse."""
    base, columns = top * size_of(shape), shape[1]
    at = scratch[base + AT]
    end = end_of(scratch[base + STARTS], at, columns)
    blanks = blanks_first(scratch, base, given, row, end, shape)
    least, step, run = 0, 0, blanks
    if blanks == 0:
        least = least_of(scratch, base, given, row, end, shape)
        if least <= scratch[base + LABELS] or not are_distinct(scratch, base, given, row, end, shape):
            if improves_or_ties(best, level * columns + at, least, shape):
                return branch(scratch, top, given, row, end, least, shape)
            return top
        new_labels(scratch, base, given, row, end, shape)
        step, run = 1, end - at
    for offset in range(run):
        if not improves_or_ties(best, level * columns + at + offset, least + step * offset, shape):
            return top
    scratch[base + AT] = at + run
    return top + 1


def place_row(scratch: Numbers, given: Given, row: int, level: int, best: Numbers, shape: Shape, kept: Numbers) -> bool:
    """Place a row in the state at the bottom of ``scratch``, and keep the best results; return False if they did not fit."""
    size, cells = size_of(shape), shape[0] * shape[1]
    top = 1
    while top:
        top -= 1
        if scratch[top * size + AT] < shape[1]:
            top = advance(scratch, top, given, row, level, best, shape)
            continue
        if (best[cells] + 1) * size > len(kept):
            return False
        copy_state(scratch, top * size, kept, best[cells] * size, size)
        best[cells] += 1
    return True


def can_be_next(state: Numbers, base: int, row: int, level: int, after: Given, shape: Shape) -> bool:
    """Return whether a row can be next: it continues the current band, or starts one, and no equal one must go before it."""
    rows, _, height, _, _ = shape
    used, turned = state[base + USED], state[base + TURNED]
    bands = rows // height
    like = after[turned * (rows + bands) + row]
    if used >> row & 1 or (like >= 0 and not used >> like & 1):
        return False
    band = row // height
    if level % height:
        return bool(state[base + ORDER + level - 1] // height == band)
    whole = (1 << height) - 1
    like = after[turned * (rows + bands) + rows + band]
    return used >> band * height & whole == 0 and (like < 0 or used >> like * height & whole != 0)


def extend(  # noqa: PLR0917  # arrays, which compiled code takes one by one
    states: Numbers,
    base: int,
    level: int,
    given: Given,
    after: Numbers,
    scratch: Numbers,
    best: Numbers,
    shape: Shape,
    kept: Numbers,
) -> bool:
    """Place every row that can be next, and keep the best states; return False if they did not fit."""
    rows, columns = shape[0], shape[1]
    size = size_of(shape)
    for row in range(rows):
        if can_be_next(states, base, row, level, after, shape):
            copy_state(states, base, scratch, 0, size)
            scratch[ORDER + level] = row
            scratch[USED] |= 1 << row
            scratch[AT] = 0
            start = (states[base + TURNED] * rows + row) * columns
            if not place_row(scratch, given, start, level, best, shape, kept):
                return False
    return True


def start_state(state: Numbers, base: int, turned: int, orders: Given, order: int, shape: Shape) -> None:
    """Make the state in which no row is placed, with the stacks in one of ``orders``."""
    rows, columns, _, width, values = shape
    ordered = base + ORDER + rows
    for offset in range(size_of(shape)):
        state[base + offset] = -1
    state[base + TURNED], state[base + LABELS], state[base + STARTS], state[base + USED] = turned, 0, 0, 0
    stacks = columns // width
    for position in range(columns):
        column = orders[order * stacks + position // width] * width + position % width
        state[ordered + position] = column
        state[ordered + columns + column] = position
    for stack in range(stacks + 1):
        state[base + STARTS] |= 1 << stack * width
    for digit in range(values + 1):
        state[ordered + 2 * columns + digit] = -1


def start_states(states: Numbers, turns: int, orders: Given, after: Numbers, shape: Shape) -> int:
    """Make every state without rows, except those that put a stack before an equal earlier one; return how many."""
    stacks = shape[1] // shape[3]
    count, bands = 0, shape[0] // shape[2]
    likes = turns * (shape[0] + bands)
    for turned in range(turns):
        for order in range(len(orders) // stacks):
            if in_order(orders, order * stacks, after, likes + turned * stacks, stacks):
                start_state(states, count * size_of(shape), turned, orders, order, shape)
                count += 1
    return count


def clear_row(best: Numbers, level: int, shape: Shape) -> None:
    """Start a row in ``best`` with values worse than any, which no state has."""
    columns = shape[1]
    for cell in range(level * columns, (level + 1) * columns):
        best[cell] = shape[4] + 1
    best[shape[0] * columns] = 0


def smallest(  # noqa: PLR0917  # arrays, which compiled code takes one by one
    given: Given,
    turns: int,
    orders: Given,
    after: Numbers,
    scratch: Numbers,
    states: Numbers,
    kept: Numbers,
    best: Numbers,
    shape: Shape,
) -> bool:
    """Find the smallest form of one board, and write it to ``best``; return False if the states did not fit."""
    size = size_of(shape)
    find_equal_lines(given, turns, after, shape)
    count = start_states(states, turns, orders, after, shape)
    for level in range(shape[0]):
        clear_row(best, level, shape)
        for state in range(count):
            if not extend(states, state * size, level, given, after, scratch, best, shape, kept):
                return False
        states, kept = kept, states
        count = best[shape[0] * shape[1]]
    return True


def many(  # noqa: PLR0917  # arrays, which compiled code takes one by one
    given: Any,
    turns: int,
    orders: Given,
    after: Numbers,
    scratch: Numbers,
    states: Numbers,
    kept: Numbers,
    best: Any,
    shape: Shape,
) -> None:
    """Find the smallest form of each board; a board whose states do not fit gets a count of -1."""
    for board in range(len(given)):
        if not smallest(given[board], turns, orders, after, scratch, states, kept, best[board], shape):
            best[board][shape[0] * shape[1]] = -1
