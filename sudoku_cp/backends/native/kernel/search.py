"""The compiled search of the native engine: depth-first search with propagation at every node, on a stack of whole states.

Theory of operation.

- **State** lies in arrays that the session owns; the kernel gets their addresses (`memory.Addresses`). A set of values is one
  machine word, and the domains of all cells are the state of a node. ``saved[d]`` is the state at depth d without the decision
  taken there, ``guesses[d]`` its cell. Counters, budgets and the phase are in the control block, so that the search can pause
  anywhere and go on with the next call.
- **Phases**: `propagate_step` runs propagators to a fixpoint (`fixpoint`); after a contradiction it adds to weights, and the
  search steps back. `decide_step` saves the state without a candidate and goes on with it alone. `step_back` restores the newest
  saved state, in which the candidate is ruled out.
- **Invariants**: the current domains and the saved states have no solution in common, and together have all not yet found, so
  what a limit leaves unsearched is read off the stack. A cell is on the stack of changes at most once; a waiting constraint is a
  bit, so it waits at most once. At a fixpoint nothing is waiting.
- **Variable selection** is dom/wdeg (Boussemart, Hemery, Lecoutre and Sais, "Boosting systematic search by weighting
  constraints", 2004): the open cell with the greatest weight for its domain size. A failure adds to the weights of the last
  decision and of the decided cells of the constraint that failed, the fewer cells it has the more to each: a cell that was still
  open has not brought it about; of regions to be found, only the one that failed. Later failures add more, but in
  proportion to how many there have been: what a long search learns from is as long. Where no cell has two values, a value with
  two places in a house may weigh more (`select_place`).
- **Flags**, counted auxiliaries that follow from the values of the board, are decided before everything else: which lines rank
  below another, say. Cells alone leave open what is counted until they are nearly all decided. Other auxiliaries come last.
- **Value selection** is the smallest value; but where constraints only tell some values from others (connected areas, squares
  that need every kind), a cell is first decided between these (`split_domain`), as only that makes them propagate either way.
- **Places**: the state of a node has the cells that may hold each value, too, as bits. A change notes in the houses of its cell
  which values they have lost, so that a house looks at these alone, and decided cells only at cells that hold their values.
  Bounds of sums wait for a change of a cell's least or greatest value.
- **Why it is fast**: constraints are numbered by kind, cheap ones first, and wait as bits, so that the lowest bit is the next to
  run. Every propagator gets a few pointers, never arrays, whose uses would be reference-counted. Nothing is allocated. A call
  ends after a slice of propagator runs and nodes, so that Python checks the limits 50 times a second.

Called by `compiled_session`; calls `fixpoint`, which calls the propagators.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sudoku_cp.backends.native.kernel import regions
from sudoku_cp.backends.native.kernel.bits import (
    NONE,
    bit,
    compiled,
    inlined,
    is_single,
    lowest,
    size_of,
    smallest,
    without_lowest,
)
from sudoku_cp.backends.native.kernel.fixpoint import FAILED, PAUSED, WORD, clear_queue, propagate
from sudoku_cp.backends.native.kernel.memory import (
    BLAMED,
    DEEPEST,
    DEPTH,
    FAILS,
    FOUND,
    GUESSED,
    MOST_DEPTH,
    MOST_FOUND,
    MOST_NODES,
    NOBODY,
    NODES,
    PHASE,
    REGION,
    REGION_LABELS,
    cells_at,
    floats_at,
    live_of,
    mark_changed,
    narrow,
    numbers_at,
    offset,
    words_at,
)

if TYPE_CHECKING:
    from sudoku_cp.backends.native.kernel.bits import Mask
    from sudoku_cp.backends.native.kernel.memory import Addresses, LiveDomains, Pointer

STARTING, PROPAGATING, BRANCHING, BACKTRACKING, EXHAUSTED = range(5)
"""What the search is about to do, so that it can pause anywhere."""
GOING_ON, ALL_FOUND, OUT_OF_TIME, ENOUGH, TOO_DEEP = range(5)
"""Why `search` returns: it does not yet, all solutions are found, a budget is spent, the buffer is full, the stack is full."""

RECENT = 1000.0
"""After so many failures, one weighs twice as much as the first did; after twice as many, three times; and so on."""
OWN_SHARE = 0.5
"""The share of a failure's weight that the cell decided last gets, in addition to the cells of the constraint that failed."""
WHOLE_SHARES = 8.0
"""How many times a failure's weight the cells of the constraint that failed get together, if all are decided: those of small
ones gain most."""
PLACES_SHARE = 0.25
"""The factor of the weight of two places of a value in a house, compared with a cell's weight divided by its domain size."""
PAIR = 2


@compiled
def start(addresses: Addresses) -> bool:
    """Note which cells hold which values, and queue all constraints; return False if a cell has no values."""
    live = live_of(addresses)
    waiting, holders = words_at(addresses.waiting), offset(live.domains, addresses.size)
    for number in range(addresses.constraints):
        waiting[number // WORD] |= bit(number % WORD)
    for cell in range(addresses.size):
        domain = live.domains[cell]
        if domain == NONE:
            return False
        if size_of(domain) <= PAIR:
            mark_changed(live, cell, NONE)
        while domain:
            holders[smallest(domain) * addresses.words + cell // WORD] |= bit(cell % WORD)
            domain = without_lowest(domain)
    return True


# --- choosing ---------------------------------------------------------------------------------------------------


@inlined
def select_variable(live: LiveDomains, weights: Pointer, first: int, last: int) -> tuple[int, float]:
    """Return the open cell with the greatest weight for its domain size, -1 if none is open, and its score."""
    best, score = NOBODY, -1.0
    for cell in range(first, last):
        domain = live.domains[cell]
        if not is_single(domain):
            own = weights[cell] / size_of(domain)
            if own > score:
                best, score = cell, own
    return best, score


@inlined
def places_of(live: LiveDomains, weights: Pointer, cells: Pointer, size: int, value: Mask) -> tuple[int, float]:
    """Return the heavier of the cells that may hold the value, and the weight of all of them."""
    total, heavier, best = 0.0, -1.0, NOBODY
    for index in range(size):
        cell = cells[index]
        if live.domains[cell] & value:
            total += weights[cell]
            if weights[cell] > heavier:
                heavier, best = weights[cell], cell
    return best, total


@inlined
def split_domain(addresses: Addresses, domain: Mask) -> Mask:
    """Return the values of a domain to try first: those in the first set that splits it, or the smallest alone."""
    splits = words_at(addresses.splits)
    for number in range(addresses.split_count):
        part = domain & splits[number]
        if part and part != domain:
            return part
    return lowest(domain)


@compiled
def select_place(addresses: Addresses, best: int, score: float, chosen: Mask) -> tuple[int, Mask]:
    """Return a cell and a value with two places in a house, one of them the cell, if they outweigh ``score``.

    Otherwise return the ``best`` cell and the values ``chosen`` for it.
    """
    live, weights = live_of(addresses), floats_at(addresses.weights)
    starts, cells = cells_at(addresses.cell_starts), cells_at(addresses.cells)
    for number in range(addresses.first_house, addresses.first_house + addresses.house_count):
        first = starts[number]
        size = starts[number + 1] - first
        once = twice = thrice = NONE
        for index in range(first, first + size):
            domain = live.domains[cells[index]]
            thrice |= twice & domain
            twice |= once & domain
            once |= domain
        two = twice & ~thrice
        while two:
            value = lowest(two)
            two ^= value
            cell, total = places_of(live, weights, offset(cells, first), size, value)
            if total * PLACES_SHARE > score:
                best, score, chosen = cell, total * PLACES_SHARE, value
    return best, chosen


@inlined
def select_flag(addresses: Addresses) -> int:
    """Return the heaviest open flag, -1 if none is open."""
    live, weights, flags = live_of(addresses), floats_at(addresses.weights), cells_at(addresses.flags)
    best, heaviest = NOBODY, -1.0
    for number in range(addresses.flag_count):
        cell = flags[number]
        if not is_single(live.domains[cell]) and weights[cell] > heaviest:
            best, heaviest = cell, weights[cell]
    return best


@inlined
def is_flag(addresses: Addresses, cell: int) -> bool:
    """Return whether an auxiliary is a flag."""
    flags = cells_at(addresses.flags)
    found = False
    for number in range(addresses.flag_count):
        found |= flags[number] == cell
    return found


@inlined
def select_decision(addresses: Addresses) -> tuple[int, Mask]:
    """Return the cell to decide and its values to try first: a flag if any is open, then the board, then other auxiliaries."""
    live, weights = live_of(addresses), floats_at(addresses.weights)
    best = select_flag(addresses)
    if best != NOBODY:
        return best, live.domains[best] & bit(1)
    best, score = select_variable(live, weights, 0, addresses.board)
    if best == NOBODY:
        best, score = select_variable(live, weights, addresses.board, addresses.size)
        return best, NONE if best == NOBODY else lowest(live.domains[best])
    part = split_domain(addresses, live.domains[best])
    if size_of(live.domains[best]) > PAIR and (is_single(part) or not addresses.splits_first):
        return select_place(addresses, best, score, part)
    return best, part


@compiled
def bump_weights(addresses: Addresses) -> None:
    """Add to the weights of the failed constraint's decided cells and of the last decision (dom/wdeg)."""
    control, weights, domains = numbers_at(addresses.control), floats_at(addresses.weights), words_at(addresses.domains)
    counts = 1.0 + control[FAILS] / RECENT
    blamed = control[BLAMED]
    if control[GUESSED] != NOBODY:
        weights[control[GUESSED]] += OWN_SHARE * counts
    if blamed < 0:
        weights[~blamed] += counts
    elif control[REGION]:
        bump_region(addresses, blamed, counts)
    else:
        starts, cells = cells_at(addresses.cell_starts), cells_at(addresses.cells)
        share = counts * WHOLE_SHARES / (starts[blamed + 1] - starts[blamed])
        for index in range(starts[blamed], starts[blamed + 1]):
            if is_single(domains[cells[index]]):  # an emptied cell, too, had a single value left
                weights[cells[index]] += share


@compiled
def bump_region(addresses: Addresses, blamed: int, counts: float) -> None:
    """Add to the weights of the cells that are in the region that failed: the others have nothing to do with it."""
    control, weights, domains = numbers_at(addresses.control), floats_at(addresses.weights), words_at(addresses.domains)
    parameters = offset(numbers_at(addresses.parameters), cells_at(addresses.parameter_starts)[blamed])
    cells = offset(cells_at(addresses.cells), cells_at(addresses.cell_starts)[blamed])
    number = parameters[regions.NUMBER]
    wanted = bit(parameters[regions.FIRST] + control[REGION] - 1)
    share = counts * WHOLE_SHARES / (2 * parameters[regions.SIZE])
    for place in range(number):
        if domains[cells[number + place]] == wanted:
            weights[cells[number + place]] += share
            if not control[REGION_LABELS] and is_single(domains[cells[place]]):
                weights[cells[place]] += share
    control[REGION] = 0


# --- the stack --------------------------------------------------------------------------------------------------


@inlined
def decide(addresses: Addresses, cell: int, chosen: Mask) -> None:
    """Save the state without the ``chosen`` candidates of a cell, and go on with these alone."""
    live, saved = live_of(addresses), words_at(addresses.saved)
    depth = live.control[DEPTH]
    for word in range(addresses.state_size):
        saved[depth * addresses.state_size + word] = live.domains[word]
    saved[depth * addresses.state_size + cell] &= ~chosen
    cells_at(addresses.guesses)[depth] = cell
    words_at(addresses.chosen)[depth] = chosen
    live.control[DEPTH] = depth + 1
    live.control[DEEPEST] = max(live.control[DEEPEST], depth + 1)
    live.control[GUESSED] = cell
    live.control[NODES] += 1
    narrow(live, cell, chosen)


@inlined
def backtrack(addresses: Addresses) -> None:
    """Restore the newest saved state."""
    live, saved = live_of(addresses), words_at(addresses.saved)
    depth = live.control[DEPTH] - 1
    for word in range(addresses.state_size):
        live.domains[word] = saved[depth * addresses.state_size + word]
    cell = cells_at(addresses.guesses)[depth]
    mark_changed(live, cell, words_at(addresses.chosen)[depth])
    live.control[DEPTH] = depth
    live.control[GUESSED] = cell
    live.control[NODES] += 1


@inlined
def note_solution(addresses: Addresses) -> None:
    """Write the values of the board into the buffer; other values of auxiliaries but flags would give the same grid again."""
    live, solutions, guesses = live_of(addresses), numbers_at(addresses.solutions), cells_at(addresses.guesses)
    first = live.control[FOUND] * addresses.board
    for cell in range(addresses.board):
        solutions[first + cell] = smallest(live.domains[cell])
    live.control[FOUND] += 1
    while live.control[DEPTH]:
        cell = guesses[live.control[DEPTH] - 1]
        if cell < addresses.board or is_flag(addresses, cell):
            break
        live.control[DEPTH] -= 1


# --- one step of each phase -------------------------------------------------------------------------------------


@compiled
def propagate_step(addresses: Addresses) -> int:
    """Propagate; after a contradiction add to the weights."""
    control = numbers_at(addresses.control)
    outcome = propagate(addresses)
    if outcome == PAUSED:
        return OUT_OF_TIME
    if outcome == FAILED:
        clear_queue(addresses)
        bump_weights(addresses)
        control[FAILS] += 1
    control[PHASE] = BACKTRACKING if outcome == FAILED else BRANCHING
    return GOING_ON


@compiled
def decide_step(addresses: Addresses) -> int:
    """Decide a cell, wholly or in part; if none is open, note the solution."""
    control = numbers_at(addresses.control)
    if control[NODES] >= control[MOST_NODES]:
        return OUT_OF_TIME
    if control[DEPTH] >= control[MOST_DEPTH]:
        return TOO_DEEP
    cell, chosen = select_decision(addresses)
    if cell != NOBODY:
        decide(addresses, cell, chosen)
        control[PHASE] = PROPAGATING
        return GOING_ON
    note_solution(addresses)
    control[PHASE] = BACKTRACKING
    return ENOUGH if control[FOUND] >= control[MOST_FOUND] else GOING_ON


@compiled
def step_back(addresses: Addresses) -> int:
    """Undo the last decision; without one, the search is exhausted."""
    control = numbers_at(addresses.control)
    if control[NODES] >= control[MOST_NODES]:
        return OUT_OF_TIME
    if control[DEPTH] == 0:
        control[PHASE] = EXHAUSTED
    else:
        backtrack(addresses)
        control[PHASE] = PROPAGATING
    return GOING_ON


def search(addresses: Addresses) -> int:
    """Continue the search, and return why it stops: `ALL_FOUND`, `OUT_OF_TIME`, `ENOUGH` or `TOO_DEEP`."""
    control = numbers_at(addresses.control)
    outcome = GOING_ON
    while outcome == GOING_ON:
        phase = control[PHASE]
        if phase == PROPAGATING:
            outcome = propagate_step(addresses)
        elif phase == BRANCHING:
            outcome = decide_step(addresses)
        elif phase == BACKTRACKING:
            outcome = step_back(addresses)
        elif phase == STARTING:
            control[PHASE] = PROPAGATING if start(addresses) else EXHAUSTED
        else:
            outcome = ALL_FOUND
    return outcome
