"""A worker process: it takes a task from its socket, runs it, sends the outcome, and waits for the next.

Theory of operation. The main thread runs tasks, one at a time. A second thread sleeps on a pipe: the number of a task that comes
there cancels this task (its `Cancellation` is set while the main thread computes), and the end of the pipe ends the process. A
worker is the leader of its own session and ends with its parent, even in the midst of C code that never returns.
"""

from __future__ import annotations

import os
import pickle
import select
import signal
import sys
from contextlib import suppress
from ctypes import CDLL
from pathlib import Path
from threading import Lock, Thread
from time import monotonic
from typing import TYPE_CHECKING, Any

from sudoku_cp.backends import Cancellation, Limits
from sudoku_cp.backends.race import abandoned_threads
from sudoku_cp.service.pool.frames import (
    ANSWER,
    ITEM,
    LAST_ANSWER,
    PIECE,
    READY,
    TASK_NUMBER,
    FrameReader,
    frame_of,
    pickle_large,
    unpickle,
)
from sudoku_cp.service.pool.tasks import Answered, Outcome, Stopped, outcome_of_error

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from socket import socket

    from sudoku_cp.service.pool.frames import Frame, Pieces

REPLY_SECONDS = 0.01
"""What an engine's time limit leaves for the reply."""
_DEATH_SIGNAL, _SUBREAPER = 1, 36
"""Options of prctl(2)."""


class WorkerControl:
    """What a task is given; see `Control`."""

    def __init__(self, worker: WorkerProcess, deadline: float, known: Sequence[bytes]) -> None:
        """Keep the ``deadline`` (of `time.monotonic`), what is ``known``, and the ``worker``, through which items are sent."""
        # Whoever cancels a task hears no more of it, so an answer that tells of a cancellation tells of the deadline.
        self.cancel = Cancellation("deadline")
        self.known = known
        self.learnt: bytes | None = None
        self._worker, self._deadline = worker, deadline

    def limits(self, nodes: int | None = None) -> Limits:
        """Return the limits for an engine: the seconds left until the task's deadline, less what the reply takes."""
        return Limits(max(0.0, self._deadline - monotonic() - REPLY_SECONDS), nodes, self.cancel)

    def emit(self, item: Any) -> None:
        """Send an item; it waits while the caller has too many. What comes after the task's end is dropped."""
        self._worker.send_item(self, pickle_large(ITEM, item))


class WorkerProcess:
    """The tasks of this process, one after the other."""

    def __init__(self, tasks: socket, cancels: int) -> None:
        """Serve the socket ``tasks``; ``cancels`` is the pipe with the numbers of cancelled tasks."""
        self._socket, self._cancels = tasks, cancels
        self._sending = Lock()
        self._number = self._cancelled = 0
        self._control: WorkerControl | None = None

    def run(self) -> None:
        """Answer tasks until the socket ends."""
        Thread(target=self._watch, daemon=True).start()
        self._send(frame_of(READY, [pickle.dumps(os.getpid())]))
        for frame in self._frames():
            outcome = self._answer(frame)
            last = outcome == Stopped("memory") or bool(abandoned_threads())
            self._send(_outcome_frame(LAST_ANSWER if last else ANSWER, outcome))
            if last:
                return

    def _frames(self) -> Iterator[Frame]:
        """Yield the tasks. One that comes to a dying process stays unread: waiting takes nothing from the socket."""
        reader, arrival = FrameReader(), select.poll()
        arrival.register(self._socket, select.POLLIN)
        while arrival.poll() and (data := self._socket.recv(PIECE)):
            yield from reader.feed(data)

    def _watch(self) -> None:
        """Set the cancellation of the task whose number comes; end with the pipe."""
        while data := os.read(self._cancels, TASK_NUMBER.size):
            (self._cancelled,) = TASK_NUMBER.unpack(data)
            control = self._control
            if control is not None and self._number == self._cancelled:
                control.cancel.cancel()
        os._exit(0)

    def _answer(self, frame: Frame) -> Outcome:
        """Run the task in a frame."""
        try:
            self._number, deadline, function, arguments, known = unpickle(frame)
            self._control = control = WorkerControl(self, deadline, known)
            if self._cancelled == self._number:  # its number came before the task
                control.cancel.cancel()
            value = function(*arguments, control)
            return Answered(value, control.learnt)
        except BaseException as error:  # noqa: BLE001  # whatever it is, the caller is told
            return outcome_of_error(error)
        finally:
            with self._sending:
                self._control = None

    def send_item(self, control: WorkerControl, pieces: Pieces) -> None:
        """Send an item of the running task; threads that outlive theirs send nothing."""
        with self._sending:
            if self._control is control:
                self._send_pieces(pieces)

    def _send(self, pieces: Pieces) -> None:
        with self._sending:
            self._send_pieces(pieces)

    def _send_pieces(self, pieces: Pieces) -> None:
        for piece in pieces:
            self._socket.sendall(piece)


def _outcome_frame(kind: int, outcome: Outcome) -> Pieces:
    """Return the frame of an outcome, or of what kept it from being sent."""
    try:
        return pickle_large(kind, outcome)
    except Exception as error:  # noqa: BLE001  # pickling calls code of any object
        return pickle_large(kind, outcome_of_error(error))


# --- the process ------------------------------------------------------------------------------------------------


def run_worker(tasks: socket, cancels: int, memory: int | None) -> None:
    """Be a worker until its socket ends; ``memory`` is the most bytes of data it may have. The process was just forked."""
    _isolate(memory)
    with suppress(ConnectionError):  # the parent has gone
        WorkerProcess(tasks, cancels).run()


def _isolate(memory: int | None) -> None:
    """Leave the parent's session, ignore Ctrl-C, end with the parent, and set the limits of memory."""
    import resource  # noqa: PLC0415  # only Unix has it

    os.setsid()
    set_process_option(_DEATH_SIGNAL, signal.SIGKILL)
    # Those that a program leaves behind become children of this process, and are found when it ends.
    adopt_orphans()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if memory is not None:
        # Not RLIMIT_AS: CP-SAT reserves far more addresses than it uses.
        resource.setrlimit(resource.RLIMIT_DATA, (memory, memory))
    with suppress(OSError):  # a machine without memory ends workers, not the service
        Path("/proc/self/oom_score_adj").write_text("500", encoding="ascii")


def adopt_orphans() -> None:
    """Become the parent of all descendants whose own parents end, where the system can do that."""
    set_process_option(_SUBREAPER, 1)


def set_process_option(option: int, value: int) -> None:
    """Set an option of this process by prctl(2); only Linux has it."""
    if sys.platform == "linux":
        CDLL(None).prctl(option, value, 0, 0, 0)
