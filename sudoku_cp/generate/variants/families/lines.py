"""Clues that are lines along which values rise, differ, repeat or alternate."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import combinations
from typing import Any, TypeAlias

from sudoku_cp.generate.variants.families.finder_family import FinderContext, FinderFamily
from sudoku_cp.generate.variants.families.random_shapes import (
    Growth,
    PathTest,
    count_bends,
    grow_at_both_ends,
    grow_at_end,
    random_path,
    start_cells,
)
from sudoku_cp.generate.variants.proposals import Proposal, spots_of_line
from sudoku_cp.grid import Cell, Grid
from sudoku_cp.rules.arrows import Arrow, DoubleArrow, PillArrow
from sudoku_cp.rules.base import Cells, Rule
from sudoku_cp.rules.between_lines import BetweenLine, LockoutLine
from sudoku_cp.rules.lines import (
    EntropicLine,
    ModularLine,
    Nabner,
    Palindrome,
    ParityLine,
    Renban,
    SlowThermometer,
    Thermometer,
    Whisper,
)
from sudoku_cp.rules.sequence_lines import AmbiguousArrow, ArithmeticSequence, OddEvenLot, SameDifferenceLine
from sudoku_cp.rules.sum_lines import RegionSumLine, ZipperLine

# Families of lines as data: what holds along a line, where it begins, how it grows and which rule it becomes.


LineTest: TypeAlias = Callable[[Sequence[int], Grid, Cells], bool]
"""Returns whether the values along a path are allowed; the grid and the path follow, for tests that need more than the values."""
LineStart: TypeAlias = Callable[[FinderContext, Cell], Cells]
"""Returns the first cells of a path from a cell; () where none can begin there."""

LINES = 1.3
"""Searches for lines per cell."""
BENDS, BEND = 2, 0.1
"""The bends that are pretty, and the cost of each further one."""


def start_at_cell_or_pair(context: FinderContext, cell: Cell) -> Cells:
    """Return the cell, or just as often the cell and one that touches it: the middle of a line that grows at both ends."""
    two = context.random.random() < 0.5  # noqa: PLR2004
    return grow_at_end(context.random, context.grid, (cell,))[-1] if two and len(context.grid.cells) > 1 else (cell,)


@dataclass(frozen=True)
class LineFinder:
    """Finds the lines of a family and turns each into a rule by ``draw``.

    ``fits`` is called on every prefix of more than one cell, and need only look at the cells added last; ``done`` is called on
    the whole line. A line with a ``head`` is a different clue when read backwards. A line has at least ``least`` cells,
    and aims at ``longer`` more than usual, at ``draft_most`` where it is drafted.
    """

    draw: Callable[[Cells], Rule]
    fits: LineTest
    done: LineTest = lambda *_: True
    head: bool = False
    least: int = 3
    longer: int = 0
    draft_most: int | None = None
    begin: LineStart = lambda _, cell: (cell,)
    grow: Growth = grow_at_end

    def __call__(self, context: FinderContext) -> Iterator[Proposal]:
        """Yield the lines found and, with a symmetry, their images."""
        for proposal in self._lines(context, *self._tests(context)):
            # Regions need not have the symmetry.
            if not context.moves or all(rule.holds(context.grid, context.values) for rule in proposal.rules):
                yield proposal

    def draft(self, context: FinderContext) -> Iterator[Proposal]:
        """Yield lines that look like those found, but of which nobody knows yet whether a solution has them."""
        if self.draft_most is not None and context.line_length is not None:
            context = replace(context, line_length=min(context.line_length, self.draft_most))
        yield from self._lines(context, context.is_clear_of_image, lambda cells: len(cells) >= self.least)

    def _lines(self, context: FinderContext, fits: PathTest, done: PathTest) -> Iterator[Proposal]:
        # With a symmetry few lines hold, and those that do not are given up quickly.
        number = LINES * (3 if context.moves and context.values else 1) * len(context.grid.cells)
        for start in start_cells(context.random, context.grid, round(number)):
            size = min(context.length(self.least) + self.longer, len(context.grid.values) + self.longer)
            begun = self.begin(context, start)
            if not begun or (len(begun) > 1 and not fits(begun)):
                continue
            cells = random_path(context.random, context.grid, begun, size, fits, done, self.grow)
            for image in context.images(cells) if cells else ():
                yield self._line(context.grid, image if self.head else min(image, image[::-1]))

    def _tests(self, context: FinderContext) -> tuple[PathTest, PathTest]:
        grid, views = context.grid, context.views
        if len(views) == 1:
            at = views[0].__getitem__
            return (
                lambda cells: self.fits([*map(at, cells)], grid, cells),
                lambda cells: len(cells) >= self.least and self.done([*map(at, cells)], grid, cells),
            )

        def fits(cells: Cells) -> bool:
            return all(
                self.fits([values[cell] for cell in cells], grid, cells) for values in views
            ) and context.is_clear_of_image(cells)

        def done(cells: Cells) -> bool:
            return len(cells) >= self.least and all(self.done([values[cell] for cell in cells], grid, cells) for values in views)

        return fits, done

    def _line(self, grid: Grid, cells: Cells) -> Proposal:
        return Proposal((self.draw(cells),), 1 + BEND * max(0, count_bends(grid, cells) - BENDS), spots_of_line(grid, cells))


MODULUS = ModularLine.modulus
DUTCH = 4
"""The difference along a Dutch whisper."""


def _jumps(line: Sequence[int], grid: Grid, _: Cells) -> bool:
    return 2 * abs(line[-2] - line[-1]) >= len(grid.values)


def _where_german_is_more(context: FinderContext, cell: Cell) -> Cells:
    return (cell,) if len(context.grid.values) > 2 * DUTCH else ()


def _could_be_consecutive(line: Sequence[int], *_: object) -> bool:
    # Two more cells can close the gaps there are.
    return len(set(line)) == len(line) and max(line) - min(line) < len(line) + 2


def _in_other_thirds(line: Sequence[int], grid: Grid, _: Cells) -> bool:
    # 0, 1 and 2 for a low, a middle and a high value, as the rule has them.
    outer = (len(grid.values) + 1) // 3
    low, high = grid.values.start + outer, grid.values.stop - outer
    return _all_differ([(value >= low) + (value >= high) for value in line[-3:]])


def _has_other_remainders(line: Sequence[int], *_: object) -> bool:
    return _all_differ([value % MODULUS for value in line[-MODULUS:]])


def _all_differ(values: Sequence[int]) -> bool:
    return len(set(values)) == len(values)


def _steps_alike(line: Sequence[int], *_: object) -> bool:
    return line[1] - line[0] == line[-1] - line[-2] != 0


def _is_as_far_apart(line: Sequence[int], *_: object) -> bool:
    return abs(line[1] - line[0]) == abs(line[-1] - line[-2]) != 0


def _folds(line: Sequence[int], *_: object) -> bool:
    return line[0] + line[-1] == sum(line[(len(line) - 1) // 2 : len(line) // 2 + 1])


def _line_family(name: str, aliases: tuple[str, ...], finder: LineFinder, cells_per_clue: float = 7.0) -> FinderFamily:
    return FinderFamily(name, aliases, finder, cells_per_clue, draft=finder.draft)


_from_the_middle: dict[str, Any] = {"begin": start_at_cell_or_pair, "grow": grow_at_both_ends}

LINE_FAMILIES = (
    _line_family("thermometer", ("thermo",), LineFinder(Thermometer, lambda line, *_: line[-2] < line[-1], head=True)),
    _line_family(
        "slow-thermometer",
        ("slow-thermo",),
        LineFinder(SlowThermometer, lambda line, *_: line[-2] <= line[-1], lambda line, *_: not _all_differ(line), head=True),
    ),
    _line_family("whisper", ("german-whisper", "german"), LineFinder(Whisper, _jumps)),
    _line_family(
        "dutch-whisper",
        ("dutch",),
        LineFinder(
            lambda cells: Whisper(cells, DUTCH),
            lambda line, *_: abs(line[-2] - line[-1]) >= DUTCH,
            begin=_where_german_is_more,
        ),
    ),
    _line_family("renban", (), LineFinder(Renban, _could_be_consecutive, lambda line, *_: max(line) - min(line) < len(line))),
    _line_family(
        "nabner",
        (),
        LineFinder(Nabner, lambda line, *_: all(abs(value - line[-1]) > 1 for value in line[:-1]), draft_most=3),
    ),
    _line_family("palindrome", (), LineFinder(Palindrome, lambda line, *_: line[0] == line[-1], **_from_the_middle)),
    _line_family("zipper-line", ("zipper",), LineFinder(ZipperLine, _folds, **_from_the_middle)),
    _line_family("entropic-line", ("entropic",), LineFinder(EntropicLine, _in_other_thirds)),
    _line_family("modular-line", ("modular",), LineFinder(ModularLine, _has_other_remainders)),
    _line_family("parity-line", ("parity",), LineFinder(ParityLine, lambda line, *_: (line[-2] + line[-1]) % 2 == 1, least=4)),
    _line_family("arithmetic-sequence", ("arithmetic",), LineFinder(ArithmeticSequence, _steps_alike)),
    _line_family(
        "same-difference-line",
        ("same-difference",),
        LineFinder(SameDifferenceLine, _is_as_far_apart, lambda line, *_: len(set(line)) > 2 or len(line) > 3),  # noqa: PLR2004
    ),
)


# Clues that are lines along which values add up, or lie between those at the ends.


# --- arrows -----------------------------------------------------------------------------------------------------


def _arrow(cells: Cells) -> Arrow:
    return Arrow(cells[0], (cells[1:],))


SHAFTS = 1.2
"""The cost of an arrow with two shafts."""


_SHAFT = LineFinder(
    _arrow, lambda line, *_: sum(line[1:]) <= line[0], lambda line, *_: sum(line[1:]) == line[0], head=True, draft_most=4
)


def _arrows(context: FinderContext) -> Iterator[Proposal]:
    """Yield arrows with one shaft, then combinations of two with the same bulb."""
    found = list(dict.fromkeys(_SHAFT(context)))
    yield from found
    arrows = [(rule, proposal.spots) for proposal in found for rule in proposal.rules if isinstance(rule, Arrow)]
    for (one, taken), (other, there) in combinations(arrows, 2):
        if one.bulb == other.bulb and len(taken & there) == 1:  # nothing but the bulb
            yield Proposal((Arrow(one.bulb, (*one.shafts, *other.shafts)),), SHAFTS, taken | there)


def _pill(context: FinderContext, cell: Cell) -> Cells:
    """Return the cell and the one to its right or below it, the directions in which numbers are read."""
    row, column = context.grid.places[cell]
    place = context.random.choice(((row, column + 1), (row + 1, column)))
    return (cell, context.grid.cell_at[place]) if place in context.grid.cell_at else ()


def _pill_arrow(cells: Cells) -> PillArrow:
    return PillArrow(cells[:2], (cells[2:],))


def _missing_in_pill(line: Sequence[int]) -> int:
    """Return by how much the number in the pill exceeds the sum of the shaft."""
    return 10 * line[0] + line[1] - sum(line[2:])


def _within_pill(line: Sequence[int], grid: Grid, _: Cells) -> bool:
    # A number with a large first digit needs a longer shaft than fits.
    return 0 <= _missing_in_pill(line) <= 3 * grid.values[-1]


def _could_be_half(line: Sequence[int], grid: Grid, _: Cells) -> bool:
    # The sum between the ends is at most the first value plus the largest one.
    return sum(line[1:-1]) <= line[0] + grid.values[-1]


def _within_greatest(line: Sequence[int], grid: Grid, _: Cells) -> bool:
    return sum(line) - max(line) <= grid.values[-1]


def _odd_count(line: Sequence[int]) -> int:
    return sum(value % 2 for value in line)


# --- between the ends -------------------------------------------------------------------------------------------


def _is_on_one_side(line: Sequence[int], *_: object) -> bool:
    return (line[0] - line[1]) * (line[0] - line[-1]) > 0


def _ends_farthest(line: Sequence[int], *_: object) -> bool:
    return all(abs(value - line[0]) < abs(line[-1] - line[0]) for value in line[1:-1])


def _where_ends_fit(context: FinderContext, cell: Cell) -> Cells:
    """Return the cell, if there are enough values for ends as far apart as the rule requires."""
    return (cell,) if len(context.grid.values) > LockoutLine.difference + 1 else ()


def _is_locked_out(line: Sequence[int], *_: object) -> bool:
    low, high = sorted((line[0], line[-1]))
    return high - low >= LockoutLine.difference and not any(low <= value <= high for value in line[1:-1])


# --- a sum for each region --------------------------------------------------------------------------------------


@lru_cache(maxsize=64)
def _regions(grid: Grid) -> tuple[tuple[int, ...], ...]:
    """Return the numbers of the regions that each cell lies in."""
    return tuple(tuple(number for number, region in enumerate(grid.regions) if cell in region) for cell in grid.cells)


def _region_sums(line: Sequence[int], grid: Grid, cells: Cells) -> list[int]:
    """Return the sum of each stretch of the line within one region."""
    sums: list[int] = []
    regions = _regions(grid)
    for before, cell, value in zip((None, *cells), cells, line, strict=False):
        if before is None or regions[cell] != regions[before]:
            sums.append(0)
        sums[-1] += value
    return sums


def _could_be_equal(line: Sequence[int], grid: Grid, cells: Cells) -> bool:
    first, *others = _region_sums(line, grid, cells)
    return all(total == first for total in others[:-1]) and all(total <= first for total in others[-1:])


def _are_equal(line: Sequence[int], grid: Grid, cells: Cells) -> bool:
    sums = _region_sums(line, grid, cells)
    return len(sums) > 1 and len(set(sums)) == 1


ARROW_FAMILIES = (
    FinderFamily("arrow", (), _arrows, draft=_SHAFT.draft),
    _line_family(
        "pill-arrow",
        (),
        LineFinder(
            _pill_arrow, _within_pill, lambda line, *_: not _missing_in_pill(line), head=True, least=4, longer=2, begin=_pill
        ),
        10,
    ),
    _line_family(
        "double-arrow",
        (),
        LineFinder(DoubleArrow, _could_be_half, lambda line, *_: sum(line) == 2 * (line[0] + line[-1]), least=4),
    ),
    _line_family(
        "ambiguous-arrow", (), LineFinder(AmbiguousArrow, _within_greatest, lambda line, *_: sum(line) == 2 * max(line))
    ),
    _line_family(
        "odd-even-lot",
        ("odd-lot",),
        LineFinder(
            OddEvenLot,
            lambda line, *_: _odd_count(line) <= line[0],
            lambda line, *_: _odd_count(line) == line[0],
            head=True,
            longer=1,
        ),
    ),
    _line_family("between-line", ("between",), LineFinder(BetweenLine, _is_on_one_side, _ends_farthest, least=4)),
    _line_family(
        "lockout-line",
        ("lockout",),
        LineFinder(LockoutLine, lambda line, *_: line[0] != line[-1], _is_locked_out, least=4, begin=_where_ends_fit),
    ),
    _line_family("region-sum-line", ("region-sum",), LineFinder(RegionSumLine, _could_be_equal, _are_equal, longer=1)),
)
