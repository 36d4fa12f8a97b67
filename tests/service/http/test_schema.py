"""Bodies that schemathesis makes from the OpenAPI document: what fits is answered, what does not is refused, as documented."""

from __future__ import annotations

import httpx
import pytest
from hypothesis import HealthCheck, Phase, given, settings

from sudoku_cp.service.questions import LISTINGS, QUESTIONS
from tests.service.http.stub_questions import STUBS

PATHS = [("/v1/echo", "POST"), ("/v1/later", "POST"), ("/v1/jobs/{job_id}", "GET"), ("/v1/jobs/{job_id}", "DELETE")]


def schema_of(url):
    """Return the OpenAPI document of a service."""
    import schemathesis  # noqa: PLC0415  # it takes a third of a second, which only those that use it should spend

    return schemathesis.openapi.from_dict(httpx.get(f"{url}/openapi.json", timeout=60).json())


def run(operation, url, examples):
    """Send so many requests of an operation, always the same, and check the answers against the document."""
    from schemathesis.specs.openapi import checks  # noqa: PLC0415  # as above

    conformance = [checks.status_code_conformance, checks.content_type_conformance, checks.response_schema_conformance]

    @settings(
        max_examples=examples,
        derandomize=True,
        deadline=None,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(case=operation.as_strategy())
    def check(case):
        if isinstance(case.body, dict) and case.body.get("timeout"):
            case.body["timeout"] = 0.1
        response = case.call(base_url=url)
        assert response.status_code < 500 or response.status_code == 501, (operation.label, case.body, response.text)
        case.validate_response(response, checks=conformance)

    check()


@pytest.mark.parametrize(("path", "method"), PATHS)
def test_requests_made_from_the_document_are_answered_as_it_says(server, path, method):
    """A small sample of the service with simple questions."""
    run(schema_of(server.url)[path][method], server.url, 15)


@pytest.mark.parametrize("examples", [2, pytest.param(100, marks=pytest.mark.slow)])
def test_requests_of_every_operation_are_answered_as_the_document_says(whole_server, examples):
    """A few of every operation of the real service, in the long run many."""
    schema = schema_of(whole_server.url)
    operations = [schema[path][method.upper()] for path, methods in schema.raw_schema["paths"].items() for method in methods]
    assert len(operations) >= len(QUESTIONS) + len(LISTINGS) + 8
    for operation in operations:
        run(operation, whole_server.url, examples)


def test_the_stubs_stand_for_all():
    """The sample has a question that is answered, and one that is not there yet."""
    assert {path.rpartition("/")[2] for path, _ in PATHS[:2]} <= set(STUBS)
