"""For those who run the service: is it alive, is it ready, and what has it done?"""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from sudoku_cp.service.metrics import MEDIA_TYPE
from sudoku_cp.service.problems import HttpProblem

if TYPE_CHECKING:
    from starlette.requests import Request

    from sudoku_cp.service.running_service import RunningService


def operation_routes(service: RunningService) -> list[Route]:
    """Return the endpoints for operation."""

    async def health(_request: Request) -> Response:
        return PlainTextResponse("ok\n")

    async def ready(_request: Request) -> Response:
        service.require_open()
        if not service.ready:
            raise HttpProblem("closing", "no worker has started yet", headers={"Retry-After": "1"})
        return PlainTextResponse("ready\n")

    async def metrics(_request: Request) -> Response:
        jobs = await service.jobs.count()
        return Response(service.metrics.render(asdict(service.pool.statistics), jobs), media_type=MEDIA_TYPE)

    return [Route("/healthz", health), Route("/readyz", ready), Route("/metrics", metrics)]
