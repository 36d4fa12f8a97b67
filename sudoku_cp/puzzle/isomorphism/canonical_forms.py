"""Isomorphism: keys, canonical forms, numbers of symmetries, and random isomorphic copies.

Two puzzles are **isomorphic** if permuting the cells and renaming the values turns one into the other, and the rules of
one into those of the other. `docs/canonical-form.md` says which permutations and renamings these are for which rules.
"""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any

from sudoku_cp.compile_cache import CachedModule, can_compile
from sudoku_cp.puzzle.isomorphism import canonical_labelling, minlex, plain_board_symmetries
from sudoku_cp.puzzle.isomorphism.canonical_labelling import equal_lines_size
from sudoku_cp.puzzle.isomorphism.plain_board_symmetries import orders_of, smallest, turns_of
from sudoku_cp.puzzle.puzzle import Puzzle

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Sequence

    from sudoku_cp.puzzle.isomorphism.canonical_labelling import Shape


def canonical(puzzle: Puzzle, tick: Callable[[], object] = int) -> Puzzle:
    """Return the one puzzle that stands for all that are isomorphic to it on the same grid under the same rules.

    On a board with equal boxes under the plain rule, it is the one whose line is smallest, blanks before values. Texts, alphabet
    and stated solution are dropped. ``tick`` is called now and then and may raise to give up.
    """
    bare = Puzzle(puzzle.grid, puzzle.rules, puzzle.givens, puzzle.candidates)
    shape = plain_board_symmetries.shape_of(puzzle)
    if shape is None:
        from sudoku_cp.puzzle.isomorphism import general_puzzles  # noqa: PLC0415  # most puzzles are boards with boxes

        return general_puzzles.canonical_transformation(bare, tick).of(bare)
    below = puzzle.grid.values[0] - 1
    cells = plain_board_symmetries.smallest(plain_board_symmetries.givens_of(puzzle), shape, tick).cells
    return bare.with_givens({cell: value + below for cell, value in enumerate(cells) if value})


def canonical_key(puzzle: Puzzle, tick: Callable[[], object] = int) -> Hashable:
    """Return a key that is equal for isomorphic puzzles and never for others; the same in every process."""
    shape = plain_board_symmetries.shape_of(puzzle)
    if shape is not None:
        return shape, bytes(plain_board_symmetries.smallest(plain_board_symmetries.givens_of(puzzle), shape, tick).cells)
    from sudoku_cp.puzzle.isomorphism import general_puzzles  # noqa: PLC0415

    return general_puzzles.canonical_key(puzzle, tick)


def canonical_keys(puzzles: Iterable[Puzzle], tick: Callable[[], object] = int) -> list[Hashable]:
    """Return the key of each puzzle; many boards of the same shape use compiled code, ten thousand a second."""
    listed = list(puzzles)
    places: dict[Shape | None, list[int]] = {}
    for place, puzzle in enumerate(listed):
        places.setdefault(plain_board_symmetries.shape_of(puzzle), []).append(place)
    found: dict[int, Hashable] = {}
    for shape, alike in places.items():
        if shape is not None and is_worthwhile(len(alike)):
            forms = smallest_of([plain_board_symmetries.givens_of(listed[place]) for place in alike], shape, tick)
            found.update((place, (shape, form)) for place, form in zip(alike, forms, strict=True))
        else:
            found.update((place, canonical_key(listed[place], tick)) for place in alike)
    return [found[place] for place in range(len(listed))]


def automorphism_count(puzzle: Puzzle, tick: Callable[[], object] = int) -> int:
    """Return how many symmetries of the rules, each a permutation of cells with a renaming of values, keep a puzzle as it is.

    Renamings that differ only in values that do not occur are counted separately: an empty 9x9 board has 3,359,232 x 9! of them.
    """
    shape = plain_board_symmetries.shape_of(puzzle)
    if shape is not None:
        return plain_board_symmetries.automorphism_count(plain_board_symmetries.givens_of(puzzle), shape, tick)
    from sudoku_cp.puzzle.isomorphism import general_puzzles  # noqa: PLC0415

    return general_puzzles.automorphism_count(puzzle, tick)


def scramble(puzzle: Puzzle, seed: int | None = None) -> Puzzle:
    """Return the puzzle under a random symmetry, the same for the same ``seed``; a stated solution is transformed too.

    Under rules other than the plain one, or with irregular regions, the whole plane may be turned as well.
    """
    random = Random(seed)  # noqa: S311  # not used for secrets
    shape = plain_board_symmetries.shape_of_grid(puzzle.grid) if puzzle.rules == Puzzle(puzzle.grid).rules else None
    if shape is not None:
        return plain_board_symmetries.random_symmetry(puzzle, shape, random).of(puzzle)
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
