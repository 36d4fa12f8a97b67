"""The states of a frontier, by the million: rows of small numbers, each with the number of ways that lead to it.

Theory of operation. A state is a multiset: a sorted row, packed into 64-bit words. Ways are unbounded integers in limbs of 32
bits stored in 64, so 2**32 of them can be added before carrying. Sorting by a hash of the words brings equal states together;
they are compared whole, so a collision costs room but no correctness. All work is done in chunks, between checks of the clock.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import NDArray

DEAD = -1
"""Stands in place of a number where none is possible."""
CHUNK = 1 << 16
"""States worked on at a time: a fraction of a second, between two checks of the clock."""
LIMB = 32
WORD = 64
FLOAT_LIMBS = 16
"""Limbs of numbers whose squares a float still holds."""
_SCATTER = (0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9)


@dataclass(frozen=True, eq=False)
class FrontierStates:
    """States: ``words`` (N, W) uint64 hold ``width`` numbers of ``bits`` bits each, ``ways`` (N, L) uint64 the limbs."""

    words: NDArray[np.uint64]
    ways: NDArray[np.uint64]
    width: int
    bits: int

    @staticmethod
    def of(rows: NDArray[np.int32], kinds: int) -> FrontierStates:
        """Return the states in ``rows`` of numbers below ``kinds``, with one way to each."""
        bits = _bits_per_number(kinds)
        return FrontierStates(_pack(np.sort(rows, axis=1), bits), np.ones((len(rows), 1), np.uint64), rows.shape[1], bits)

    def __len__(self) -> int:
        """Return the number of states."""
        return len(self.words)

    def total(self) -> int:
        """Return the number of ways to all states."""
        return sum(int(limb) << LIMB * place for row in self.ways for place, limb in enumerate(row))

    def every_nth(self, step: int) -> FrontierStates:
        """Return one of every ``step`` states."""
        return FrontierStates(self.words[::step], self.ways[::step], self.width, self.bits)

    def used_numbers(self) -> NDArray[np.int32]:
        """Return the numbers that occur in any state."""
        return np.unique(_unpack(self.words, self.width, self.bits))

    def sample(self, most: int, random: np.random.Generator) -> FrontierStates:
        """Return about ``most`` states, drawn at random, with their ways scaled so that every number of ways is unbiased.

        A state with fewer ways than a threshold stays with probability ways / threshold, and then has threshold ways.
        """
        if len(self) <= most:
            return self
        # Numbers too large for floats are compared by their highest limbs.
        left_out = max(0, self.ways.shape[1] - FLOAT_LIMBS)
        ways = self.ways @ np.ldexp(1.0, LIMB * (np.arange(self.ways.shape[1]) - left_out))
        threshold = _threshold(ways, most)
        # Systematic sampling, with one random number for all: the sum of the ways hardly changes.
        steps = np.floor(np.cumsum(np.minimum(1.0, ways / threshold)) + random.random())
        kept = np.flatnonzero(np.diff(steps, prepend=0.0) > 0)
        whole = threshold << LIMB * left_out
        limbs = -(-whole.bit_length() // LIMB)
        own = np.pad(self.ways[kept], ((0, 0), (0, max(0, limbs - self.ways.shape[1]))))
        own[ways[kept] < threshold] = [whole >> LIMB * place & (1 << LIMB) - 1 for place in range(own.shape[1])]
        return FrontierStates(self.words[kept], own, self.width, self.bits)

    def fill_cell(
        self, takes: NDArray[np.int32], rests: NDArray[np.int32], kinds: int, tick: Callable[[], object] = int
    ) -> FrontierStates:
        """Return the states after each number that can take the cell does so: it becomes ``takes[number]``, the others ``rests``.

        The new numbers are below ``kinds``.
        """
        bits = _bits_per_number(kinds)
        empty = FrontierStates(_pack(np.zeros((0, self.width), np.int32), bits), self.ways[:0], self.width, bits)
        merged, waiting, size = empty, [], 0
        for start in range(0, len(self), CHUNK):
            tick()
            rows = _unpack(self.words[start : start + CHUNK], self.width, self.bits)
            for part, ways in _fill_each_place(rows, self.ways[start : start + CHUNK], takes, rests):
                waiting.append(FrontierStates(_pack(part, bits), ways, self.width, bits))
                size += len(part)
            if size > max(CHUNK, len(merged)):
                merged, waiting, size = _merge([merged, *waiting], tick), [], 0
        return _merge([merged, *waiting], tick) if waiting else merged


def _threshold(ways: NDArray[np.float64], most: int) -> int:
    """Return the threshold with which about ``most`` states stay; those with more ways stay for certain."""
    ordered = np.sort(ways)
    below = np.cumsum(ordered)
    certain = np.arange(len(ways) - 1, -1, -1)
    # With so many certain ones, the others share what room is left.
    fitting = np.flatnonzero((certain < most) & (below >= ordered * (most - certain)))
    last = int(fitting[-1]) if len(fitting) else len(ways) - 1
    return max(1, math.ceil(float(below[last]) / max(1, most - int(certain[last]))))


def _bits_per_number(kinds: int) -> int:
    return max(1, (kinds - 1).bit_length())


def _fill_each_place(
    rows: NDArray[np.int32], ways: NDArray[np.uint64], takes: NDArray[np.int32], rests: NDArray[np.int32]
) -> Iterator[tuple[NDArray[np.int32], NDArray[np.uint64]]]:
    """Yield what the rows become if the number at each place takes the cell; equal numbers take it together."""
    taken, rest = takes[rows], rests[rows]
    stuck = rest == DEAD
    number_stuck = stuck.sum(axis=1)
    alike = np.ones(rows.shape, np.uint64)
    for place in range(rows.shape[1] - 2, -1, -1):
        alike[:, place] += (rows[:, place] == rows[:, place + 1]) * alike[:, place + 1]
    for place in range(rows.shape[1]):
        # A number that must take this cell is the one that does.
        able = (taken[:, place] != DEAD) & (number_stuck == stuck[:, place])
        if place:
            able &= rows[:, place] != rows[:, place - 1]
        chosen = np.flatnonzero(able)
        if len(chosen):
            new = rest[chosen]
            new[:, place] = taken[chosen, place]
            new.sort(axis=1)
            yield new, ways[chosen] * alike[chosen, place, None]


def _merge(parts: list[FrontierStates], tick: Callable[[], object]) -> FrontierStates:
    """Return the states of all parts, each once; the ways to equal ones are added."""
    limbs = max(part.ways.shape[1] for part in parts)
    words = np.concatenate([part.words for part in parts])
    ways = np.concatenate([np.pad(part.ways, ((0, 0), (0, limbs - part.ways.shape[1]))) for part in parts])
    # Sorted by a hash, equal states are neighbours; if unequal ones come between, they merely stay apart.
    tick()
    order = np.argsort(_mix_words(words))
    tick()
    words, ways = words[order], ways[order]
    first = np.ones(len(words), bool)
    np.any(words[1:] != words[:-1], axis=1, out=first[1:])
    starts = np.flatnonzero(first)
    tick()
    return FrontierStates(words[starts], _carry(np.add.reduceat(ways, starts, axis=0)), parts[0].width, parts[0].bits)


def _mix_words(words: NDArray[np.uint64]) -> NDArray[np.uint64]:
    if words.shape[1] == 1:
        return words[:, 0]
    mixed = np.zeros(len(words), np.uint64)
    for place in range(words.shape[1]):
        mixed = (mixed ^ (mixed >> np.uint64(29))) * np.uint64(_SCATTER[1]) + words[:, place] * np.uint64(_SCATTER[0])
    return mixed


def _carry(ways: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Return the same numbers with every limb within its 32 bits."""
    low = np.uint64((1 << LIMB) - 1)
    limbs, over = [], np.zeros(len(ways), np.uint64)
    for place in range(ways.shape[1]):
        limb = ways[:, place] + over
        limbs.append(limb & low)
        over = limb >> np.uint64(LIMB)
    if over.any():
        limbs.append(over)
    return np.stack(limbs, axis=1)


def _pack(rows: NDArray[np.int32], bits: int) -> NDArray[np.uint64]:
    each = WORD // bits
    words = np.zeros((len(rows), -(-rows.shape[1] // each)), np.uint64)
    for place in range(rows.shape[1]):
        words[:, place // each] |= rows[:, place].astype(np.uint64) << np.uint64(bits * (place % each))
    return words


def _unpack(words: NDArray[np.uint64], width: int, bits: int) -> NDArray[np.int32]:
    each = WORD // bits
    rows = np.empty((len(words), width), np.int32)
    for place in range(width):
        rows[:, place] = (words[:, place // each] >> np.uint64(bits * (place % each))) & np.uint64((1 << bits) - 1)
    return rows
