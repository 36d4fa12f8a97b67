"""Whatever comes in, a problem goes out, and the service goes on."""

from __future__ import annotations

import gc
import json
import random
import socket
import time
from contextlib import ExitStack, suppress
from itertools import cycle
from threading import Event

import httpx
import pytest
from pydantic import ValidationError

from sudoku_cp.service.body_judging import JobRequest, NotJson, QuestionJudge, parse_json
from sudoku_cp.service.body_reading import SMALL, BodyRoom
from sudoku_cp.service.pool.tasks import MOST_PROBLEMS
from sudoku_cp.service.problems import MEDIA_TYPE
from sudoku_cp.service.questions import QUESTIONS
from sudoku_cp.service.settings import ServiceLimits
from tests.service.http.running_server import running_server
from tests.service.http.stub_questions import STUBS

DEEP = 200_000
MOST_ERRORS = 5000
"""Problems that the validation of a body may find, of which it tells the first."""
NAMED = {
    "deep arrays": b"[" * DEEP + b"]" * DEEP,
    "deep objects": b'{"puzzle":' * DEEP + b"1" + b"}" * DEEP,
    "rather deep": b'{"puzzle":{"a":' + b"[" * 100 + b"]" * 100 + b"}}",
    "NaN": b'{"puzzle": "x", "seconds": NaN}',
    "infinity": b'{"puzzle": "x", "seconds": 1e999}',
    "half a pair": rb'{"puzzle": "\ud800"}',
    "the other half": rb'{"puzzle": "\uDFFF"}',
    "a huge number": b'{"seconds": ' + b"9" * 10_000 + b"}",
    "not UTF-8": b'{"puzzle": "\xff"}',
    "UTF-16": '{"puzzle": "x"}'.encode("utf-16"),
    "a byte order mark": b'\xef\xbb\xbf{"puzzle": "x"}',
    "nothing": b"",
    "null": b"null",
    "a text": b'"x"',
    "a wrong type": b'{"puzzle": 5}',
    "zero bytes": b'{"puzzle": "\0"}',
    "two objects": b"{}{}",
    "too large": b'{"puzzle": "' + b"x" * 1_100_000 + b'"}',
    "an unknown field": b'{"nothing": 1}',
    "a field twice": b'{"puzzle": "x", "puzzle": "y"}',
    "a field twice, deep inside": b'{"puzzle": {"givens": {"r1c1": 1, "r1c1": 2}}}',
}


@pytest.mark.parametrize("body", NAMED.values(), ids=NAMED)
def test_a_hostile_body_gets_a_problem(client, body):
    """400, 413 or 422, and nothing of the program in it."""
    response = client.post("/v1/quick", content=body, headers={"Content-Type": "application/json"})
    assert response.status_code in {400, 413, 422}
    assert response.headers["content-type"] == MEDIA_TYPE
    assert len(response.content) < 10_000
    assert "Error" not in response.text
    assert "/work" not in response.text


JUNK = {
    "zeros": lambda size: b"[" + b"0," * (size // 2 - 2) + b"0]",
    "arrays": lambda size: b"[" + b"[]," * (size // 3 - 2) + b"0]",
    "objects": lambda size: b"[" + b'{"a":0},' * (size // 8 - 2) + b"0]",
    "fields": lambda size: b"{" + b",".join(b'"%06x":0' % number for number in range(size // 11)) + b"}",
}
"""Values of about so many bytes that hardly any field takes."""
BLOCKED = 0.1
"""Processor seconds for which nothing in the event loop may take; some three milliseconds are usual."""


@pytest.fixture
def longest_step(whole_server):
    """The most processor time that the event loop's thread has spent at a stretch: the time between two looks at its clock."""
    longest, is_over = [0.0], Event()
    gc.freeze()  # for good: a collection of what other tests have left in this process takes a quarter of a second

    def look(last):
        now = time.thread_time()
        longest[0] = max(longest[0], now - last)
        if not is_over.is_set():
            whole_server.loop.call_later(0.002, look, now)

    whole_server.call(lambda: look(time.thread_time()))
    yield longest
    is_over.set()


def hostile_body(model, most, kinds, unknown):
    """Return a body of nearly ``most`` bytes in which each field of a model is as wrong as it can be."""
    names = [field.alias or name for name, field in model.model_fields.items()]
    share = (most - 1000) // (len(names) + unknown)
    pieces = [b'"%s":%s' % (name.encode(), JUNK[kind](share - 30)) for name, kind in zip(names, cycle(kinds), strict=False)]
    pieces += [JUNK["fields"](share)[1:-1]] * unknown
    return b"{" + b",".join(pieces) + b"}"


@pytest.mark.parametrize(
    ("path", "verb"), [*(("/v1/{}", verb) for verb in QUESTIONS), ("/v1/jobs", "generate"), ("/v1/jobs", "hint")]
)
def test_a_body_full_of_faults_is_judged_within_a_budget(whole_server, longest_step, verb, path):
    """Every field may be wrong in all the bytes that a body may have: it becomes a few problems, and nobody else waits for it."""
    question, limits = QUESTIONS[verb], whole_server.settings.limits
    number = list(QUESTIONS).index(verb)
    kinds = [*JUNK][number % 4 :] + [*JUNK][: number % 4]
    body = hostile_body(question.request, limits.most_bytes(may_be_large=question.may_be_large), kinds, unknown=number % 2)
    if "jobs" in path:
        body = b'{"verb": "%s", "body": %s}' % (verb.encode(), body)
    headers = {"Content-Type": "application/json"}
    steps = []
    while not steps or (steps[-1] >= BLOCKED and len(steps) < 3):  # what a body costs, it costs each time
        longest_step[0] = 0.0
        response = httpx.post(whole_server.url + path.format(verb), content=body, headers=headers, timeout=120)
        assert response.status_code == 422, response.text[:500]
        assert 1 <= len(response.json()["errors"]) <= MOST_PROBLEMS
        assert len(response.content) < 20_000
        steps.append(longest_step[0])
    assert min(steps) < BLOCKED


def error_count(model, body):
    """Return how many things pydantic finds wrong with a body."""
    try:
        model.model_validate(body)
    except ValidationError as error:
        return error.error_count()
    return 0


@pytest.mark.sampled(2)
@pytest.mark.parametrize("verb", [*QUESTIONS, "jobs"])
@pytest.mark.parametrize("kind", JUNK)
def test_no_field_of_a_body_makes_a_problem_of_each_item(verb, kind):
    """Whatever a field holds, the validation of it stops after a bounded number of problems; so does that of unknown fields."""
    model = JobRequest if verb == "jobs" else QUESTIONS[verb].request
    junk = json.loads(JUNK[kind](200_000))
    names = [field.alias or name for name, field in model.model_fields.items()]
    bodies = [{name: junk} for name in names] + [dict.fromkeys(map(str, range(50_000)))]
    for body in bodies:
        assert error_count(model, body) <= MOST_ERRORS, next(iter(body))


def test_of_many_problems_the_first_are_told_and_the_rest_counted(whole_server):
    """A puzzle with a thousand faults has twenty of them named, and the detail says how many more there are."""
    givens = {f"r{row}c99": 1 for row in range(1, 1001)}
    response = httpx.post(f"{whole_server.url}/v1/solve", json={"puzzle": {"givens": givens}}, timeout=60)
    assert response.status_code == 422
    assert len(response.json()["errors"]) == MOST_PROBLEMS
    assert response.json()["detail"].endswith("and 980 more problems")


def test_a_large_body_is_answered_like_a_small_one(whole_server):
    """A body that a worker judges gets the same answer, as a question and as a job with an idempotency key."""
    puzzle = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
    body = json.dumps({"puzzle": puzzle, "timeout": 9}).encode()
    large = body + b" " * 2 * SMALL
    headers = {"Content-Type": "application/json"}
    answers = [httpx.post(f"{whole_server.url}/v1/solve", content=one, headers=headers, timeout=60) for one in (body, large)]
    assert [answer.json()["solutions"] for answer in answers] == [answers[0].json()["solutions"]] * 2
    keyed = headers | {"Idempotency-Key": "a large one", "Prefer": "respond-async"}
    jobs = [httpx.post(f"{whole_server.url}/v1/solve", content=one, headers=keyed, timeout=60) for one in (body, large)]
    assert [job.status_code for job in jobs] == [202, 202]
    assert len({job.headers["Location"] for job in jobs}) == 1


def test_a_body_is_counted_while_it_comes(server):
    """A body without a length, or with a false one, is refused as soon as it is too large."""
    host, port = server.url.removeprefix("http://").split(":")
    head = f"POST /v1/quick HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"
    with socket.create_connection((host, int(port)), timeout=20) as connection:
        connection.sendall(head.encode())
        for _ in range(16):  # what the service does not read any more would break the pipe
            connection.sendall(b"10000\r\n" + b" " * 0x10000 + b"\r\n")
        assert b" 413 " in connection.recv(4096).split(b"\r\n")[0]


def test_bodies_of_all_clients_together_have_their_room(tmp_path):
    """Clients that send their bodies slowly leave memory to the others; whoever goes away makes room again."""
    with running_server(tmp_path, STUBS, workers=1) as server, ExitStack() as stack:
        server.service.bodies = BodyRoom(5_000_000)
        host, port = server.url.removeprefix("http://").split(":")
        head = f"POST /v1/many HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\nContent-Length: 4900000\r\n\r\n"
        slow = stack.enter_context(socket.create_connection((host, int(port)), timeout=20))
        slow.sendall(head.encode() + b" " * 4_700_000)
        while server.service.bodies.taken < 4_700_000:
            time.sleep(0.01)
        refused = httpx.post(f"{server.url}/v1/many", json={"puzzle": "x" * 400_000}, timeout=20)
        assert (refused.status_code, refused.json()["type"]) == (503, "/problems/busy")
        assert httpx.post(f"{server.url}/v1/many", json={"puzzle": "x"}, timeout=20).status_code == 200
        slow.close()
        while server.service.bodies.taken:
            time.sleep(0.01)
        assert httpx.post(f"{server.url}/v1/many", json={"puzzle": "x" * 400_000}, timeout=20).status_code == 200


def test_lists_may_be_larger(client):
    """If a body may be about many puzzles or holds a certificate, it has five times the bytes, as a job too, and nowhere else."""
    large = {"puzzle": "x" * 2_000_000}
    assert client.post("/v1/many", json=large).status_code in {200, 202}  # a job where the machine is busy
    assert client.post("/v1/quick", json=large).status_code == 413
    assert client.post("/v1/jobs", json={"verb": "many", "body": large}).status_code == 202
    assert client.post("/v1/jobs", json={"verb": "quick", "body": large}).status_code == 413
    assert client.post("/v1/many", json={"puzzle": "x" * 5_000_000}).status_code == 413
    assert {name for name, question in QUESTIONS.items() if question.may_be_large} == {
        "audit",
        "compare",
        "generate",
        "print",
        "verify",
    }


@pytest.mark.parametrize("length", ["Content-Length: 100", "Transfer-Encoding: chunked"])
def test_a_body_that_comes_slowly_is_refused(tmp_path, length):
    """Whoever sends a byte now and then is told so, and disconnected, when the time for a body is up."""
    limits = ServiceLimits(body_seconds=0.5)
    with running_server(tmp_path, STUBS, workers=1, limits=limits) as server:
        host, port = server.url.removeprefix("http://").split(":")
        head = f"POST /v1/quick HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\n{length}\r\n\r\n"
        piece = b" " if "Length" in length else b"1\r\n \r\n"
        with socket.create_connection((host, int(port)), timeout=0.1) as connection:
            connection.sendall(head.encode())
            answer = received_while_sending(connection, piece)
        assert answer.startswith(b"HTTP/1.1 408 ")
        assert MEDIA_TYPE.encode() in answer
        assert b"connection: close" in answer.lower()
        assert json.loads(answer.partition(b"\r\n\r\n")[2])["type"] == "/problems/body-too-slow"
        assert httpx.post(f"{server.url}/v1/quick", json={}, timeout=20).status_code == 200


def received_while_sending(connection, piece):
    """Return everything that comes until the connection ends, while a piece is sent every tenth of a second."""
    received = b""
    for _ in range(200):
        with suppress(OSError):  # nobody listens any more
            connection.sendall(piece)
        try:
            data = connection.recv(4096)
        except TimeoutError:
            continue
        except ConnectionError:
            return received
        if not data:
            return received
        received += data
    raise AssertionError("the connection stays open")


def mutations(number, seed=1):
    """Return bodies that a good one becomes by random changes, always the same."""
    rng = random.Random(seed)  # noqa: S311  # not for cryptography
    good = json.dumps({"puzzle": {"rules": [{"kind": "cage"}], "givens": {"r1c1": 1}}, "timeout": 1.5, "seconds": 0}).encode()
    for _ in range(number):
        body = bytearray(good)
        for _ in range(rng.randint(1, 6)):
            place = rng.randrange(len(body))
            change = rng.choice([bytes([rng.randrange(256)]), b"[" * 90, b"\\ud83d", b"NaN", b"-1e400", b"", b'"', b"null"])
            body[place : place + rng.randint(0, 3)] = change
        yield bytes(body)


@pytest.mark.parametrize("number", [200, pytest.param(10_000, marks=pytest.mark.slow)])
def test_random_bodies_do_no_harm(client, number):
    """Each gets an answer or a problem, and the service is ready afterwards."""
    for body in mutations(number):
        response = client.post("/v1/quick", content=body, headers={"Content-Type": "application/json"})
        assert response.status_code in {200, 400, 422}, body
    assert client.get("/readyz").status_code == 200


@pytest.mark.parametrize(("depth", "fits"), [(3, True), (4, True), (5, False), (400, False), (100_000, False)])
def test_depth_is_limited(depth, fits):
    """So many arrays within each other are read, and no more."""
    body = b"[" * depth + b"]" * depth
    if fits:
        parse_json(body, 4)
    else:
        with pytest.raises(NotJson, match="deep"):
            parse_json(body, 4)


def test_a_seed_that_is_drawn_is_the_only_one():
    """A job whose body says that it has no seed gets one, and makes the same again when it is begun again."""
    judged = QuestionJudge("generate", QUESTIONS["generate"].request)(b'{"count": 1, "seed": null}')
    assert not judged.has_seed
    assert json.loads(judged.with_fields(seed=7)) == {"count": 1, "seed": 7}
