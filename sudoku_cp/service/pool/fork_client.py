"""The service's side of the fork server: it starts it, asks for workers, and hears when they end."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
from contextlib import suppress
from pathlib import Path
from shutil import rmtree
from typing import TYPE_CHECKING, NamedTuple

from sudoku_cp.service.pool.fork_server import FORK, KILL, REPORT, REQUEST

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


_MEMORY_SIGNALS = frozenset({signal.SIGSEGV, signal.SIGABRT, signal.SIGBUS})
"""What C code dies of when it gets no memory, among other things."""


class WorkerEnd(NamedTuple):
    """How a worker ended: its status as of wait(2), and by how many bytes it had grown."""

    status: int
    grown: int

    def is_for_memory(self, memory: int | None) -> bool:
        """Guess whether it died for want of memory: in C code, with a quarter of ``memory`` in use, or by the system's choice.

        A program that asks for twice what it has gets no more when it has a third of what there is.
        """
        if not os.WIFSIGNALED(self.status):
            return False
        cause = os.WTERMSIG(self.status)
        if cause == signal.SIGKILL:
            return _KILLS.has_grown()
        return cause in _MEMORY_SIGNALS and memory is not None and self.grown > memory // 4


class _MemoryKills:
    """The processes that the system has killed because the machine had no memory left."""

    def __init__(self) -> None:
        self._last = self._count()

    @staticmethod
    def _count() -> int:
        with suppress(OSError, ValueError):
            lines = Path("/proc/vmstat").read_text(encoding="ascii").splitlines()
            return sum(int(line.split()[1]) for line in lines if line.startswith("oom_kill "))
        return 0

    def has_grown(self) -> bool:
        """Return whether there were any since the last call."""
        last, self._last = self._last, self._count()
        return self._last > last


_KILLS = _MemoryKills()


class ForkClient:
    """A fork server, which is a process of its own; all it started ends with it."""

    def __init__(
        self,
        launch: Callable[[], LaunchedForkServer],
        on_end: Callable[[int, WorkerEnd], None],
        on_lost: Callable[[], None],
    ) -> None:
        """Start nothing yet. ``on_end`` hears which worker has ended, and ``on_lost`` that the fork server has."""
        self._launch = launch
        self._on_end, self._on_lost = on_end, on_lost
        self._loop = asyncio.get_running_loop()
        self._launched: LaunchedForkServer | None = None
        self._control: socket.socket | None = None

    @property
    def is_running(self) -> bool:
        """Whether workers can be asked for."""
        return self._control is not None

    async def start(self) -> None:
        """Start the fork server; what is asked of it waits until it has loaded everything."""
        self._launched = await asyncio.to_thread(self._launch)
        self._control = self._launched.control
        self._loop.add_reader(self._control, self._read)

    def fork(self, number: int, tasks: socket.socket, cancels: int) -> None:
        """Ask for a worker of that number, with its socket and its pipe."""
        if self._control is not None:
            with suppress(OSError):  # its end is read soon
                socket.send_fds(self._control, [REQUEST.pack(FORK, number)], [tasks.fileno(), cancels])

    def kill(self, number: int) -> None:
        """Ask for the end of a worker."""
        if self._control is not None:
            with suppress(OSError):
                self._control.send(REQUEST.pack(KILL, number))

    def _read(self) -> None:
        assert self._control is not None  # noqa: S101  # it is read only while it is open
        try:
            # Reports are whole: each is written at once, and read by multiples of their size.
            data = self._control.recv(REPORT.size << 6)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        for number, status, grown in REPORT.iter_unpack(data):
            self._on_end(number, WorkerEnd(status, grown))
        if not data:
            self._close()
            self._on_lost()

    def _close(self) -> None:
        if self._control is not None:
            self._loop.remove_reader(self._control)
            self._control.close()
            self._control = None

    async def stop(self) -> None:
        """End the fork server and all it started; return when they are gone."""
        self._close()
        if self._launched is not None:
            await asyncio.to_thread(self._launched.end)
            self._launched = None


# A fork server is started: before anything else of the service is imported, so that both load at the same time.


_PROGRAM = """
import json, sys
sys.path[:] = json.loads(sys.argv[2])
from sudoku_cp.service.pool.fork_server import main
main(int(sys.argv[1]), sys.argv[3])
"""


class LaunchedForkServer(NamedTuple):
    """A fork server: its process, the socket over which workers are asked for, and the folder for their files."""

    process: subprocess.Popen[bytes]
    control: socket.socket
    folder: str

    def end(self) -> None:
        """End it with all it started; return when they are gone."""
        self.control.close()
        self.process.wait()
        rmtree(self.folder, ignore_errors=True)  # if it was killed, it has not done so


def launch_fork_server(preload: Sequence[str], later: Sequence[str], memory: int | None) -> LaunchedForkServer:
    """Start a process that loads ``preload`` and then forks workers of ``memory`` bytes at most; what is asked of it waits.

    What it is to load ``later``, it loads as soon as it has forked those that were asked for.
    """
    folder = tempfile.mkdtemp(prefix="sudoku-cp-workers-")
    settings = json.dumps({"preload": list(preload), "later": list(later), "memory": memory, "folder": folder})
    # A process that forks has one thread: no others for algebra that nobody asks for.
    environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}
    ours, theirs = socket.socketpair()
    with theirs:
        command = [sys.executable, "-c", _PROGRAM, str(theirs.fileno()), json.dumps(sys.path), settings]
        process = subprocess.Popen(  # noqa: S603  # this very interpreter
            command, stdin=subprocess.DEVNULL, env=environment, pass_fds=[theirs.fileno()], start_new_session=True
        )
    ours.setblocking(False)  # noqa: FBT003  # it takes no names
    return LaunchedForkServer(process, ours, folder)
