"""Clues that are lines: how values rise, differ, repeat and alternate along them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sudoku_cp.generate.variants.families.drawing import Drawing, one_or_two
from sudoku_cp.generate.variants.families.kind import Kind
from sudoku_cp.generate.variants.families.paths import at_both_ends
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
    from sudoku_cp.generate.variants.families.kind import Sight
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


def _where_german_is_more(sight: Sight, cell: Cell) -> Cells:
    return (cell,) if len(sight.grid.values) > 2 * DUTCH else ()


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
    Kind("thermometer", ("thermo",), Drawing(Thermometer, _rises, head=True)),
    Kind("slow-thermometer", ("slow-thermo",), Drawing(SlowThermometer, _does_not_fall, _stays_once, head=True)),
    Kind("whisper", ("german-whisper", "german"), Drawing(Whisper, _jumps)),
    Kind("dutch-whisper", ("dutch",), Drawing(_dutch, _jumps_less, begin=_where_german_is_more)),
    Kind("renban", (), Drawing(Renban, _could_be_consecutive, _consecutive)),
    Kind("nabner", (), Drawing(Nabner, _never_beside)),
    Kind("palindrome", (), Drawing(Palindrome, _ends_equal, begin=one_or_two, grow=at_both_ends)),
    Kind("zipper-line", ("zipper",), Drawing(ZipperLine, _folds, begin=one_or_two, grow=at_both_ends)),
    Kind("entropic-line", ("entropic",), Drawing(EntropicLine, _of_other_thirds)),
    Kind("modular-line", ("modular",), Drawing(ModularLine, _of_other_rests)),
    Kind("parity-line", ("parity",), Drawing(ParityLine, _alternates, least=4)),
    Kind("arithmetic-sequence", ("arithmetic",), Drawing(ArithmeticSequence, _steps_alike)),
    Kind("same-difference-line", ("same-difference",), Drawing(SameDifferenceLine, _as_far_apart, _turns)),
)
