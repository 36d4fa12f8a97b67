"""Remarks about single puzzles on standard error: the first are printed, the others counted."""

from __future__ import annotations

from collections.abc import Iterable

from sudoku_cp.cli.output import remark
from sudoku_cp.errors import shorten

SHOWN = 20
"""The most remarks of one sort that are printed; fewer if they are long."""


class Remarks:
    """Remarks of one sort: `add` prints them while there is room, `end` says how many more there were."""

    def __init__(self, noun: str, rest: str, room: int, *, quiet: bool = False) -> None:
        """Print nothing yet; ``noun`` and ``rest`` name what is counted; ``room`` is the characters of all remarks printed."""
        self._noun, self._rest = noun, rest
        self._room, self._left = room, SHOWN
        self._quiet = quiet
        self._any_printed = False
        self._more = 0

    def add(self, text: str) -> None:
        """Print one more, or count it."""
        if self._quiet:
            return
        line = text if self._any_printed else shorten(text, self._room)  # the first is always printed
        if self._more or not self._left or len(line) > self._room:
            self._more += 1
            return
        self._any_printed = True
        self._left -= 1
        self._room -= len(line)
        remark(line)

    def end(self) -> None:
        """Print how many more there were than those printed."""
        if self._more:
            remark(f"and {self._more:,} more {self._noun}{'s' * (self._more > 1)}{self._rest}")
        self._left = self._more = 0


class Warnings(Remarks):
    """Warnings of the readers: what of a source was not read."""

    def __init__(self, *, quiet: bool) -> None:
        """Print nothing yet."""
        super().__init__("warning", "", 450, quiet=quiet)

    def add_all(self, index: int, warnings: Iterable[str]) -> None:
        """Print the warnings of a puzzle."""
        for warning in warnings:
            self.add(f"puzzle {index}: {warning}")


def trouble_remarks(*, quiet: bool = False) -> Remarks:
    """Return the remarks about records that could not be read, answered or written."""
    return Remarks("record", " that failed", 1200, quiet=quiet)


def shortfall_remarks(*, quiet: bool) -> Remarks:
    """Return the remarks about new puzzles that miss a part of the request."""
    return Remarks("puzzle", " missing a part of the request", 1200, quiet=quiet)
