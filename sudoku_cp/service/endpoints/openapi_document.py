"""The OpenAPI document. FastAPI makes it from endpoints that are described and never called, in a worker when it is asked for."""

from __future__ import annotations

import warnings
from inspect import Parameter, Signature
from typing import TYPE_CHECKING, Annotated, Any

from fastapi import FastAPI, Header, Path
from fastapi.openapi.utils import get_openapi
from pydantic.warnings import UnsupportedFieldAttributeWarning

from sudoku_cp import __version__
from sudoku_cp.service.body_judging import JobRequest
from sudoku_cp.service.endpoints import api_descriptions as described
from sudoku_cp.service.endpoints.jobs import PATH

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from sudoku_cp.service.questions import Listing, ServedQuestion

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
        _add(app, "POST", f"/v1/{question.name}", "questions", described.describe_question(question), body)
    for listing in listings.values():
        _add(app, "GET", f"/v1/{listing.name}", "listings", described.describe_listing(listing))
    _add(app, "POST", "/v1/jobs", "jobs", described.describe_acceptance(questions), {"job": JobRequest})
    _add(app, "GET", PATH, "jobs", described.describe_job_state(), _JOB_ID)
    _add(app, "GET", f"{PATH}/result", "jobs", described.describe_job_result(questions), _JOB_ID)
    _add(app, "GET", f"{PATH}/events", "jobs", described.describe_job_events(), _JOB_ID | _LAST_EVENT)
    _add(app, "DELETE", PATH, "jobs", described.describe_cancellation(), _JOB_ID)
    for name, summary in OPERATIONS.items():
        _add(app, "GET", f"/{name}", "operation", described.describe_operation(name, summary))
    with warnings.catch_warnings():
        # FastAPI names parameters in a way that pydantic warns of, and hides that only from models that are not built so late.
        warnings.simplefilter("ignore", UnsupportedFieldAttributeWarning)
        document = get_openapi(title="sudoku_cp", version=__version__, description=DESCRIPTION, routes=app.routes)
    schemas = document.setdefault("components", {}).setdefault("schemas", {})
    whole = described.ProblemDetails.model_json_schema(ref_template="#/components/schemas/{model}")
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
