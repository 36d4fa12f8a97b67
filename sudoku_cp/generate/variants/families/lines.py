"""Clues that are lines along which values rise, differ, repeat or alternate."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

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
from sudoku_cp.rules.sequence_lines import ArithmeticSequence, SameDifferenceLine
from sudoku_cp.rules.sum_lines import ZipperLine

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sudoku_cp.generate.variants.families.finder_family import FinderContext
    from sudoku_cp.grid import Cell, Grid
    from sudoku_cp.rules.base import Cells


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


_from_the_middle: dict[str, Any] = {"begin": start_at_cell_or_pair, "grow": grow_at_both_ends}

LINE_FAMILIES = (
    FinderFamily("thermometer", ("thermo",), LineFinder(Thermometer, lambda line, *_: line[-2] < line[-1], head=True)),
    FinderFamily(
        "slow-thermometer",
        ("slow-thermo",),
        LineFinder(SlowThermometer, lambda line, *_: line[-2] <= line[-1], lambda line, *_: not _all_differ(line), head=True),
    ),
    FinderFamily("whisper", ("german-whisper", "german"), LineFinder(Whisper, _jumps)),
    FinderFamily(
        "dutch-whisper",
        ("dutch",),
        LineFinder(
            lambda cells: Whisper(cells, DUTCH),
            lambda line, *_: abs(line[-2] - line[-1]) >= DUTCH,
            begin=_where_german_is_more,
        ),
    ),
    FinderFamily("renban", (), LineFinder(Renban, _could_be_consecutive, lambda line, *_: max(line) - min(line) < len(line))),
    FinderFamily("nabner", (), LineFinder(Nabner, lambda line, *_: all(abs(value - line[-1]) > 1 for value in line[:-1]))),
    FinderFamily("palindrome", (), LineFinder(Palindrome, lambda line, *_: line[0] == line[-1], **_from_the_middle)),
    FinderFamily("zipper-line", ("zipper",), LineFinder(ZipperLine, _folds, **_from_the_middle)),
    FinderFamily("entropic-line", ("entropic",), LineFinder(EntropicLine, _in_other_thirds)),
    FinderFamily("modular-line", ("modular",), LineFinder(ModularLine, _has_other_remainders)),
    FinderFamily("parity-line", ("parity",), LineFinder(ParityLine, lambda line, *_: (line[-2] + line[-1]) % 2 == 1, least=4)),
    FinderFamily("arithmetic-sequence", ("arithmetic",), LineFinder(ArithmeticSequence, _steps_alike)),
    FinderFamily(
        "same-difference-line",
        ("same-difference",),
        LineFinder(SameDifferenceLine, _is_as_far_apart, lambda line, *_: len(set(line)) > 2 or len(line) > 3),  # noqa: PLR2004
    ),
)
