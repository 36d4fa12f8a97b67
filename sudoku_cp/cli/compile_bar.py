"""A progress bar on standard error while kernels are compiled, so that the program does not seem to hang."""

from __future__ import annotations

import logging
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Event, Thread

from sudoku_cp.interrupts import start_thread

POLL = 0.2
"""Seconds between two calls of ``is_done``."""


@contextmanager
def compiling_bar(words: str, is_done: Callable[[], bool]) -> Iterator[None]:
    """Show the words and the time until the block ends or ``is_done``: on a terminal, where remarks are wanted."""
    if not (sys.stderr.isatty() and logging.getLogger("sudoku_cp").isEnabledFor(logging.WARNING)):
        yield
        return
    from rich.console import Console  # noqa: PLC0415  # rich costs 40 ms
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn  # noqa: PLC0415

    over = Event()
    bar = Progress(TextColumn(words), BarColumn(), TimeElapsedColumn(), console=Console(stderr=True), transient=True)
    bar.add_task("", total=None)

    def watch() -> None:
        # The bar ends with the compilation; the block goes on to answer its question.
        while not over.wait(POLL) and not is_done():
            pass
        bar.stop()

    bar.start()
    watcher = Thread(target=watch, daemon=True)
    start_thread(watcher)
    try:
        yield
    finally:
        over.set()
        watcher.join()
