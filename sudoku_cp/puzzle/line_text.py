"""A puzzle as one line of text: a sign for each cell, row by row."""

from __future__ import annotations

from functools import lru_cache
from math import isqrt
from types import MappingProxyType
from typing import TYPE_CHECKING

from sudoku_cp.errors import ParseError
from sudoku_cp.grid import MAX_SIDE, Grid
from sudoku_cp.symbols import BLANKS, DIGITS, Symbols, hexadecimal, letters, numerals, pictured_digit

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from sudoku_cp.grid import Cell

MAX_LISTED_PROBLEMS = 10
"""The most wrong signs of a text that are listed; the rest are only counted."""

_MOST_PLAIN = 64
"""Cells of a board that are never taken for pencil marks, though they may be as many as those of a smaller one."""
_LEAST_REGIONS = 4
"""The smallest side of a board with irregular regions."""


def square_side(length: int) -> int | None:
    """Return the side of the square board with ``length`` cells, None if there is none."""
    side = isqrt(length)
    return side if side * side == length and 2 <= side <= MAX_SIDE else None  # noqa: PLR2004


def can_only_be_line(text: str, grid: Grid | None = None) -> bool:
    """Return whether a text of as many signs as a board has cells can mean nothing else: a quick test that spares others.

    It could also be regions (each sign as often as there are rows), pencil marks (n signs a cell) or signs between spaces.
    """
    if grid is not None:
        return len(text) == len(grid.cells)
    side = square_side(len(text))
    if side is None or (len(text) > _MOST_PLAIN and round(len(text) ** (1 / 3)) ** 3 == len(text)):
        return False
    regions = side >= _LEAST_REGIONS and text.count(text[0]) == side
    return not regions and not (" " in text and {*text} & {*BLANKS} - {" "})


def detect_symbols(signs: Iterable[str], values: range) -> Symbols:
    """Return the alphabet that a text with these signs is written in.

    Letters if there are some and no digit, or if numerals cannot be read; 0-based if ``0`` occurs beside another sign for blanks
    on a board of more than nine values, and the last numeral does not occur; else numerals.
    """
    used = set(signs)
    written = used - set(BLANKS)
    lettered, usual = letters(values), numerals(values)
    if len(values) > 9 and "0" in used and used & set(".*_?- ") and values[-1] not in map(usual.parse, used):  # noqa: PLR2004
        usual = hexadecimal(values)
    only_letters = written and not used & set(DIGITS)
    return lettered if _can_read(lettered, written) and (only_letters or not _can_read(usual, written)) else usual


def _can_read(symbols: Symbols, signs: Iterable[str]) -> bool:
    return all(symbols.parse(sign) is not None for sign in signs)


def parse_line(
    text: str, grid: Grid | None = None, symbols: Symbols | None = None, start: int = 0
) -> tuple[Grid, Symbols, dict[Cell, int]]:
    """Parse the grid, the alphabet and the givens of a line of text.

    Without a grid, the length gives the side of a square board. Raises `ParseError` with the columns of all wrong signs,
    counted from ``start`` for a text inside a longer line.
    """
    if grid is None:
        side = square_side(len(text))
        if side is None:
            raise ParseError(f"expected one sign for each cell of a square board (81 for 9x9), got {len(text)}")
        grid = Grid.square(side)
    elif len(text) != len(grid.cells):
        raise ParseError(f"expected {len(grid.cells)} cells, got {len(text)}")
    used = set(text)
    symbols = symbols or detect_symbols(used, grid.values)
    value_of = _values_of(symbols, grid.values)
    unknown = used - value_of.keys() - set(BLANKS)
    if unknown:
        raise _unknown_signs(text, unknown, symbols, start)
    return grid, symbols, {cell: value_of[sign] for cell, sign in enumerate(text) if sign in value_of}


@lru_cache(maxsize=64)
def _values_of(symbols: Symbols, values: range) -> Mapping[str, int]:
    """Return the value of every sign for one of ``values``, in upper and lower case."""
    found = {sign: symbols.parse(sign) for sign in (*symbols.signs, *symbols.signs.swapcase())}
    return MappingProxyType({sign: value for sign, value in found.items() if value is not None and value in values})


def _unknown_signs(text: str, unknown: set[str], symbols: Symbols, start: int) -> ParseError:
    wrong = [(column, sign) for column, sign in enumerate(text, start + 1) if sign in unknown]
    expected = f"a sign of {symbols.signs!r} or a blank (one of {BLANKS!r})"
    problems = [
        f"expected {expected}, got {sign!r}{pictured_digit(sign)} at column {column}"
        for column, sign in wrong[:MAX_LISTED_PROBLEMS]
    ]
    if len(wrong) > MAX_LISTED_PROBLEMS:
        problems.append(f"and {len(wrong) - MAX_LISTED_PROBLEMS} more such signs")
    return ParseError(problems, column=wrong[0][0])
