"""Isomorphism: keys, canonical forms, numbers of symmetries, and random isomorphic copies.

Two puzzles are **isomorphic** if permuting the cells and renaming the values turns one into the other, and the rules of
one into those of the other. `docs/canonical-form.md` says which permutations and renamings these are for which rules.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import pairwise, permutations
from math import factorial, prod
from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple

from sudoku_cp.compile_cache import CachedModule, can_compile
from sudoku_cp.puzzle.isomorphism import canonical_labelling, minlex
from sudoku_cp.puzzle.isomorphism.canonical_labelling import equal_lines_size, find_equal_lines
from sudoku_cp.puzzle.isomorphism.general_puzzles import Transformation
from sudoku_cp.puzzle.puzzle import CLASSIC, Puzzle

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Sequence

    from sudoku_cp.grid import Grid
    from sudoku_cp.puzzle.isomorphism.canonical_labelling import Shape


# Boards with equal boxes (or none) under the plain rule: the arrangements of rows and columns that keep the rule.
#
# These are the orders of the bands, of the rows in each band, of the stacks, of the columns in each stack, and transposition
# where board and boxes are square: 3,359,232 on the usual board. Each goes together with every relabelling of the values.


MAX_STACKS = 6
"""Boards of more stacks are left to the general method, as all orders of stacks are tried."""
INITIAL_STATES = 512
"""The number of states allocated at first."""


class MinlexForm(NamedTuple):
    """The smallest form, cell by cell (0 where blank), and the states that have it."""

    cells: tuple[int, ...]
    after: list[int]
    states: list[list[int]]


def shape_of(puzzle: Puzzle) -> Shape | None:
    """Return the shape of a puzzle that this file handles, None for any other."""
    return None if puzzle.rules != CLASSIC or puzzle.candidates else shape_of_grid(puzzle.grid)


def shape_of_grid(grid: Grid) -> Shape | None:
    """Return the shape of a board with equal boxes or none; None for jigsaws and several boards."""
    board, *others = grid.boards
    if others or board.regions is not None:
        return None
    height, width = board.boxes or (board.rows, board.columns)
    return None if board.columns // width > MAX_STACKS else (board.rows, board.columns, height, width, len(grid.values))


def turns_of(shape: Shape) -> int:
    """Return 2 where transposition keeps the shape, else 1."""
    rows, columns, height, width, _ = shape
    return 2 if (rows, height) == (columns, width) else 1


@lru_cache(maxsize=64)
def orders_of(shape: Shape) -> tuple[int, ...]:
    """Return all orders of the stacks, concatenated."""
    stacks = shape[1] // shape[3]
    return tuple(stack for order in permutations(range(stacks)) for stack in order)


def transpose(cells: Sequence[int], shape: Shape) -> list[int]:
    """Return the cells of a board in the order of the transposed one."""
    columns = shape[1]
    return [cell for column in range(columns) for cell in cells[column::columns]]


def givens_of(puzzle: Puzzle) -> list[int]:
    """Return the values of the cells counted from 1, and 0 for blanks."""
    below = puzzle.grid.values[0] - 1
    return [puzzle.givens[cell] - below if cell in puzzle.givens else 0 for cell in puzzle.grid.cells]


def smallest(cells: Sequence[int], shape: Shape, tick: Callable[[], object] = int) -> MinlexForm:
    """Return the smallest form of a board; ``tick`` is called now and then and may raise to give up."""
    turns, size, orders = turns_of(shape), minlex.size_of(shape), orders_of(shape)
    given = [*cells, *(transpose(cells, shape) if turns > 1 else ())]
    after, best, scratch = [0] * equal_lines_size(turns, shape), [0] * (len(cells) + 1), [0] * minlex.scratch_of(shape)
    find_equal_lines(given, turns, after, shape)
    states, kept = [0] * (size * turns * len(orders)), [0] * (size * INITIAL_STATES)
    count = minlex.start_states(states, turns, orders, after, shape)
    level = state = 0
    while level < shape[0]:
        if state == 0:
            minlex.clear_row(best, level, shape)
        tick()
        if not minlex.extend(states, state * size, level, given, after, scratch, best, shape, kept):
            kept, state = [0] * (4 * len(kept)), 0  # the row is started again
            continue
        state += 1
        if state == count:
            states, kept, count, state, level = kept, states, best[-1], 0, level + 1
    return MinlexForm(tuple(best[:-1]), after, [states[start : start + size] for start in range(0, count * size, size)])


# --- symmetries ---------------------------------------------------------------------------------------------------


def board_automorphism_count(cells: Sequence[int], shape: Shape, tick: Callable[[], object] = int) -> int:
    """Return how many arrangements, each with a relabelling, keep a board as it is: as many as produce the smallest form."""
    found = smallest(cells, shape, tick)
    total = sum(_arrangement_count(state, found.after, shape) for state in found.states)
    return total * factorial(shape[4] - len(set(cells) - {0}))


def _arrangement_count(state: Sequence[int], after: Sequence[int], shape: Shape) -> int:
    """Return the number of arrangements of a state: any order of the columns in a part, and of equal rows, bands and stacks."""
    rows, columns, height, width, _ = shape
    bands, stacks = rows // height, columns // width
    turn, turns = state[minlex.TURNED], turns_of(shape)
    starts = [place for place in range(columns + 1) if state[minlex.STARTS] >> place & 1]
    product = prod(factorial(end - start) for start, end in pairwise(starts))
    own = turn * (rows + bands)
    product *= _order_count(after[own : own + rows]) * _order_count(after[own + rows : own + rows + bands])
    return product * _order_count(after[turns * (rows + bands) + turn * stacks :][:stacks])


def _order_count(before: Sequence[int]) -> int:
    """Return the number of orders of some lines, given for each the last equal one before it, or -1."""
    numbers: list[int] = []
    for like in before:
        numbers.append(1 if like < 0 else numbers[like] + 1)
    return prod(numbers)


def random_symmetry(puzzle: Puzzle, shape: Shape, random: Random) -> Transformation:
    """Return an arrangement and a relabelling, each as likely as any other."""
    rows, columns, height, width, _ = shape
    down, right = _shuffle_lines(rows, height, random), _shuffle_lines(columns, width, random)
    cells = [row * columns + column for row in down for column in right]
    if turns_of(shape) > 1 and random.randrange(2):
        cells = transpose(cells, shape)
    values = list(puzzle.grid.values)
    random.shuffle(values)
    return Transformation(tuple(cells), dict(zip(puzzle.grid.values, values, strict=True)))


def _shuffle_lines(lines: int, size: int, random: Random) -> list[int]:
    groups = [random.sample(range(start, start + size), size) for start in range(0, lines, size)]
    random.shuffle(groups)
    return [line for group in groups for line in group]


def canonical(puzzle: Puzzle, tick: Callable[[], object] = int) -> Puzzle:
    """Return the one puzzle that stands for all that are isomorphic to it on the same grid under the same rules.

    On a board with equal boxes under the plain rule, it is the one whose line is smallest, blanks before values. Texts, alphabet
    and stated solution are dropped. ``tick`` is called now and then and may raise to give up.
    """
    bare = Puzzle(puzzle.grid, puzzle.rules, puzzle.givens, puzzle.candidates)
    shape = shape_of(puzzle)
    if shape is None:
        from sudoku_cp.puzzle.isomorphism import general_puzzles  # noqa: PLC0415  # most puzzles are boards with boxes

        return general_puzzles.canonical_transformation(bare, tick).of(bare)
    below = puzzle.grid.values[0] - 1
    cells = smallest(givens_of(puzzle), shape, tick).cells
    return bare.with_givens({cell: value + below for cell, value in enumerate(cells) if value})


def canonical_key(puzzle: Puzzle, tick: Callable[[], object] = int) -> Hashable:
    """Return a key that is equal for isomorphic puzzles and never for others; the same in every process."""
    shape = shape_of(puzzle)
    if shape is not None:
        return shape, bytes(smallest(givens_of(puzzle), shape, tick).cells)
    from sudoku_cp.puzzle.isomorphism import general_puzzles  # noqa: PLC0415

    return general_puzzles.canonical_key(puzzle, tick)


def canonical_keys(puzzles: Iterable[Puzzle], tick: Callable[[], object] = int) -> list[Hashable]:
    """Return the key of each puzzle; many boards of the same shape use compiled code, ten thousand a second."""
    listed = list(puzzles)
    places: dict[Shape | None, list[int]] = {}
    for place, puzzle in enumerate(listed):
        places.setdefault(shape_of(puzzle), []).append(place)
    found: dict[int, Hashable] = {}
    for shape, alike in places.items():
        if shape is not None and is_worthwhile(len(alike)):
            forms = smallest_of([givens_of(listed[place]) for place in alike], shape, tick)
            found.update((place, (shape, form)) for place, form in zip(alike, forms, strict=True))
        else:
            found.update((place, canonical_key(listed[place], tick)) for place in alike)
    return [found[place] for place in range(len(listed))]


def automorphism_count(puzzle: Puzzle, tick: Callable[[], object] = int) -> int:
    """Return how many symmetries of the rules, each a permutation of cells with a renaming of values, keep a puzzle as it is.

    Renamings that differ only in values that do not occur are counted separately: an empty 9x9 board has 3,359,232 x 9! of them.
    """
    shape = shape_of(puzzle)
    if shape is not None:
        return board_automorphism_count(givens_of(puzzle), shape, tick)
    from sudoku_cp.puzzle.isomorphism import general_puzzles  # noqa: PLC0415

    return general_puzzles.automorphism_count(puzzle, tick)


def scramble(puzzle: Puzzle, seed: int | None = None) -> Puzzle:
    """Return the puzzle under a random symmetry, the same for the same ``seed``; a stated solution is transformed too.

    Under rules other than the plain one, or with irregular regions, the whole plane may be turned as well.
    """
    random = Random(seed)  # noqa: S311  # not used for secrets
    shape = shape_of_grid(puzzle.grid) if puzzle.rules == Puzzle(puzzle.grid).rules else None
    if shape is not None:
        return random_symmetry(puzzle, shape, random).of(puzzle)
    from sudoku_cp.puzzle.isomorphism import general_puzzles  # noqa: PLC0415

    return general_puzzles.random_reorientation(general_puzzles.random_symmetry(puzzle, random).of(puzzle), random)


# The smallest forms of many boards at a time: `minlex`, compiled by Numba.


ENOUGH, MANY = 500, 10_000
"""The least numbers of boards for which it pays to load the compiled code, and to compile it."""
STATES = 4096
"""States that there is room for; a board that needs more is left to plain Python."""
PIECE = 1000
"""Boards between two ticks."""

_kernel = CachedModule.of_functions("minlex", (canonical_labelling, minlex), ("many",), "the kernel of smallest forms")


def is_worthwhile(number: int) -> bool:
    """Return whether the compiled code saves more time on so many boards than loading or compiling it takes."""
    if number < ENOUGH or not can_compile():
        return False
    return number >= MANY or _kernel.is_loaded or _kernel.is_cached()


def smallest_of(boards: Sequence[Sequence[int]], shape: Shape, tick: Any = int) -> list[bytes]:
    """Return the smallest form of each board, one byte per cell."""
    import numpy as np  # noqa: PLC0415  # only the compiled code needs it

    turns, size = turns_of(shape), minlex.size_of(shape)
    cells = np.array(boards, np.int64).reshape(len(boards), shape[0], shape[1])
    given = np.stack([cells, cells.swapaxes(1, 2)], 1) if turns > 1 else cells
    given = np.ascontiguousarray(given).reshape(len(boards), -1)
    best = np.zeros((len(boards), shape[0] * shape[1] + 1), np.int64)
    orders = np.array(orders_of(shape))
    rooms = [equal_lines_size(turns, shape), minlex.scratch_of(shape), *[size * max(STATES, turns * len(orders))] * 2]
    after, scratch, states, kept = (np.zeros(room, np.int64) for room in rooms)
    for start in range(0, len(boards), PIECE):
        tick()
        piece = slice(start, start + PIECE)
        _kernel.call("many", given[piece], turns, orders, after, scratch, states, kept, best[piece], shape)
    found = [row.tobytes() for row in best[:, :-1].astype(np.uint8)]
    for board in np.flatnonzero(best[:, -1] < 0).tolist():
        found[board] = bytes(smallest(boards[board], shape, tick).cells)
    return found
