"""A pool of worker processes that keeps every deadline, whatever a worker does.

Theory of operation.

- **Processes**: a fork server (`fork_server`), and the workers that it forks: as many as may run tasks at a time, and a few spare
  ones. All are alike. Whichever is idle gets the next task, so whoever is killed is replaced by one that stands ready.
- **A task** (`Running`) waits in the queue, is given to an idle `Worker`, and is settled once: by the worker's answer, by its own
  deadline, by its caller (`cancel`), or by the worker's end. Whoever comes first wins; the others find it settled.
- **A quick task**, such as one for a picture, is expected to end within milliseconds. It gets a spare worker where the others
  are busy, and passes those that wait for them: whoever waits for the picture may be the one who keeps them busy. That holds for
  an eighth of `LONG_AFTER`. From then on it is a short task like any other, and is put back if it has no place among these.
- **A long task** was submitted as one, or has run for `LONG_AFTER`. One place always stays for short ones: where long ones hold
  all others, another process is started. A task that outgrows that place too is put back, and starts again from the beginning
  when long ones have ended. While several wait for that place, each has it for an eighth of the time, then for a quarter, and
  so on (a multilevel feedback queue): a task of milliseconds waits for none that turns out to be long.
- **To stop** a task the pool sets its cancellation, on which engines end by themselves, and kills the worker `GRACE` later if it
  has not ended. A deadline is answered by then at the latest. The worker's place is free as soon as it is told to stop: a spare
  one takes the next task at once, and if none stands ready another is started. Should the first end its task after all, there is
  one too many, and it is retired.
- **A lost worker** costs the task that it had begun. If it was dead before it had read the task, another worker gets that.
- Everything here runs in the loop's thread and waits for nothing: sockets are read and written in pieces, and processes are
  started and ended by the fork server.
"""

from __future__ import annotations

import asyncio
import signal
import traceback
from collections import deque
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from itertools import chain
from time import time
from typing import TYPE_CHECKING, Literal, TypeAlias

from sudoku_cp.service.pool.fork_client import ForkClient, LaunchedForkServer, WorkerEnd, launch_fork_server
from sudoku_cp.service.pool.tasks import Answered, Failed, Outcome, PoolFailed, QueueFull, Refused, Running, Stopped, Task
from sudoku_cp.service.pool.worker import Worker

if TYPE_CHECKING:
    from collections.abc import Sequence


# What a pool has done, in plain numbers.


@dataclass
class PoolStatistics:
    """Tasks by what became of them, and workers, since the pool was started."""

    waiting: int = 0
    """Tasks in the queue now."""
    running: int = 0
    """Tasks with a worker now."""
    workers: int = 0
    """Processes now, spare ones among them."""
    done: int = 0
    """Tasks with any outcome; the fields below count each."""
    answered: int = 0
    refused: int = 0
    failed: int = 0
    deadline: int = 0
    nodes: int = 0
    cancelled: int = 0
    crashed: int = 0
    memory: int = 0
    rejected: int = 0
    """Tasks that were not taken because the queue was full."""
    handed_on: int = 0
    """Tasks whose worker was dead already, and which went to another."""
    put_back: int = 0
    """Times that a task had to leave the place which stays for short ones, to begin again later."""
    killed: int = 0
    """Workers that did not end their task on request."""
    lost: int = 0
    """Workers that ended unasked."""
    renewed: int = 0
    """Workers that were let go because they had done enough, had run out of memory, or were no longer needed."""

    def count(self, outcome: Outcome) -> None:
        """Count an outcome."""
        self.done += 1
        if isinstance(outcome, Answered):
            self.answered += 1
        elif isinstance(outcome, Refused):
            self.refused += 1
        elif isinstance(outcome, Failed):
            self.failed += 1
        else:
            setattr(self, outcome.reason, getattr(self, outcome.reason) + 1)


__all__ = ["MEMORY", "Pool", "PoolStatistics", "QueueFull", "Running"]

MEMORY = 2 << 30
"""Bytes of data that a worker may have."""
GRACE = 0.03
"""Seconds that a worker has to end its task on request; with the kill and what follows, it is replaced in 50 ms."""
LONG_AFTER = 2.0
"""Seconds after which a task is a long one."""
LONGEST_PAUSE = 2.0
"""Seconds between two attempts to start what does not start, at most."""
LEAST_RETRY, LONGEST_RETRY = 0.1, 60.0
"""Seconds after which a rejected caller should come again, at least and at most."""

_Kind: TypeAlias = Literal["quick", "short", "again", "long"]
"""``again`` are short ones that have made way for others before."""


def _kind_of(running: Running) -> _Kind:
    if running.is_long:
        return "long"
    return "quick" if running.is_quick else "again" if running.slice else "short"


def _turn(running: Running) -> tuple[int, float]:
    """Return what orders tasks that wait: quick ones, then whichever came first, then those that have made way before."""
    kind = _kind_of(running)
    return {"quick": 0, "again": 2}.get(kind, 1), running.number


class Pool:
    """Worker processes, and the tasks that wait for them."""

    def __init__(
        self,
        workers: int,
        *,
        spares: int = 1,
        queue: int = 64,
        memory: int | None = MEMORY,
        tasks_per_worker: int = 1000,
        long_after: float = LONG_AFTER,
        kill_after: float = GRACE,
        preload: Sequence[str] = (),
        preload_later: Sequence[str] = (),
        launched: LaunchedForkServer | None = None,
    ) -> None:
        """Start nothing yet.

        ``workers`` tasks run at a time, ``queue`` for each of them may wait, and ``spares`` more processes stand ready. A task
        that has run for ``long_after`` seconds is a long one. A worker that has to end its task is killed if it has not within
        ``kill_after`` seconds. It has ``memory`` bytes of data at most, and is replaced after ``tasks_per_worker`` tasks. All
        have loaded ``preload``: names of modules, or ``module:function`` for functions to be called once before; the first
        workers do not wait for ``preload_later``. ``launched`` is the first fork server, if one with the same settings has been
        started already.
        """
        self.workers = workers
        self._spares, self._most_waiting = spares, queue * workers
        self._memory, self._tasks_per_worker = memory, tasks_per_worker
        self._long_after, self._first_slice, self._kill_after = long_after, long_after / 8, kill_after
        self._preload, self._preload_later = tuple(preload), tuple(preload_later)
        self._launched = launched
        self._counts = PoolStatistics()
        self._waiting: dict[_Kind, deque[Running]] = {"quick": deque(), "short": deque(), "again": deque(), "long": deque()}
        self._processes: dict[int, Worker] = {}
        self._idle: list[Worker] = []
        self._busy: dict[Running, Worker] = {}
        self._next_number = 0
        self._failed_starts = 0
        self._mean_seconds = 0.0
        self._is_open = False
        self._executor = ThreadPoolExecutor(2, thread_name_prefix="sudoku_cp-pool")
        self._background: set[asyncio.Task[None]] = set()

    @property
    def statistics(self) -> PoolStatistics:
        """What the pool has done until now."""
        return replace(self._counts, waiting=self._waiting_number(), running=len(self._busy), workers=len(self._processes))

    @property
    def is_open(self) -> bool:
        """Whether it takes tasks."""
        return self._is_open

    @property
    def pids(self) -> list[int]:
        """The process ids of the workers that are ready."""
        return [worker.pid for worker in self._processes.values() if worker.pid and not worker.retired]

    # --- start and stop ---------------------------------------------------------------------------------------------

    async def start(self) -> None:
        """Start the processes; return when the first worker is ready. Raises `PoolFailed` if none can be started."""
        self._loop = asyncio.get_running_loop()
        self._started = asyncio.Event()
        self._forks = ForkClient(self._launch, self._on_end, self._on_forks_lost)
        self._is_open = True
        await self._forks.start()
        self._top_up()
        await self._started.wait()
        if not self._forks.is_running:
            await self.stop()
            raise PoolFailed("expected workers that start, got an end of the process that starts them")

    def _launch(self) -> LaunchedForkServer:
        """Start a fork server, or take the one that has been started."""
        launched, self._launched = self._launched, None
        return launched or launch_fork_server(self._preload, self._preload_later, self._memory)

    async def stop(self, *, grace: float = 0.0) -> None:
        """Take no more tasks, give those that run ``grace`` seconds, and end every process."""
        if not self._is_open:
            return
        self._is_open = False
        for running in chain(*map(list, self._waiting.values())):
            running.cancel()
        if self._busy and grace:
            await asyncio.wait([asyncio.create_task(running.outcome()) for running in self._busy], timeout=grace)
        for running in list(self._busy):
            running.cancel()
        for task in self._background:
            task.cancel()
        for worker in list(self._processes.values()):
            worker.retire()
        await self._forks.stop()
        self._processes.clear()
        self._executor.shutdown(wait=False, cancel_futures=True)

    def _top_up(self) -> None:
        """Ask for as many workers as are missing, not counting those that are to stop."""
        if self._is_open and self._forks.is_running:
            for _ in range(-self._surplus()):
                self._next_number += 1
                self._processes[self._next_number] = Worker(self._next_number, self._forks, self, self._executor)

    def _surplus(self) -> int:
        """Return how many workers there are beyond those wanted, less than 0 if some are missing; those to stop do not count."""
        for_short_tasks = int(self._working("long") >= self.workers)
        wanted = self.workers + for_short_tasks + self._spares
        return sum(not worker.is_leaving for worker in self._processes.values()) - wanted

    def _pause_seconds(self) -> float:
        """Return how long to wait before the next start: longer, the more of them have failed."""
        return min(LONGEST_PAUSE, 0.05 * 2 ** min(self._failed_starts, 10)) if self._failed_starts else 0.0

    def _on_forks_lost(self) -> None:
        """The fork server has ended, and with it every worker: start another."""
        self._idle.clear()
        for worker in list(self._processes.values()):
            worker.on_end(WorkerEnd(signal.SIGKILL, 0))
        if not self._started.is_set():
            self._started.set()
        elif self._is_open:
            self._failed_starts += 1
            task = self._loop.create_task(self._restart())
            self._background.add(task)
            task.add_done_callback(self._background.discard)

    async def _restart(self) -> None:
        await asyncio.sleep(self._pause_seconds())
        await self._forks.stop()
        await self._forks.start()
        self._top_up()

    # --- tasks ------------------------------------------------------------------------------------------------------

    def submit(self, task: Task, *, deadline: float) -> Running:
        """Take a task that is to be answered by ``deadline`` (of the loop's clock); raise `QueueFull` if too many wait."""
        if not self._is_open:
            raise QueueFull(LONGEST_PAUSE, "expected an open pool, got one that is closed")
        running = Running(task, deadline, self._cancel)
        queue = self._waiting[_kind_of(running)]
        queue.append(running)
        self._next()
        if not running.begun and self._waiting_number() > self._most_waiting:
            queue.remove(running)
            self._counts.rejected += 1
            raise QueueFull(self._retry_after())
        if not running.done:
            running.timer = self._loop.call_at(deadline, self._on_deadline, running)
        return running

    def _waiting_number(self) -> int:
        return sum(map(len, self._waiting.values()))

    def _working(self, kind: _Kind) -> int:
        """Return how many tasks of a kind have a worker and were not asked to stop."""
        return sum(running.stopped_by is None and _kind_of(running) == kind for running in self._busy)

    def _retry_after(self) -> float:
        """Estimate the seconds until the queue is half empty."""
        return min(LONGEST_RETRY, max(LEAST_RETRY, self._mean_seconds * self._waiting_number() / 2 / self.workers))

    def _may_run(self, kind: _Kind) -> bool:
        """Return whether a task of a kind may begin while others run; a quick one needs an idle worker alone."""
        if kind == "quick":
            return True
        short, long = self._working("short") + self._working("again"), self._working("long")
        if kind != "long" and not short:
            return True  # the place that stays for them
        return short + long < self.workers and (kind != "long" or long < self._most_long)

    @property
    def _most_long(self) -> int:
        """How many long tasks may begin to run at a time; short ones that turn out to be long are more."""
        return max(1, self.workers - 1)

    def _next(self) -> None:
        """Give waiting tasks to idle workers, each in its turn."""
        while self._idle:
            queues = [queue for kind, queue in self._waiting.items() if queue and self._may_run(kind)]
            if not queues:
                return
            worker = self._idle.pop()
            if not worker.retired:
                self._begin(min(queues, key=lambda queue: _turn(queue[0])).popleft(), worker)

    def _begin(self, running: Running, worker: Worker) -> None:
        running.has_worker, running.begun, running.began_at = True, self._loop.time(), time()
        self._busy[running] = worker
        worker.assign(running)
        if not running.is_long and not running.done:
            running.turns = [
                self._loop.call_later(self._long_after, self._outgrow, running, worker),
                self._loop.call_later(running.slice or self._first_slice, self._end_slice, running, worker),
            ]

    def _end_slice(self, running: Running, worker: Worker) -> None:
        """Let a task make way for others where all wait for one place, or where it had none but as a quick one.

        It has twice the time when it is its turn again.
        """
        if self._busy.get(running) is not worker or running.stopped_by is not None or running.is_long:
            return
        has_place = not running.is_quick or self._may_run("short")
        running.is_quick = False
        waits = self._waiting["short"] or self._waiting["again"]
        is_last_place = self._working("long") >= self._most_long and self._working("short") + self._working("again") == 1
        if not has_place or (waits and is_last_place):
            running.slice = 2 * (running.slice or self._first_slice)
            self._put_back(running, worker)
            self._top_up()
            self._next()
        else:
            running.turns[1] = self._loop.call_later(self._first_slice, self._end_slice, running, worker)

    def _put_back(self, running: Running, worker: Worker) -> None:
        """Take a task from its worker, to begin it again later."""
        self._take_worker(running, worker)
        self._counts.put_back += 1
        running.has_worker, running.began_at = False, None
        running.begin_again()
        self._waiting[_kind_of(running)].append(running)

    def _outgrow(self, running: Running, worker: Worker) -> None:
        """Count a task that still runs as a long one from now on; put it back if there are too many of these."""
        if self._busy.get(running) is not worker or running.stopped_by is not None:
            return
        running.is_long = True
        if self._working("long") > self.workers:
            self._put_back(running, worker)
        self._top_up()
        self._next()

    def _settle(self, running: Running, outcome: Outcome) -> None:
        """Set the outcome of a task that has none."""
        if isinstance(outcome, Stopped) and outcome.reason == "cancelled" and running.stopped_by:
            outcome = Stopped(running.stopped_by)
        if running.begun:
            self._mean_seconds += 0.1 * (self._loop.time() - running.begun - self._mean_seconds)
        self._counts.count(outcome)
        running.settle(outcome)

    def _on_deadline(self, running: Running) -> None:
        if running in self._busy:
            self._stop_worker(running, "deadline")
        else:
            self._waiting[_kind_of(running)].remove(running)
            self._settle(running, Stopped("deadline"))

    def _cancel(self, running: Running) -> None:
        if running.done:
            return
        if running in self._busy:
            self._stop_worker(running, "cancelled")
        else:
            self._waiting[_kind_of(running)].remove(running)
        self._settle(running, Stopped("cancelled"))

    def _stop_worker(self, running: Running, reason: Literal["cancelled", "deadline"]) -> None:
        """Ask the worker of a task to end it, and see a little later whether it has."""
        if running.stopped_by is None:
            running.stopped_by = reason
            worker = self._busy[running]
            worker.cancel()
            self._loop.call_later(self._kill_after, self._give_up, running, worker)
            self._next()
            if not self._idle:
                self._top_up()

    def _give_up(self, running: Running, worker: Worker) -> None:
        """Kill a worker that is still at its task, and let the next one have its place."""
        if self._busy.get(running) is not worker:
            return
        self._take_worker(running, worker)
        self._counts.killed += 1
        if not running.done:
            self._settle(running, Stopped(running.stopped_by or "deadline"))
        self._top_up()
        self._next()

    def _take_worker(self, running: Running, worker: Worker) -> None:
        """Kill the worker of a task."""
        running.end_turn()
        del self._busy[running]
        del self._processes[worker.number]
        worker.running = None
        worker.kill()

    # --- what workers say (`Supervisor`) ----------------------------------------------------------------------------

    def on_ready(self, worker: Worker) -> None:
        """Let a worker have tasks."""
        self._failed_starts = 0
        self._started.set()
        self._idle.append(worker)
        self._next()

    def on_answer(self, worker: Worker, outcome: Outcome, *, last: bool) -> None:
        """Settle the task of a worker, and give it another."""
        self._take_from(worker, outcome)
        if worker.retired:
            pass  # it has ended since
        elif last or worker.tasks >= self._tasks_per_worker or self._surplus() > 0:
            del self._processes[worker.number]
            worker.retire()
            self._counts.renewed += 1
            self._top_up()
        else:
            self._idle.append(worker)
        self._next()

    def on_unsendable(self, worker: Worker, error: Exception) -> None:
        """Settle a task that no worker can be given."""
        self.on_answer(worker, Failed(type(error).__name__, "".join(traceback.format_exception(error))), last=False)

    def _take_from(self, worker: Worker, outcome: Outcome) -> None:
        """Take its task from a worker, and settle that if it is not; what a cancelled task learnt is kept all the same."""
        running, worker.running = worker.running, None
        if running is not None:
            del self._busy[running]
            running.task.learn(outcome)
            if not running.done:
                self._settle(running, outcome)

    def _on_end(self, number: int, end: WorkerEnd) -> None:
        worker = self._processes.get(number)
        if worker is not None:
            worker.on_end(end)

    def on_lost(self, worker: Worker, end: WorkerEnd) -> None:
        """Replace a worker that has ended, and settle its task, unless another worker can have it."""
        del self._processes[worker.number]
        self._counts.lost += 1
        if worker in self._idle:
            self._idle.remove(worker)
        running = worker.running
        if running is not None and self._can_hand_on(running, worker):
            del self._busy[running]
            worker.running, running.has_worker, running.began_at = None, False, None
            running.handed_on += 1
            self._counts.handed_on += 1
            self._waiting[_kind_of(running)].appendleft(running)
        else:
            self._take_from(worker, Stopped("memory" if end.is_for_memory(self._memory) else "crashed"))
        if not worker.pid:
            self._failed_starts += 1
        self._loop.call_later(self._pause_seconds(), self._top_up)
        self._next()

    def _can_hand_on(self, running: Running, worker: Worker) -> bool:
        """Return whether a lost worker never began its task; that all of them had died unnoticed is the worst there is."""
        return not running.done and not worker.took_task and running.handed_on < self.workers + self._spares
