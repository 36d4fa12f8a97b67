"""The runner of jobs: it hands queued jobs to the pool, and writes down what comes of them."""

from __future__ import annotations

import asyncio
import json
import logging
from collections import Counter
from contextlib import suppress
from dataclasses import replace
from time import time
from typing import TYPE_CHECKING, Any

from sudoku_cp.service.jobs.store import ENDS, Event, Job, JobStore, StoreFailed, StoreFull, StoreThread, make_job_id
from sudoku_cp.service.pool.tasks import BEGINS_AGAIN, Answered, Failed, Outcome, QueueFull, Refused, Running, Stopped
from sudoku_cp.service.problems import busy, problem_of_outcome
from sudoku_cp.service.question_runs import Submit, unknown_answer

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Mapping

    from sudoku_cp.service.batching import SeriesMemory
    from sudoku_cp.service.questions import ServedQuestion
    from sudoku_cp.service.settings import ServiceLimits


TIDY_SECONDS = 3600.0
"""Between two looks for results that are too old."""
RETRY_SECONDS = 0.5
"""After which a job is handed over again to a pool that had no room."""
_log = logging.getLogger(__name__)


class JobRunner:
    """The jobs of a service: those that wait, those that run, and who watches them."""

    def __init__(
        self,
        store: StoreThread,
        submit: Submit,
        questions: Mapping[str, ServedQuestion],
        limits: ServiceLimits,
        memory: SeriesMemory,
        *,
        at_once: int,
    ) -> None:
        """Run at most so many jobs ``at_once``, besides those that began as short questions; ``memory`` is for their series."""
        self.store, self._memory = store, memory
        self._submit, self._questions, self._limits = submit, questions, limits
        self._room = asyncio.Semaphore(at_once)
        self._queued: asyncio.Queue[str] = asyncio.Queue()
        self._running: dict[str, Running] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._changed: dict[str, asyncio.Event] = {}
        self._active = 0
        self._stopping = False

    async def start(self) -> None:
        """Take up the jobs that an earlier service left, and begin to work."""
        await self.store.call(JobStore.recover, time())
        await self.store.call(JobStore.expire, time())
        for job_id in await self.store.call(JobStore.queued):
            self._enqueue(job_id)
        self._spawn(self._work_off())
        self._spawn(self._tidy_up())

    async def stop(self) -> None:
        """Put the jobs back that run, for the next service on this store."""
        self._stopping = True
        running = list(self._running.values())
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        for task_running in running:
            task_running.cancel()
        try:
            await self.store.call(JobStore.put_back)
        except StoreFailed as error:  # nobody waits for a disk now: the next service finds them as after a crash
            _log.warning("running jobs could not be put back: %s", error)
        self.notify()

    # Accept

    async def accept(self, verb: str, body: bytes, owner: str, key: str | None = None, digest: str = "") -> Job:
        """Accept a question as a job; it is on disk when this returns. An idempotency ``key`` may stand for an earlier one."""
        self._require_room()
        job = Job(make_job_id(), verb, body, owner, time())
        accepted = await self._store_job(job, key, digest)
        if accepted is job:
            self._enqueue(job.id)
        return self._seen(accepted)

    async def earlier(self, owner: str, key: str, digest: str) -> Job | None:
        """Return the job that an idempotency key stands for, None if there is none; raise `KeyConflict` as the store does."""
        job = await self.store.call(JobStore.job_of_key, owner, key, digest, time())
        return None if job is None else self._seen(job)

    async def adopt(self, verb: str, body: bytes, owner: str, running: Running, key: str | None = None, digest: str = "") -> Job:
        """Make a job of a question that is running; it goes on as it is, and is cancelled if it cannot become one."""
        now = time()
        job = Job(make_job_id(), verb, body, owner, now, "running", now, starts=1)
        accepted: Job | None = None
        try:
            self._require_room()
            accepted = await self._store_job(job, key, digest)
        finally:
            if accepted is not job:
                running.cancel()
        if accepted is job:
            self._active += 1
            self._running[job.id] = running
            self._spawn(self._follow(job, running))
        return self._seen(accepted)

    async def _store_job(self, job: Job, key: str | None, digest: str) -> Job:
        try:
            return await self.store.call(JobStore.accept, job, key, digest)
        except StoreFull:
            raise busy("expected room for the body of another job that waits, got a full store", 30) from None

    async def cancel(self, job: Job) -> None:
        """Cancel a job; one that has ended stays as it is."""
        running = self._running.get(job.id)
        started = None if running is None else running.started_at
        await self.store.call(JobStore.end, job.id, "cancelled", time(), started=started)
        self.notify(job.id)
        if running is not None:
            running.cancel()

    # Watch

    async def get(self, job_id: str) -> Job | None:
        """Return a job without its body, None if there is none of this id."""
        job = await self.store.call(JobStore.get, job_id)
        return None if job is None else self._seen(job)

    def _seen(self, job: Job) -> Job:
        """Return a job with the state that it has for people: one that the pool has taken may wait for a worker."""
        if job.state != "running":
            return job
        running = self._running.get(job.id)
        if running is None or not running.started:
            return replace(job, state="queued", started=None)
        return replace(job, started=running.started_at)

    async def count(self) -> dict[str, int]:
        """Return the number of jobs in each state."""
        found = Counter(await self.store.call(JobStore.count))
        waiting = sum(not running.started for running in self._running.values())
        if waiting:
            found.update(queued=waiting, running=-waiting)
        return dict(found)

    def change(self, job_id: str) -> asyncio.Event:
        """Return the event that is set when a job has news. A waiter fetches it before the store is read."""
        return self._changed.setdefault(job_id, asyncio.Event())

    def notify(self, job_id: str | None = None) -> None:
        """Wake those who wait for news of a job, or of any."""
        for name in [job_id] if job_id is not None else list(self._changed):
            event = self._changed.pop(name, None)
            if event is not None:
                event.set()

    @property
    def is_stopping(self) -> bool:
        """Whether the service is about to end, so that nobody is to wait for news."""
        return self._stopping

    def close_door(self) -> None:
        """Begin no more jobs, and let nobody wait for news."""
        self._stopping = True
        self.notify()

    # Run

    def _enqueue(self, job_id: str) -> None:
        self._active += 1
        self._queued.put_nowait(job_id)

    def _require_room(self) -> None:
        if self._active >= self._limits.queued_jobs:
            raise busy(f"expected at most {self._limits.queued_jobs:,} jobs that wait or run, got one more", 30)

    async def _work_off(self) -> None:
        """Start queued jobs, one after the other, while there is room."""
        while True:
            job_id = await self._queued.get()
            await self._room.acquire()
            if self._stopping:
                return
            job = await self.store.insist(JobStore.start, job_id, time())
            if job is None:  # cancelled while it waited
                self._active -= 1
                self._room.release()
            else:
                self._spawn(self._run(job), self._room.release)

    async def _run(self, job: Job) -> None:
        """Hand a job to the pool and follow it."""
        question = self._questions.get(job.verb)
        if question is None:  # of another version of the service
            self._active -= 1
            await self._end(job.id, "failed", reason=f"expected a verb of this service, got {job.verb!r:.40}")
            return
        timeout, known = await self.store.insist(JobStore.fields, job.id, "timeout", "known")
        seconds = self._limits.job_seconds if timeout is None else timeout
        deadline = asyncio.get_running_loop().time() + seconds
        task = replace(self._memory.task(question, job.body, known, job.owner), is_long=True)
        while True:
            try:
                running = self._submit(task, deadline=deadline)
            except QueueFull:
                await asyncio.sleep(RETRY_SECONDS)
                if await self.store.insist(JobStore.is_over, job.id):
                    self._active -= 1
                    return
            else:
                break
        await self._follow(job, running)

    async def _follow(self, job: Job, running: Running) -> None:
        """Write down what a running job emits, and its end."""
        self._running[job.id] = running
        try:
            if await self.store.insist(JobStore.is_over, job.id):  # cancelled before it could be told so
                running.cancel()
            report: dict[str, Any] = {}
            async for item in running.items():
                report = item if isinstance(item, dict) else {}
                await self.store.insist(JobStore.append, job.id, [_event_of_item(item)])
                self.notify(job.id)
            await self._end_with(job, await running.outcome(), running.started_at, report)
        finally:
            del self._running[job.id]
            self._active -= 1

    async def _end_with(self, job: Job, outcome: Outcome | None, started: float | None, report: dict[str, Any]) -> None:
        match outcome:
            case Answered(value):
                await self._end(job.id, "done", started, result=value.content)
            case Stopped("cancelled"):
                await self._end(job.id, "cancelled", started)
            case Stopped(reason):
                seconds = time() - (job.made if started is None else started)
                unknown = await unknown_answer(self._submit, self._questions[job.verb], job.body, reason, seconds, report)
                await self._end(job.id, "done", started, result=unknown.content)
            case Refused() | Failed():
                if isinstance(outcome, Failed):
                    _log.error("job failed: %s", outcome.traceback, extra={"job": job.id})
                await self._end(job.id, "failed", started, reason=str(problem_of_outcome(outcome).detail))
            case None:
                raise AssertionError("a task without an end")

    async def _end(
        self,
        job_id: str,
        state: str,
        started: float | None = None,
        *,
        result: bytes | None = None,
        reason: str | None = None,
    ) -> None:
        await self.store.insist(JobStore.end, job_id, state, time(), started=started, result=result, reason=reason)
        self.notify(job_id)

    async def _tidy_up(self) -> None:
        while True:
            await asyncio.sleep(TIDY_SECONDS)
            await self.store.insist(JobStore.expire, time())

    def _spawn(self, work: Any, at_end: Callable[[], None] | None = None) -> None:
        """Run a coroutine alongside the others until `stop`."""
        task = asyncio.create_task(work)
        self._tasks.add(task)

        def end(ended: asyncio.Task[None]) -> None:
            self._tasks.discard(ended)
            if at_end is not None:
                at_end()
            with suppress(asyncio.CancelledError):
                if error := ended.exception():
                    _log.error("a job's task failed", exc_info=error)

        task.add_done_callback(end)


def _event_of_item(item: Any) -> tuple[str, str]:
    """Return the name and the JSON of the event for what a question emitted: its progress, or a part of its answer."""
    if item is BEGINS_AGAIN:
        return "progress", json.dumps({"state": "queued"})
    name = "item" if isinstance(item, dict) and "puzzle" in item else "progress"
    return name, json.dumps(item)


# The events of a job as server-sent events (the HTML standard's ``text/event-stream``).


MEDIA_TYPE = "text/event-stream"
SILENCE = 15.0
"""Seconds after which a comment keeps the connection alive."""


async def stream_events(runner: JobRunner, job_id: str, after: int, silence: float = SILENCE) -> AsyncIterator[bytes]:
    """Yield the events of a job that follow number ``after``, as they come, until its last; also end when the service does."""
    while True:
        change = runner.change(job_id)  # before the store is read, so that no news is missed in between
        is_over = await runner.store.call(JobStore.is_over, job_id)  # before the events are read, so that the last is one of them
        events = await runner.store.call(JobStore.events, job_id, after)
        if events:
            yield b"".join(map(format_event, events))
            after = events[-1].number
        if any(event.name in ENDS for event in events) or (is_over and not events) or runner.is_stopping:
            runner.notify(job_id)
            return
        if not events:
            try:
                await asyncio.wait_for(change.wait(), silence)
            except TimeoutError:
                yield b": still here\n\n"


def format_event(event: Event) -> bytes:
    """Return an event as its lines."""
    return f"id: {event.number}\nevent: {event.name}\ndata: {event.data}\n\n".encode()


def parse_last_event_id(text: str | None) -> int:
    """Return the number in ``Last-Event-ID``; what is no number stands for the beginning."""
    with suppress(ValueError):
        return max(0, int((text or "0")[:18]))
    return 0
