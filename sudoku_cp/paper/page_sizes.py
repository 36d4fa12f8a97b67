"""Sizes of paper, in points (72 an inch)."""

from __future__ import annotations

import re
from types import MappingProxyType
from typing import NamedTuple

from sudoku_cp.errors import InvalidInput

POINTS_PER_MM = 72 / 25.4
PAPERS = MappingProxyType(
    {"a3": (297, 420), "a4": (210, 297), "a5": (148, 210), "letter": (215.9, 279.4), "legal": (215.9, 355.6)}
)
"""Width and height of each named paper in millimetres."""
LEAST_MM, MOST_MM = 50, 2000
"""The sides that paper may have."""
_SIZE = re.compile(r"(\d+(?:\.\d+)?)x(\d+(?:\.\d+)?)")


class PageSize(NamedTuple):
    """Width and height of a page in points."""

    width: float
    height: float


def parse_paper(text: str, *, landscape: bool = False) -> PageSize:
    """Return the size of a paper: a name such as ``a4``, or ``WIDTHxHEIGHT`` in millimetres; ``landscape`` swaps the sides."""
    name = text.strip().lower()
    found = _SIZE.fullmatch(name)
    sides = (float(found[1]), float(found[2])) if found else PAPERS.get(name)
    if sides is None or not all(LEAST_MM <= side <= MOST_MM for side in sides):
        expected = f"expected {', '.join(PAPERS)}, or WIDTHxHEIGHT in millimetres from {LEAST_MM} to {MOST_MM}, such as 148x210"
        raise InvalidInput(f"{expected}; got {text!r:.60}")
    width, height = (side * POINTS_PER_MM for side in sides)
    return PageSize(height, width) if landscape else PageSize(width, height)
