"""Ctrl-C at a moment when it would be lost, or would leave something behind."""

from __future__ import annotations

from _thread import interrupt_main, start_new_thread
from contextlib import contextmanager
from threading import current_thread, main_thread
from time import sleep
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import FrameType


@contextmanager
def interrupts_held() -> Iterator[None]:
    """Hear Ctrl-C only behind the block.

    Some libraries swallow it while they are imported, or dress it up as another error; a process that is being started would be
    left behind.
    """
    import signal  # noqa: PLC0415  # 1 ms that importing this room does not need

    if current_thread() is not main_thread() or not callable(before := signal.getsignal(signal.SIGINT)):
        yield
        return
    heard: list[tuple[int, FrameType | None]] = []
    signal.signal(signal.SIGINT, lambda number, frame: heard.append((number, frame)))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
        if heard:
            before(*heard[0])


class BehindImports:
    """Hears Ctrl-C or SIGTERM for a program, but not within an import, where Python may lose it or make another error of it."""

    def __init__(self) -> None:
        """Have patience for two seconds in all, in case somebody's module never ends."""
        self._patience = 100

    def __call__(self, _number: int, frame: FrameType | None) -> None:
        """Interrupt, or let it come once more a moment later."""
        while frame is not None and not frame.f_code.co_filename.startswith("<frozen importlib"):
            frame = frame.f_back
        if frame is None or not self._patience:
            raise KeyboardInterrupt
        self._patience -= 1
        start_new_thread(_once_more, ())


def _once_more() -> None:
    sleep(0.02)
    interrupt_main()
