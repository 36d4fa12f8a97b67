"""Whatever comes in, a problem goes out, and the service goes on."""

from __future__ import annotations

import json
import random
import socket
from contextlib import suppress

import httpx
import pytest

from sudoku_cp.service.body_reading import parse_json
from sudoku_cp.service.limits import ServiceLimits
from sudoku_cp.service.problems import MEDIA_TYPE, HttpProblem
from sudoku_cp.service.questions import QUESTIONS
from tests.service.http.running_server import running_server
from tests.service.http.stub_questions import STUBS

DEEP = 200_000
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


def test_a_body_is_counted_while_it_comes(server):
    """A body without a length, or with a false one, is refused as soon as it is too large."""
    host, port = server.url.removeprefix("http://").split(":")
    head = f"POST /v1/quick HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"
    with socket.create_connection((host, int(port)), timeout=20) as connection:
        connection.sendall(head.encode())
        for _ in range(16):  # what the service does not read any more would break the pipe
            connection.sendall(b"10000\r\n" + b" " * 0x10000 + b"\r\n")
        assert b" 413 " in connection.recv(4096).split(b"\r\n")[0]


def test_lists_may_be_larger(client):
    """If a body may be about many puzzles or holds a certificate, it has five times the bytes, as a job too, and nowhere else."""
    large = {"puzzle": "x" * 2_000_000}
    assert client.post("/v1/many", json=large).status_code in {200, 202}  # a job where the machine is busy
    assert client.post("/v1/quick", json=large).status_code == 413
    assert client.post("/v1/jobs", json={"verb": "many", "body": large}).status_code == 202
    assert client.post("/v1/jobs", json={"verb": "quick", "body": large}).status_code == 413
    assert client.post("/v1/many", json={"puzzle": "x" * 5_000_000}).status_code == 413
    assert {name for name, question in QUESTIONS.items() if question.may_be_large} == {"compare", "generate", "print", "verify"}


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
        with pytest.raises(HttpProblem, match="deep"):
            parse_json(body, 4)
