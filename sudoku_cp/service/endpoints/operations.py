"""For those who run the service: is it alive, is it ready, and what has it done?"""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

from fastapi import APIRouter, Response
from fastapi.responses import PlainTextResponse

from sudoku_cp.service.jobs.store import JobStore
from sudoku_cp.service.metrics import MEDIA_TYPE
from sudoku_cp.service.problems import HttpProblem

if TYPE_CHECKING:
    from sudoku_cp.service.running_service import RunningService


def operations_router(service: RunningService) -> APIRouter:
    """Return the endpoints for operation."""
    router = APIRouter(tags=["operation"])

    @router.get("/healthz", summary="Is the service alive?", response_class=PlainTextResponse, operation_id="healthz")
    async def health() -> str:
        return "ok\n"

    @router.get("/readyz", summary="Does the service take questions?", response_class=PlainTextResponse, operation_id="readyz")
    async def ready() -> str:
        service.require_open()
        if not service.ready:
            raise HttpProblem("closing", "no worker has started yet", headers={"Retry-After": "1"})
        return "ready\n"

    @router.get("/metrics", summary="Counters for Prometheus", response_class=PlainTextResponse, operation_id="metrics")
    async def metrics() -> Response:
        jobs = await service.jobs.store.call(JobStore.count)
        return Response(service.metrics.render(asdict(service.pool.statistics), jobs), media_type=MEDIA_TYPE)

    return router
