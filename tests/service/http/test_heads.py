"""The head of a request has an end, and what comes before it is not kept for ever."""

from __future__ import annotations

import socket
from urllib.parse import urlsplit

import pytest

from sudoku_cp.service.http_protocol import MOST_HEAD_BYTES

HEAD = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n"
CHUNKS = b"POST /v1/quick HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"


@pytest.fixture
def connection(server):
    """A connection to a service."""
    place = urlsplit(server.url)
    with socket.create_connection((place.hostname, place.port), timeout=10) as made:
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
    connection.settimeout(10)
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
