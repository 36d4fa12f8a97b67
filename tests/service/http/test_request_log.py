"""The log is written whatever its reader does, and costs nobody time or memory."""

from __future__ import annotations

import json
import logging
import os
import signal
import socket
import sys
from urllib.parse import urlsplit

import httpx
import pytest

from sudoku_cp.service.request_log import MOST_WAITING, LogWriter
from tests.service.http.test_serve import serving

LINES = 4 * MOST_WAITING


def record(number):
    """Return a record of the log."""
    return logging.LogRecord("sudoku_cp", logging.INFO, __file__, 1, "line %d", (number,), None)


@pytest.fixture
def pipe():
    """The two ends of a pipe: what reads, and a text file that writes."""
    reading, writing = os.pipe()
    with os.fdopen(reading, "rb") as reader, os.fdopen(writing, "w") as writer:
        yield reader, writer


def test_lines_come_in_their_order_and_whole(pipe):
    """What is written within the room that there is, the reader gets."""
    reader, writer = pipe
    log = LogWriter(writer)
    for number in range(100):
        log.handle(record(number))
    log.end()
    writer.close()
    assert [json.loads(line)["message"] for line in reader] == [f"line {number}" for number in range(100)]
    assert log.lost == 0


def test_a_reader_that_stalls_loses_lines_which_are_counted(pipe):
    """Nobody waits for it, no more lines are kept than may be, and the end comes although it reads nothing."""
    reader, writer = pipe
    log = LogWriter(writer)
    for number in range(LINES):
        log.handle(record(number))
    assert log.lost >= LINES - 2 * MOST_WAITING
    log.end(0.2)
    log._thread.join()  # on a busy machine it formats lines for longer than `end` waits
    writer.close()
    assert log.lost + reader.read().count(b"\n") == LINES


def test_a_reader_that_has_gone_loses_lines(pipe):
    """A broken pipe ends neither the log nor the service."""
    reader, writer = pipe
    reader.close()
    log = LogWriter(writer)
    log.handle(record(1))
    log.end()
    assert log.lost == 1


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_a_service_whose_log_nobody_reads_goes_on_and_ends(tmp_path):
    """It answers, its memory stays as it is, /metrics counts the lost lines, and SIGTERM ends it."""
    number = 2 * MOST_WAITING
    with serving("--port", 0, "--no-ws", "--data", tmp_path) as (process, address, _):
        place = urlsplit(address)
        request = b"GET /" + b"x" * 190 + b" HTTP/1.1\r\nHost: localhost\r\n\r\n"
        with socket.create_connection((place.hostname, place.port), timeout=60) as connection:
            for _ in range(number // 100):
                connection.sendall(request * 100)
                answered = b""
                while answered.count(b"HTTP/1.1 404") < 100:
                    answered += connection.recv(1 << 20)
        metrics = httpx.get(f"{address}/metrics", timeout=60).text
        lost = next(int(line.split()[1]) for line in metrics.splitlines() if line.startswith("sudoku_log_lines_lost_total "))
        assert 0 < lost < number
        process.send_signal(signal.SIGTERM)
        assert process.wait(20) == 0
