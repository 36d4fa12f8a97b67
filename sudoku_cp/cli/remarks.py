"""Remarks that come puzzle after puzzle, on standard error: the first are told, the others counted."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sudoku_cp.cli.output import remark
from sudoku_cp.errors import shortened

if TYPE_CHECKING:
    from collections.abc import Iterable

SHOWN = 20
"""So many remarks of a sort are told one by one, and fewer where they are long."""


class Remarks:
    """Remarks of one sort: `add` tells them while there is room for them, `end` says how many more there were."""

    def __init__(self, noun: str, rest: str, room: int, *, quiet: bool = False) -> None:
        """Tell nothing yet; ``noun`` and ``rest`` name what is counted, and all that are told have ``room`` characters."""
        self._noun, self._rest = noun, rest
        self._room, self._left = room, SHOWN
        self._quiet = quiet
        self._told = False
        self._more = 0

    def add(self, text: str) -> None:
        """Tell of one more, or count it."""
        if self._quiet:
            return
        said = text if self._told else shortened(text, self._room)  # the first is told, however long it is
        if self._more or not self._left or len(said) > self._room:
            self._more += 1
            return
        self._told = True
        self._left -= 1
        self._room -= len(said)
        remark(said)

    def end(self) -> None:
        """Say how many there were beside those that were told."""
        if self._more:
            remark(f"and {self._more:,} more {self._noun}{'s' * (self._more > 1)}{self._rest}")
        self._left = self._more = 0


class Warnings:
    """What the sources of puzzles say that was not read."""

    def __init__(self, *, quiet: bool) -> None:
        """Tell nothing yet."""
        self._remarks = Remarks("warning", "", 450, quiet=quiet)

    def add(self, index: int, warnings: Iterable[str]) -> None:
        """Tell of a puzzle's."""
        for warning in warnings:
            self._remarks.add(f"puzzle {index}: {warning}")

    def end(self) -> None:
        """Say how many more there were."""
        self._remarks.end()


def troubles(*, quiet: bool = False) -> Remarks:
    """Return who tells of records that could not be read, answered or written."""
    return Remarks("record", " in trouble", 1200, quiet=quiet)


def missed(*, quiet: bool) -> Remarks:
    """Return who tells of new puzzles that are less than was asked for."""
    return Remarks("puzzle", " less than was asked for", 1200, quiet=quiet)
