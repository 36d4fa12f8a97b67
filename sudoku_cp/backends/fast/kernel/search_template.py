"""The search of the lane kernel: depth-first search in all lanes of a vector at once, in plain Numba over vector intrinsics.

Theory of operation.

- **State** (`search_state`): a board is one vector for each cell, with another puzzle in each lane. Beside it, for each lane: the
  puzzle that it is working on, and a stack of saved positions. A *position* is a copy of a lane's board, from which the candidate
  that is tried has been removed. The puzzles and their answers are a `SearchTask`.
- **A round** (`apply_rules`) applies every rule once to all lanes, and returns which are dead, solved, or unchanged. Unchanged
  lanes branch (`branch_all`); dead and solved ones are done. A lane that is done takes the newest position of its own stack
  (`backtrack`), else the next puzzle (`load_puzzle`), else the oldest position of the deepest stack (`steal_position`), so
  that one hard puzzle comes to occupy all lanes.
- **Invariants**: the positions on the stacks and the boards in the lanes have no solution in common, and together have all that
  are not yet counted. A count that a limit cut short is complemented. A stack has at most one position for each cell (`DEPTH`).
- **Where to branch**: on a cell with fewest candidates, of these one that shares many with its peers (`choose_cell`). Deep in
  a puzzle that was never refuted any cell will do, so that two are decided at once, each with its position (`branch_further`).
- **Why it is fast**: rules are vertical logic only, so that 32 puzzles cost as much as one. Branching works in phases (save all,
  judge all, branch all), so that scattered stores have drained before vectors are loaded over them. Nothing recurses, nothing
  is allocated, and pointers are passed instead of arrays, every use of which would be reference-counted.

This module is a template: `lane_kernel` runs it once for each shape of grid, after setting the parameters in `search_state`;
and once more for probing, where an answer must depend only on its own puzzle, so that lanes take each other's work only if
``steals`` is set.
"""

from __future__ import annotations

from typing import Any

from numba import int64, njit, uint8, uint16, uint32, uint64

from sudoku_cp.backends.fast.kernel import lane_columns, vector_rules
from sudoku_cp.backends.fast.kernel.intrinsics import (
    address_of,
    align_stack,
    fetch_and_add,
    pointer_to,
    trailing_zeros,
    vector_intrinsic,
)
from sudoku_cp.backends.fast.kernel.search_state import CACHED, INSTRUCTION_SET, LAYOUT, PROBING, SearchMemory, SearchTask
from sudoku_cp.callee_compiler import compiled_callee

LANES = INSTRUCTION_SET.lanes(LAYOUT.bits)
CELLS, SIDE = LAYOUT.cells, LAYOUT.side
BANDS, STACKS = LAYOUT.width, LAYOUT.height
ONES, BEFORE = LAYOUT.ones, LAYOUT.before
WORDS = lane_columns.word_count(LAYOUT)
ROOM = lane_columns.column_size(LAYOUT)
"""Items of a column."""
BOARDS = (SIDE + 1) * WORDS
"""Words of the bitboards of a column."""
DEPTH = CELLS + 1
"""Positions on a stack: each has a cell more decided than the one below it."""
SHALLOW = 7 if PROBING else 4
"""A puzzle without a contradiction this many guesses deep has many solutions: any cell will do.

Probes keep their number, as the puzzles that a seed makes depend on their guesses.
"""
GOOD = 40 if INSTRUCTION_SET.counting else 37
"""A cell with such a score is branched on without looking for a better one; probes look at all. Vectors judge cells sooner."""
PLACES = 1024
"""More than there are cells, so that a score and a cell fit into one number."""
ALL_LANES = (1 << LANES) - 1
NOBODY = -1
PAIR, WORD = lane_columns.PAIR, lane_columns.WORD

begin_round = vector_intrinsic(vector_rules.begin_round, LAYOUT, INSTRUCTION_SET)
propagate_rows = vector_intrinsic(vector_rules.propagate_rows, LAYOUT, INSTRUCTION_SET)
propagate_columns = vector_intrinsic(vector_rules.propagate_columns, LAYOUT, INSTRUCTION_SET)
lane_outcomes = vector_intrinsic(vector_rules.lane_outcomes, LAYOUT, INSTRUCTION_SET, masks=3)
full_lanes = vector_intrinsic(vector_rules.full_lanes, LAYOUT, INSTRUCTION_SET, masks=1)
extract_lane = vector_intrinsic(lane_columns.extract_lane, LAYOUT, INSTRUCTION_SET)
copy_column = vector_intrinsic(lane_columns.copy_column, LAYOUT, INSTRUCTION_SET)
insert_lane = vector_intrinsic(lane_columns.insert_lane, LAYOUT, INSTRUCTION_SET)
read_values = vector_intrinsic(lane_columns.read_values, LAYOUT, INSTRUCTION_SET)
read_probes = vector_intrinsic(lane_columns.read_probes, LAYOUT, INSTRUCTION_SET)
read_candidates = vector_intrinsic(lane_columns.read_candidates, LAYOUT, INSTRUCTION_SET)
write_values = vector_intrinsic(lane_columns.write_values, LAYOUT, INSTRUCTION_SET)
cells_of_size = vector_intrinsic(lane_columns.cells_of_size, LAYOUT, INSTRUCTION_SET, masks=WORDS)
open_cells = vector_intrinsic(lane_columns.open_cells, LAYOUT, INSTRUCTION_SET, masks=WORDS)
bitboards = vector_intrinsic(lane_columns.bitboards, LAYOUT, INSTRUCTION_SET, masks=WORDS)
shared_candidates = vector_intrinsic(lane_columns.shared_candidates, LAYOUT, INSTRUCTION_SET)

items_at = pointer_to({16: uint16, 32: uint32}[LAYOUT.bits])
numbers_at = pointer_to(int64)
words_at = pointer_to(uint64)
bytes_at = pointer_to(uint8)

inlined = compiled_callee(forceinline=True)
compiled = njit(nogil=True, error_model="numpy", cache=CACHED)


@inlined
def lowest_bit(lanes: int) -> int:
    """Return the lowest member of a set, such as the first of its lanes."""
    return trailing_zeros(lanes)


@inlined
def without_lowest_bit(mask: int) -> int:
    """Return the set without its lowest member."""
    return mask & (mask - uint64(1))


@inlined
def is_finished(task: SearchTask, puzzle: int) -> bool:
    """Return whether enough solutions are known, or a limit was reached (as an unsigned number, a negative count is large)."""
    return uint64(task.counts[puzzle]) >= uint64(task.wanted[puzzle] if PROBING else task.limit)


@inlined
def mark_unfinished(task: SearchTask, puzzle: int) -> None:
    """Note that a limit came before the answer."""
    if not is_finished(task, puzzle):
        task.counts[puzzle] = ~task.counts[puzzle]


# --- branching --------------------------------------------------------------------------------------------------


@inlined
def save_position(task: SearchTask, memory: SearchMemory, lane: int) -> bool:
    """Save the lane's position, and return True; return False if its puzzle is closed."""
    puzzle = memory.current[lane]
    task.nodes[puzzle] += 1
    if task.nodes[puzzle] > task.most_nodes:
        mark_unfinished(task, puzzle)
    if is_finished(task, puzzle):
        return False
    position = lane * DEPTH + memory.top[lane]
    memory.top[lane] += 1
    memory.owner[position] = puzzle
    extract_lane(address_of(memory.board, 0), lane, address_of(memory.saved, position * ROOM))
    return True


@inlined
def find_branch_cells(task: SearchTask, memory: SearchMemory, number: int) -> None:
    """Find the cells that the lane may branch on, those with fewest candidates, and make the bitboards that rank them."""
    lane = memory.lane[number]
    depth = memory.top[lane]
    position = lane * DEPTH + depth - 1
    column = address_of(memory.saved, position * ROOM)
    nodes = task.nodes[memory.owner[position]]
    if PROBING and task.ordered:
        cells = open_cells(column)
        memory.size[number] = 0
    elif (PROBING and nodes <= task.cheap) or (depth > SHALLOW and nodes == depth):
        cells = cells_of_size(column, PAIR)
        memory.size[number] = 0
    else:
        cells = bitboards(column, address_of(memory.boards, number * BOARDS))
        memory.size[number] = PAIR
    size = PAIR
    while not keep_cells(memory, number, cells):
        size += 1
        memory.size[number] += memory.size[number] > 0
        cells = cells_of_size(column, size)


@inlined
def keep_cells(memory: SearchMemory, number: int, cells: Any) -> bool:
    """Store a set of cells to choose from; return whether there are any."""
    some = uint64(0)
    for word in range(WORDS):
        memory.open[number * WORDS + word] = cells[word]
        some |= cells[word]
    return some != 0


@inlined
def branch(task: SearchTask, memory: SearchMemory, number: int) -> None:
    """Decide the cell to branch on; where any will do, two at once."""
    lane = memory.lane[number]
    position = lane * DEPTH + memory.top[lane] - 1
    cell = choose_cell(memory, number, position)
    if not PROBING and memory.size[number] == 0 and task.nodes[memory.owner[position]] < task.most_nodes:
        branch_further(task, memory, number, position, cell)
    decide_cell(memory, lane, position, cell)


@inlined
def branch_further(task: SearchTask, memory: SearchMemory, number: int, position: int, cell: int) -> None:
    """Decide another cell, which is no peer of ``cell``, in a second position that has the first one's decision."""
    lane, following = memory.lane[number], position + 1
    other = find_distant_cell(memory, number, cell)
    if other == NOBODY:
        return
    copy_column(address_of(memory.saved, position * ROOM), address_of(memory.saved, following * ROOM))
    memory.owner[following] = memory.owner[position]
    memory.top[lane] += 1
    task.nodes[memory.owner[position]] += 1
    candidates = int64(memory.saved[position * ROOM + cell])
    memory.saved[following * ROOM + cell] = candidates & -candidates
    decide_cell(memory, lane, following, other)


@inlined
def find_distant_cell(memory: SearchMemory, number: int, cell: int) -> int:
    """Return the first cell that the lane may branch on after ``cell`` and that is no peer of it; or `NOBODY`."""
    for word in range(cell // WORD, WORDS):
        cells = memory.open[number * WORDS + word] & ~memory.peers[cell * WORDS + word]
        if word == cell // WORD:
            cells &= without_lowest_bit(~uint64(0) << uint64(cell % WORD))
        if cells != 0:
            return WORD * word + lowest_bit(cells)
    return NOBODY


@inlined
def decide_cell(memory: SearchMemory, lane: int, position: int, cell: int) -> None:
    """Put the lowest candidate of a cell into the lane, and leave the others in the position."""
    candidates = int64(memory.saved[position * ROOM + cell])
    lowest = candidates & -candidates
    memory.saved[position * ROOM + cell] = candidates ^ lowest
    memory.board[cell * LANES + lane] = lowest


@inlined
def choose_cell(memory: SearchMemory, number: int, position: int) -> int:
    """Return the cell to branch on: the first that shares many candidates with its peers, else the one that shares most.

    If they are not ranked, return the first.
    """
    boards, peers = address_of(memory.boards, number * BOARDS), address_of(memory.peers, 0)
    size = memory.size[number]
    best = int64(-1)
    for word in range(WORDS):
        cells = memory.open[number * WORDS + word]
        while cells != 0:
            cell = WORD * word + lowest_bit(cells)
            cells = without_lowest_bit(cells)
            if size == 0:
                return cell
            values = uint64(memory.saved[position * ROOM + cell])
            first = lowest_bit(values)
            values = without_lowest_bit(values)
            score = shared_candidates(boards, peers, cell, first, lowest_bit(values))
            if size > PAIR:
                third = lowest_bit(without_lowest_bit(values))
                score = 2 * score + shared_candidates(boards, peers, cell, third, third)
            if not PROBING and score >= GOOD:
                return cell
            best = max(best, score * PLACES + cell)
    return best & (PLACES - 1)


@inlined
def branch_all(task: SearchTask, memory: SearchMemory, lanes: int) -> int:
    """Branch in all lanes of a set; return those whose puzzles are closed.

    This is done in phases, so that the stores of one have drained before the next loads vectors over them.
    """
    shut = uint64(0)
    number = 0
    while lanes != 0:
        lane = lowest_bit(lanes)
        rest = without_lowest_bit(lanes)
        if memory.current[lane] != NOBODY and save_position(task, memory, lane):
            memory.lane[number] = lane
            number += 1
        else:
            shut |= lanes ^ rest
        lanes = rest
    for one in range(number):
        find_branch_cells(task, memory, one)
    for one in range(number):
        branch(task, memory, one)
    return shut


# --- solutions and new positions --------------------------------------------------------------------------------


@inlined
def is_wanted(task: SearchTask, puzzle: int) -> bool:
    """Return whether the next solution of a puzzle is the one to be stored."""
    if PROBING:
        return task.keeps and task.counts[puzzle] == task.wanted[puzzle] - 1
    return task.counts[puzzle] == 0


@inlined
def count_solutions(task: SearchTask, memory: SearchMemory, lanes: int) -> None:
    """Count the solutions in a set of lanes, and store those that are wanted."""
    number = 0
    while lanes != 0:
        lane = lowest_bit(lanes)
        lanes = without_lowest_bit(lanes)
        puzzle = memory.current[lane]
        if puzzle == NOBODY:
            continue
        if is_wanted(task, puzzle):
            extract_lane(address_of(memory.board, 0), lane, address_of(memory.column, number * ROOM))
            memory.lane[number] = puzzle
            number += 1
        task.counts[puzzle] += not is_finished(task, puzzle)
    for one in range(number):
        write_values(address_of(memory.column, one * ROOM), address_of(task.solutions, memory.lane[one] * CELLS))


@inlined
def resume_position(task: SearchTask, memory: SearchMemory, lane: int, position: int) -> bool:
    """Load a saved position into a lane, and return True; return False if its puzzle is closed."""
    puzzle = memory.owner[position]
    if is_finished(task, puzzle):
        return False
    memory.current[lane] = puzzle
    insert_lane(address_of(memory.board, 0), lane, address_of(memory.saved, position * ROOM))
    return True


@inlined
def backtrack(task: SearchTask, memory: SearchMemory, lane: int) -> bool:
    """Load the newest position of the lane's own stack whose puzzle is not closed; return whether there was one."""
    while memory.top[lane] > memory.bottom[lane]:
        memory.top[lane] -= 1
        if resume_position(task, memory, lane, lane * DEPTH + memory.top[lane]):
            return True
    memory.top[lane] = memory.bottom[lane] = 0
    return False


@inlined
def take_share(task: SearchTask, shares: int) -> tuple[int, int]:
    """Take the next puzzles that no thread has taken, as share number ``shares``; return the first and the end of them."""
    first = min(fetch_and_add(task.taken, task.share), task.number)
    end = min(first + task.share, task.number)
    if not PROBING and first < end:
        task.starts[shares] = first
        clear_answers(task, first, end)
    return first, end


@inlined
def clear_answers(task: SearchTask, first: int, end: int) -> None:
    """Clear the answers of some puzzles, while the processor's cache is about to need them anyway; of probes they are clear."""
    if PROBING:
        return
    for puzzle in range(first, end):
        task.counts[puzzle] = task.nodes[puzzle] = 0
    for cell in range(first * CELLS, end * CELLS):
        task.solutions[cell] = 0


@inlined
def load_puzzle(task: SearchTask, memory: SearchMemory, lane: int, puzzle: int) -> None:
    """Load a puzzle into a lane."""
    column = address_of(memory.column, 0)
    if PROBING:
        read_probes(column, address_of(task.puzzles, puzzle * CELLS))
    elif task.candidates:
        read_candidates(column, address_of(task.puzzles, puzzle * CELLS * 4))
    else:
        read_values(column, address_of(task.puzzles, puzzle * CELLS))
    memory.current[lane] = puzzle
    insert_lane(address_of(memory.board, 0), lane, column)


@inlined
def steal_position(task: SearchTask, memory: SearchMemory, lane: int) -> bool:
    """Load the oldest position of the deepest stack whose puzzle is not closed; return whether there was one."""
    while True:
        giver = 0
        for other in range(LANES):
            if memory.top[other] - memory.bottom[other] > memory.top[giver] - memory.bottom[giver]:
                giver = other
        if memory.top[giver] == memory.bottom[giver]:
            return False
        memory.bottom[giver] += 1
        if resume_position(task, memory, lane, giver * DEPTH + memory.bottom[giver] - 1):
            return True


# --- the whole --------------------------------------------------------------------------------------------------


@inlined
def apply_rules(address: int) -> Any:
    """Apply every rule to all lanes; return which are dead, which are solved and which are neither and did not change."""
    begin_round(address)
    for band in range(BANDS):
        propagate_rows(address, band)
    for stack in range(STACKS):
        propagate_columns(address, stack)
    dead, least, still = lane_outcomes(address)
    solved = least & ~dead
    if solved != 0:
        solved &= full_lanes(address)[0]
    return dead, solved, still & ~dead & ~solved


@inlined
def abandon_all(task: SearchTask, memory: SearchMemory, upcoming: int, stop: int) -> None:
    """Mark as unfinished every puzzle that is not done: those in the lanes, of the share, and not taken by any thread."""
    for lane in range(LANES):
        if memory.current[lane] != NOBODY:
            mark_unfinished(task, memory.current[lane])
        for depth in range(memory.bottom[lane], memory.top[lane]):
            mark_unfinished(task, memory.owner[lane * DEPTH + depth])
    for puzzle in range(upcoming, stop):
        mark_unfinished(task, puzzle)
    first = min(fetch_and_add(task.taken, task.number), task.number)
    clear_answers(task, first, task.number)
    for puzzle in range(first, task.number):
        mark_unfinished(task, puzzle)


@inlined
def task_at(address: int) -> SearchTask:
    """Return the task whose fields lie at an address, with pointers for addresses.

    Pointers own nothing: every use of an array would be reference-counted.
    """
    fields = numbers_at(address)
    return SearchTask(
        bytes_at(fields[0]),
        fields[1] != 0,
        bytes_at(fields[2]),
        numbers_at(fields[3]),
        numbers_at(fields[4]),
        fields[5],
        fields[6],
        bytes_at(fields[7]),
        fields[8],
        numbers_at(fields[9]),
        fields[10],
        numbers_at(fields[11]),
        numbers_at(fields[12]),
        fields[13] != 0,
        fields[14],
        fields[15] != 0,
        fields[16] != 0,
    )


@inlined
def memory_at(address: int) -> SearchMemory:
    """Return the memory whose fields lie at an address."""
    fields = numbers_at(address)
    return SearchMemory(
        items_at(fields[0]),
        numbers_at(fields[1]),
        items_at(fields[2]),
        numbers_at(fields[3]),
        numbers_at(fields[4]),
        numbers_at(fields[5]),
        items_at(fields[6]),
        words_at(fields[7]),
        words_at(fields[8]),
        numbers_at(fields[9]),
        numbers_at(fields[10]),
        words_at(fields[11]),
    )


@compiled
def search(task_address: int, memory_address: int) -> int:
    """Count the solutions of the puzzles that no thread has taken and keep one of each; return how many shares were taken.

    The fields of the task and of the memory lie at these addresses, a number of 64 bits each, arrays as their addresses.
    Threads that call this at the same time share the puzzles, and are done within a share of each other.
    """
    align_stack()
    task, memory = task_at(task_address), memory_at(memory_address)
    for lane in range(LANES):
        memory.board[ONES * LANES + lane] = 1
        memory.current[lane] = NOBODY
        memory.top[lane] = memory.bottom[lane] = 0
    upcoming, stop, shares, active = int64(0), int64(0), 0, 0
    done = uint64(ALL_LANES)
    while True:
        left = True
        while done != 0:
            lane = lowest_bit(done)
            done = without_lowest_bit(done)
            active -= memory.current[lane] != NOBODY
            memory.current[lane] = NOBODY
            memory.board[BEFORE * LANES + lane] = 0
            if not backtrack(task, memory, lane):
                if upcoming == stop < task.number:
                    upcoming, stop = take_share(task, shares)
                    shares += upcoming < stop
                if upcoming < stop:
                    load_puzzle(task, memory, lane, upcoming)
                    upcoming += 1
                elif not PROBING or task.steals:
                    left = left and steal_position(task, memory, lane)
            active += memory.current[lane] != NOBODY
        if active == 0:
            return shares
        if task.halt[0]:
            abandon_all(task, memory, upcoming, stop)
            return shares
        dead, solved, still = apply_rules(address_of(memory.board, 0))
        shut = branch_all(task, memory, still)
        count_solutions(task, memory, solved)
        done = dead | solved | shut
