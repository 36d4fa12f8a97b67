"""What the OpenAPI document says of an endpoint beside its path and its body."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pydantic import BaseModel, Field

from sudoku_cp.service.problems import MEDIA_TYPE, TITLES

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sudoku_cp.service.questions import Question


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


def describe_question(question: Question) -> dict[str, Any]:
    """Return the arguments of FastAPI's ``add_api_route`` for a question: its summary, its example and its answers."""
    answers: dict[int, dict[str, Any]] = {}
    if question.available:
        answers = {200: {"model": question.answer, "description": "The answer."}, 202: ACCEPTED}
        if question.document is not None:
            file = {"schema": {"type": "string", "format": "binary"}}
            answers[200]["content"] = {question.document.media_type: file}
    body = {"content": {"application/json": {"examples": {"example": {"value": question.example}}}}}
    return {
        "name": question.name,
        "operation_id": question.name,
        "summary": question.summary if question.available else f"{question.summary} (not supported yet)",
        "responses": describe_responses(answers, 400, 401, 403, 406, 409, 413, 415, 422, 429, 500, 501, 503),
        "response_model": None,
        "status_code": 200 if question.available else 501,
        "openapi_extra": {"requestBody": body} | ({} if question.available else {"x-not-supported": True}),
    }
