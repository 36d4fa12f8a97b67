"""The search for puzzles that are as wished: chains of changes that never make a puzzle worse, many puzzles at a time.

Every puzzle has chains of its own, each a try with chance of its own: one at first, then twice as many a round, up to `CHAINS`.
A chain that has not come nearer for `PATIENCE` rounds gives way to a new try. All chains of a puzzle keep step, so that the one
which is there first is the same whatever else is made beside it.
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
"""The most chains of a puzzle: enough to fill the lanes of the kernel where one puzzle is made alone."""
PATIENCE = 500
"""Rounds without coming nearer, after which a chain begins anew."""
UNPROVED = 1e6
"""A miss from here on says that the puzzle has several solutions."""


@dataclass(frozen=True)
class Chains:
    """Chains, one a row: the ``numbers`` and ``tries`` (N,) they are for, full ``grids`` and ``givens`` (N, cells), the ``miss``.

    ``idle`` (N,) are the rounds for which the miss has not become smaller.
    """

    numbers: NDArray[np.int64]
    tries: NDArray[np.int64]
    grids: NDArray[np.uint8]
    givens: NDArray[np.uint8]
    miss: NDArray[np.float64]
    idle: NDArray[np.int64]

    @staticmethod
    def of(
        numbers: NDArray[np.int64],
        tries: NDArray[np.int64],
        grids: NDArray[np.uint8],
        givens: NDArray[np.uint8],
        miss: NDArray[np.float64],
    ) -> Chains:
        """Return chains that have just begun."""
        return Chains(numbers, tries, grids, givens, miss, np.zeros(len(numbers), np.int64))

    def __len__(self) -> int:
        """Return how many there are."""
        return len(self.numbers)

    def only(self, which: NDArray[np.bool_] | NDArray[np.int64]) -> Chains:
        """Return some of them."""
        return Chains(*(getattr(self, field.name)[which] for field in fields(self)))

    def beside(self, other: Chains) -> Chains:
        """Return both, puzzle by puzzle, the earlier try first."""
        both = Chains(*(np.concatenate([getattr(self, field.name), getattr(other, field.name)]) for field in fields(self)))
        return both.only(np.lexsort((both.tries, both.numbers)))

    def bettered(self, grids: NDArray[np.uint8], givens: NDArray[np.uint8], miss: NDArray[np.float64]) -> Chains:
        """Return the chains a round later: with the change where it is no worse, else as they are."""
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
        """Return one chain for each puzzle: the one that misses least, the earliest of such."""
        order = np.lexsort((self.tries, self.miss, self.numbers))
        numbers = self.numbers[order]
        return self.only(order[np.flatnonzero(np.r_[True, numbers[1:] != numbers[:-1]])] if len(order) else order)


class Strategy(Protocol):
    """How puzzles are begun and changed; what becomes of a row hangs on its number, its try and the rounds alone."""

    def begin(self, numbers: NDArray[np.int64], tries: NDArray[np.int64], limits: Limits) -> Chains:
        """Return a puzzle for each number and try."""
        ...

    def change(self, rows: Chains, step: int, limits: Limits) -> Chains:
        """Return the rows a round later, none of them worse."""
        ...


@dataclass(frozen=True)
class ClimbResult:
    """Puzzles with how many tries were ``begun`` (N,) for each; a ``reached`` limit came before they were as wished."""

    rows: Chains
    begun: NDArray[np.int64]
    reached: LimitReached | None = None


def climb(way: Strategy, numbers: Sequence[int], limits: Limits) -> Iterator[ClimbResult]:
    """Yield the puzzles of all numbers, as they are done.

    The seconds of ``limits`` are for each, from the last that was done. At a deadline the rest is yielded as near as it came,
    if it has one solution. Raises `LimitReached` where some numbers have nothing even then, and when cancelled.
    """
    left = np.unique(np.asarray(numbers, np.int64))
    begun = dict.fromkeys(left.tolist(), 1)
    clock = limits.started()
    rows, step = None, 0
    try:
        rows = way.begin(left, np.zeros(len(left), np.int64), clock.left())
        while True:
            done = rows.only(rows.miss == 0).best()
            if len(done):
                yield ClimbResult(done, _count_tries(begun, done))
                clock = limits.started()
                rows = rows.only(~np.isin(rows.numbers, done.numbers))
                left = np.setdiff1d(left, done.numbers)
            if not len(left):
                return
            clock.check()
            step += 1
            changed = way.change(rows, step, clock.left())
            rows = _renew_chains(way, changed, left, begun, min(CHAINS, 1 << min(step, 30)), clock.left())
    except LimitReached as reached:
        if reached.reason != "cancelled" and rows is not None and (rows.miss < UNPROVED).any():
            near = rows.only(rows.miss < UNPROVED).best()
            yield ClimbResult(near, _count_tries(begun, near), reached)
            if len(near) == len(left):
                return
        raise LimitReached(reached.reason, f"{clock.elapsed:.3g} s without a further puzzle") from None


def _count_tries(begun: dict[int, int], rows: Chains) -> NDArray[np.int64]:
    return np.array([begun[number] for number in rows.numbers.tolist()], np.int64)


def _renew_chains(
    way: Strategy, rows: Chains, left: NDArray[np.int64], begun: dict[int, int], chains: int, limits: Limits
) -> Chains:
    """Return the chains without those that have come to nothing, and new ones in their place up to so many a puzzle."""
    kept = rows.only((rows.idle <= PATIENCE) | (rows.miss == 0))
    missing = chains - np.bincount(np.searchsorted(left, kept.numbers), minlength=len(left))
    if not missing.any():
        return kept
    numbers = np.repeat(left, missing)
    tries = np.concatenate(
        [np.arange(many) + begun[number] for number, many in zip(left.tolist(), missing.tolist(), strict=True)]
    )
    for number, many in zip(left.tolist(), missing.tolist(), strict=True):
        begun[number] += many
    return kept.beside(way.begin(numbers, tries, limits))
