"""The lines of a text without their comments, and the first of them, by which a format is recognised."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import islice, pairwise

from sudoku_cp.formats.base import LONGEST_LINE
from sudoku_cp.grid import MAX_SIDE

_SAMPLE = 50
"""Lines by which a format of lines is recognised."""
_FIELDS = ("row", "column", "value")
_LEAST_CELLS = 8
_SHORT_NUMBER = re.compile(r"\d{1,9}")


def strip_comment(line: str) -> str:
    """Return the line without its comment."""
    return line if "#" not in line else line[: line.index("#")]


def first_bodies(head: str) -> list[str]:
    """Return the first lines of a text that are not empty, without their comments."""
    return [*islice((body for line in head.split("\n") if (body := strip_comment(line)).strip()), _SAMPLE)]


def most_lines(head: str, test: Callable[[str], bool]) -> bool:
    """Return whether at least half of the first lines that are neither empty nor a comment pass a test."""
    lines = [line.strip()[:LONGEST_LINE] for line in head.split("\n") if line.strip() and not line.startswith("#")][:_SAMPLE]
    return bool(lines) and 2 * sum(map(test, lines)) >= len(lines)


def lists_cells(head: str) -> bool:
    """Return whether each line, except a header, has the row, column and value of one cell, in the order of the cells."""
    lines = [*islice((line for line in head.split("\n") if line.strip()), _SAMPLE)]
    found = [numbers for line in lines if len(numbers := [*map(int, _SHORT_NUMBER.findall(line))]) == len(_FIELDS)]
    if len(found) < max(_LEAST_CELLS, len(lines) - 1) or any(max(numbers) > MAX_SIDE for numbers in found):
        return False
    by_rows = all(one[:2] < other[:2] for one, other in pairwise(found))
    return by_rows or all(one[1::-1] < other[1::-1] for one, other in pairwise(found))
