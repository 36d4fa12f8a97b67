"""Full grids of plain boards, by the method that is best for their boxes."""

from __future__ import annotations

from functools import lru_cache, partial
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np

from sudoku_cp.backends import UNLIMITED, Limits
from sudoku_cp.backends.fast import side_of
from sudoku_cp.backends.fast.lane_solver import Prober, probe
from sudoku_cp.backends.fast.puzzle_arrays import run_watched
from sudoku_cp.errors import LimitReached
from sudoku_cp.generate.plain.generator_kernel import all_4x4_grids, call_kernel, stream_of, tables

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from sudoku_cp.backends.fast import Boxes


# Work on many boards, cut into blocks and run in threads, within limits.


if TYPE_CHECKING:
    Halt: TypeAlias = NDArray[np.uint8]
    """A flag that is set once a limit is reached."""

BLOCK = 8192
"""Boards in a block: enough to fill the lanes, few enough for the caches."""


def run_in_blocks(number: int, work: Callable[[slice, Halt], bool], limits: Limits, threads: int = 1) -> None:
    """Run ``work`` on blocks of ``number`` boards; it returns whether it finished.

    Raises `LimitReached` if some did not. The result for a board does not depend on its block or thread.
    """
    clock = limits.started()
    halt = np.zeros(1, np.uint8)
    size = min(BLOCK, max(1, -(-number // threads)))
    blocks = [slice(start, min(number, start + size)) for start in range(0, number, size)]
    ended = [False] * len(blocks)

    def task(place: int) -> None:
        if not halt[0]:
            ended[place] = work(blocks[place], halt)

    run_watched([partial(task, place) for place in range(len(blocks))], clock, halt, threads)
    if not all(ended):
        raise LimitReached(clock.reached() or "deadline", f"{clock.elapsed:.3g} s")


# Random words of 32 bits for many puzzles; they depend on the seed, the puzzle, the try and the purpose alone.


def random_words(
    seed: int, numbers: NDArray[np.int64], tries: NDArray[np.int64], purpose: str, amount: int
) -> NDArray[np.uint32]:
    """Return numbers (N, amount), uniform from 0 to 2**32 - 1, for each of the puzzles ``numbers`` (N,) and its try."""
    words = np.empty((len(numbers), amount), np.uint32)
    call_kernel("draw_words", stream_of(seed, purpose), numbers, tries, words)
    return words


def below(words: NDArray[np.uint32], bound: NDArray[np.int64] | int) -> NDArray[np.int64]:
    """Return numbers from 0 to ``bound`` - 1, uniform up to a bias of ``bound`` / 2**32."""
    return (words.astype(np.uint64) * np.asarray(bound, np.uint64) >> np.uint64(32)).astype(np.int64)


# Uniform full grids: of 4x4 by their index, of 6x6 and 9x9 by rejection sampling.
#
# On 9x9 a trial fills boxes 1, 2, 3, 4, 7 and 5 so that every way to do so is equally likely, and then takes completion number
# j of the board, in lexicographic order, j drawn from 1 to M = 32. If there are fewer, the trial is rejected. So every grid
# that can be drawn is provably as likely as any other. All grids can be drawn if no six boxes have more than M completions:
# that is observed, not proved; 28 were the most in 55 million trials.
#
# On 6x6 all first bands are equally likely: any box 1, and a box 2 with the rows of box 1 exchanged, each in any order. Then
# completion number j is taken, j drawn from 1 to `MOST_COMPLETIONS`; if there are fewer, everything is drawn again.


TRIED: tuple[Boxes, ...] = ((2, 2), (3, 3))
"""The boxes of boards that are drawn uniformly."""
WIDE: Boxes = (2, 3)
SIXES: tuple[Boxes, ...] = (WIDE, (3, 2))
"""The boxes of boards of 6x6."""
MOST_COMPLETIONS = 1408
"""The most completions of a first band of 6x6: some have 928, some 1088, the others 1408, in all 28,200,960 grids."""
EACH, MOST_EACH, FULL = 2, 16, 256
"""Trials of a puzzle in one call: few, and more where few puzzles are left, so that a kernel call has `FULL` of them."""


def uniform_grids(
    boxes: Boxes, seed: int, numbers: NDArray[np.int64], tries: NDArray[np.int64], grids: NDArray[np.uint8], halt: Halt
) -> bool:
    """Write a grid for each number and try, which depends on these and the seed alone; return whether it finished."""
    if boxes == (2, 2):
        call_kernel("draw_4x4_grids", stream_of(seed, "grid"), numbers, tries, all_4x4_grids(), grids)
        return True
    return _by_trials(seed, numbers, tries, grids, halt)


def _by_trials(seed: int, numbers: NDArray[np.int64], tries: NDArray[np.int64], grids: NDArray[np.uint8], halt: Halt) -> bool:
    stream, about, room = stream_of(seed, "grid"), tables(), np.zeros((3, 20), np.int64)
    who, left = np.array([numbers, tries, np.zeros_like(numbers)]), np.arange(len(numbers))
    most = EACH * len(numbers) + MOST_EACH * FULL
    proposed, solutions = np.zeros((2, most, 81), np.uint8)
    wanted, found, nodes = np.empty((3, most), np.int64)
    prober = Prober((3, 3), ordered=True, halt=halt)
    while len(left):
        each = min(MOST_EACH, max(EACH, FULL // len(left)))
        these = slice(0, each * len(left))
        call_kernel("propose", stream, who, left, each, proposed, wanted, about, room)
        prober.ask(proposed[these], wanted[these], found[these], nodes[these], solutions[these])
        if halt[0]:
            return False
        left = left[: call_kernel("accept", left, each, found, wanted, solutions, grids)]
    return True


def uniform_6x6_grids(
    boxes: Boxes, seed: int, numbers: NDArray[np.int64], tries: NDArray[np.int64], *, limits: Limits = UNLIMITED
) -> NDArray[np.uint8]:
    """Return a uniform grid (N, 36) for each number and try, with boxes of 2x3 or 3x2. Raises `LimitReached`."""
    clock = limits.started()
    grids = np.zeros((len(numbers), 36), np.uint8)
    left = np.arange(len(numbers))
    trial = 0
    while left.size:
        words = random_words(seed, numbers[left], tries[left], f"grid {trial}", 13)
        wanted = below(words[:, 12], MOST_COMPLETIONS) + 1
        found = probe(_bands(words), wanted, boxes=WIDE, ordered=True, limits=clock.left())
        clock.check()
        drawn = found.found == wanted
        grids[left[drawn]] = found.solutions[drawn]
        left = left[~drawn]
        trial += 1
    upright = boxes != WIDE
    return np.ascontiguousarray(grids.reshape(-1, 6, 6).swapaxes(1, 2).reshape(-1, 36)) if upright else grids


def _bands(words: NDArray[np.uint32]) -> NDArray[np.uint8]:
    """Return boards (N, 36) with a first band from twelve words each."""
    values = words[:, :6].argsort(1, kind="stable") + 1
    upper, lower = values[:, :3], values[:, 3:]
    first = np.take_along_axis(lower, words[:, 6:9].argsort(1, kind="stable"), 1)
    second = np.take_along_axis(upper, words[:, 9:12].argsort(1, kind="stable"), 1)
    bands = np.zeros((len(words), 36), np.uint8)
    bands[:, :12] = np.hstack([upper, first, lower, second])
    return bands


UNIFORM: tuple[Boxes, ...] = (*TRIED, *SIXES)
"""The boxes of boards whose grids are drawn uniformly."""


def full_grids(
    boxes: Boxes,
    seed: int,
    numbers: Sequence[int] | NDArray[np.int64],
    *,
    tries: Sequence[int] | NDArray[np.int64] | None = None,
    limits: Limits = UNLIMITED,
    threads: int = 1,
) -> NDArray[np.uint8]:
    """Return a full grid (N, cells) for each number: uniform where the boxes are `UNIFORM`, else approximately so.

    Each depends on the seed, its number and its try (N,; 0 by default) alone. Raises `LimitReached`.
    """
    who = np.array(numbers, np.int64).reshape(-1)
    attempts = np.zeros(len(who), np.int64) if tries is None else np.array(tries, np.int64)
    if boxes in SIXES:
        return uniform_6x6_grids(boxes, seed, who, attempts, limits=limits)
    if boxes not in TRIED:
        return gibbs_grids(boxes, seed, who, attempts, limits=limits)
    grids = np.zeros((len(who), side_of(boxes) ** 2), np.uint8)

    def work(block: slice, halt: Halt) -> bool:
        return uniform_grids(boxes, seed, who[block], attempts[block], grids[block], halt)

    run_in_blocks(len(who), work, limits, threads)
    return grids


# Approximately uniform full grids of plain boards of any shape, by Gibbs sampling: moves that keep a uniform sample uniform.
#
# It starts from a shuffled cyclic grid. A move blanks some values, lines of a band or boxes, and goes to completion number j of
# the rest, j drawn for each move; it stays where there is none within a few guesses. Every search is bounded, so no grid ever
# hangs.


GUESSES = 100
"""A move that takes more guesses leaves the grid as it is."""


class Moves(NamedTuple):
    """What the moves blank, in turn, and how much of it; all rows are of one band, all columns of one stack.

    A move goes to one of the first ``completions``: where there are more, the others are never chosen.
    """

    kinds: tuple[str, ...]
    values: int
    boxes: int
    lines: int
    completions: int


SMALL = Moves(("values", "boxes", "values", "rows", "values", "columns"), 3, 3, 2, 32)
MOVES = {
    0: SMALL,
    12: SMALL._replace(values=4),
    16: Moves(("values", "boxes", "rows", "values", "boxes", "columns"), 4, 4, 3, 16),
}
"""The moves from each side on. Fewer values leave hardly any completion but the grid itself from side 12 on; on larger boards
a move of boxes or lines takes a quarter of the time of one of values, so there are more of them, and they are larger."""
STEPS = {8: 80, 12: 60, 15: 60, 16: 40, 25: 36}
"""Moves for a grid of each side. Rectangles of two values in two rows of a band and two columns measure the mixing: per grid
there are 4.2, 8.1, 10.3, 14.6 and 29.1 after these moves; after twice as many, 4.1, 8.1, 10.3, 14.8 and 28.6 (standard errors
0.05, 0.1, 0.16, 0.13 and 0.3). So grids are as mixed as this can show. Early completions are favoured a little: for the last two
sides there are 14.4 and 28.9 with 4 completions, and 14.9 and 29.9 with 32, which takes half as long again."""


class CellLines(NamedTuple):
    """The row, the column and the box (cells,) of each cell, and the band of each row and the stack of each column (side,)."""

    row: NDArray[np.int64]
    column: NDArray[np.int64]
    box: NDArray[np.int64]
    band: NDArray[np.int64]
    stack: NDArray[np.int64]


@lru_cache(maxsize=16)
def lines_of(boxes: Boxes) -> CellLines:
    """Return where the cells of a plain board lie."""
    height, width = boxes
    side = side_of(boxes)
    row, column = np.divmod(np.arange(side**2), side)
    line = np.arange(side)
    return CellLines(row, column, row // height * height + column // width, line // height, line // width)


def gibbs_grids(
    boxes: Boxes,
    seed: int,
    numbers: Sequence[int] | NDArray[np.int64],
    tries: NDArray[np.int64] | None = None,
    *,
    steps: int | None = None,
    limits: Limits = UNLIMITED,
) -> NDArray[np.uint8]:
    """Return an approximately uniform grid (N, cells) for each number, after the `STEPS` of its side, or after ``steps``.

    Each depends on the seed, its number and its try alone. Raises `LimitReached`.
    """
    clock = limits.started()
    who = np.asarray(numbers, np.int64)
    attempt = np.zeros(len(who), np.int64) if tries is None else tries
    grids = shuffled_grids(boxes, seed, who, attempt)
    for step in range(STEPS[side_of(boxes)] if steps is None else steps):
        clock.check()
        _move_grids(grids, boxes, step, random_words(seed, who, attempt, f"move {step}", side_of(boxes) + 2), clock.left())
    return grids


def shuffled_grids(boxes: Boxes, seed: int, numbers: NDArray[np.int64], tries: NDArray[np.int64]) -> NDArray[np.uint8]:
    """Return the cyclic grid with bands, stacks, lines within them and values shuffled, for each number."""
    side = side_of(boxes)
    height, width = boxes
    lines = lines_of(boxes)
    chance = random_words(seed, numbers, tries, "shuffled", 5 * side)
    parts = [chance[:, start : start + side] for start in range(0, 5 * side, side)]
    rows = _shuffle_lines(parts[0][:, : side // height], parts[1], lines.band)
    columns = _shuffle_lines(parts[2][:, : side // width], parts[3], lines.stack)
    values = parts[4].argsort(1) + 1
    row, column = rows[:, lines.row], columns[:, lines.column]
    cyclic = (width * (row % height) + row // height + column) % side
    return np.take_along_axis(values, cyclic, 1).astype(np.uint8, order="C")


def _shuffle_lines(groups: NDArray[np.uint32], singles: NDArray[np.uint32], group: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the lines (N, side) in an order that keeps those of a band together."""
    return np.lexsort((singles, groups[:, group]), axis=1)


def _move_grids(grids: NDArray[np.uint8], boxes: Boxes, step: int, chance: NDArray[np.uint32], limits: Limits) -> None:
    """Move each grid, in place, by the random words drawn for it (N, side + 2)."""
    lines = lines_of(boxes)
    order, extra = chance[:, :-2].copy(), chance[:, -2]
    moves = MOVES[max(least for least in MOVES if least <= side_of(boxes))]
    kind = moves.kinds[step % len(moves.kinds)]
    number = {"values": moves.values, "boxes": moves.boxes}.get(kind, moves.lines)
    if kind == "values":
        label = grids.astype(np.int64) - 1
    elif kind == "boxes":
        label = np.broadcast_to(lines.box, grids.shape)
    else:
        line, group = (lines.row, lines.band) if kind == "rows" else (lines.column, lines.stack)
        label = np.broadcast_to(line, grids.shape)
        order[group[None] != below(extra, group[-1] + 1)[:, None]] = np.iinfo(np.uint32).max
    chosen = np.zeros(order.shape, np.bool_)
    np.put_along_axis(chosen, order.argpartition(number - 1, 1)[:, :number], values=True, axis=1)
    left = np.where(np.take_along_axis(chosen, label, 1), np.uint8(0), grids)
    wanted = below(chance[:, -1], moves.completions) + 1
    found = probe(left, wanted, boxes=boxes, most_nodes=GUESSES, limits=limits)
    moved = found.found == wanted
    grids[moved] = found.solutions[moved]
