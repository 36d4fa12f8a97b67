"""The application: Starlette with the endpoints of one service, behind the log and the door.

A request goes through `RequestLog` (its id, its line, its count), `Admission` (may it come in?) and, for pages of other origins,
CORS, all of them plain ASGI; then Starlette finds the endpoint. Whatever is not answered becomes a problem here.
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware.cors import CORSMiddleware

from sudoku_cp.errors import InvalidInput
from sudoku_cp.service.admission import Admission, read_key_file
from sudoku_cp.service.endpoints.jobs import job_routes
from sudoku_cp.service.endpoints.listings import listing_routes
from sudoku_cp.service.endpoints.operations import operation_routes
from sudoku_cp.service.endpoints.pages import WorkerDocument, page_routes
from sudoku_cp.service.endpoints.questions import question_routes
from sudoku_cp.service.jobs.store import StoreFailed
from sudoku_cp.service.pool.tasks import Task
from sudoku_cp.service.problems import HttpProblem, busy, problem_of_error, problem_of_status, request_id
from sudoku_cp.service.request_log import RequestLog

if TYPE_CHECKING:
    from collections.abc import Mapping

    from starlette.requests import Request
    from starlette.responses import Response
    from starlette.types import ASGIApp

    from sudoku_cp.service.pool.tasks import Control
    from sudoku_cp.service.questions import Listing, ServedQuestion
    from sudoku_cp.service.running_service import RunningService

_log = logging.getLogger(__name__)


def make_application(service: RunningService) -> ASGIApp:
    """Return the application of a service; raise `InvalidInput` if its key file is not as expected."""
    settings = service.settings
    keys = read_key_file(settings.key_file) if settings.key_file else None
    application: ASGIApp = make_endpoints(service)
    if settings.origins:
        application = CORSMiddleware(
            application,
            allow_origins=settings.origins,
            allow_methods=["GET", "POST", "DELETE"],
            allow_headers=["Authorization", "Content-Type", "Idempotency-Key", "Last-Event-ID", "Prefer", "X-API-Key"],
            expose_headers=["Location", "Retry-After", "X-Request-Id"],
        )
    return RequestLog(Admission(application, settings, keys), service.metrics)


def make_endpoints(service: RunningService) -> Starlette:
    """Return the endpoints alone."""
    document = WorkerDocument(service.pool, Task(make_document, (dict(service.questions), dict(service.listings)), is_quick=True))
    return Starlette(
        routes=[
            *operation_routes(service),  # looked through in this order: what is asked most often stands first
            *question_routes(service),
            *job_routes(service),
            *listing_routes(service),
            *page_routes(document),
        ],
        exception_handlers=dict.fromkeys((HTTPException, InvalidInput, StoreFailed, Exception), _answer_problem),
    )


async def _answer_problem(request: Request, error: Exception) -> Response:
    """Answer an error as a problem."""
    match error:
        case HttpProblem():
            problem = error
        case HTTPException():
            problem = problem_of_status(error.status_code, error.headers)
        case InvalidInput():
            problem = problem_of_error(error)
        case StoreFailed():
            _log.error("the store of jobs fails: %s", error, extra={"request": request_id(request.scope)})
            problem = busy("the store of jobs cannot be written or read at the moment", 30)
        case _:
            problem = HttpProblem("internal", "the service failed at this request; its log, by the request id, says more")
    return problem.response(request_id(request.scope))


def make_document(questions: Mapping[str, ServedQuestion], listings: Mapping[str, Listing], control: Control) -> dict[str, Any]:
    """Return the OpenAPI document; a worker makes it, since what it takes is slow to load."""
    del control
    from sudoku_cp.service.endpoints.openapi_document import describe_service  # noqa: PLC0415

    return describe_service(questions, listings)
