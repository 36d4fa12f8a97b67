"""Hill climbing towards a request: chains of changes that never make a puzzle worse, many puzzles at a time.

Theory of operation. Every number has chains of its own, each a try with a random stream of its own: one at first, then twice as
many each round, up to `CHAINS`. A chain that has not improved for `PATIENCE` rounds is replaced by a new try. All chains of a
number advance in lockstep and the first to arrive wins (of several, the earliest try), so the result does not depend on which
other numbers are made beside it. How a chain begins and changes is a `Strategy`.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Protocol

import numpy as np

from sudoku_cp.errors import LimitReached

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from sudoku_cp.backends import Limits

CHAINS = 16
"""The most chains of a number: enough to fill the lanes of the kernel where one puzzle is made alone."""
PATIENCE = 500
"""Rounds without improvement after which a chain is replaced."""
UNPROVED = 1e6
"""A miss of this or more means that the puzzle has several solutions."""


@dataclass(frozen=True)
class Chains:
    """Chains, one a row: their ``numbers`` and ``tries`` (N,), full ``grids`` and ``givens`` (N, cells), the ``miss`` (N,).

    ``idle`` (N,) counts the rounds since the miss last became smaller.
    """

    numbers: NDArray[np.int64]
    tries: NDArray[np.int64]
    grids: NDArray[np.uint8]
    givens: NDArray[np.uint8]
    miss: NDArray[np.float64]
    idle: NDArray[np.int64]

    def __len__(self) -> int:
        """Return how many there are."""
        return len(self.numbers)

    def only(self, which: NDArray[np.bool_] | NDArray[np.int64]) -> Chains:
        """Return the selected chains."""
        return Chains(*(getattr(self, field.name)[which] for field in fields(self)))

    def beside(self, other: Chains) -> Chains:
        """Return both, sorted by number and try."""
        both = Chains(*(np.concatenate([getattr(self, field.name), getattr(other, field.name)]) for field in fields(self)))
        return both.only(np.lexsort((both.tries, both.numbers)))

    def bettered(self, grids: NDArray[np.uint8], givens: NDArray[np.uint8], miss: NDArray[np.float64]) -> Chains:
        """Return the chains after a round: with the change where it is no worse, else unchanged."""
        kept, nearer = miss <= self.miss, miss < self.miss
        return Chains(
            self.numbers,
            self.tries,
            np.where(kept[:, None], grids, self.grids),
            np.where(kept[:, None], givens, self.givens),
            np.where(kept, miss, self.miss),
            np.where(nearer, 0, self.idle + 1),
        )

    def best(self) -> Chains:
        """Return one chain for each number: the one that misses least, of several the earliest try."""
        order = np.lexsort((self.tries, self.miss, self.numbers))
        numbers = self.numbers[order]
        return self.only(order[np.flatnonzero(np.r_[True, numbers[1:] != numbers[:-1]])] if len(order) else order)


class Strategy(Protocol):
    """How chains begin and change; the result for a row depends on its number, try and round alone."""

    def begin(self, numbers: NDArray[np.int64], tries: NDArray[np.int64], limits: Limits) -> Chains:
        """Return a new chain for each number and try."""
        ...

    def change(self, rows: Chains, step: int, limits: Limits) -> Chains:
        """Return the chains a round later, none of them worse."""
        ...


@dataclass(frozen=True)
class ClimbResult:
    """The best chains, and the ``total_tries`` (N,) for each; a ``reached`` limit came before they arrived."""

    rows: Chains
    total_tries: NDArray[np.int64]
    reached: LimitReached | None = None


def climb(way: Strategy, numbers: Sequence[int], limits: Limits) -> Iterator[ClimbResult]:
    """Yield the puzzles of all numbers as they arrive.

    The seconds of ``limits`` are for each, counted from the last one that arrived. At a deadline the best chains with one
    solution are yielded. Raises `LimitReached` where some numbers have none even then, and when cancelled.
    """
    left = np.unique(np.asarray(numbers, np.int64))
    total_tries = dict.fromkeys(left.tolist(), 1)
    clock = limits.started()
    rows, step = None, 0
    try:
        rows = way.begin(left, np.zeros(len(left), np.int64), clock.left())
        while True:
            done = rows.only(rows.miss == 0).best()
            if len(done):
                yield ClimbResult(done, _count_tries(total_tries, done))
                clock = limits.started()
                rows = rows.only(~np.isin(rows.numbers, done.numbers))
                left = np.setdiff1d(left, done.numbers)
            if not len(left):
                return
            clock.check()
            step += 1
            changed = way.change(rows, step, clock.left())
            rows = _renew_chains(way, changed, left, total_tries, min(CHAINS, 1 << min(step, 30)), clock.left())
    except LimitReached as reached:
        if reached.reason != "cancelled" and rows is not None and (rows.miss < UNPROVED).any():
            near = rows.only(rows.miss < UNPROVED).best()
            yield ClimbResult(near, _count_tries(total_tries, near), reached)
            if len(near) == len(left):
                return
        raise LimitReached(reached.reason, f"{clock.elapsed:.3g} s without a further puzzle") from None


def _count_tries(total_tries: dict[int, int], rows: Chains) -> NDArray[np.int64]:
    return np.array([total_tries[number] for number in rows.numbers.tolist()], np.int64)


def _renew_chains(
    way: Strategy, rows: Chains, left: NDArray[np.int64], total_tries: dict[int, int], chains: int, limits: Limits
) -> Chains:
    """Return the chains without those that are stuck, and new ones up to ``chains`` for each number."""
    kept = rows.only((rows.idle <= PATIENCE) | (rows.miss == 0))
    missing = chains - np.bincount(np.searchsorted(left, kept.numbers), minlength=len(left))
    if not missing.any():
        return kept
    each = list(zip(left.tolist(), missing.tolist(), strict=True))
    tries = np.concatenate([np.arange(many) + total_tries[number] for number, many in each])
    for number, many in each:
        total_tries[number] += many
    return kept.beside(way.begin(np.repeat(left, missing), tries, limits))
