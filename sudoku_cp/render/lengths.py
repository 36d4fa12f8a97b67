"""Lengths as files of pictures have them: in hundredths of a cell."""

from __future__ import annotations

from functools import lru_cache

UNITS = 100
"""Units of a file per cell: some renderers draw letters badly if their size is below 1."""


@lru_cache(maxsize=1 << 14)  # the same few thousand lengths come again in every picture
def format_length(value: float) -> str:
    """Format a length, given in cells, in units of a file with as few digits as needed."""
    return f"{UNITS * value:.1f}".rstrip("0").rstrip(".")
