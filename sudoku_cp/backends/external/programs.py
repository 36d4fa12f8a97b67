"""Programs that run within limits: when a question ends, so do its process and everything that process has started.

A program runs in a process group of its own, so that Ctrl-C reaches this process alone, which then kills the group. It reads no
standard input, works in a temporary folder, and its output is read as it comes.
"""

from __future__ import annotations

import os
import signal
import subprocess
from contextlib import suppress
from pathlib import Path
from selectors import EVENT_READ, DefaultSelector
from shutil import which
from tempfile import TemporaryDirectory
from typing import IO, TYPE_CHECKING, cast

from sudoku_cp.errors import BackendFailed, BackendMissing
from sudoku_cp.interrupts import defer_interrupts

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from types import TracebackType
    from typing import Self

    from sudoku_cp.backends.base import Clock

LOOK = 0.05
"""Seconds between two checks of the limits."""
GRACE = 0.3
"""Seconds that a program has to end the processes it has started."""
PROCESSES = Path("/proc")
"""Where Linux lists all processes."""
CHUNK = 1 << 16
QUOTED = 300
"""Characters of a program's last output that an error repeats."""


def find_program(program: str, backend: str) -> str:
    """Return the path of the program, or raise `BackendMissing`."""
    path = which(program) if program else None
    if path is None:
        raise BackendMissing(f"backend {backend!r} needs the program {program!r} on the PATH, which is not installed")
    return str(Path(path).absolute())


class QuestionFolder(TemporaryDirectory[str]):
    """A temporary folder for the files of one question."""

    def __init__(self) -> None:
        """Create the folder."""
        super().__init__(prefix="sudoku-cp-", ignore_cleanup_errors=True)


class RunningProgram:
    """A program that runs no longer than its ``with`` block."""

    def __init__(self, words: Sequence[str], folder: str, *, spawns: bool = False) -> None:
        """Keep the command and the folder for its standard error; ``spawns`` says that it starts processes of its own."""
        self._words, self._folder, self._spawns = words, folder, spawns
        self._name = Path(words[0]).name
        self._errors = Path(folder, "stderr.txt")

    def __enter__(self) -> Self:
        """Start the program. Ctrl-C is deferred until there is a process to end."""
        try:
            with defer_interrupts():
                self._process = self._start()
                self._output = cast("IO[bytes]", self._process.stdout)
        except OSError as error:
            raise BackendFailed(f"expected {self._name} to start, got {error.strerror or error}") from error
        except KeyboardInterrupt:
            self._end()
            raise
        return self

    def _start(self) -> subprocess.Popen[bytes]:
        with self._errors.open("wb") as errors:
            return subprocess.Popen(  # noqa: S603  # the user names the program
                self._words,
                cwd=self._folder,
                env={**os.environ, "TMPDIR": self._folder},
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=errors,
                start_new_session=True,
            )

    def lines(self, clock: Clock) -> Iterator[str]:
        """Yield the program's standard output, line by line, until the program closes it; raise `LimitReached` at a limit."""
        descriptor, rest = self._output.fileno(), b""
        with DefaultSelector() as selector:
            selector.register(descriptor, EVENT_READ)
            while True:
                clock.check()
                left = clock.seconds_left
                if not selector.select(LOOK if left is None else min(LOOK, left)):
                    continue
                chunk = os.read(descriptor, CHUNK)
                if not chunk:
                    break
                *whole, rest = (rest + chunk).split(b"\n")
                for line in whole:
                    yield line.decode(errors="replace").rstrip("\r")
        if rest:
            yield rest.decode(errors="replace")

    def wait(self, clock: Clock) -> int:
        """Wait for the program to end and return its exit code, which is negative for a signal."""
        while True:
            clock.check()
            with suppress(subprocess.TimeoutExpired):
                return self._process.wait(LOOK if clock.seconds_left is None else min(LOOK, clock.seconds_left))

    def failure(self, expected: str, output: str = "") -> BackendFailed:
        """Return the error for a program that did not do what was ``expected``, with its last output."""
        code = self._process.poll()
        with suppress(OSError):
            output = output or self._errors.read_text(encoding="utf-8", errors="replace").strip()
        end = "" if code is None else f" with exit code {code}" if code >= 0 else f" with {_signal(-code)}"
        words = f": {output[-QUOTED:]}" if output else ""
        return BackendFailed(f"expected {self._name} to {expected}, got something else{end}{words}")

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        """Kill all processes that still run; Ctrl-C is deferred until that is done."""
        with defer_interrupts():
            self._end()

    def _end(self) -> None:
        """Kill the whole group, and processes in groups of their own, such as those MiniZinc starts."""
        if self._process.returncode is None:
            if self._spawns and not PROCESSES.is_dir():
                self._process.terminate()  # where processes cannot be listed, the program must end its own first
                with suppress(subprocess.TimeoutExpired):
                    self._process.wait(GRACE)
            with suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        while self._spawns and (left := _processes_of_session(self._process.pid)):
            for process in left:
                with suppress(ProcessLookupError):
                    os.kill(process, signal.SIGKILL)
        self._output.close()


def _processes_of_session(session: int) -> list[int]:
    """Return the live processes of a session, where the system lists them: a process leaves its session only on purpose."""
    found = []
    for path in PROCESSES.glob("[0-9]*/stat"):
        with suppress(OSError, ValueError, IndexError):
            state, *numbers = path.read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()[:4]
            if int(numbers[2]) == session and state not in {"Z", "X"}:
                found.append(int(path.parent.name))
    return found


def _signal(number: int) -> str:
    return signal.Signals(number).name if number in set(signal.Signals) else f"signal {number}"
