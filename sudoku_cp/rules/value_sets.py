"""Sets of different values, listed if there are not too many: what cages lower to.

Rules of this file: a list is cached by its parameters and shared by every clue that uses it; None stands for a
list of more than `MANY` sets, which a rule lowers in another way.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations, islice, product
from typing import TYPE_CHECKING, TypeAlias

from sudoku_cp.model import Domain, to_mask

if TYPE_CHECKING:
    from collections.abc import Iterator

MANY = 10_000
"""More sets than this are not listed: a cage of 9x9 has at most 12, one of 16x16 at most 526, one of 36x36 millions."""

Sets: TypeAlias = frozenset[Domain]


@lru_cache(maxsize=4096)
def sets_with_total(values: range, size: int, total: int) -> Sets | None:
    """Return the sets of ``size`` different values with that total."""
    return _sets_if_few(_generate_with_total(values[0], values[-1], size, total))


@lru_cache(maxsize=1024)
def sets_with_totals(values: range, size: int, totals: tuple[int, ...]) -> Sets | None:
    """Return the sets of ``size`` different values that have one of the totals."""
    found: set[Domain] = set()
    for total in totals:
        sets = sets_with_total(values, size, total)
        if sets is None or len(found) + len(sets) > MANY:
            return None
        found |= sets
    return frozenset(found)


@lru_cache(maxsize=1024)
def sets_without_sum(values: range, size: int, total: int) -> Sets | None:
    """Return the sets of ``size`` different values of which no non-empty subset adds up to ``total``."""
    return _sets_if_few(_generate_without_sum(values[0], values[-1], size, total, 0), 10 * MANY)


@lru_cache(maxsize=256)
def balanced_sets(values: range, size: int) -> Sets | None:
    """Return the sets of ``size`` different values with as many odd as even and as many low as high ones."""
    half = size // 2
    low, high = halves(values)
    odd_low, even_low = low[1 - low.start % 2 :: 2], low[low.start % 2 :: 2]
    odd_high, even_high = high[1 - high.start % 2 :: 2], high[high.start % 2 :: 2]
    return _sets_if_few(
        to_mask(value for part in parts for value in part)
        for odd in range(half + 1)
        for parts in product(
            combinations(odd_low, odd),
            combinations(even_low, half - odd),
            combinations(odd_high, half - odd),
            combinations(even_high, odd),
        )
        if size % 2 == 0
    )


def halves(values: range) -> tuple[range, range]:
    """Return the low and the high values; an odd number of them has one in the middle, which is neither."""
    half = len(values) // 2
    return values[:half], values[len(values) - half :]


def _sets_if_few(found: Iterator[Domain | None], tries: int = MANY) -> Sets | None:
    """Return the sets found, or None after more than ``tries`` tries; None in ``found`` is a try that led nowhere."""
    tried = list(islice(found, tries + 1))
    sets = frozenset(allowed for allowed in tried if allowed is not None)
    return sets if len(tried) <= tries and len(sets) <= MANY else None


def _generate_with_total(low: int, high: int, size: int, total: int) -> Iterator[Domain]:
    """Yield the sets of ``size`` values from ``low`` to ``high`` with that total; every prefix tried can be completed."""
    if size == 0:
        if total == 0:
            yield 0
        return
    most_of_the_rest = (size - 1) * high - (size - 1) * (size - 2) // 2
    for first in range(max(low, total - most_of_the_rest), high - size + 2):
        if first * size + size * (size - 1) // 2 > total:
            return
        for rest in _generate_with_total(first + 1, high, size - 1, total - first):
            yield 1 << first | rest


def _generate_without_sum(low: int, high: int, size: int, total: int, sums: int) -> Iterator[Domain | None]:
    """Yield the sets that avoid ``total``; bit s of ``sums`` is set if some of the values chosen so far add up to s.

    None stands for a prefix that does not avoid it.
    """
    if size == 0:
        yield 0
        return
    for first in range(low, high - size + 2):
        more = sums | sums << first | 1 << first
        if total >= 0 and more >> total & 1:
            yield None
            continue
        for rest in _generate_without_sum(first + 1, high, size - 1, total, more):
            yield None if rest is None else 1 << first | rest
