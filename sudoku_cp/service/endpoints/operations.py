"""For those who run the service: is it alive, is it ready, and what has it done?"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from dataclasses import asdict
from typing import TYPE_CHECKING

from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from sudoku_cp.service.jobs.store import JobStore, StoreFailed
from sudoku_cp.service.problems import HttpProblem, busy
from sudoku_cp.service.request_log import MEDIA_TYPE

if TYPE_CHECKING:
    from starlette.requests import Request

    from sudoku_cp.service.running_service import RunningService

PROBE_SECONDS = 1.0
"""How long ``/readyz`` waits for the store of jobs."""


def operation_routes(service: RunningService) -> list[Route]:
    """Return the endpoints for operation."""

    async def health(_request: Request) -> Response:
        return PlainTextResponse("ok\n")

    async def ready(_request: Request) -> Response:
        service.require_open()
        if not service.ready:
            raise HttpProblem("closing", "no worker has started yet", headers={"Retry-After": "1"})
        store = service.jobs.store
        with suppress(StoreFailed, TimeoutError):  # a damaged store has been replaced then; one that is busy is no less ready
            await asyncio.wait_for(store.call(JobStore.queued), PROBE_SECONDS)
        if not store.is_usable:
            raise busy("the store of jobs is damaged and cannot be replaced; see the log", 30)
        await _require_room(service)
        remark = f"the store of jobs was damaged: it is kept as {store.damaged}, and a new one is used\n" if store.damaged else ""
        return PlainTextResponse(f"ready\n{remark}")

    async def metrics(_request: Request) -> Response:
        jobs = await service.jobs.count()
        lost = 0 if service.log is None else service.log.lost
        return Response(service.metrics.render(asdict(service.pool.statistics), jobs, lost), media_type=MEDIA_TYPE)

    return [Route("/healthz", health), Route("/readyz", ready), Route("/metrics", metrics)]


async def _require_room(service: RunningService) -> None:
    """Raise a `HttpProblem` if no job could be accepted, because its store cannot be written."""
    most = service.settings.limits.most_bytes(may_be_large=True)
    with suppress(TimeoutError):
        try:
            await asyncio.wait_for(service.jobs.store.call(JobStore.require_room, most), PROBE_SECONDS)
        except StoreFailed as error:
            raise busy(f"the store of jobs cannot be written: {error}", 30) from None
