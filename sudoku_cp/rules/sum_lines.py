"""Lines along which values add up."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, groupby
from math import comb
from types import MappingProxyType
from typing import TYPE_CHECKING

from sudoku_cp.cosmetics import Cage, Line
from sudoku_cp.model import AllDifferent, Clause, Count, DigitSet, Linear, Literal, Values, to_mask
from sudoku_cp.rules.automata import (
    NOTHING_READ,
    STATES,
    AutomatonTemplate,
    ValuesRead,
    make_automaton,
    marked_automaton,
    with_start_choice,
)
from sudoku_cp.rules.base import Cells, Lowered, part_name
from sudoku_cp.rules.line_helpers import LineRule, equal_sums, example_line, repeated_cells, too_many_cells

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sudoku_cp.cosmetics import Cosmetic
    from sudoku_cp.grid import Grid
    from sudoku_cp.model import Constraint
    from sudoku_cp.rules.wording import RuleWording


# --- equal sums -------------------------------------------------------------------------------------------------


@lru_cache(maxsize=64)
def _regions_of(grid: Grid) -> tuple[tuple[int, ...], ...]:
    """Return the numbers of the regions that each cell lies in: one, none, or several where boards overlap."""
    found: list[tuple[int, ...]] = [()] * len(grid.cells)
    for number, region in enumerate(dict.fromkeys(grid.regions)):
        for cell in region:
            found[cell] += (number,)
    return tuple(found)


@dataclass(frozen=True)
class RegionSumLine(LineRule):
    """The values on each stretch of the line inside one region have the same sum; a region entered again starts anew.

    Cells in no region make stretches of their own. A line that ends in its first cell is a loop: that cell counts once,
    and a stretch may run through it.
    """

    kind = "region-sum-line"
    elsewhere = MappingProxyType(
        {"ISS": "RegionSumLine", "f-puzzles": "regionsumline", "SudokuSolver": "rsl", "also": "blue line"}
    )
    drawn = Line((), colour="#2ECBFF")  # a light blue line

    def _stretches(self, grid: Grid) -> list[Cells]:
        regions = _regions_of(grid)
        loop = len(self.cells) > 1 and self.cells[0] == self.cells[-1]
        line = self.cells[:-1] if loop else self.cells
        found = [tuple(cells) for _, cells in groupby(line, regions.__getitem__)]
        if loop and len(found) > 1 and regions[line[0]] == regions[line[-1]]:
            found[0] = found.pop() + found[0]
        return found

    def lower(self, grid: Grid) -> Lowered:
        """Each stretch has the sum of the shortest."""
        part = part_name("region sum line", grid, self.cells)
        for constraint in equal_sums(self._stretches(grid)):
            yield part, constraint

    def holds(self, grid: Grid, values: Values) -> bool:
        """Cut the line at every border, a loop from its first border on, and compare the sums."""
        inside = [{number for number, region in enumerate(grid.regions) if cell in region} for cell in self.cells]
        borders = [place for place in range(1, len(self.cells)) if inside[place] != inside[place - 1]]
        if not borders:
            return True
        line = [values[cell] for cell in self.cells]
        if self.cells[0] == self.cells[-1]:
            line = line[borders[0] : -1] + line[: borders[0]]
            borders = [place - borders[0] for place in borders]
        else:
            borders = [0, *borders]
        return len({sum(line[start:end]) for start, end in zip(borders, [*borders[1:], len(line)], strict=True)}) == 1

    def sentence(self, wording: RuleWording) -> str:
        """Return the rule as setters write it."""
        return f"Values on the line have the same sum in every {wording.region}; each visit to a {wording.region} counts alone."

    @classmethod
    def example(cls, grid: Grid) -> RegionSumLine:
        """Return three cells of the first row, across a border where there is one."""
        row, regions = grid.lines[0], _regions_of(grid)
        turns = (place for place in range(1, len(row) - 1) if regions[row[place - 1]] != regions[row[place]])
        turn = next(turns, 1)
        return cls(row[turn - 1 : turn + 2])


@dataclass(frozen=True)
class ZipperLine(LineRule):
    """Cells equally far from the middle of the line have the same sum: the value of the middle cell, where there is one.

    A line of an even number of cells has no middle cell: its pairs just have the same sum.
    """

    kind = "zipper-line"
    elsewhere = MappingProxyType({"ISS": "Zipper", "f-puzzles": "zipperline", "SudokuSolver": "zipper"})
    drawn = Line((), colour="#CDB1EC")  # a lavender line

    def lower(self, grid: Grid) -> Lowered:
        """Each pair has the sum of the middle, or of the innermost pair."""
        half, odd = divmod(len(self.cells), 2)
        pairs = list(zip(self.cells[:half], reversed(self.cells), strict=False))[::-1]
        part = part_name("zipper line", grid, self.cells)
        for constraint in equal_sums([self.cells[half : half + odd], *pairs][1 - odd :]):
            yield part, constraint

    def holds(self, grid: Grid, values: Values) -> bool:
        """Add the reversed line to the line; the middle value counts once."""
        line = [values[cell] for cell in self.cells]
        sums = [one + other for one, other in zip(line, reversed(line), strict=True)]
        if len(line) % 2:
            sums[len(line) // 2] = line[len(line) // 2]
        return len(set(sums)) <= 1

    def sentence(self, wording: RuleWording) -> str:
        """Return the rule as setters write it."""
        return "Cells equally far from the middle of the line always have the same sum, which a cell in the middle holds itself."


# --- sum lines --------------------------------------------------------------------------------------------------


@lru_cache(maxsize=64)
def _segments_automaton(values: range, total: int) -> AutomatonTemplate:
    """Return an automaton that adds up values, and starts again at ``total``."""

    def step(partial: int, value: int) -> int | None:
        return (partial + value) % total if partial + value <= total else None

    return make_automaton(0, step, lambda partial: partial == 0, values)


MOST_CARRIED = 20
"""The largest total for which one automaton describes a loop; the checker of certificates can follow it, but not several."""


@lru_cache(maxsize=64)
def _carrying_automaton(values: range, total: int) -> tuple[int, AutomatonTemplate]:
    """Return a number of auxiliaries, and an automaton that reads from them what the first segment has from beyond the join."""

    def step(state: tuple[int, int], value: int) -> tuple[int, int] | None:
        carried, partial = state
        return (carried, (partial + value) % total) if partial + value <= total else None

    return with_start_choice([(carried, carried) for carried in range(total)], step, lambda state: state[0] == state[1], values)


@lru_cache(maxsize=64)
def _marked_segments_automaton(values: range, total: int) -> AutomatonTemplate:
    """Return the same automaton with a mark read first; with mark 0 it accepts any values."""

    def step(read: ValuesRead, value: int) -> ValuesRead | None:
        match read:
            case ():
                return (value, 0) if value in {0, 1} else None
            case (0, _):
                return read
            case _:
                return (1, (read[1] + value) % total) if read[1] + value <= total else None

    return make_automaton(NOTHING_READ, step, lambda read: read[1:] == (0,), sorted({0, 1, *values}))


def _loop_constraints(cells: Cells, values: range, total: int) -> Iterator[Constraint]:
    """Yield one automaton that remembers what the first segment has from beyond the join, where the total is small.

    For larger totals, yield an automaton for each cell that may end the first segment; auxiliary -k selects the k-th.
    """
    if total <= MOST_CARRIED:
        width, automaton = _carrying_automaton(values, total)
        yield automaton.on_cells((*range(-width, 0), *cells))
        return
    longest = min(len(cells), total // values[0]) if values[0] else len(cells)
    for number in range(1, longest + 1):
        yield _marked_segments_automaton(values, total).on_cells((-number, *cells[number:], *cells[:number]))
    yield Clause(tuple(Literal(-number, 1) for number in range(1, longest + 1)))


def _segment_sums(cells: Cells, total: int, loop: bool) -> Iterator[Constraint]:  # noqa: FBT001
    """Yield equivalent sums: auxiliary -k is 1 if a segment ends with the k-th cell.

    The sum since the last end is from 0 to ``total`` after each cell, and 0 after an end. In a loop,
    further auxiliaries are the bits of what the first segment has from beyond the join.
    """
    size = len(cells)
    carried = tuple((-size - 1 - bit, 1 << bit) for bit in range(total.bit_length() if loop else 0))
    for number in range(1, size + 1):
        ended = tuple((-before, -total) for before in range(1, number + 1))
        since = (*carried, *((cell, 1) for cell in cells[:number]), *ended)
        yield Linear(since, ">=", 0)
        yield Linear((*since, (-number, total)), "<=", total)
    yield Linear((*((cell, 1) for cell in cells), *((-number, -total) for number in range(1, size + 1))), "==", 0)


@dataclass(frozen=True)
class SumLine(LineRule):
    """The line can be cut into stretches that add up to ``total`` each; a ``loop`` can be cut anywhere.

    The last cell of a loop is next to its first. Where its first cell is named again at the end, that only closes it: the cell
    counts once. On a line that is no loop, a cell that is named twice counts twice.
    """

    kind = "sum-line"
    elsewhere = MappingProxyType({"ISS": "SumLine", "also": "10-line, ten line"})
    total: int
    loop: bool = False

    def _open_line(self) -> Cells:
        """Return the cells, without the last if it repeats the first to close the loop."""
        closed = self.loop and len(self.cells) > 1 and self.cells[0] == self.cells[-1]
        return self.cells[:-1] if closed else self.cells

    def lower(self, grid: Grid) -> Lowered:
        """One automaton, or several for a loop; for large totals, sums for each place where a stretch may end."""
        cells, part = self._open_line(), part_name("sum line", grid, self.cells)
        whole = tuple((cell, 1) for cell in cells)
        if 2 * self.total > grid.values[-1] * len(cells):
            yield part, Linear(whole, "==", self.total)
            return
        if not grid.values[0]:
            # A line of zeros has no segment at all, which neither formulation would notice.
            yield part, Linear(whole, ">=", self.total)
        if self.total > STATES:
            constraints = _segment_sums(cells, self.total, self.loop)
        elif self.loop:
            constraints = _loop_constraints(cells, grid.values, self.total)
        else:
            constraints = iter([_segments_automaton(grid.values, self.total).on_cells(cells)])
        for constraint in constraints:
            yield part, constraint

    def holds(self, grid: Grid, values: Values) -> bool:
        """Try every place for the first cut, and see how far stretches with the right sum reach."""
        line = [values[cell] for cell in self._open_line()]
        return any(_can_be_cut(line[cut:] + line[:cut], self.total) for cut in range(len(line) if self.loop else 1))

    def sentence(self, wording: RuleWording) -> str:
        """Return the rule as setters write it."""
        loop = " The loop can be cut anywhere." if self.loop else ""
        return f"The line can be cut into stretches that each add up to the number on it.{loop}"

    def problems(self, grid: Grid) -> Iterator[str]:
        """Find a line without cells, and a total below 1."""
        yield from super().problems(grid)
        if self.total < 1:
            yield f"{self.kind}: expected a total of at least 1, got {self.total!r:.80}"

    def cosmetics(self, grid: Grid) -> Iterator[Cosmetic]:
        """A grey line with its total, closed if it is a loop."""
        cells = self._open_line()
        yield Line((*cells, *cells[:1]) if self.loop else cells, text=str(self.total))

    @classmethod
    def example(cls, grid: Grid) -> SumLine:
        """Return four cells of the first row that make two stretches, such as 1 and 4, 2 and 3."""
        return cls(grid.lines[0][:4], 2 * grid.values[0] + 3)


def _can_be_cut(line: list[int], total: int) -> bool:
    ends = {0}
    for end in range(1, len(line) + 1):
        if any(sum(line[start:end]) == total for start in ends):
            ends.add(end)
    return len(line) in ends


# --- lunchboxes -------------------------------------------------------------------------------------------------

MANY = 2000
"""The most sets of values that are listed."""
BEFORE = -1
AFTER = -2
"""The states of a lunchbox outside its smallest and largest value; between them, the state is the sum so far."""


def _next_fill(state: int, value: int, total: int, end: bool) -> int | None:  # noqa: FBT001
    """Return the state of a lunchbox after one more value, its smallest or largest if ``end``; None is a dead end."""
    if end:
        return 0 if state == BEFORE else AFTER if state == total else None
    if state in {BEFORE, AFTER}:
        return state
    return state + value if state + value <= total else None


@lru_cache(maxsize=64)
def _packing_automaton(values: range, size: int, total: int) -> tuple[int, AutomatonTemplate]:
    """Return a number of auxiliaries, and an automaton that first reads from them the smallest and the largest value."""

    def step(state: tuple[int, int, int], value: int) -> tuple[int, int, int] | None:
        low, high, filled = state
        after = _next_fill(filled, value, total, value in {low, high}) if low <= value <= high else None
        return None if after is None else (low, high, after)

    pairs = [(low, high, BEFORE) for low in values for high in values if high - low >= size - 1]
    return with_start_choice(pairs, step, lambda state: state[2] == AFTER, values)


@lru_cache(maxsize=64)
def _marked_packing_automaton(values: range, total: int) -> AutomatonTemplate:
    """Return an automaton that reads for each cell two auxiliaries (is it the smallest, is it the largest) and its value."""

    def step(state: tuple[int, ValuesRead], value: int) -> tuple[int, ValuesRead] | None:
        filled, marks = state
        if len(marks) == 2:  # noqa: PLR2004
            after = _next_fill(filled, value, total, any(marks))
            return None if after is None else (after, ())
        return (filled, (*marks, value)) if value in {0, 1} and sum(marks) + value <= 1 else None

    return make_automaton((BEFORE, NOTHING_READ), step, lambda state: state == (AFTER, ()), sorted({0, 1, *values}))


@lru_cache(maxsize=64)
def _extreme_automaton(values: range, least: bool) -> AutomatonTemplate:  # noqa: FBT001
    """Return an automaton that reads a mark, a cell and other cells, which are all larger (or smaller) if the mark is 1."""

    def compare(extreme: int, value: int) -> int | None:
        return extreme if (value > extreme if least else value < extreme) else None

    return marked_automaton(values, compare, lambda _: True)


@lru_cache(maxsize=256)
def _possible_fills(values: range, size: int, total: int) -> frozenset[int]:
    """Return the sets of values, as bit masks, in which some between the smallest and the largest add up to ``total``."""
    found = []
    for chosen in combinations(values, size):
        sums = 1
        for value in chosen[1:-1]:
            sums |= sums << value
        if total >= 0 and sums >> total & 1:
            found.append(to_mask(chosen))
    return frozenset(found)


@dataclass(frozen=True)
class Lunchbox(LineRule):
    """The cells hold different values; those on the line between the smallest and the largest add up to ``total``.

    The smallest and the largest are those of these cells, not of the grid; where they are neighbours, the total is 0.
    """

    kind = "lunchbox"
    elsewhere = MappingProxyType({"ISS": "Lunchbox"})
    fewest = 2
    total: int

    def lower(self, grid: Grid) -> Lowered:
        """All different, the sets that can add up, and an automaton, or for large ones one that reads marks for the ends."""
        part, size = part_name("lunchbox", grid, self.cells), len(self.cells)
        if self.total > grid.values[-1] * (size - 2):
            yield part, DigitSet(self.cells, frozenset())
            return
        yield part, AllDifferent(self.cells)
        choices = comb(len(grid.values), size)
        if choices <= MANY and len(sets := _possible_fills(grid.values, size, self.total)) < choices:
            yield part, DigitSet(self.cells, sets)
        yield from self._packings(grid)

    def lower_distinct(self, grid: Grid) -> tuple[Cells, Lowered]:
        """The automaton alone."""
        return self.cells, self._packings(grid)

    def _packings(self, grid: Grid) -> Lowered:
        """Yield an automaton that adds up values between the smallest and the largest, of cells that differ."""
        part, size = part_name("lunchbox", grid, self.cells), len(self.cells)
        if comb(len(grid.values) - size + 2, 2) * (self.total + 3) <= STATES:
            width, reader = _packing_automaton(grid.values, size, self.total)
            yield part, reader.on_cells((*range(-1, -width - 1, -1), *self.cells))
            return
        least, most = range(-1, -2 * size, -2), range(-2, -2 * size - 1, -2)
        yield (
            part,
            _marked_packing_automaton(grid.values, self.total).on_cells(
                cell for three in zip(least, most, self.cells, strict=True) for cell in three
            ),
        )
        for marks, is_least in ((least, True), (most, False)):
            yield part, Count(tuple(marks), frozenset({1}), "==", 1)
            for mark, cell in zip(marks, self.cells, strict=True):
                others = (other for other in self.cells if other != cell)
                yield part, _extreme_automaton(grid.values, is_least).on_cells((mark, cell, *others))

    def holds(self, grid: Grid, values: Values) -> bool:
        """Find the smallest and the largest, and add up what is between."""
        line = [values[cell] for cell in self.cells]
        start, end = sorted((line.index(min(line)), line.index(max(line))))
        return len(set(line)) == len(line) and sum(line[start + 1 : end]) == self.total

    def sentence(self, wording: RuleWording) -> str:
        """Return the rule as setters write it."""
        return "Values in a lunchbox do not repeat; those between the smallest and the largest add up to its number."

    def problems(self, grid: Grid) -> Iterator[str]:
        """Find a box of fewer than two cells or too many, one that comes back to a cell, and a negative total."""
        yield from super().problems(grid)
        yield from too_many_cells(self, self.cells, len(grid.values), "one per value")
        yield from repeated_cells(self, grid, self.cells)
        if self.total < 0:
            yield f"{self.kind}: expected a total of at least 0, got {self.total!r:.80}"

    def cosmetics(self, grid: Grid) -> Iterator[Cosmetic]:
        """A box with its total, and a thin line that shows the order of its cells."""
        yield Cage(self.cells, str(self.total), colour="#808080")
        yield Line(self.cells, width=0.05)

    @classmethod
    def example(cls, grid: Grid) -> Lunchbox:
        """Return a box of three cells with the second value in it, such as 1 2 3."""
        return cls(example_line(grid), grid.values[1])
