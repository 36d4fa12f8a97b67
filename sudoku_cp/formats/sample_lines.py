"""The lines of a text without their comments, and the first of them, by which a format is recognised."""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice

from sudoku_cp.formats.base import LONGEST_LINE

_SAMPLE = 50
"""Lines by which a format of lines is recognised."""


def strip_comment(line: str) -> str:
    """Return the line without its comment."""
    return line if "#" not in line else line[: line.index("#")]


def first_bodies(head: str) -> list[str]:
    """Return the first lines of a text that are not empty, without their comments."""
    return [*islice((body for line in head.split("\n") if (body := strip_comment(line)).strip()), _SAMPLE)]


def most_lines(head: str, test: Callable[[str], bool]) -> bool:
    """Say whether at least half of the first lines that are neither empty nor a comment pass a test."""
    lines = [line.strip()[:LONGEST_LINE] for line in head.split("\n") if line.strip() and not line.startswith("#")][:_SAMPLE]
    return bool(lines) and 2 * sum(map(test, lines)) >= len(lines)
