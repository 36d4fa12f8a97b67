"""The head of a request has an end, and what comes before it is not kept for ever."""

from __future__ import annotations

import json
import socket
import struct
import time
from dataclasses import replace
from urllib.parse import urlsplit

import httpx
import pytest

from sudoku_cp.service import server
from sudoku_cp.service.server import MOST_HEAD_BYTES, PROBE, PROBE_SECONDS
from sudoku_cp.service.settings import Settings
from tests.service.http.running_server import running_server
from tests.service.http.stub_questions import STUBS

HEAD = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n"
CHUNKS = b"POST /v1/quick HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"


@pytest.fixture
def connection(server):
    """A connection to a service."""
    place = urlsplit(server.url)
    with socket.create_connection((place.hostname, place.port), timeout=60) as made:
        yield made


def bytes_taken(connection, piece):
    """Return how much a service takes of what has no end, and what it says then."""
    told, sent = b"", 0
    try:
        while sent < 100 * MOST_HEAD_BYTES:
            connection.sendall(piece)
            sent += len(piece)
        told = connection.recv(1000)
    except OSError:  # it has hung up
        pass
    return sent, told


@pytest.mark.parametrize(
    ("begin", "piece"),
    [(HEAD + b"X: ", b"a" * 65536), (HEAD, b"X: a\r\n" * 10000), (b"GET /", b"a" * 65536), (CHUNKS + b"1;", b"a" * 65536)],
)
def test_a_head_without_an_end_ends_its_connection(connection, begin, piece):
    """A header, a path, many headers or an extension of a chunk: the service hangs up long before its memory is full."""
    connection.sendall(begin)
    sent, _ = bytes_taken(connection, piece)
    assert sent < 100 * MOST_HEAD_BYTES


def test_a_large_head_is_told(connection):
    """The answer has the status for this, and is a problem."""
    connection.sendall(HEAD + b"X: " + b"a" * (MOST_HEAD_BYTES - len(HEAD) - 3))
    connection.settimeout(0.2)
    with pytest.raises(TimeoutError):
        connection.recv(1)
    connection.settimeout(60)
    connection.sendall(b"a" * 100)
    told = connection.recv(2000)
    assert told.startswith(b"HTTP/1.1 431 ")
    assert b"/problems/head-too-large" in told


def test_requests_in_one_piece_are_counted_apart(connection):
    """A client may send many requests without waiting, however long they are together."""
    number = MOST_HEAD_BYTES // len(HEAD) + 100
    connection.sendall((HEAD + b"\r\n") * number)
    told = b""
    while told.count(b"HTTP/1.1 200") < number and (piece := connection.recv(1 << 16)):
        told += piece
    assert told.count(b"HTTP/1.1 200") == number


@pytest.mark.parametrize("sent", [b"NONSENSE\r\n\r\n", b"GET / HTTP/1.1\r\nno colon\r\n\r\n", b"\x16\x03\x01\x02\x00\x01\x00"])
def test_what_is_no_request_is_a_problem(connection, sent):
    """Bytes that are no HTTP get the same kind of answer as any other request that cannot be understood."""
    connection.sendall(sent)
    head, _, body = received_until_end(connection).partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 400 ")
    assert b"content-type: application/problem+json" in head.lower()
    assert (json.loads(body)["type"], json.loads(body)["status"]) == ("/problems/bad-request", 400)


# --- half-closed connections ------------------------------------------------------------------------------------


def received_after_half_close(connection, request):
    """Return all that comes to a client that sends a request and closes its own half of the connection."""
    connection.sendall(request)
    connection.shutdown(socket.SHUT_WR)
    return received_until_end(connection)


def received_until_end(connection):
    """Return all that comes until the service closes the connection."""
    received = b""
    while data := connection.recv(65536):
        received += data
    return received


def question(verb, **body):
    """Return a request as bytes."""
    content = json.dumps(body).encode()
    head = (
        f"POST /v1/{verb} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: {len(content)}\r\n\r\n"
    )
    return head.encode() + content


@pytest.mark.parametrize("times", [1, 2])
def test_a_client_that_has_only_finished_sending_is_answered(connection, times, monkeypatch):
    """Every request gets its answer, and the connection ends."""
    monkeypatch.setattr(server, "PROBE_SECONDS", 1000)  # else a busy machine would be slow enough for a probe
    received = received_after_half_close(connection, question("patient") * times)
    assert received.startswith(b"HTTP/1.1 200 ")
    assert received.count(b"HTTP/1.1 ") == received.count(b"HTTP/1.1 200 ") == times


@pytest.mark.parametrize("times", [1, 2])
def test_a_client_that_has_only_finished_sending_and_waits_long_is_probed(connection, times, tmp_path):
    """While its last request waits it gets an interim response, which means nothing, and then every answer."""
    hold = tmp_path / "begun.hold"
    hold.touch()
    connection.sendall(question("patient") * (times - 1) + question("patient", path=str(tmp_path / "begun")))
    connection.shutdown(socket.SHUT_WR)
    received = b""
    while PROBE not in received:
        received += connection.recv(65536)
    hold.unlink()
    finals = (received + received_until_end(connection)).replace(PROBE, b"")
    assert finals.startswith(b"HTTP/1.1 200 ")
    assert finals.count(b"HTTP/1.1 200 ") == times


@pytest.mark.parametrize("before", ["the answer", "an event"])
def test_a_half_closed_stream_of_events_ends_and_frees_its_place(tmp_path, before):
    """Nobody learns from events, which are rare, that a client has gone: whoever closes a half has seen enough of them."""
    hold = tmp_path / "job.hold"
    hold.touch()
    limits = replace(Settings(data=tmp_path).limits, streams_at_once=1)
    with running_server(tmp_path, STUBS, limits=limits) as server:
        job = httpx.post(f"{server.url}/v1/long", json={"path": str(tmp_path / "job")}).headers["location"]
        request = f"GET {job}/events HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n\r\n".encode()
        for _ in range(2):  # there is one place, so that the second is admitted if the first has ended
            with socket.create_connection((urlsplit(server.url).hostname, urlsplit(server.url).port), timeout=60) as made:
                if before == "an event":
                    made.sendall(request)
                    assert made.recv(20).startswith(b"HTTP/1.1 200 ")
                    made.shutdown(socket.SHUT_WR)
                    received_until_end(made)
                else:
                    assert received_after_half_close(made, request).startswith(b"HTTP/1.1 200 ")
        hold.unlink()


def test_half_a_body_is_no_question(connection):
    """Who closes before the body has come gets no answer, and nobody waits for the rest."""
    assert received_after_half_close(connection, question("quick")[:-1]) == b""


def test_a_client_of_http_1_0_gets_no_interim_response(connection):
    """It does not know them."""
    request = question("patient", seconds=2 * PROBE_SECONDS).replace(b"HTTP/1.1", b"HTTP/1.0")
    assert received_after_half_close(connection, request).startswith(b"HTTP/1.1 200 ")


def test_nobody_works_for_a_client_that_has_closed_both_halves(server, connection, tmp_path):
    """The question is cancelled once the system has learnt from an interim response that nobody is there."""
    cancelled = server.service.pool.statistics.cancelled
    connection.sendall(question("patient", seconds=100, path=str(tmp_path / "begun")))
    while not (tmp_path / "begun").exists():
        time.sleep(0.02)
    connection.close()
    while server.service.pool.statistics.cancelled == cancelled:
        time.sleep(0.02)
    assert server.service.pool.statistics.cancelled == cancelled + 1


@pytest.mark.parametrize("times", [1, 3])
def test_a_client_that_hangs_up_is_no_error_of_the_service(server, connection, caplog, times, tmp_path):
    """Its question in progress is cancelled, however many have come after it, and the log has no error."""
    cancelled = server.service.pool.statistics.cancelled
    connection.sendall(question("patient", seconds=100, path=str(tmp_path / "begun")) * times)
    while not (tmp_path / "begun").exists():
        time.sleep(0.02)
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))  # closed at once, with a reset
    connection.close()
    while server.service.pool.statistics.cancelled == cancelled:
        time.sleep(0.02)
    assert server.service.pool.statistics.cancelled == cancelled + 1
    assert [record.getMessage() for record in caplog.records if record.levelname == "ERROR"] == []
