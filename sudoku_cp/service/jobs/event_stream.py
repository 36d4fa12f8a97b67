"""The events of a job as server-sent events (the HTML standard's ``text/event-stream``)."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import TYPE_CHECKING

from sudoku_cp.service.jobs.job import ENDS
from sudoku_cp.service.jobs.store import JobStore

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from sudoku_cp.service.jobs.job import Event
    from sudoku_cp.service.jobs.job_runner import JobRunner

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
