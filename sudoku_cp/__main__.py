"""``python -m sudoku_cp`` is ``sudoku-cp``.

What is imported here comes before Ctrl-C can be handled, and so does the package itself: both import next to nothing.
"""

import gc
import os
import signal
import sys
from types import FrameType

INTERRUPTED = b"sudoku-cp: interrupted\n"


def main() -> None:
    """Run the command line."""
    defaults = {signal.SIGINT: signal.default_int_handler, signal.SIGTERM: signal.SIG_DFL}
    # What is not handled by default is ignored because the parent says so, as nohup and shells do for background jobs.
    handled = [number for number, default in defaults.items() if signal.getsignal(number) is default]
    for number in handled:
        signal.signal(number, _end_at_once)
    try:
        _run(handled)
    finally:
        # Python keeps in mind that KeyboardInterrupt has left code in a string, such as an annotation that is evaluated, and ends
        # itself by SIGINT even if it was handled; only the next code in a string makes it forget.
        exec("")  # noqa: S102


def _run(handled: list[signal.Signals]) -> None:
    """Import the rest and run it; the signals ``handled`` are raised as KeyboardInterrupt from here on."""
    from contextlib import suppress  # noqa: PLC0415  # it imports much

    from sudoku_cp.interrupts import InterruptHandler, report_unraisable  # noqa: PLC0415

    _open_closed_streams()
    sys.unraisablehook = report_unraisable
    handler = InterruptHandler()
    try:
        for number in handled:
            signal.signal(number, handler)
        # Imported objects stay: collecting garbage among them would cost a cold call 5 ms.
        gc.disable()
        from sudoku_cp.cli import main as run  # noqa: PLC0415

        gc.freeze()
        gc.enable()
        try:
            run()
        finally:
            gc.freeze()  # no garbage collection at the end of the interpreter either: 3 ms
    except SystemExit as end:
        # Typer ends silently if it is interrupted while it parses the arguments.
        if isinstance(getattr(end.__context__, "__cause__", None), KeyboardInterrupt):
            with suppress(OSError):
                os.write(2, INTERRUPTED)
        raise
    except KeyboardInterrupt:  # before any verb could handle it
        with suppress(OSError):
            os.write(2, INTERRUPTED)
        sys.exit(130)
    except OSError as error:  # such as from printing the help to a full disk
        with suppress(OSError):
            reason = error.strerror or str(error)
            os.write(2, f"sudoku-cp: could not write the answers: {reason[:1].lower()}{reason[1:]}\n".encode())
        os._exit(2)


def _end_at_once(_number: int, _frame: FrameType | None) -> None:
    """Handle an interrupt before anything has been opened or begun; an exception could be lost in imports, or shown."""
    try:
        os.write(2, INTERRUPTED)
    finally:
        os._exit(130)


def _open_closed_streams() -> None:
    """Open the null device for each standard stream that the parent process has closed.

    As standard output it is open for reading only: answers that nobody can get are an error, remarks are none.
    """
    for name, mode, access in (("stdin", "r", os.O_RDONLY), ("stdout", "w", os.O_RDONLY), ("stderr", "w", os.O_WRONLY)):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.open(os.devnull, access), mode, encoding="utf-8"))  # noqa: PTH123, SIM115


if __name__ == "__main__":
    main()
