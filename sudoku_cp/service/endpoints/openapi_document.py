"""The OpenAPI document. FastAPI makes it from endpoints that are described and never called, in a worker when it is asked for."""

from __future__ import annotations

import warnings
from inspect import Parameter, Signature
from typing import TYPE_CHECKING, Annotated, Any

from fastapi import FastAPI, Header, Path
from fastapi.openapi.utils import get_openapi
from pydantic import BaseModel, Field
from pydantic.warnings import UnsupportedFieldAttributeWarning
from starlette.responses import PlainTextResponse

from sudoku_cp import __version__
from sudoku_cp.service.body_judging import JobRequest
from sudoku_cp.service.endpoints.jobs import PATH
from sudoku_cp.service.endpoints.questions import JSON
from sudoku_cp.service.jobs.job_runner import MEDIA_TYPE as EVENT_STREAM
from sudoku_cp.service.problems import MEDIA_TYPE, TITLES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from sudoku_cp.service.questions import Listing, ServedQuestion
    from sudoku_cp.service.questions.declared_run import AnswerFile


DESCRIPTION = """Every question of the `sudoku-cp` command line over HTTP, with the same names, options and answers.

A question that takes longer than a client is kept waiting becomes a job: 202, with its address in `Location`."""

OPERATIONS = {
    "healthz": "Is the service alive?",
    "readyz": "Does the service take questions?",
    "metrics": "Counters for Prometheus",
}
_JOB_ID = {"job_id": Annotated[str, Path(description="The id of a job.")]}
_LAST_EVENT = {"last_event_id": Annotated[str | None, Header(description="The number of the last event seen.")]}


def describe_service(questions: Mapping[str, ServedQuestion], listings: Mapping[str, Listing]) -> dict[str, Any]:
    """Return the document of all endpoints, with the schema of problems."""
    app = FastAPI()
    for question in questions.values():
        body = {"ask": question.request}
        _add(app, "POST", f"/v1/{question.name}", "questions", describe_question(question), body)
    for listing in listings.values():
        _add(app, "GET", f"/v1/{listing.name}", "listings", describe_listing(listing))
    _add(app, "POST", "/v1/jobs", "jobs", describe_acceptance(questions), {"job": JobRequest})
    _add(app, "GET", PATH, "jobs", describe_job_state(), _JOB_ID)
    _add(app, "GET", f"{PATH}/result", "jobs", describe_job_result(questions), _JOB_ID)
    _add(app, "GET", f"{PATH}/events", "jobs", describe_job_events(), _JOB_ID | _LAST_EVENT)
    _add(app, "DELETE", PATH, "jobs", describe_cancellation(), _JOB_ID)
    for name, summary in OPERATIONS.items():
        _add(app, "GET", f"/{name}", "operation", describe_operation(name, summary))
    with warnings.catch_warnings():
        # FastAPI names parameters in a way that pydantic warns of, and hides that only from models that are not built so late.
        warnings.simplefilter("ignore", UnsupportedFieldAttributeWarning)
        document = get_openapi(title="sudoku_cp", version=__version__, description=DESCRIPTION, routes=app.routes)
    schemas = document.setdefault("components", {}).setdefault("schemas", {})
    whole = ProblemDetails.model_json_schema(ref_template="#/components/schemas/{model}")
    schemas |= whole.pop("$defs") | {"ProblemDetails": whole}
    _remove_validation_errors(document)
    return document


def _remove_validation_errors(document: dict[str, Any]) -> None:
    """Remove what FastAPI itself would answer to parameters that are not as expected: nothing here does."""
    for unused in ("HTTPValidationError", "ValidationError"):
        document["components"]["schemas"].pop(unused, None)
    for operation in (one for path in document["paths"].values() for one in path.values()):
        if operation["responses"].get("422", {}).get("description") == "Validation Error":
            del operation["responses"]["422"]


def _add(
    app: FastAPI, method: str, path: str, tag: str, description: dict[str, Any], parameters: Mapping[str, Any] | None = None
) -> None:
    """Add an endpoint that is asked with ``parameters``: their names with their types."""
    endpoint = _with_parameters(parameters or {})
    app.add_api_route(path, endpoint, methods=[method], tags=[tag], response_model=None, **description)


def _with_parameters(parameters: Mapping[str, Any]) -> Callable[[], None]:
    """Return a function with the signature from which FastAPI learns what an endpoint is asked with."""

    def endpoint() -> None: ...

    default = {name: None if name in _LAST_EVENT else Parameter.empty for name in parameters}
    endpoint.__signature__ = Signature(  # type: ignore[attr-defined]  # `inspect` looks for it
        [
            Parameter(name, Parameter.KEYWORD_ONLY, annotation=annotation, default=default[name])
            for name, annotation in parameters.items()
        ]
    )
    return endpoint


# What the OpenAPI document holds about an endpoint besides its path and its body.


class ProblemError(BaseModel):
    """One of the things that are wrong with a body."""

    pointer: str = Field(description="Where it is: a JSON pointer into the body.")
    cell: str | None = Field(None, description="The cell that it is about.", examples=["r4c7"])
    detail: str


class ProblemDetails(BaseModel):
    """Why a request is not answered (RFC 9457)."""

    type: str = Field(examples=["/problems/invalid-puzzle"])
    title: str
    status: int
    detail: str
    instance: str = Field(description="The id of the request, which finds its line in the log.")
    errors: list[ProblemError] = []


class JobDescription(BaseModel):
    """A question that outlives its request, and what has become of it."""

    id: str
    verb: str
    state: str = Field(description="queued, running, done, failed, cancelled or expired")
    made: str = Field(description="When it was accepted (RFC 3339).")
    started: str | None = None
    ended: str | None = None
    reason: str | None = Field(None, description="Why it failed.")
    progress: int | None = Field(None, description="The number of its last event.")
    events: str = Field(description="The path of its events.")
    result: str | None = Field(None, description="The path of its result, once it is done.")


ACCEPTED: dict[str, Any] = {
    "model": JobDescription,
    "description": "The question became a job.",
    "headers": {
        "Location": {"description": "The path of the job.", "schema": {"type": "string"}},
        "Retry-After": {"description": "Seconds after which to look again.", "schema": {"type": "integer"}},
    },
}


def describe_responses(answers: Mapping[int, dict[str, Any]], *problems: int) -> dict[int | str, dict[str, Any]]:
    """Return the description of what an endpoint answers, with the statuses of the problems that it may answer with."""
    told: dict[int | str, dict[str, Any]] = dict(answers.items())
    for status in problems:
        told[status] = {
            "description": "; ".join(title for known, title in TITLES.values() if known == status),
            "content": {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/ProblemDetails"}}},
        }
    return told


def describe_files(files: Iterable[AnswerFile]) -> dict[str, Any]:
    """Return the media types of files in which an answer is available, besides JSON."""
    binary, text = {"type": "string", "format": "binary"}, {"type": "string"}
    return {file.media_type: {"schema": text if file.is_text else binary} for file in files}


def describe_question(question: ServedQuestion) -> dict[str, Any]:
    """Return the arguments of FastAPI's ``add_api_route`` for a question: its summary, its example and its answers."""
    answer = {"model": question.answer, "description": "The answer.", "content": describe_files(question.files)}
    answers = {200: answer, 202: ACCEPTED} if question.available else {}
    body = {"content": {"application/json": {"examples": {"example": {"value": question.example}}}}}
    return {
        "name": question.name,
        "operation_id": question.name,
        "summary": question.summary if question.available else f"{question.summary} (not supported yet)",
        "status_code": 200 if question.available else 501,
        "responses": describe_responses(answers, 400, 401, 403, 406, 408, 409, 413, 415, 422, 429, 500, 501, 503),
        "openapi_extra": {"requestBody": body} | ({} if question.available else {"x-not-supported": True}),
    }


def describe_listing(listing: Listing) -> dict[str, Any]:
    """Return the same for a listing."""
    answers: dict[int, dict[str, Any]] = {200: {"model": listing.answer}, 304: {"description": "It is as it was."}}
    return {
        "name": listing.name,
        "operation_id": listing.name,
        "summary": listing.summary,
        "responses": describe_responses(answers, 401, 403, 406, 429, 503),
    }


def describe_acceptance(questions: Mapping[str, ServedQuestion]) -> dict[str, Any]:
    """Return the same for the endpoint that accepts jobs."""
    example = next((one for one in questions.values() if one.available and one.short is None), None)
    examples = {"example": {"value": {"verb": example.name, "body": example.example}}} if example else {}
    return {
        "operation_id": "job",
        "summary": "Ask a question as a job",
        "description": "Accept a question as a job; it is on disk before its address is sent.",
        "status_code": 202,
        "responses": describe_responses({202: ACCEPTED}, 400, 401, 403, 406, 408, 409, 413, 415, 422, 429, 501, 503),
        "openapi_extra": {"requestBody": {"content": {"application/json": {"examples": examples}}}},
    }


def describe_job_state() -> dict[str, Any]:
    """Return the same for the state of a job."""
    return {
        "operation_id": "job_state",
        "summary": "What has become of a job",
        "responses": describe_responses({200: {"model": JobDescription}}, 401, 403, 404, 406, 429),
    }


def describe_job_result(questions: Mapping[str, ServedQuestion]) -> dict[str, Any]:
    """Return the same for the result of a job."""
    files = [file for question in questions.values() for file in question.files]
    answer = {"description": "The answer, as of its question.", "content": {JSON: {}} | describe_files(files)}
    return {
        "operation_id": "job_result",
        "summary": "The answer of a job",
        "responses": describe_responses({200: answer}, 401, 403, 404, 406, 409, 410, 429),
    }


def describe_job_events() -> dict[str, Any]:
    """Return the same for the events of a job."""
    stream = {"description": "Events: progress, item, and at last done, failed or cancelled.", "content": {EVENT_STREAM: {}}}
    seen = {"description": "The last event has been seen."}
    return {
        "operation_id": "job_events",
        "summary": "The events of a job as they come (server-sent events)",
        "responses": describe_responses({200: stream, 204: seen}, 401, 403, 404, 406, 410, 429),
    }


def describe_cancellation() -> dict[str, Any]:
    """Return the same for the cancellation of a job."""
    done = {"description": "The job is cancelled, or had ended before."}
    return {
        "operation_id": "job_cancel",
        "summary": "Cancel a job",
        "status_code": 204,
        "responses": describe_responses({204: done}, 401, 403, 404, 429),
    }


def describe_operation(name: str, summary: str) -> dict[str, Any]:
    """Return the same for what those ask who run the service; it is answered as text."""
    return {"operation_id": name, "summary": summary, "response_class": PlainTextResponse}
