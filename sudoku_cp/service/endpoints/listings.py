"""``GET /v1/rules`` and other listings: what there is, which stays the same as long as the program runs."""

from __future__ import annotations

import asyncio
import hashlib
import json
from typing import TYPE_CHECKING

from fastapi import APIRouter, Request, Response

from sudoku_cp.service.endpoints.api_descriptions import describe_responses
from sudoku_cp.service.endpoints.negotiation import require_accepted
from sudoku_cp.service.pool.tasks import Answered, Failed, Refused
from sudoku_cp.service.problems import busy, problem_of_outcome
from sudoku_cp.service.question_runs import submit

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from sudoku_cp.service.questions import Question
    from sudoku_cp.service.running_service import RunningService

SECONDS = 60.0
"""How long a listing may take; some load every engine."""


def listing_router(service: RunningService) -> APIRouter:
    """Return the endpoints of all listings."""
    router = APIRouter(prefix="/v1", tags=["listings"])
    for listing in service.listings.values():
        router.add_api_route(
            f"/{listing.name}",
            _endpoint(service, listing),
            methods=["GET"],
            name=listing.name,
            operation_id=listing.name,
            summary=listing.summary,
            response_model=None,
            responses=describe_responses(
                {200: {"model": listing.answer}, 304: {"description": "It is as it was."}}, 401, 403, 406, 429, 503
            ),
        )
    return router


def _endpoint(service: RunningService, listing: Question) -> Callable[..., Awaitable[Response]]:
    known: list[tuple[str, bytes]] = []

    async def tell(request: Request) -> Response:
        request.state.verb = listing.name
        require_accepted(request, "application/json")
        if not known:
            body = await _listed(service, listing)
            known.append((f'"{hashlib.sha256(body).hexdigest()[:16]}"', body))
        tag, body = known[0]
        headers = {"ETag": tag, "Cache-Control": "no-cache"}
        if tag in request.headers.get("if-none-match", ""):
            return Response(None, 304, headers)
        return Response(body, 200, headers, "application/json")

    return tell


async def _listed(service: RunningService, listing: Question) -> bytes:
    """Return a listing as JSON. A worker makes it, so that the service itself loads no engine."""
    running = submit(service.pool, listing, {}, asyncio.get_running_loop().time() + SECONDS)
    outcome = await running.outcome()
    match outcome:
        case Answered(value):
            if listing.name == "limits":
                value["limits"] |= service.settings.limits.to_json()
            return json.dumps(value).encode()
        case Refused() | Failed():
            raise problem_of_outcome(outcome)
        case _:
            raise busy("the listing took too long", 5)
