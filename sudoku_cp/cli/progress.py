"""A progress bar on standard error, for people, once work has lasted over a second."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from contextlib import suppress
from time import perf_counter
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from rich.progress import Progress

_T = TypeVar("_T")

PATIENCE = 1.0
"""Seconds before a bar is worth its line."""


def watched(items: Iterable[_T], *, quiet: bool) -> Iterator[_T]:
    """Yield ``items``, showing how many and how fast on a terminal."""
    if quiet or not sys.stderr.isatty():
        yield from items
        return
    start = perf_counter()
    bar = None
    try:
        for number, item in enumerate(items):
            yield item
            if bar is None and perf_counter() - start > PATIENCE:
                bar = _bar()
                bar.start()
                task = bar.add_task("puzzles", total=None, completed=number)
            if bar is not None:
                bar.update(task, completed=number + 1)
    finally:
        if bar is not None:
            with suppress(OSError):
                bar.stop()


def _bar() -> Progress:
    from rich.console import Console  # noqa: PLC0415  # rich costs 40 ms, and most calls end before a bar is due
    from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn  # noqa: PLC0415

    columns = SpinnerColumn(), TextColumn("{task.completed:,} puzzles"), TimeElapsedColumn()
    return Progress(*columns, TextColumn("{task.speed:,.0f}/s"), console=Console(stderr=True), transient=True)
