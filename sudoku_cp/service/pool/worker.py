"""The service's side of a worker: it writes tasks and reads answers without ever waiting for either."""

from __future__ import annotations

import asyncio
import os
import socket
from collections import deque
from contextlib import suppress
from functools import partial
from time import monotonic
from typing import TYPE_CHECKING, Any, Protocol

from sudoku_cp.service.pool import frames

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from sudoku_cp.service.pool.fork_client import ForkClient, WorkerEnd
    from sudoku_cp.service.pool.tasks import Outcome, Running


class Supervisor(Protocol):
    """Who hears what a worker does: the pool."""

    def on_ready(self, worker: Worker) -> None:
        """A worker can take its first task."""

    def on_answer(self, worker: Worker, outcome: Outcome, *, last: bool) -> None:
        """A worker has ended its task; if it is the ``last``, the worker ends too."""

    def on_unsendable(self, worker: Worker, error: Exception) -> None:
        """A task cannot be pickled."""

    def on_lost(self, worker: Worker, end: WorkerEnd) -> None:
        """A worker has ended."""


class Worker:
    """A worker process: ``running`` is the task that it has, if any."""

    def __init__(self, number: int, forks: ForkClient, supervisor: Supervisor, executor: Executor) -> None:
        """Ask the fork server for a process; large messages are pickled by the ``executor``."""
        self.number, self.pid = number, 0
        self.running: Running | None = None
        self.tasks = 0
        self.retired = False
        """Whether it gets no more tasks: it has been killed, has ended, or is about to."""
        self._forks, self._supervisor, self._executor = forks, supervisor, executor
        self._loop = asyncio.get_running_loop()
        self._reader = frames.FrameReader()
        self._outgoing: list[memoryview] = []
        self._untaken = self._reads = self._unpickling = False
        self._frames: deque[frames.Frame] = deque()
        self._end: WorkerEnd | None = None
        self._socket, theirs = socket.socketpair()
        self._socket.setblocking(False)  # noqa: FBT003  # it takes no names
        cancels, self._cancels = os.pipe()
        os.set_blocking(self._cancels, False)
        forks.fork(number, theirs, cancels)
        theirs.close()
        os.close(cancels)
        self._resume()

    @property
    def took_task(self) -> bool:
        """Whether it is known to have read its task wholly: if not, another one may have it."""
        return not self._untaken and not self._outgoing

    @property
    def is_leaving(self) -> bool:
        """Whether it has ended, or is to end the task that it is at."""
        return self.retired or (self.running is not None and self.running.stopped_by is not None)

    # --- a task to it -----------------------------------------------------------------------------------------------

    def assign(self, running: Running) -> None:
        """Give an idle worker a task."""
        self.running = running
        self.tasks += 1
        task = running.task
        deadline = monotonic() + running.deadline - self._loop.time()
        message = (self.tasks, deadline, task.function, task.arguments, task.known)
        try:
            self._write(frames.pickle_small(frames.TASK, message))
        except frames.TooLarge:
            pickled = self._loop.run_in_executor(self._executor, frames.pickle_large, frames.TASK, message)
            pickled.add_done_callback(partial(self._pickled, running))
        except Exception as error:  # noqa: BLE001  # pickling calls code of any object
            self._supervisor.on_unsendable(self, error)

    def _pickled(self, running: Running, done: asyncio.Future[frames.Pieces]) -> None:
        """Send a large task once a thread has pickled it, if this worker is still to have it."""
        if self.running is not running or self.retired or done.cancelled():
            return
        error = done.exception()
        if isinstance(error, Exception):
            self._supervisor.on_unsendable(self, error)
        else:
            self._write(done.result())

    def _write(self, pieces: frames.Pieces) -> None:
        """Send as much as the socket takes now, and the rest when it takes more."""
        self._outgoing = [memoryview(piece) for piece in reversed(pieces)]
        self._send()
        if self._outgoing:
            self._loop.add_writer(self._socket, self._send_rest)

    def _send(self) -> None:
        """Send one piece."""
        piece = self._outgoing.pop()
        try:
            sent = self._socket.send(piece[: frames.PIECE])
        except BlockingIOError:
            sent = 0
        except OSError:  # it is dead: what it left is still to be read
            self._untaken = True
            self._outgoing.clear()
            return
        if sent < len(piece):
            self._outgoing.append(piece[sent:])

    def _send_rest(self) -> None:
        if self._outgoing:
            self._send()
        if not self._outgoing:
            self._loop.remove_writer(self._socket)

    def cancel(self) -> None:
        """Set the cancellation of its task."""
        if not self.retired:
            with suppress(OSError):
                os.write(self._cancels, frames.TASK_NUMBER.pack(self.tasks))

    def kill(self) -> None:
        """End the process, and whatever it has started."""
        self.retired = True
        self._forks.kill(self.number)
        self._close()

    def retire(self) -> None:
        """Let an idle worker end."""
        self.retired = True
        self._close()

    # --- answers from it --------------------------------------------------------------------------------------------

    def _resume(self) -> None:
        if self._socket.fileno() >= 0 and not self._reads:
            self._reads = True
            self._loop.add_reader(self._socket, self._read)

    def _pause(self) -> None:
        if self._reads:
            self._reads = False
            self._loop.remove_reader(self._socket)

    def _read(self) -> bool:
        """Read one piece; return whether there may be more."""
        try:
            data = self._socket.recv(frames.PIECE)
        except BlockingIOError:
            return False
        except ConnectionError:
            # The system says so of a process that ended with something unread: it never began its task.
            self._untaken, data = True, b""
        if not data:
            self._fail()
            return False
        try:
            self._frames.extend(self._reader.feed(data))
        except frames.BadFrame:
            self._fail()
            return False
        self._take_frames()
        return True

    def _fail(self) -> None:
        """Give up a process that has ended or sends what cannot be read; its end is reported like any other."""
        self._frames.clear()
        self.kill()

    def _take_frames(self) -> None:
        """Pass on what the frames say, in their order; a large one is unpickled in a thread, and all others wait for it."""
        while self._frames and not self._unpickling:
            frame = self._frames.popleft()
            if frame.is_small:
                try:
                    thing = frames.unpickle(frame)
                except Exception:  # noqa: BLE001  # unpickling calls code of any object
                    self._fail()
                else:
                    self._pass_on(frame, thing)
            else:
                self._pause()
                self._unpickling = True
                future = self._loop.run_in_executor(self._executor, frames.unpickle, frame)
                future.add_done_callback(partial(self._take_large, frame))

    def _take_large(self, frame: frames.Frame, done: asyncio.Future[Any]) -> None:
        self._unpickling = False
        if done.cancelled() or done.exception() is not None:
            self._fail()
        else:
            self._pass_on(frame, done.result())
            self._take_frames()
        if not self._unpickling:
            self._finish() if self._end else self._resume()

    def _pass_on(self, frame: frames.Frame, thing: Any) -> None:
        if frame.kind == frames.READY:
            self.pid = thing
            self._supervisor.on_ready(self)
        elif self.running is None:
            self._fail()  # an answer to nothing
        elif frame.kind != frames.ITEM:
            self._supervisor.on_answer(self, thing, last=frame.kind == frames.LAST_ANSWER)
        elif not self.running.done and not self.running.put(thing, frame.length):
            self._pause()
            self.running.on_room = self._resume

    # --- its end ----------------------------------------------------------------------------------------------------

    def on_end(self, end: WorkerEnd) -> None:
        """Note that the process has ended, read what it sent before, and pass on that it is gone."""
        self.retired, self._end = True, end
        if not self._unpickling:
            self._finish()

    def _finish(self) -> None:
        self._pause()
        while self._socket.fileno() >= 0 and not self._unpickling and self._read():
            pass
        if self._end is not None and not self._unpickling:
            end, self._end = self._end, None
            self._supervisor.on_lost(self, end)
            self._close()

    def _close(self) -> None:
        if self._socket.fileno() >= 0:
            self._pause()
            self._loop.remove_writer(self._socket)
            self._socket.close()
            os.close(self._cancels)
