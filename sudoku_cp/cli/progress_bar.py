"""A progress bar on standard error, for people, once work has lasted over a second."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, suppress
from time import perf_counter
from typing import TYPE_CHECKING, Any, TypeVar

from sudoku_cp.cli.standard_streams import is_unicode

if TYPE_CHECKING:
    from rich.progress import Progress

_T = TypeVar("_T")

PATIENCE = 1.0
"""Seconds before a bar is worth its line."""


def with_progress(items: Iterable[_T], *, quiet: bool) -> Iterator[_T]:
    """Yield ``items``, showing how many and how fast on a terminal."""
    with ProgressBar(None, quiet=quiet) as bar:
        for number, item in enumerate(items, 1):
            yield item
            bar.show(number, number)


class ProgressBar(AbstractContextManager["ProgressBar"]):
    """How many puzzles are done, how fast, and the time that remains where the end is known; for people only."""

    def __init__(self, total: int | None, *, quiet: bool, unit: str = "puzzles") -> None:
        """Show nothing yet; ``total`` is the position of the end (in bytes, say), None if unknown."""
        self._unit = unit
        self._total = total
        self._wanted = not quiet and sys.stderr.isatty()
        self._start = perf_counter()
        self._bar: Progress | None = None
        self._task: Any = None

    def show(self, puzzles: int, position: int, words: str = "") -> None:
        """Show the number of puzzles, the position on the way to ``total``, and ``words``, once work has lasted long enough."""
        if not self._wanted or (self._bar is None and perf_counter() - self._start < PATIENCE):
            return
        if self._bar is None:
            self._bar = _make_bar(self._unit, known=bool(self._total))
            self._bar.start()
            self._task = self._bar.add_task("", total=self._total or None, puzzles=0, rate=0.0, words="")
        rate = puzzles / (perf_counter() - self._start)
        self._bar.update(self._task, completed=position, puzzles=puzzles, rate=rate, words=words)

    def __exit__(self, *_: object) -> None:
        """Remove the bar."""
        if self._bar is not None:
            with suppress(OSError):
                self._bar.stop()


def _make_bar(unit: str, *, known: bool) -> Progress:
    from rich.console import Console  # noqa: PLC0415  # rich costs 40 ms, and most calls end before a bar is due
    from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn, TimeRemainingColumn  # noqa: PLC0415

    time_columns = (BarColumn(), TimeRemainingColumn()) if known else (TimeElapsedColumn(),)
    figures = TextColumn(f"{{task.fields[puzzles]:,}} {unit}"), TextColumn("{task.fields[rate]:,.3g}/s{task.fields[words]}")
    spinner = SpinnerColumn("dots" if is_unicode(sys.stderr) else "line")  # the only part for which rich has no ASCII form
    return Progress(spinner, *figures, *time_columns, console=Console(stderr=True), transient=True)
