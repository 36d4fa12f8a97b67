"""The application: FastAPI with the endpoints of one service, behind the log and the door.

A request goes through `RequestLog` (its id, its line, its count), `Admission` (may it come in?) and, for pages of other origins,
CORS, all of them plain ASGI; then FastAPI finds the endpoint. Whatever is not answered becomes a problem here.
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any

from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from fastapi.openapi.utils import get_openapi
from starlette.exceptions import HTTPException
from starlette.middleware.cors import CORSMiddleware

from sudoku_cp import __version__
from sudoku_cp.service.admission.api_keys import read_key_file
from sudoku_cp.service.admission.middleware import Admission
from sudoku_cp.service.endpoints.api_descriptions import ProblemDetails
from sudoku_cp.service.endpoints.jobs import job_router
from sudoku_cp.service.endpoints.listings import listing_router
from sudoku_cp.service.endpoints.operations import operations_router
from sudoku_cp.service.endpoints.pages import document_router, page_router
from sudoku_cp.service.endpoints.questions import question_router
from sudoku_cp.service.endpoints.worker_documents import WorkerDocument
from sudoku_cp.service.head_requests import HeadRequests
from sudoku_cp.service.jobs.store_thread import StoreFailed
from sudoku_cp.service.pool.tasks import Task
from sudoku_cp.service.problems import HttpProblem, busy, problem_of_fields, problem_of_status, request_id
from sudoku_cp.service.request_log import RequestLog
from sudoku_cp.service.running_service import RunningService
from sudoku_cp.service.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Mapping

    from starlette.requests import Request
    from starlette.responses import Response
    from starlette.types import ASGIApp

    from sudoku_cp.service.pool.tasks import Control
    from sudoku_cp.service.questions import Question

DESCRIPTION = """Every question of the `sudoku-cp` command line over HTTP, with the same names, options and answers.

A question that takes longer than a client is kept waiting becomes a job: 202, with its address in `Location`."""

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
    return RequestLog(Admission(HeadRequests(application), settings, keys), service.metrics)


def make_endpoints(service: RunningService, *, described: bool = False) -> FastAPI:
    """Return the endpoints alone; only those that are ``described`` can make the OpenAPI document, and take longer to make."""
    app = FastAPI(title="sudoku_cp", version=__version__, description=DESCRIPTION, openapi_url=None)
    document_task = Task(make_document, (dict(service.questions), dict(service.listings)))
    app.state.limits = service.settings.limits
    for router in (
        question_router(service, described=described),
        listing_router(service, described=described),
        job_router(service),
        operations_router(service),
        page_router(),
        document_router(WorkerDocument(service.pool, document_task)),
    ):
        app.include_router(router)
    app.add_exception_handler(HTTPException, _answer_problem)
    app.add_exception_handler(RequestValidationError, _answer_problem)
    app.add_exception_handler(StoreFailed, _answer_problem)
    app.add_exception_handler(Exception, _answer_problem)
    return app


async def _answer_problem(request: Request, error: Exception) -> Response:
    """Answer an error as a problem."""
    match error:
        case HttpProblem():
            problem = error
        case HTTPException():
            problem = problem_of_status(error.status_code, error.headers)
        case StoreFailed():
            _log.error("the store of jobs fails: %s", error, extra={"request": request_id(request.scope)})
            problem = busy("the store of jobs cannot be written or read at the moment", 30)
        case RequestValidationError():
            problem = problem_of_fields(error.errors())
        case _:
            problem = HttpProblem("internal", "the service failed at this request; its log, by the request id, says more")
    return problem.response(request_id(request.scope))


def make_document(questions: Mapping[str, Question], listings: Mapping[str, Question], control: Control) -> dict[str, Any]:
    """Return the OpenAPI document, with the schema of problems, and without FastAPI's own errors; a worker makes it."""
    del control
    nobody: Any = None  # the endpoints are described, and never called
    app = make_endpoints(RunningService(Settings(), questions, nobody, nobody, listings=listings), described=True)
    document = get_openapi(title=app.title, version=app.version, description=app.description, routes=app.routes)
    schemas = document.setdefault("components", {}).setdefault("schemas", {})
    whole = ProblemDetails.model_json_schema(ref_template="#/components/schemas/{model}")
    schemas |= whole.pop("$defs") | {"ProblemDetails": whole}
    for unused in ("HTTPValidationError", "ValidationError"):
        schemas.pop(unused, None)
    return document
