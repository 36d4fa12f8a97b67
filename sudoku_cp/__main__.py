"""``python -m sudoku_cp`` is ``sudoku-cp``."""

import gc
import os
import signal
import sys
from contextlib import suppress

from sudoku_cp.interrupts import InterruptHandler, report_unraisable


def main() -> None:
    """Run the command line."""
    _open_closed_streams()
    handler = InterruptHandler()
    for number, default in ((signal.SIGINT, signal.default_int_handler), (signal.SIGTERM, signal.SIG_DFL)):
        if signal.getsignal(number) is default:  # else the parent ignores it, as nohup and shells do for background jobs
            signal.signal(number, handler)
    sys.unraisablehook = report_unraisable
    try:
        # Imported objects stay: collecting garbage among them would cost a cold call 5 ms.
        gc.disable()
        from sudoku_cp.cli import main as run  # noqa: PLC0415

        gc.freeze()
        gc.enable()
        try:
            run()
        finally:
            gc.freeze()  # no garbage collection at the end of the interpreter either: 3 ms
    except KeyboardInterrupt:  # before any verb could handle it
        with suppress(OSError):
            os.write(2, b"sudoku-cp: interrupted\n")
        sys.exit(130)
    except OSError as error:  # such as from printing the help to a full disk
        with suppress(OSError):
            os.write(2, f"sudoku-cp: expected to write the answers, got {error.strerror or error}\n".encode())
        os._exit(2)


def _open_closed_streams() -> None:
    """Open the null device for each standard stream that the parent process has closed.

    As standard output it is open for reading only: answers that nobody can get are an error, remarks are none.
    """
    for name, mode, access in (("stdin", "r", os.O_RDONLY), ("stdout", "w", os.O_RDONLY), ("stderr", "w", os.O_WRONLY)):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.open(os.devnull, access), mode, encoding="utf-8"))  # noqa: PTH123, SIM115


if __name__ == "__main__":
    main()
