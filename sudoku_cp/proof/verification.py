"""`verify`: the independent checker under the library's name, with checked arguments."""

from __future__ import annotations

from pathlib import Path

from sudoku_cp.arguments import checked
from sudoku_cp.backends import Limits
from sudoku_cp.proof.checker import Report, check

__all__ = ["MOST_CELLS_VERIFIED", "Report", "verify"]

MOST_CELLS_VERIFIED = 256
"""Cells of the largest board whose certificate is verified by default: the checker is plain Python."""


@checked
def verify(folder: str | Path, *, seconds: float | None = None, trust: bool = False) -> Report:
    """Return the independent checker's report on the certificate in ``folder``; with ``trust``, parts may be taken on trust."""
    return check(folder, seconds=Limits(seconds).seconds, trust=trust)
