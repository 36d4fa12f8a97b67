"""A question over HTTP is answered, refused, or becomes a job, and says which."""

from __future__ import annotations

import json
import socket
import time
from urllib.parse import urlsplit

import httpx
import pytest

from sudoku_cp.errors import InvalidInput
from sudoku_cp.service.problems import MEDIA_TYPE, TITLES
from sudoku_cp.service.questions import QUESTIONS
from tests.service.http.running_server import running_server
from tests.service.http.sse import parse_events
from tests.service.http.stub_questions import STUBS
from tests.service.http.test_heads import question


def assert_problem(response, status, kind):
    """Check that a response is a problem of this kind, told as RFC 9457 has it, and return it."""
    assert response.status_code == status, response.text
    assert response.headers["content-type"] == MEDIA_TYPE
    told = response.json()
    assert told["type"] == f"/problems/{kind}"
    assert (told["status"], told["title"]) == (status, TITLES[kind][1])
    assert told["instance"] == response.headers["x-request-id"]
    return told


@pytest.mark.parametrize("name", ["patient", "quick"])
def test_a_question_is_answered(client, name):
    """The answer is the object that the question returns; its engine and its verb are counted."""
    answer = client.post(f"/v1/{name}", json={"puzzle": "1.."}).json()
    assert answer["puzzle"] == "1.."
    assert f'sudoku_requests_total{{verb="{name}",status="200"}}' in client.get("/metrics").text


@pytest.mark.parametrize("name", ["sleep", "hasty"])
def test_a_question_that_outlives_its_short_time_goes_on_as_a_job(client, tmp_path, name):
    """202 says where, whatever the verb; the work is not begun again."""
    path = tmp_path / "begun"
    response = client.post(f"/v1/{name}", json={"seconds": 0.8, "path": str(path)})
    assert response.status_code == 202
    assert response.headers["retry-after"] == "1"
    job = response.headers["location"]
    assert client.get(job).json()["state"] == "running"
    events = list(parse_events(client.get(f"{job}/events").text.split("\n")))
    assert [event.name for event in events] == ["done"]
    assert client.get(f"{job}/result").json()["status"] == "solved"
    assert len(path.read_text().splitlines()) == 1


@pytest.mark.parametrize(("headers", "body"), [({"Prefer": "respond-async, wait=9"}, {}), ({}, {"job": True})])
def test_a_client_may_ask_for_a_job(client, headers, body):
    """``Prefer: respond-async`` or ``"job": true`` makes a job of a question at once."""
    response = client.post("/v1/sleep", json={"puzzle": "x"} | body, headers=headers)
    assert response.status_code == 202
    assert response.headers["preference-applied"] == "respond-async"
    client.get(response.headers["location"] + "/events")
    assert client.get(response.headers["location"] + "/result").json()["puzzle"] == "x"


@pytest.mark.parametrize("thousands", [1, 1000])
def test_the_file_of_an_answer_is_had_by_its_media_type(client, thousands):
    """At once and from a job; a worker decodes that of a large answer."""
    accept = {"Accept": "application/gzip"}
    at_once = client.post("/v1/archive", json={"items": thousands}, headers=accept)
    assert at_once.content == bytes(1000 * thousands)
    job = client.post("/v1/archive", json={"items": thousands, "job": True}).headers["location"]
    client.get(f"{job}/events")
    assert client.get(f"{job}/result", headers=accept).content == at_once.content
    assert client.get(f"{job}/result").json()["status"] == "solved"


def test_a_limit_that_comes_first_is_no_error(client):
    """The deadline counts from the request's arrival; the answer is the question's own "unknown"."""
    response = client.post("/v1/sleep", json={"seconds": 100, "timeout": 0.2})
    assert response.status_code == 200
    assert response.json()["reason"] == "deadline"
    assert response.json()["seconds"] >= 0.2


@pytest.mark.parametrize("name", ["solve", "generate"])
def test_an_answer_that_a_limit_ended_has_the_time_that_passed(name):
    """Where answers have seconds, those of a question that was stopped or crashed are those until then."""
    question = QUESTIONS[name]
    assert question.unknown(question.example, "crashed", 1.5)["seconds"] == 1.5


@pytest.mark.parametrize(("name", "timeout"), [("sleep", 0.3), ("sleep", 0.25), ("hasty", 0.03), ("hasty", 0.3)])
def test_a_deadline_that_is_no_later_than_a_client_waits_makes_no_job(client, name, timeout):
    """The outcome of a deadline comes a moment after it; what has ended by then is no job that could go on."""
    response = client.post(f"/v1/{name}", json={"seconds": 5, "timeout": timeout})
    assert (response.status_code, response.json().get("reason")) == (200, "deadline")


def test_a_crash_is_no_error_either(client):
    """A worker that ends costs its own question only, which says so."""
    answer = client.post("/v1/crash", json={}).json()
    assert answer["reason"] == "crashed"
    assert answer["seconds"] > 0
    assert client.get("/readyz").status_code == 200


def test_bad_input_says_what_was_expected_and_where(client):
    """Each problem of the library has its pointer, and its cell where it names one."""
    told = assert_problem(client.post("/v1/refuse", json={"puzzle": {}}), 422, "invalid-puzzle")
    assert told["errors"] == [
        {
            "pointer": "/puzzle/rules/3/cells/2",
            "cell": "r10c1",
            "detail": "expected a cell such as 'r4c7', got 'r10c1'",
        },
        {"pointer": "", "detail": "expected a title"},
    ]


def test_an_option_of_another_verb_is_named(client):
    """What pydantic refuses has its pointer too."""
    told = assert_problem(client.post("/v1/sleep", json={"foo/bar": 1, "seconds": "x"}), 422, "invalid-request")
    assert {error["pointer"] for error in told["errors"]} == {"/foo~1bar", "/seconds"}


def test_a_defect_tells_nothing_of_the_program(client, caplog):
    """The client gets an id; the log, under the same id, the traceback."""
    response = client.post("/v1/fail", json={})
    told = assert_problem(response, 500, "internal")
    assert "secret" not in response.text
    assert "RuntimeError" not in response.text
    line = next(record for record in caplog.records if getattr(record, "request", "") == told["instance"])
    assert "secret" in line.getMessage()


def test_an_engine_that_fails_is_named(client, caplog):
    """A failure of an engine has a problem of its own, which names engine and error; the message may hold paths and is logged."""
    response = client.post("/v1/fail-in-engine", json={})
    told = assert_problem(response, 500, "engine-failed")
    assert told["detail"].startswith("engine 'foreign' failed with RuntimeError at this question")
    assert "secret" not in response.text
    line = next(record for record in caplog.records if getattr(record, "request", "") == told["instance"])
    assert "secret" in line.getMessage()


def test_what_is_not_there_yet_is_said_and_marked(client):
    """501, and the OpenAPI document marks the operation."""
    assert_problem(client.post("/v1/later", json={"puzzle": ""}), 501, "unsupported")
    operation = client.get("/openapi.json").json()["paths"]["/v1/later"]["post"]
    assert operation["x-not-supported"] is True
    assert "200" not in operation["responses"]


@pytest.mark.parametrize(
    ("method", "path", "headers", "body", "status", "kind"),
    [
        ("GET", "/v1/nothing", {}, None, 404, "not-found"),
        ("GET", "/v1/jobs/nothing", {}, None, 404, "job-unknown"),
        ("GET", "/static/..%2f__init__.py", {}, None, 404, "not-found"),
        ("GET", "/v1/sleep", {}, None, 405, "method-not-allowed"),
        ("POST", "/v1/sleep", {"Accept": "text/html"}, b"{}", 406, "not-acceptable"),
        ("POST", "/v1/sleep", {"Content-Type": "text/plain"}, b"{}", 415, "not-json-type"),
        ("POST", "/v1/sleep", {"Content-Type": ""}, b"{}", 415, "not-json-type"),
        ("POST", "/v1/sleep", {}, b"{", 400, "not-json"),
        ("POST", "/v1/sleep", {}, b"[]", 422, "invalid-request"),
        ("POST", "/v1/sleep", {}, b'{"timeout": 1000}', 422, "invalid-request"),
        ("POST", "/v1/sleep", {"Idempotency-Key": "x" * 300}, b"{}", 400, "bad-request"),
        ("POST", "/v1/sleep", {"Host": "evil.example"}, b"{}", 403, "host-unknown"),
        ("POST", "/v1/sleep", {"Origin": "https://evil.example"}, b"{}", 403, "origin-unknown"),
        ("POST", "/v1/jobs", {}, b'{"verb": "nothing", "body": {}}', 422, "invalid-request"),
        ("POST", "/v1/jobs", {}, b'{"verb": "later", "body": {}}', 501, "unsupported"),
    ],
)
def test_every_refusal_is_a_problem(client, method, path, headers, body, status, kind):
    """Whatever is refused is refused as problem+json of its own type."""
    response = client.request(method, path, headers={"Content-Type": "application/json"} | headers, content=body)
    told = assert_problem(response, status, kind)
    assert "--" not in told["detail"]  # whoever asks has no command line


def test_pointers_of_a_job_are_those_of_its_body(client):
    """What is wrong with the body of a job is found in ``body``."""
    told = client.post("/v1/jobs", json={"verb": "sleep", "body": {"seconds": "x"}}).json()
    assert [error["pointer"] for error in told["errors"]] == ["/body/seconds"]


def test_wrong_options_are_refused_before_they_become_a_job(client):
    """Where a question's options can be judged by themselves, a client gets 422, not a job that fails; so does ``/v1/jobs``."""
    at_once = assert_problem(client.post("/v1/checked", json={}), 422, "invalid-puzzle")
    as_job = assert_problem(client.post("/v1/jobs", json={"verb": "checked", "body": {}}), 422, "invalid-puzzle")
    pointers = [error["pointer"] for error in at_once["errors"]]
    assert [error["pointer"] for error in as_job["errors"]] == [f"/body{pointer}" for pointer in pointers]


@pytest.mark.parametrize("body", [{"difficulty": "awful"}, {"symmetry": "x", "seed": 3}, {"count": 3, "needs": ["magic"]}])
def test_the_options_of_generate_can_be_judged_alone(body):
    """Its check finds what the question itself would."""
    with pytest.raises(InvalidInput) as checked:
        QUESTIONS["generate"].check(body, None)
    with pytest.raises(InvalidInput) as asked:
        QUESTIONS["generate"].run(body, None)
    assert checked.value.problems == asked.value.problems


def test_a_page_of_the_service_itself_may_ask(client, server):
    """The origin of the service's own pages needs no permission."""
    assert client.post("/v1/quick", json={}, headers={"Origin": server.url}).status_code == 200


def test_a_full_queue_says_when_to_come_again(tmp_path):
    """503 with Retry-After, and whoever waits is answered."""
    from sudoku_cp.service.settings import ServiceLimits  # noqa: PLC0415

    limits = ServiceLimits(queue=1)
    with running_server(tmp_path, STUBS, workers=1, limits=limits) as server, httpx.Client(base_url=server.url) as client:
        jobs = [client.post("/v1/sleep", json={"seconds": 60, "timeout": 60}) for _ in range(2)]
        assert [response.status_code for response in jobs] == [202, 202]
        told = client.post("/v1/sleep", json={})
        assert_problem(told, 503, "busy")
        assert int(told.headers["retry-after"]) >= 1
        for response in jobs:
            client.delete(response.headers["location"])
        assert client.post("/v1/sleep", json={}).status_code in {200, 202}


def test_a_client_that_goes_away_frees_its_worker(server, tmp_path):
    """Nobody works for a client that has gone."""
    before = server.service.pool.statistics.cancelled
    place = urlsplit(server.url)
    with socket.create_connection((place.hostname, place.port)) as connection:
        connection.sendall(question("patient", seconds=60, timeout=60, path=str(tmp_path / "begun")))
        while not (tmp_path / "begun").exists():
            time.sleep(0.02)
    while server.service.pool.statistics.cancelled == before:
        time.sleep(0.02)
    assert server.service.pool.statistics.cancelled == before + 1


def test_every_answer_is_of_its_model(client):
    """What the OpenAPI document says of an answer is what comes."""
    answer = client.post("/v1/quick", json={"puzzle": "x"}).json()
    STUBS["quick"].answer.model_validate(answer)
    assert json.loads(client.get("/openapi.json").text)["paths"]["/v1/quick"]["post"]["operationId"] == "quick"
