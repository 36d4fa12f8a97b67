"""``python -m sudoku_cp`` is ``sudoku-cp``."""

import gc
import os
import signal
import sys
from contextlib import suppress

from sudoku_cp.interrupts import BehindImports


def main() -> None:
    """Run the command line."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:  # closed by whoever called us
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: PTH123, SIM115
    hears = BehindImports()
    for one, usual in ((signal.SIGINT, signal.default_int_handler), (signal.SIGTERM, signal.SIG_DFL)):
        if signal.getsignal(one) is usual:  # else somebody wants it to be ignored
            signal.signal(one, hears)
    try:
        # What is imported stays; looking for garbage in it meanwhile would cost a cold call 5 ms.
        gc.disable()
        from sudoku_cp.cli import main as run  # noqa: PLC0415

        gc.freeze()
        gc.enable()
        try:
            run()
        finally:
            gc.freeze()  # nor need the interpreter look for garbage at its end: 3 ms
    except KeyboardInterrupt:  # before any verb could answer it
        with suppress(OSError):
            os.write(2, b"sudoku-cp: interrupted\n")
        sys.exit(130)
    except OSError as error:  # the help, say, to a full disk
        with suppress(OSError):
            os.write(2, f"sudoku-cp: expected to write the answers, got {error.strerror or error}\n".encode())
        os._exit(2)


if __name__ == "__main__":
    main()
