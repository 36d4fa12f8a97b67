"""Digging on the lane kernel: givens are removed from full grids while the solution stays unique, many boards at a time.

Each board has units (cells that go together) in an order; a unit goes if the rest has one solution. The longest prefix of the
order that can go is found by bisection, since removing more givens never makes a solution unique again: five probes instead of
thirty-six. Then each unit is tried on its own; a unit of one cell by asking for a solution with any other value there. The result
is the same as trying the units one by one from the start.
"""

from __future__ import annotations

from functools import lru_cache
from math import erf, sqrt
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from sudoku_cp.backends import UNLIMITED
from sudoku_cp.backends.fast.box_shapes import side_of
from sudoku_cp.backends.fast.lane_solver import CHEAP, MOST_PROBES, Prober
from sudoku_cp.generate.plain.full_grids import uniform_grids
from sudoku_cp.generate.plain.generator_kernel import SPARE, STATES, STEPS, call_kernel, stream_of
from sudoku_cp.generate.plain.threaded_blocks import below, random_words, run_in_blocks

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from sudoku_cp.backends import Limits
    from sudoku_cp.backends.fast.box_shapes import Boxes
    from sudoku_cp.generate.plain.threaded_blocks import Halt

MEAN, SPREAD = 0.45, 0.1
"""Mean and standard deviation of the first cell that cannot go, as a share of all cells: 36.4 and 8.1 of 81 were measured."""
ROUND = 1 << 31
"""In digging by rows: the time between the start of the first row and that of the last, and the time that one row takes."""


class ProbeDigResult(NamedTuple):
    """The remaining ``givens`` (N, cells) of each board, and whether it is ``proved`` (N,) that none of those tried can go.

    It is not proved where a probe ran out of nodes, since its unit then stays. Each board has one solution all the same.
    """

    givens: NDArray[np.uint8]
    proved: NDArray[np.bool_]


def dig_with_probes(
    grids: NDArray[np.uint8],
    orders: NDArray[np.integer],
    *,
    boxes: Boxes,
    least: NDArray[np.int64] | int | None = None,
    start: NDArray[np.uint8] | None = None,
    most_nodes: int = MOST_PROBES,
    cheap: int = CHEAP,
    limits: Limits = UNLIMITED,
    threads: int = 1,
) -> ProbeDigResult:
    """Remove givens of full ``grids`` (N, cells) in their ``orders``: cells (N, U), or units (N, U, K), -1 for no cell.

    Begin with ``start``, givens that have one solution, or with all. At least ``least`` givens remain, one number for all
    or (N,); a unit that is too large for that stays. A probe ends after ``most_nodes`` guesses (see `ProbeDigResult`), the first
    ``cheap`` of which are made cheaply (see `probe`). Raises `LimitReached`.
    """
    units = np.asarray(orders, np.int16)
    units = np.array(units if units.ndim == 3 else units[:, :, np.newaxis], order="C")  # noqa: PLR2004
    found = ProbeDigResult(np.array(grids if start is None else start, np.uint8), np.ones(len(grids), np.bool_))
    spare = (found.givens > 0).sum(1) - (0 if least is None else least)
    most = min(most_nodes, MOST_PROBES if limits.nodes is None else limits.nodes)

    def work(block: slice, halt: Halt) -> bool:
        prober = Prober(boxes, most_nodes=most, cheap=cheap, steals=most == MOST_PROBES, halt=halt)
        return _dig_block(prober, found.givens[block], found.proved[block], units[block], spare[block], halving=start is None)

    run_in_blocks(len(grids), work, limits, threads)
    return found


def minimal_boards(
    seed: int, numbers: Sequence[int] | NDArray[np.int64], *, boxes: Boxes = (3, 3), limits: Limits = UNLIMITED, threads: int = 1
) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    """Return givens and solutions (N, cells) of minimal puzzles, dug from uniform grids in uniform orders; unchecked.

    Each puzzle depends on its number and the seed alone. ``boxes`` are one of `TRIED`. Raises `LimitReached`.
    """
    who = np.array(numbers, np.int64).reshape(-1)
    grids = np.zeros((len(who), side_of(boxes) ** 2), np.uint8)
    givens = np.empty_like(grids)

    def work(block: slice, halt: Halt) -> bool:
        tries = np.zeros(len(who[block]), np.int64)
        if not uniform_grids(boxes, seed, who[block], tries, grids[block], halt):
            return False
        givens[block] = grids[block]
        units = random_orders(seed, who[block], grids.shape[1], tries=tries)[:, :, np.newaxis]
        spare, proved = np.full(len(tries), grids.shape[1]), np.ones(len(tries), np.bool_)
        return _dig_block(Prober(boxes, steals=True, halt=halt), givens[block], proved, units, spare, halving=True)

    run_in_blocks(len(who), work, limits, threads)
    return givens, grids


def random_orders(
    seed: int, numbers: Sequence[int] | NDArray[np.int64], cells: int, *, tries: NDArray[np.int64] | None = None
) -> NDArray[np.int16]:
    """Return a random order (N, cells) of all cells for each number and try."""
    who = np.array(numbers, np.int64).reshape(-1)
    orders = np.empty((len(who), cells), np.int16)
    call_kernel("draw_orders", stream_of(seed, "order"), who, np.zeros_like(who) if tries is None else tries, orders)
    return orders


def random_orders_by_rows(
    seed: int, numbers: Sequence[int] | NDArray[np.int64], side: int, *, tries: NDArray[np.int64] | None = None
) -> NDArray[np.int16]:
    """Return an order (N, cells) of all cells for each number and try, roughly row by row.

    The rows start at equal intervals, in random order, within the time of a `ROUND`; each cell comes at a random moment within a
    `ROUND` after its row's start.
    """
    who = np.array(numbers, np.int64).reshape(-1)
    attempts = np.zeros_like(who) if tries is None else tries
    chance = random_words(seed, who, attempts, "order by rows", side + side**2)
    rank = chance[:, :side].argsort(1, kind="stable").argsort(1)
    late = rank[:, np.arange(side**2) // side] * (ROUND // side) + below(chance[:, side:], ROUND)
    return late.argsort(1, kind="stable").astype(np.int16)


def _dig_block(
    prober: Prober,
    givens: NDArray[np.uint8],
    proved: NDArray[np.bool_],
    units: NDArray[np.int16],
    spare: NDArray[np.int64],
    *,
    halving: bool,
) -> bool:
    """Dig boards in place; return whether it finished."""
    state, law, probes = np.zeros((len(givens), STATES), np.int64), _failure_law(max(1, units.shape[1])), np.empty_like(givens)
    state[:, SPARE] = spare
    wanted, found, nodes, active = np.zeros((4, len(probes)), np.int64)
    active = active[: call_kernel("ready", givens, units, state, int(halving), active)]
    while len(active):
        here = slice(0, len(active))
        call_kernel("ask", givens, units, state, law, active, probes, wanted)
        prober.ask(probes[here], wanted[here], found[here], nodes[here])
        if prober.halt[0]:
            return False
        active = active[: call_kernel("learn", givens, units, state, proved, active, wanted, found)]
    return True


@lru_cache(maxsize=32)
def _failure_law(units: int) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Return the distribution function of the first unit that fails, and its inverse in `STEPS` steps.

    It is a guess that affects the speed alone.
    """
    mean, spread = MEAN * units, SPREAD * units
    likely = [(1 + erf((unit + 0.5 - mean) / spread / sqrt(2))) / 2 for unit in range(units + 2)]
    chances = np.array(likely) * 0.99 + np.arange(units + 2) * 0.01 / (units + 2)
    return chances, np.searchsorted(chances, np.arange(STEPS + 1) / STEPS).clip(0, units + 1)
