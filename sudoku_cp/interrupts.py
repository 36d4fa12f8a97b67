"""SIGINT (Ctrl-C) at moments when it would be lost, or would leave something behind."""

from __future__ import annotations

from _thread import interrupt_main, start_new_thread
from contextlib import contextmanager
from threading import current_thread, main_thread
from time import sleep
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from threading import Thread
    from types import FrameType


@contextmanager
def defer_sigint() -> Iterator[None]:
    """Defer SIGINT until the block ends.

    Some libraries swallow KeyboardInterrupt while they are imported, or turn it into another error; a child process that is just
    being started would be orphaned.
    """
    import signal  # noqa: PLC0415  # 1 ms that importing this module need not cost

    if current_thread() is not main_thread() or not callable(before := signal.getsignal(signal.SIGINT)):
        yield
        return
    received: list[tuple[int, FrameType | None]] = []
    signal.signal(signal.SIGINT, lambda number, frame: received.append((number, frame)))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
        if received:
            before(*received[0])


def start_thread(thread: Thread) -> None:
    """Start a thread; a SIGINT that comes meanwhile is raised once it runs, so that the caller can stop it."""
    with defer_sigint():
        thread.start()


class ImportSafeSignalHandler:
    """A signal handler for SIGINT and SIGTERM that waits until running imports end, as Python may lose exceptions in them."""

    def __init__(self) -> None:
        """Wait two seconds at most, in case an import never ends."""
        self._retries = 100

    def __call__(self, _number: int, frame: FrameType | None) -> None:
        """Raise KeyboardInterrupt, or send SIGINT again a moment later."""
        while frame is not None and not frame.f_code.co_filename.startswith("<frozen importlib"):
            frame = frame.f_back
        if frame is None or not self._retries:
            raise KeyboardInterrupt
        self._retries -= 1
        start_new_thread(_interrupt_again, ())


def _interrupt_again() -> None:
    sleep(0.02)
    interrupt_main()
