"""What went wrong, as ``application/problem+json`` (RFC 9457).

A problem names no path, no class and no line of the program: the request id in ``instance`` finds the line of the log that does.
"""

from __future__ import annotations

import json
from http import HTTPStatus
from typing import TYPE_CHECKING, Any

from starlette.exceptions import HTTPException
from starlette.responses import Response

from sudoku_cp.errors import InvalidInput, Problem, Unsupported, in_full, shorten
from sudoku_cp.service.pool.tasks import Failed, Refused, outcome_of_error

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from starlette.types import Scope


MEDIA_TYPE = "application/problem+json"

TITLES: Mapping[str, tuple[int, str]] = {
    "not-json": (400, "The body is not JSON"),
    "bad-request": (400, "The request cannot be understood"),
    "key-missing": (401, "A key is needed"),
    "key-unknown": (401, "The key is not known"),
    "host-unknown": (403, "The service does not go by this name"),
    "origin-unknown": (403, "Pages of this origin may not ask"),
    "not-found": (404, "There is nothing here"),
    "job-unknown": (404, "There is no such job"),
    "method-not-allowed": (405, "This address does not take this method"),
    "not-acceptable": (406, "The answer has another media type"),
    "body-too-slow": (408, "The body came too slowly"),
    "key-conflict": (409, "The idempotency key came with another body before"),
    "job-unfinished": (409, "The job has no result yet"),
    "job-failed": (409, "The job has ended without a result"),
    "job-expired": (410, "The result of the job has been deleted"),
    "body-too-large": (413, "The body is too large"),
    "not-json-type": (415, "The body has another media type"),
    "invalid-request": (422, "The body is not as expected"),
    "invalid-puzzle": (422, "The puzzle or an option is not as expected"),
    "rate-limit": (429, "Too many requests"),
    "head-too-large": (431, "The headers are too large"),
    "internal": (500, "The service failed"),
    "engine-failed": (500, "The engine failed"),
    "unsupported": (501, "This is not supported"),
    "busy": (503, "The service has no room for more work"),
    "closing": (503, "The service is about to end"),
}
"""Every type of problem, with its status and its title."""

_KINDS: Mapping[str, str] = {"NotJson": "not-json", "InvalidBody": "invalid-request"}
"""Errors with a type of problem of their own; the others have that of their status."""
LONGEST_DETAIL = 1800
"""Characters of a problem's detail, without the number of problems left out."""
LONGEST_PROBLEM = 600
"""Characters of one of the problems in its list."""


class HttpProblem(HTTPException):
    """A request that is not answered, and why; ``kind`` is one of `TITLES`."""

    def __init__(
        self,
        kind: str,
        detail: str,
        *,
        errors: Sequence[Mapping[str, str]] = (),
        headers: Mapping[str, str] | None = None,
    ) -> None:
        """Say what was expected, what came instead, and where (``errors``)."""
        self.kind = kind
        self.errors = errors
        super().__init__(TITLES[kind][0], shorten(detail), headers)

    def response(self, request_id: str) -> Response:
        """Return the response that reports the problem."""
        told: dict[str, Any] = {
            "type": f"/problems/{self.kind}",
            "title": TITLES[self.kind][1],
            "status": self.status_code,
            "detail": self.detail,
            "instance": request_id,
        }
        if self.errors:
            told["errors"] = [dict(error) for error in self.errors]
        body = json.dumps(told, ensure_ascii=True).encode()
        return Response(body, self.status_code, self.headers, media_type=MEDIA_TYPE)


def request_id(scope: Scope) -> str:
    """Return the id of a request, which `request_log` gave it."""
    found: str = scope.get("state", {}).get("request_id", "")
    return found


def busy(detail: str, retry_after: float, headers: Mapping[str, str] | None = None) -> HttpProblem:
    """Return the problem that there is no room for more work now."""
    return HttpProblem("busy", detail, headers={"Retry-After": str(max(1, round(retry_after))), **(headers or {})})


def problem_of_status(status: int, headers: Mapping[str, str] | None = None) -> HttpProblem:
    """Return the problem that stands for an error which the web framework raised itself."""
    kind = {404: "not-found", 405: "method-not-allowed"}.get(status, "bad-request")
    allowed = (headers or {}).get("Allow")
    detail = {
        404: "expected the address of a question, such as /v1/solve, got another; /openapi.json lists them",
        405: f"expected one of the methods {allowed}, got another" if allowed else "expected another method",
    }.get(status, HTTPStatus(status).phrase)
    return HttpProblem(kind, detail, headers=headers)


def problem_of_outcome(outcome: Refused | Failed) -> HttpProblem:
    """Return the problem that stands for a question that was refused, or failed."""
    if isinstance(outcome, Failed):
        kind, who = ("engine-failed", outcome.engine) if outcome.engine else ("internal", "the service failed")
        return HttpProblem(kind, f"{who} at this question; the service's log, by the request id, says more")
    usual = "unsupported" if outcome.status == Unsupported.http_status else "invalid-puzzle"
    kind = _KINDS.get(outcome.kind, usual)
    errors = [error_of_problem(text) for text in outcome.problems]
    if kind == "invalid-request":
        words = [f"{error['pointer'] or 'the body'}: {error['detail']}" for error in errors]
    else:
        words = list(map(in_full, outcome.problems))
    return HttpProblem(kind, join_problems(words, outcome.more), errors=errors if kind != "not-json" else ())


def problem_of_error(error: InvalidInput) -> HttpProblem:
    """Return the problem that stands for an error that was raised in the service's own process."""
    outcome = outcome_of_error(error)
    assert isinstance(outcome, Refused)  # noqa: S101  # as every `InvalidInput` is
    return problem_of_outcome(outcome)


def join_problems(problems: Sequence[str], more: int) -> str:
    """Return problems as one text of a moderate length, with the number of those left out."""
    text = shorten("; ".join(problems), LONGEST_DETAIL)
    return f"{text}; and {more:,} more problem{'s' * (more > 1)}" if more else text


def error_of_problem(problem: str) -> dict[str, str]:
    """Return one of the library's problems with its pointer and its cell, if it has them."""
    if not isinstance(problem, Problem):
        return {"pointer": "", "detail": shorten(problem, LONGEST_PROBLEM)}
    cell = {"cell": problem.cell} if problem.cell else {}
    return {"pointer": problem.pointer} | cell | {"detail": shorten(str(problem), LONGEST_PROBLEM)}
