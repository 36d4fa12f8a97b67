"""Rules about cages: outlined groups of cells."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, combinations, islice, product
from math import comb
from types import MappingProxyType
from typing import TYPE_CHECKING, TypeAlias

from sudoku_cp.cosmetics import Cage, Note
from sudoku_cp.model import AllDifferent, Clause, Count, DigitSet, Domain, Linear, Literal, Values, to_mask
from sudoku_cp.rules.base import Cells, Lowered, Rule, part_name
from sudoku_cp.rules.houses import different

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sudoku_cp.cosmetics import Cosmetic
    from sudoku_cp.grid import Grid
    from sudoku_cp.model import Constraint
    from sudoku_cp.rules.wording import RuleWording


TIMES = "\N{MULTIPLICATION SIGN}"
_ROOTS = 9
"""The largest digital root."""


def _digit_set(sets: Sets, cells: Cells, grid: Grid) -> Constraint:
    """Return the constraint that the cells hold one of the sets; if these are all of their size, that they are different."""
    return DigitSet(cells, sets) if len(sets) < comb(len(grid.values), len(cells)) else AllDifferent(cells)


def _corner(grid: Grid) -> Cells:
    """Return three cells in the top-left corner."""
    return tuple(grid.cell_at[place] for place in ((0, 0), (0, 1), (1, 0)))


@dataclass(frozen=True)
class KillerCage(Rule):
    """The cells of a cage hold different values, which add up to its total where one is written."""

    kind = "killer-cage"
    elsewhere = MappingProxyType({"ISS": "Cage", "f-puzzles": "killercage", "SudokuSolver": "killer"})
    cells: Cells
    total: int | None = None

    def lower(self, grid: Grid) -> Lowered:
        """The sets of different values with that total; where there would be too many, or no total, all different."""
        part = part_name("cage", grid, self.cells)
        sets = None if self.total is None else sets_with_total(grid.values, len(self.cells), self.total)
        if sets is not None:
            yield part, _digit_set(sets, self.cells, grid)
            return
        yield part, AllDifferent(self.cells)
        if self.total is not None:
            yield part, Linear(tuple((cell, 1) for cell in self.cells), "==", self.total)

    def lower_distinct(self, grid: Grid) -> tuple[Cells, Lowered]:
        """The sum."""
        total = [] if self.total is None else [Linear(tuple((cell, 1) for cell in self.cells), "==", self.total)]
        return self.cells, ((part_name("cage", grid, self.cells), one) for one in total)

    def holds(self, grid: Grid, values: Values) -> bool:
        """No value twice, and the right sum."""
        inside = [values[cell] for cell in self.cells]
        return len(set(inside)) == len(inside) and self.total in {None, sum(inside)}

    def sentence(self, wording: RuleWording) -> str:
        """Return the rule as setters write it."""
        return f"Values in a cage do not repeat{'' if self.total is None else ', and add up to its total'}."

    def cosmetics(self, grid: Grid) -> Iterator[Cosmetic]:
        """The cage with its total."""
        yield Cage(self.cells, "" if self.total is None else str(self.total))

    @classmethod
    def example(cls, grid: Grid) -> KillerCage:
        """Return a cage of three cells in the top-left corner."""
        return cls(_corner(grid), 3 * grid.values[0] + 4)


@dataclass(frozen=True)
class SumCage(Rule):
    """The values of the cells add up to the total; they may repeat, and count as often as their factors say."""

    kind = "sum-cage"
    elsewhere = MappingProxyType({"ISS": "Sum"})
    cells: Cells
    total: int
    factors: tuple[int, ...] = ()

    def _factors(self) -> Counter[int]:
        """Return how often each cell counts."""
        factors: Counter[int] = Counter()
        for cell, factor in zip(self.cells, self.factors or [1] * len(self.cells), strict=False):
            factors[cell] += factor
        return factors

    def lower(self, grid: Grid) -> Lowered:
        """One sum, in which each cell occurs once."""
        terms = tuple((cell, factor) for cell, factor in self._factors().items() if factor)
        yield part_name("sum", grid, self.cells), Linear(terms, "==", self.total)

    def holds(self, grid: Grid, values: Values) -> bool:
        """The right sum."""
        inside = [values[cell] for cell in self.cells]
        if self.factors:
            return self.total == sum(value * factor for value, factor in zip(inside, self.factors, strict=True))
        return self.total == sum(inside)

    def sentence(self, wording: RuleWording) -> str:
        """Return the rule as setters write it."""
        counts = any(factor != 1 for factor in self.factors) or len({*self.cells}) < len(self.cells)
        times = f"; a cell marked {TIMES}2 counts twice, and so on" if counts else ""
        return f"Values in a cage add up to its total, and may repeat{times}."

    def problems(self, grid: Grid) -> Iterator[str]:
        """Find factors that are not as many as the cells."""
        if self.factors and len(self.factors) != len(self.cells):
            yield f"{self.kind}: expected a factor for each of {len(self.cells)} cells (or none), got {len(self.factors)}"

    def cosmetics(self, grid: Grid) -> Iterator[Cosmetic]:
        """The cage with its total, and a sign in each cell that does not count once."""
        yield Cage(tuple(dict.fromkeys(self.cells)), str(self.total))
        for cell, factor in self._factors().items():
            if factor != 1:
                yield Note((cell,), f"in the total of its cage it counts {factor:,} times", f"{TIMES}{factor}")

    @classmethod
    def example(cls, grid: Grid) -> SumCage:
        """Return three cells in the top-left corner, of which the first counts twice."""
        return cls(_corner(grid), 4 * grid.values[0] + 5, (2, 1, 1))


def _total_constraints(cells: Cells, totals: tuple[int, ...], grid: Grid) -> Iterator[Constraint]:
    """Yield constraints: the cells hold different values with one of the totals.

    If there are too many sets to list, an auxiliary for each total that can be reached selects it.
    """
    sets = sets_with_totals(grid.values, len(cells), totals)
    if sets is not None:
        yield _digit_set(sets, cells, grid)
        return
    yield AllDifferent(cells)
    reached = [total for total in totals if 0 <= total <= grid.values[-1] * len(cells)]
    chosen = tuple(-1 - index for index in range(len(reached)))
    totalled = ((auxiliary, -total) for auxiliary, total in zip(chosen, reached, strict=True) if total)
    yield Count(chosen, frozenset({1}), "==", 1)
    yield Linear((*((cell, 1) for cell in cells), *totalled), "==", 0)


@dataclass(frozen=True)
class MultiSumCage(Rule):
    """The cells of a cage hold different values, which add up to one of its totals."""

    kind = "multi-sum-cage"
    elsewhere = MappingProxyType({"SudokuSolver": "mskiller"})
    cells: Cells
    totals: tuple[int, ...]

    def lower(self, grid: Grid) -> Lowered:
        """The sets of different values with one of the totals."""
        for constraint in _total_constraints(self.cells, tuple(sorted(set(self.totals))), grid):
            yield part_name("cage", grid, self.cells), constraint

    def holds(self, grid: Grid, values: Values) -> bool:
        """No value twice, and a sum that is listed."""
        return different(self.cells, values) and sum(values[cell] for cell in self.cells) in self.totals

    def sentence(self, wording: RuleWording) -> str:
        """Return the rule as setters write it."""
        return "Values in a cage do not repeat, and add up to one of its totals."

    def cosmetics(self, grid: Grid) -> Iterator[Cosmetic]:
        """The cage with its totals."""
        yield Cage(self.cells, "/".join(map(str, self.totals)))

    @classmethod
    def example(cls, grid: Grid) -> MultiSumCage:
        """Return a cage of three cells in the top-left corner."""
        return cls(_corner(grid), (3 * grid.values[0] + 3, 3 * grid.values[0] + 5))


@dataclass(frozen=True)
class DigitalRootCage(Rule):
    """The cells of a cage hold different values, and adding up the digits of their sum over and over ends in its root.

    The root of 0 is 0, that of every other sum one of 1 to 9.
    """

    kind = "digital-root-cage"
    elsewhere = MappingProxyType({"f-puzzles": "cage"})
    cells: Cells
    root: int

    def lower(self, grid: Grid) -> Lowered:
        """The sets of different values with one of the totals."""
        for constraint in _total_constraints(self.cells, self.totals(grid), grid):
            yield part_name("cage", grid, self.cells), constraint

    def totals(self, grid: Grid) -> tuple[int, ...]:
        """Return the totals that have the root: itself, 9 more, 18 more, and so on up to what the cells can reach."""
        most = grid.values[-1] * len(self.cells)
        return tuple(range(self.root, most + 1, _ROOTS)) if self.root else (0,)

    def holds(self, grid: Grid, values: Values) -> bool:
        """No value twice; add up digits while there are several."""
        rest = sum(values[cell] for cell in self.cells)
        while rest > _ROOTS:
            rest = sum(map(int, str(rest)))
        return different(self.cells, values) and rest == self.root

    def sentence(self, wording: RuleWording) -> str:
        """Return the rule as setters write it."""
        return (
            "Values in a cage do not repeat. Add up the figures of their sum, and those of the result, until one is left: "
            "the number in the cage."
        )

    def problems(self, grid: Grid) -> Iterator[str]:
        """Find a number that is no digital root."""
        if not 0 <= self.root <= _ROOTS:
            yield f"{self.kind}: expected a root from 0 to {_ROOTS}, got {self.root!r:.80}"

    def cosmetics(self, grid: Grid) -> Iterator[Cosmetic]:
        """The cage with its root."""
        yield Cage(self.cells, f"DR{self.root}")

    @classmethod
    def example(cls, grid: Grid) -> DigitalRootCage:
        """Return a cage of three cells in the top-left corner."""
        return cls(_corner(grid), 3 * grid.values[0] + 4)


@dataclass(frozen=True)
class RellikCage(Rule):
    """The cells of a cage hold different values; neither one of them nor the sum of several is the total."""

    kind = "rellik-cage"
    elsewhere = MappingProxyType({"ISS": "RellikCage"})
    cells: Cells
    total: int

    def lower(self, grid: Grid) -> Lowered:
        """The sets of different values that avoid the total; where there would be too many, clauses about their sums."""
        part = part_name("rellik cage", grid, self.cells)
        sets = sets_without_sum(grid.values, len(self.cells), self.total)
        if sets is not None:
            yield part, _digit_set(sets, self.cells, grid)
            return
        yield part, AllDifferent(self.cells)
        if 0 <= self.total <= sum(grid.values):
            yield from ((part, clause) for clause in self._sums(grid))

    def _sums(self, grid: Grid) -> Iterator[Clause]:
        """Yield clauses about auxiliaries: whether a value is in the cage, and which sums the values up to it come to."""
        here = {value: -1 - index for index, value in enumerate(grid.values)}
        for cell, value in ((cell, value) for cell in self.cells for value in grid.values):
            yield Clause((Literal(cell, value, equal=False), Literal(here[value], 1)))

        def comes(value: int, total: int) -> int:
            return -1 - len(here) - (value - grid.values[0]) * (self.total + 1) - total

        for value in grid.values:
            taken, before = Literal(here[value], 0), value - 1
            if value <= self.total:
                yield Clause((taken, Literal(comes(value, value), 1)))
            for total in range(self.total + 1 if value > grid.values[0] else 0):
                come = Literal(comes(before, total), 0)
                yield Clause((come, Literal(comes(value, total), 1)))
                if total + value <= self.total:
                    yield Clause((come, taken, Literal(comes(value, total + value), 1)))
        yield Clause((Literal(comes(grid.values[-1], self.total), 0),))

    def holds(self, grid: Grid, values: Values) -> bool:
        """No value twice; try every choice of some of the values."""
        inside = [values[cell] for cell in self.cells]
        choices = chain.from_iterable(combinations(inside, size) for size in range(1, len(inside) + 1))
        return different(self.cells, values) and all(sum(choice) != self.total for choice in choices)

    def sentence(self, wording: RuleWording) -> str:
        """Return the rule as setters write it."""
        return "Values in a cage do not repeat, and neither one of them nor the sum of several is the number in the cage."

    def cosmetics(self, grid: Grid) -> Iterator[Cosmetic]:
        """The cage with the total it avoids."""
        yield Cage(self.cells, f"≠{self.total}")

    @classmethod
    def example(cls, grid: Grid) -> RellikCage:
        """Return a cage of three cells in the top-left corner."""
        return cls(_corner(grid), 2 * grid.values[0] + 3)


@dataclass(frozen=True)
class EqualityCage(Rule):
    """The cells hold different values, as many odd as even, as many low as high, and none in the middle.

    Low and high are the halves of the grid's values; if their number is odd, one lies in the middle (5 of 1 to 9). 0 is even.
    """

    kind = "equality-cage"
    elsewhere = MappingProxyType({"ISS": "EqualityCage"})
    cells: Cells

    def lower(self, grid: Grid) -> Lowered:
        """The sets of values balanced in this way; where there would be too many, all different and three counts."""
        part = part_name("equality cage", grid, self.cells)
        sets = balanced_sets(grid.values, len(self.cells))
        if sets is not None:
            yield part, _digit_set(sets, self.cells, grid)
            return
        yield part, AllDifferent(self.cells)
        low, high = halves(grid.values)
        for some in (low, high, (value for value in (*low, *high) if value % 2)):
            yield part, Count(self.cells, frozenset(some), "==", len(self.cells) // 2)

    def holds(self, grid: Grid, values: Values) -> bool:
        """Count the values on each side of the middle, and the odd and the even ones."""
        inside = [values[cell] for cell in self.cells]
        middle = grid.values[0] + grid.values[-1]
        sides = [2 * value - middle for value in inside]
        return (
            different(self.cells, values)
            and 0 not in sides
            and sum(side < 0 for side in sides) == sum(side > 0 for side in sides)
            and 2 * sum(value % 2 for value in inside) == len(inside)
        )

    def sentence(self, wording: RuleWording) -> str:
        """Return the rule as setters write it."""
        low, high = map(wording.signs, halves(wording.grid.values))
        return f"Values in a cage with = do not repeat; as many are low ({low}) as high ({high}), and as many odd as even."

    def cosmetics(self, grid: Grid) -> Iterator[Cosmetic]:
        """The cage with an equals sign."""
        yield Cage(self.cells, "=")

    @classmethod
    def example(cls, grid: Grid) -> EqualityCage:
        """Return a cage of two cells."""
        return cls((grid.cell_at[0, 0], grid.cell_at[1, 0]))


@dataclass(frozen=True)
class LookAndSay(Rule):
    """The cells hold each value named exactly as often as the clue says: (count, value) pairs; others are free."""

    kind = "look-and-say"
    elsewhere = MappingProxyType({"ISS": "LookAndSay"})
    cells: Cells
    clue: tuple[tuple[int, ...], ...]

    def lower(self, grid: Grid) -> Lowered:
        """One count per pair."""
        for times, value in self.clue:
            yield part_name("look-and-say", grid, self.cells), Count(self.cells, frozenset({value}), "==", times)

    def holds(self, grid: Grid, values: Values) -> bool:
        """Count each value named."""
        inside = [values[cell] for cell in self.cells]
        return all(inside.count(value) == times for times, value in self.clue)

    def sentence(self, wording: RuleWording) -> str:
        """Return the rule as setters write it."""
        return "The clue of a cage counts its values: 23 means exactly two 3s. Values that are not in the clue are free."

    def problems(self, grid: Grid) -> Iterator[str]:
        """Find clues that are not pairs, and values that the grid does not have."""
        for pair in self.clue:
            if len(pair) != 2:  # noqa: PLR2004
                yield f"{self.kind}: expected pairs (count, value), got {pair!r:.80}"
            elif pair[1] not in grid.values:
                values = f"values from {grid.values[0]} to {grid.values[-1]}"
                yield f"{self.kind}: expected {values} after the counts, got {pair[1]!r:.80}"

    def cosmetics(self, grid: Grid) -> Iterator[Cosmetic]:
        """The cage with the clue read aloud."""
        yield Cage(self.cells, " ".join("".join(map(str, pair)) for pair in self.clue))

    @classmethod
    def example(cls, grid: Grid) -> LookAndSay:
        """Return "two of the first value, none of the second" in the first four cells of a diagonal."""
        cells = tuple(grid.cell_at[step, step] for step in range(4))
        return cls(cells, ((2, grid.values[0]), (0, grid.values[1])))


# Sets of different values, listed if there are not too many: what cages lower to.
#
# Rules of this part: a list is cached by its parameters and shared by every clue that uses it; None stands for a list of more
# than `MANY` sets, which a rule lowers in another way.


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
