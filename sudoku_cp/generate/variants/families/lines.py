"""Clues that are lines along which values rise, differ, repeat or alternate."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sudoku_cp.generate.variants.families.finder_family import FinderFamily
from sudoku_cp.generate.variants.families.line_finder import LineFinder, start_at_cell_or_pair
from sudoku_cp.generate.variants.families.random_paths import grow_at_both_ends
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
from sudoku_cp.rules.sequences import ArithmeticSequence, SameDifferenceLine
from sudoku_cp.rules.sums import ZipperLine

if TYPE_CHECKING:
    from sudoku_cp.backends import Solution
    from sudoku_cp.generate.variants.families.finder_family import FinderContext
    from sudoku_cp.grid import Cell, Grid
    from sudoku_cp.rules.base import Cells


MODULUS = ModularLine.modulus
DUTCH = 4
"""The difference along a Dutch whisper."""


def _rises(_: Grid, values: Solution, cells: Cells) -> bool:
    return values[cells[-2]] < values[cells[-1]]


def _does_not_fall(_: Grid, values: Solution, cells: Cells) -> bool:
    return values[cells[-2]] <= values[cells[-1]]


def _stays_once(_: Grid, values: Solution, cells: Cells) -> bool:
    return len({values[cell] for cell in cells}) < len(cells)


def _jumps(grid: Grid, values: Solution, cells: Cells) -> bool:
    return 2 * abs(values[cells[-2]] - values[cells[-1]]) >= len(grid.values)


def _dutch(cells: Cells) -> Whisper:
    return Whisper(cells, DUTCH)


def _where_german_is_more(context: FinderContext, cell: Cell) -> Cells:
    return (cell,) if len(context.grid.values) > 2 * DUTCH else ()


def _jumps_less(_: Grid, values: Solution, cells: Cells) -> bool:
    return abs(values[cells[-2]] - values[cells[-1]]) >= DUTCH


def _could_be_consecutive(_: Grid, values: Solution, cells: Cells) -> bool:
    seen = [values[cell] for cell in cells]
    # Two more cells can close the gaps there are.
    return len(set(seen)) == len(seen) and max(seen) - min(seen) < len(seen) + 2


def _consecutive(_: Grid, values: Solution, cells: Cells) -> bool:
    seen = [values[cell] for cell in cells]
    return max(seen) - min(seen) < len(seen)


def _never_beside(_: Grid, values: Solution, cells: Cells) -> bool:
    return all(abs(values[cell] - values[cells[-1]]) > 1 for cell in cells[:-1])


def _of_other_thirds(grid: Grid, values: Solution, cells: Cells) -> bool:
    # 0, 1 and 2 for a low, a middle and a high value, as the rule has them.
    outer = (len(grid.values) + 1) // 3
    low, high = grid.values.start + outer, grid.values.stop - outer
    groups = [(values[cell] >= low) + (values[cell] >= high) for cell in cells[-3:]]
    return len(set(groups)) == len(groups)


def _of_other_rests(_: Grid, values: Solution, cells: Cells) -> bool:
    rests = [values[cell] % MODULUS for cell in cells[-MODULUS:]]
    return len(set(rests)) == len(rests)


def _alternates(_: Grid, values: Solution, cells: Cells) -> bool:
    return (values[cells[-2]] + values[cells[-1]]) % 2 == 1


def _steps_alike(_: Grid, values: Solution, cells: Cells) -> bool:
    step = values[cells[1]] - values[cells[0]]
    return step != 0 and values[cells[-1]] - values[cells[-2]] == step


def _as_far_apart(_: Grid, values: Solution, cells: Cells) -> bool:
    step = abs(values[cells[1]] - values[cells[0]])
    return step != 0 and abs(values[cells[-1]] - values[cells[-2]]) == step


def _turns(_: Grid, values: Solution, cells: Cells) -> bool:
    return len({values[cell] for cell in cells}) > 2 or len(cells) > 3  # noqa: PLR2004


def _ends_equal(_: Grid, values: Solution, cells: Cells) -> bool:
    return values[cells[0]] == values[cells[-1]]


def _folds(_: Grid, values: Solution, cells: Cells) -> bool:
    middle = cells[(len(cells) - 1) // 2 : len(cells) // 2 + 1]
    return values[cells[0]] + values[cells[-1]] == sum(values[cell] for cell in middle)


LINE_FAMILIES = (
    FinderFamily("thermometer", ("thermo",), LineFinder(Thermometer, _rises, head=True)),
    FinderFamily("slow-thermometer", ("slow-thermo",), LineFinder(SlowThermometer, _does_not_fall, _stays_once, head=True)),
    FinderFamily("whisper", ("german-whisper", "german"), LineFinder(Whisper, _jumps)),
    FinderFamily("dutch-whisper", ("dutch",), LineFinder(_dutch, _jumps_less, begin=_where_german_is_more)),
    FinderFamily("renban", (), LineFinder(Renban, _could_be_consecutive, _consecutive)),
    FinderFamily("nabner", (), LineFinder(Nabner, _never_beside)),
    FinderFamily("palindrome", (), LineFinder(Palindrome, _ends_equal, begin=start_at_cell_or_pair, grow=grow_at_both_ends)),
    FinderFamily("zipper-line", ("zipper",), LineFinder(ZipperLine, _folds, begin=start_at_cell_or_pair, grow=grow_at_both_ends)),
    FinderFamily("entropic-line", ("entropic",), LineFinder(EntropicLine, _of_other_thirds)),
    FinderFamily("modular-line", ("modular",), LineFinder(ModularLine, _of_other_rests)),
    FinderFamily("parity-line", ("parity",), LineFinder(ParityLine, _alternates, least=4)),
    FinderFamily("arithmetic-sequence", ("arithmetic",), LineFinder(ArithmeticSequence, _steps_alike)),
    FinderFamily("same-difference-line", ("same-difference",), LineFinder(SameDifferenceLine, _as_far_apart, _turns)),
)
