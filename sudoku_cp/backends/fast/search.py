"""The search of the lane kernel: plain Numba over the kernels of `rules` and `columns`.

This module is a template: `kept` runs it once for each shape of grid, after `template` has been told which; and once more for
`probing`, whose answers hang on nothing but their own puzzle, so that lanes help each other only where that cannot be seen.

A round applies every rule to all lanes. Then lanes that came to a standstill branch: the other candidates are saved on the lane's
stack. Lanes that are done take the newest position of their own stack, else the next puzzle, else the oldest position of the
deepest stack, so that one hard puzzle comes to occupy them all. Nothing recurses, and nothing is allocated while it runs.
"""

from __future__ import annotations

from typing import Any

from numba import int64, njit, uint8, uint16, uint32, uint64

from sudoku_cp.backends.fast import columns, rules
from sudoku_cp.backends.fast.asked import Memory, Work
from sudoku_cp.backends.fast.kernels import at, lane_kernel, pointer_to, trailing_zeros
from sudoku_cp.backends.fast.template import KEPT, MACHINE, PROBING, SHAPE

LANES = MACHINE.lanes(SHAPE.bits)
CELLS, SIDE = SHAPE.cells, SHAPE.side
BANDS, STACKS = SHAPE.width, SHAPE.height
ONES, BEFORE = SHAPE.ones, SHAPE.before
WORDS = columns.words(SHAPE)
ROOM = columns.room(SHAPE)
"""Items of a column."""
BOARDS = SIDE * 2 * WORDS
"""Words of the bitboards of a column."""
DEPTH = CELLS + 1
"""Positions on a stack: each has a cell more decided than the one below it."""
SHALLOW = 7
"""A puzzle that has met no contradiction so many guesses deep has many solutions: any cell will do."""
PLACES = 1024
"""More than there are cells, so that a score and a cell fit into one number."""
ALL_LANES = (1 << LANES) - 1
NOBODY = -1
PAIR = columns.PAIR

begin_round = lane_kernel(rules.begin_round, SHAPE, MACHINE)
settle_rows = lane_kernel(rules.settle_rows, SHAPE, MACHINE)
settle_columns = lane_kernel(rules.settle_columns, SHAPE, MACHINE)
judge = lane_kernel(rules.judge, SHAPE, MACHINE, masks=3)
take_out = lane_kernel(columns.take_out, SHAPE, MACHINE)
put_in = lane_kernel(columns.put_in, SHAPE, MACHINE)
read_values = lane_kernel(columns.read_values, SHAPE, MACHINE)
read_probes = lane_kernel(columns.read_probes, SHAPE, MACHINE)
read_candidates = lane_kernel(columns.read_candidates, SHAPE, MACHINE)
write_values = lane_kernel(columns.write_values, SHAPE, MACHINE)
cells_with = lane_kernel(columns.cells_with, SHAPE, MACHINE, masks=WORDS)
open_cells = lane_kernel(columns.open_cells, SHAPE, MACHINE, masks=WORDS)
bitboards = lane_kernel(columns.bitboards, SHAPE, MACHINE, masks=WORDS)
shared = lane_kernel(columns.shared, SHAPE, MACHINE)

items_at = pointer_to({16: uint16, 32: uint32}[SHAPE.bits])
numbers_at = pointer_to(int64)
words_at = pointer_to(uint64)
bytes_at = pointer_to(uint8)

inlined = njit(nogil=True, error_model="numpy", forceinline=True)
compiled = njit(nogil=True, error_model="numpy", cache=KEPT)


@inlined
def first_of(lanes: int) -> int:
    """Return the lowest of a set of lanes."""
    return trailing_zeros(lanes)


@inlined
def without_first(mask: int) -> int:
    """Return the set without its lowest."""
    return mask & (mask - uint64(1))


@inlined
def closed(work: Work, puzzle: int) -> bool:
    """Say whether enough solutions are known, or a limit has come (as an unsigned number, a negative count is large)."""
    return uint64(work.counts[puzzle]) >= uint64(work.wanted[puzzle] if PROBING else work.limit)


@inlined
def give_up(work: Work, puzzle: int) -> None:
    """Note that a limit came before the answer."""
    if not closed(work, puzzle):
        work.counts[puzzle] = ~work.counts[puzzle]


# --- branching --------------------------------------------------------------------------------------------------


@inlined
def save(work: Work, memory: Memory, lane: int) -> bool:
    """Save the lane's position; say whether it may branch there, or its puzzle is closed."""
    puzzle = memory.current[lane]
    work.nodes[puzzle] += 1
    if work.nodes[puzzle] > work.most_nodes:
        give_up(work, puzzle)
    if closed(work, puzzle):
        return False
    position = lane * DEPTH + memory.top[lane]
    memory.top[lane] += 1
    memory.owner[position] = puzzle
    take_out(at(memory.board, 0), lane, at(memory.saved, position * ROOM))
    return True


@inlined
def survey(work: Work, memory: Memory, number: int) -> None:
    """Find the cells that the lane may branch on, those with fewest candidates, and make the bitboards to judge them by."""
    lane = memory.lane[number]
    depth = memory.top[lane]
    position = lane * DEPTH + depth - 1
    column = at(memory.saved, position * ROOM)
    nodes = work.nodes[memory.owner[position]]
    if PROBING and work.ordered:
        cells = open_cells(column)
        memory.size[number] = 0
    elif (PROBING and nodes <= work.cheap) or (depth > SHALLOW and nodes == depth):
        cells = cells_with(column, PAIR)
        memory.size[number] = 0
    else:
        cells = bitboards(column, at(memory.boards, number * BOARDS))
        memory.size[number] = PAIR
    size = PAIR
    while not note(memory, number, cells):
        size += 1
        memory.size[number] += memory.size[number] > 0
        cells = cells_with(column, size)


@inlined
def note(memory: Memory, number: int, cells: Any) -> bool:
    """Keep a set of cells; say whether there are any."""
    some = uint64(0)
    for word in range(WORDS):
        memory.open[number * WORDS + word] = cells[word]
        some |= cells[word]
    return some != 0


@inlined
def branch(memory: Memory, number: int) -> None:
    """Leave the lane with the lowest candidate of a cell, and the position it saved with the others."""
    lane = memory.lane[number]
    position = lane * DEPTH + memory.top[lane] - 1
    cell = choose(memory, number, position)
    candidates = int64(memory.saved[position * ROOM + cell])
    lowest = candidates & -candidates
    memory.saved[position * ROOM + cell] = candidates ^ lowest
    memory.board[cell * LANES + lane] = lowest


@inlined
def choose(memory: Memory, number: int, position: int) -> int:
    """Return the cell to branch on: the one that shares most candidates with its peers, or just one of them."""
    boards, peers = at(memory.boards, number * BOARDS), at(memory.peers, 0)
    size = memory.size[number]
    best = int64(-1)
    for word in range(WORDS):
        cells = memory.open[number * WORDS + word]
        while cells != 0:
            cell = 64 * word + first_of(cells)
            cells = without_first(cells)
            if size == 0:
                return cell
            values = uint64(memory.saved[position * ROOM + cell])
            first = first_of(values)
            values = without_first(values)
            score = shared(boards, peers, cell, first, first_of(values))
            if size > PAIR:
                third = first_of(without_first(values))
                score = 2 * score + shared(boards, peers, cell, third, third)
            best = max(best, score * PLACES + cell)
    return best & (PLACES - 1)


@inlined
def branch_all(work: Work, memory: Memory, lanes: int) -> int:
    """Branch in all lanes of a set; return those that cannot, their puzzles being closed.

    In phases, so that the stores of one have drained before vectors are loaded over them in the next.
    """
    shut = uint64(0)
    number = 0
    while lanes != 0:
        lane = first_of(lanes)
        rest = without_first(lanes)
        if memory.current[lane] != NOBODY and save(work, memory, lane):
            memory.lane[number] = lane
            number += 1
        else:
            shut |= lanes ^ rest
        lanes = rest
    for one in range(number):
        survey(work, memory, one)
    for one in range(number):
        branch(memory, one)
    return shut


# --- solutions and new positions --------------------------------------------------------------------------------


@inlined
def is_kept(work: Work, puzzle: int) -> bool:
    """Say whether the next solution of a puzzle is the one to be written down."""
    if PROBING:
        return work.keeps and work.counts[puzzle] == work.wanted[puzzle] - 1
    return work.counts[puzzle] == 0


@inlined
def count_all(work: Work, memory: Memory, lanes: int) -> None:
    """Count the solutions in a set of lanes, and write down those that are to be kept."""
    number = 0
    while lanes != 0:
        lane = first_of(lanes)
        lanes = without_first(lanes)
        puzzle = memory.current[lane]
        if puzzle == NOBODY:
            continue
        if is_kept(work, puzzle):
            take_out(at(memory.board, 0), lane, at(memory.column, number * ROOM))
            memory.lane[number] = puzzle
            number += 1
        work.counts[puzzle] += not closed(work, puzzle)
    for one in range(number):
        write_values(at(memory.column, one * ROOM), at(work.solutions, memory.lane[one] * CELLS))


@inlined
def take_up(work: Work, memory: Memory, lane: int, position: int) -> bool:
    """Go on in a lane with a saved position, unless its puzzle is closed."""
    puzzle = memory.owner[position]
    if closed(work, puzzle):
        return False
    memory.current[lane] = puzzle
    put_in(at(memory.board, 0), lane, at(memory.saved, position * ROOM))
    return True


@inlined
def resume(work: Work, memory: Memory, lane: int) -> bool:
    """Go on with the newest position of the lane's own stack, if it has one that is not closed."""
    while memory.top[lane] > memory.bottom[lane]:
        memory.top[lane] -= 1
        if take_up(work, memory, lane, lane * DEPTH + memory.top[lane]):
            return True
    memory.top[lane] = memory.bottom[lane] = 0
    return False


@inlined
def load(work: Work, memory: Memory, lane: int, puzzle: int) -> None:
    """Begin a puzzle."""
    column = at(memory.column, 0)
    if PROBING:
        read_probes(column, at(work.puzzles, puzzle * CELLS))
    elif work.candidates:
        read_candidates(column, at(work.puzzles, puzzle * CELLS * 4))
    else:
        read_values(column, at(work.puzzles, puzzle * CELLS))
    memory.current[lane] = puzzle
    put_in(at(memory.board, 0), lane, column)


@inlined
def steal(work: Work, memory: Memory, lane: int) -> bool:
    """Go on with the oldest position of the deepest stack, if there is one that is not closed."""
    while True:
        giver = 0
        for other in range(LANES):
            if memory.top[other] - memory.bottom[other] > memory.top[giver] - memory.bottom[giver]:
                giver = other
        if memory.top[giver] == memory.bottom[giver]:
            return False
        memory.bottom[giver] += 1
        if take_up(work, memory, lane, giver * DEPTH + memory.bottom[giver] - 1):
            return True


# --- the whole --------------------------------------------------------------------------------------------------


@inlined
def one_round(address: int) -> Any:
    """Apply every rule to all lanes; return which are dead, which are solved and which did not change."""
    begin_round(address)
    for band in range(BANDS):
        settle_rows(address, band)
    for stack in range(STACKS):
        settle_columns(address, stack)
    return judge(address)


@inlined
def abandon(work: Work, memory: Memory, upcoming: int, stop: int) -> None:
    """Give up every puzzle that is not done."""
    for lane in range(LANES):
        if memory.current[lane] != NOBODY:
            give_up(work, memory.current[lane])
        for depth in range(memory.bottom[lane], memory.top[lane]):
            give_up(work, memory.owner[lane * DEPTH + depth])
    for puzzle in range(upcoming, stop):
        give_up(work, puzzle)


@inlined
def work_at(asked: Work) -> Work:
    """Return pointers for addresses. They own nothing: of arrays, every use would be counted."""
    return Work(
        bytes_at(asked.puzzles),
        asked.candidates,
        bytes_at(asked.solutions),
        numbers_at(asked.counts),
        numbers_at(asked.nodes),
        asked.limit,
        asked.most_nodes,
        bytes_at(asked.halt),
        numbers_at(asked.wanted),
        asked.keeps,
        asked.cheap,
        asked.ordered,
        asked.steals,
    )


@inlined
def memory_at(memories: Memory) -> Memory:
    """Return pointers for addresses."""
    return Memory(
        items_at(memories.board),
        numbers_at(memories.current),
        items_at(memories.saved),
        numbers_at(memories.owner),
        numbers_at(memories.bottom),
        numbers_at(memories.top),
        items_at(memories.column),
        words_at(memories.boards),
        words_at(memories.open),
        numbers_at(memories.lane),
        numbers_at(memories.size),
        words_at(memories.peers),
    )


@compiled
def search(asked: Work, memories: Memory, start: int, stop: int) -> None:
    """Count the solutions of the puzzles from ``start`` to ``stop`` and keep one of each; arrays come as addresses."""
    work, memory = work_at(asked), memory_at(memories)
    for lane in range(LANES):
        memory.board[ONES * LANES + lane] = 1
        memory.current[lane] = NOBODY
        memory.top[lane] = memory.bottom[lane] = 0
    upcoming, active = start, 0
    done = uint64(ALL_LANES)
    while True:
        left = True
        while done != 0:
            lane = first_of(done)
            done = without_first(done)
            active -= memory.current[lane] != NOBODY
            memory.current[lane] = NOBODY
            memory.board[BEFORE * LANES + lane] = 0
            if not resume(work, memory, lane):
                if upcoming < stop:
                    load(work, memory, lane, upcoming)
                    upcoming += 1
                elif not PROBING or work.steals:
                    left = left and steal(work, memory, lane)
            active += memory.current[lane] != NOBODY
        if active == 0:
            return
        if work.halt[0]:
            abandon(work, memory, upcoming, stop)
            return
        dead, solved, still = one_round(at(memory.board, 0))
        shut = branch_all(work, memory, still & ~dead & ~solved)
        solved &= ~dead
        count_all(work, memory, solved)
        done = dead | solved | shut
