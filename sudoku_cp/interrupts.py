"""Ctrl-C, and SIGTERM treated like it, at moments when they would be lost or would leave something behind."""

from __future__ import annotations

from _thread import interrupt_main, start_new_thread
from contextlib import contextmanager
from threading import current_thread, main_thread
from time import sleep
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import sys
    from collections.abc import Iterator
    from threading import Thread
    from types import FrameType


@contextmanager
def defer_interrupts() -> Iterator[None]:
    """Defer SIGINT and SIGTERM, where Python code handles them, until the block ends.

    Some libraries swallow KeyboardInterrupt while they are imported, or turn it into another error; a child process that is just
    being started would be orphaned, and a thread of a pool would never be told to end.
    """
    import signal  # noqa: PLC0415  # 1 ms that importing this module need not cost

    if current_thread() is not main_thread():
        yield
        return
    before = {one: handler for one in (signal.SIGINT, signal.SIGTERM) if callable(handler := signal.getsignal(one))}
    received: list[tuple[signal.Signals, FrameType | None]] = []
    try:
        for one in before:
            signal.signal(one, lambda number, frame: received.append((signal.Signals(number), frame)))
        yield
    finally:
        for one, handler in before.items():
            signal.signal(one, handler)
        if received:
            one, frame = received[0]
            before[one](one, frame)


def start_thread(thread: Thread) -> None:
    """Start a thread; an interrupt that comes meanwhile is raised once it runs, so that the caller can stop it."""
    with defer_interrupts():
        thread.start()


class InterruptHandler:
    """A handler for SIGINT and SIGTERM that raises KeyboardInterrupt where it is not lost.

    Python may lose exceptions in imports, and always does in what it calls itself, such as finalizers.
    """

    def __init__(self) -> None:
        """Wait two seconds at most for an import that may never end."""
        self._retries = 100

    def __call__(self, number: int, frame: FrameType | None) -> None:
        """Raise KeyboardInterrupt, or send the signal again a moment later."""
        while frame is not None and not frame.f_code.co_filename.startswith("<frozen importlib"):
            frame = frame.f_back
        if frame is None or not self._retries:
            raise KeyboardInterrupt
        self._retries -= 1
        start_new_thread(_interrupt_again, (number,))


def report_unraisable(lost: sys.UnraisableHookArgs) -> None:
    """Report an exception that Python could not raise, but send SIGINT again if it was an interrupt (see sys.unraisablehook)."""
    import signal  # noqa: PLC0415
    import sys  # noqa: PLC0415

    if issubclass(lost.exc_type, KeyboardInterrupt):
        start_new_thread(_interrupt_again, (signal.SIGINT,))
    else:
        sys.__unraisablehook__(lost)


def _interrupt_again(number: int) -> None:
    sleep(0.02)
    interrupt_main(number)  # type: ignore[arg-type]  # any number will do
