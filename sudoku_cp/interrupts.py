"""Ctrl-C at a moment when it would be lost, or would leave something behind."""

from __future__ import annotations

from contextlib import contextmanager
from threading import current_thread, main_thread
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
