"""The process that forks workers: it has imported and loaded what they need, so that a worker is ready in milliseconds.

Theory of operation. It has one thread and waits for two things: requests on its control socket, and the ends of its children.

- ``FORK`` with two descriptors (a worker's socket, the pipe that cancels its tasks) forks a worker of that number; ``KILL`` ends
  one. When a worker has ended, however that was, its number, status and memory are reported. It is the parent, so a number never
  means another process that got the same id.
- It adopts the orphans of its workers (it is their subreaper). So **every child that it did not fork was left behind by a dead
  worker**, in whatever session, and is killed: this is how an external program with all its children ends.
- Each worker has a folder of its own for temporary files, which is removed with it: whoever is killed cannot tidy up.
- What the first workers need not wait for is loaded when they have been forked and nothing else is asked.
- When the control socket ends, as it does when the service dies in whatever way, it kills all of them and ends.
"""

from __future__ import annotations

import gc
import json
import os
import resource
import select
import signal
import socket
import sys
import tempfile
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from shutil import rmtree
from struct import Struct
from typing import TYPE_CHECKING, NamedTuple

from sudoku_cp.service.pool.worker_process import adopt_orphans, run_worker

if TYPE_CHECKING:
    from collections.abc import Sequence


class _Worker(NamedTuple):
    """A worker's number, and what it had in memory when it was forked, in KiB."""

    number: int
    resident: int


class ForkServer:
    """The workers of this process, and the socket over which they are asked for."""

    def __init__(self, control: socket.socket, memory: int | None, folder: str, later: Sequence[str] = ()) -> None:
        """Fork for the other end of ``control``; a worker has ``memory`` bytes at most, and its files in ``folder``."""
        self._later = list(reversed(later))
        self._control, self._memory = control, memory
        self._workers: dict[int, _Worker] = {}  # by process id
        self._folder = folder
        self._wake, self._woken = os.pipe()
        os.set_blocking(self._woken, False)

    def serve(self) -> None:
        """Serve until the control socket ends; then end all processes below this one."""
        signal.signal(signal.SIGCHLD, lambda *_: None)
        signal.set_wakeup_fd(self._woken, warn_on_full_buffer=False)
        adopt_orphans()
        try:
            while True:
                may_load = bool(self._later and self._workers)
                ready, _, _ = select.select([self._control.fileno(), self._wake], [], [], 0 if may_load else None)
                if not ready:
                    _load(self._later.pop())
                    gc.freeze()
                if self._wake in ready:
                    os.read(self._wake, 1 << 10)
                    self._reap()
                if self._control.fileno() in ready and not self._take_request():
                    return
        finally:
            self._end_all()

    def _take_request(self) -> bool:
        """Do what is asked; return False at the end of the socket."""
        try:
            request, descriptors, _, _ = socket.recv_fds(self._control, REQUEST.size, 2)
        except ConnectionError:
            return False
        if len(request) < REQUEST.size:
            return False
        kind, number = REQUEST.unpack(request)
        if kind == FORK:
            self._fork(number, descriptors)
        else:
            for process in [process for process, worker in self._workers.items() if worker.number == number]:
                _kill(process)
        return True

    def _fork(self, number: int, descriptors: Sequence[int]) -> None:
        try:
            process = os.fork()
        except OSError:  # the machine has no room for another: it is reported as one that ended at once
            self._report(number, 1 << 8, 0)
        else:
            if process == 0:
                self._be_worker(number, *descriptors)
            self._workers[process] = _Worker(number, _resident())
        for descriptor in descriptors:
            os.close(descriptor)

    def _worker_folder(self, number: int) -> Path:
        return Path(self._folder, str(number))

    def _be_worker(self, number: int, tasks: int, cancels: int) -> None:
        """Run the worker in the process just forked; never returns."""
        status = 1
        try:
            signal.set_wakeup_fd(-1)
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            for descriptor in (self._control.detach(), self._wake, self._woken):
                os.close(descriptor)
            self._worker_folder(number).mkdir()
            tempfile.tempdir = str(self._worker_folder(number))
            run_worker(socket.socket(fileno=tasks), cancels, self._memory)
            status = 0
        except BaseException:  # noqa: BLE001  # nothing of the fork server may run here
            sys.excepthook(*sys.exc_info())
        finally:
            os._exit(status)

    def _reap(self) -> None:
        """Report every worker that has ended, and kill what they left behind."""
        with suppress(ChildProcessError):
            while True:
                process, status, usage = os.wait4(-1, os.WNOHANG)
                if not process:
                    break
                worker = self._workers.pop(process, None)
                if worker is not None:
                    self._report(worker.number, status, max(0, usage.ru_maxrss - worker.resident) << 10)
                    rmtree(self._worker_folder(worker.number), ignore_errors=True)
        for orphan in children() - self._workers.keys():
            _kill(orphan)  # its end comes here again, with what it left behind in turn

    def _report(self, number: int, status: int, grown: int) -> None:
        with suppress(OSError):  # nobody listens any more
            self._control.send(REPORT.pack(number, status, grown))

    def _end_all(self) -> None:
        """Kill everything below this process, wait until it has ended, and remove its files."""
        with suppress(ChildProcessError):
            while True:
                for process in children() | self._workers.keys():
                    _kill(process)
                process, _ = os.wait()
                self._workers.pop(process, None)
        rmtree(self._folder, ignore_errors=True)


def _resident() -> int:
    """Return how much of this process is in memory, in KiB: not its peak, which compiling may have made high."""
    with suppress(OSError):
        return int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1]) * (resource.getpagesize() >> 10)
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def children() -> set[int]:
    """Return the ids of this process's children, where the system lists them."""
    found: set[int] = set()
    for path in Path("/proc/self/task").glob("*/children"):
        with suppress(OSError):
            found.update(map(int, path.read_text(encoding="ascii").split()))
    return found


def _kill(process: int) -> None:
    """Kill a child, and its group if it leads one."""
    for kill in (os.killpg, os.kill):
        with suppress(ProcessLookupError):
            kill(process, signal.SIGKILL)


def _load(name: str) -> None:
    """Import a module, or for ``module:function`` call its function too."""
    module, _, function = name.partition(":")
    loaded = import_module(module)
    if function:
        getattr(loaded, function)()


def main(descriptor: int, settings: str) -> None:
    """Load what ``settings`` name (JSON: ``preload``, ``later``, ``memory``, ``folder``), and fork for the socket's other end."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    wanted = json.loads(settings)
    for name in wanted["preload"]:
        _load(name)
    gc.collect()
    gc.freeze()  # what is loaded is never collected, so workers share its memory
    ForkServer(socket.socket(fileno=descriptor), wanted["memory"], wanted["folder"], wanted["later"]).serve()


# What the service and its fork server say to each other.


FORK, KILL = b"fk"
REQUEST = Struct("<BQ")
"""What is asked, and the number of the worker."""
REPORT = Struct("<Qqq")
"""The number of a worker that has ended, its status as of wait(2), and by how many bytes it grew."""
