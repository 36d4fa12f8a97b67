"""``GET /v1/rules`` and other listings: what there is, which never changes while the program runs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from starlette.responses import Response
from starlette.routing import Route

from sudoku_cp.service.endpoints.pages import WorkerDocument
from sudoku_cp.service.endpoints.questions import require_accepted
from sudoku_cp.service.pool.tasks import Task

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from starlette.requests import Request

    from sudoku_cp.service.questions import Listing
    from sudoku_cp.service.running_service import RunningService


def listing_routes(service: RunningService) -> list[Route]:
    """Return the endpoints of all listings."""
    return [Route(f"/v1/{listing.name}", _endpoint(service, listing), methods=["GET"]) for listing in service.listings.values()]


def _endpoint(service: RunningService, listing: Listing) -> Callable[..., Awaitable[Response]]:
    def complete(answer: dict[str, Any]) -> None:
        if listing.name == "limits":
            answer["limits"] |= service.settings.limits.to_json()

    document = WorkerDocument(service.pool, Task(listing.run, ({},), is_quick=True), complete)

    async def tell(request: Request) -> Response:
        request.state.verb = listing.name
        require_accepted(request, "application/json")
        content, tag = await document.read()
        headers = {"ETag": tag, "Cache-Control": "no-cache"}
        if tag in request.headers.get("if-none-match", ""):
            return Response(None, 304, headers)
        return Response(content, 200, headers, "application/json")

    return tell
