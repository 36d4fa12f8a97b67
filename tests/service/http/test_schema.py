"""Bodies that schemathesis makes from the OpenAPI document: what fits is answered, what does not is refused, as documented."""

from __future__ import annotations

import httpx
import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis.specs.openapi.checks import content_type_conformance, response_schema_conformance, status_code_conformance

from tests.service.http.running_server import running_server
from tests.service.http.stub_questions import STUBS

CHECKS = [status_code_conformance, content_type_conformance, response_schema_conformance]
PATHS = [("/v1/echo", "POST"), ("/v1/later", "POST"), ("/v1/jobs/{job_id}", "GET"), ("/v1/jobs/{job_id}", "DELETE")]


def run(url, path, method, examples):
    """Send so many requests of an operation, always the same, and check the answers against the document."""
    schema = schemathesis.openapi.from_dict(httpx.get(f"{url}/openapi.json", timeout=60).json())
    operation = schema[path][method]

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
        response = case.call(base_url=url)
        assert response.status_code < 500 or path == "/v1/later"
        case.validate_response(response, checks=CHECKS)

    check()


@pytest.mark.parametrize(("path", "method"), PATHS)
def test_requests_made_from_the_document_are_answered_as_it_says(server, path, method):
    """A small sample of the service with simple questions."""
    run(server.url, path, method, 15)


@pytest.mark.slow
def test_requests_to_every_question_are_answered_as_the_document_says(tmp_path):
    """A larger sample of every real question."""
    from sudoku_cp.service.questions import LISTINGS, QUESTIONS  # noqa: PLC0415

    with running_server(tmp_path, QUESTIONS, listings=LISTINGS) as running:
        for name in QUESTIONS:
            run(running.url, f"/v1/{name}", "POST", 100)


def test_the_stubs_stand_for_all():
    """The sample has a question that is answered, and one that is not there yet."""
    assert {path.rpartition("/")[2] for path, _ in PATHS[:2]} <= set(STUBS)
