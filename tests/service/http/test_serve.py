"""`sudoku-cp serve` prints its address when it can answer, ends in order, and says what keeps it from starting."""

from __future__ import annotations

import asyncio
import re
import signal
import sqlite3
import subprocess
import sys
from contextlib import AsyncExitStack, contextmanager, nullcontext
from pathlib import Path
from types import SimpleNamespace

import httpx
import pytest

from sudoku_cp.errors import InvalidInput
from sudoku_cp.service.jobs.store import JobStore
from sudoku_cp.service.server import Verbs, _start_socket, address_of, bind, open_service
from sudoku_cp.service.settings import Settings
from sudoku_cp.service.start import run
from tests.service.http.stub_questions import STUBS

SERVE = [sys.executable, "-m", "sudoku_cp", "serve", "--no-compile", "--workers", "1"]
EVERYWHERE = "0.0.0.0"  # noqa: S104  # what is tested
ADDRESS = re.compile(r"sudoku-cp: listening on (http://\S+?)(?:,.* on (ws://\S+))?$")


@contextmanager
def serving(*arguments):
    """Run the verb; yield the process, its address and that of its socket."""
    process = subprocess.Popen([*SERVE, *map(str, arguments)], stderr=subprocess.PIPE, text=True)
    try:
        found = next((match for line in process.stderr if (match := ADDRESS.match(line.strip()))), None)
        assert found, "no address was printed"
        yield process, *found.groups()
    finally:
        process.kill()
        process.communicate()


def test_serve_answers_once_it_says_so_and_ends_in_order(tmp_path):
    """The address that is printed answers at once; SIGTERM ends the service with code 0."""
    with serving("--port", 0, "--no-ws", "--data", tmp_path) as (process, address, ws_address):
        assert ws_address is None
        assert httpx.get(f"{address}/readyz", timeout=30).text == "ready\n"
        other = subprocess.run(
            [*SERVE, "--port", "0", "--no-ws", "--data", tmp_path], capture_output=True, text=True, check=False
        )
        assert other.returncode == 2
        assert "no other service uses" in other.stderr
        process.send_signal(signal.SIGTERM)
        assert process.wait(20) == 0


def test_the_next_free_port_is_taken_if_none_is_asked_for():
    """A port that was asked for is taken or refused; else the next one will do."""
    first, second = (bind("127.0.0.1", None) for _ in range(2))
    with first, second:
        assert first.getsockname()[1] != second.getsockname()[1]
        assert address_of(first).startswith("http://127.0.0.1:80")
        with pytest.raises(InvalidInput, match="to be free"):
            bind("127.0.0.1", first.getsockname()[1])


@pytest.mark.parametrize("host", ["no.such.host.invalid", "a..b", "x" * 100])
def test_a_host_that_is_none_is_told(host):
    """A name that nobody has, or that cannot be one."""
    with pytest.raises(InvalidInput, match="a host to listen on"):
        bind(host, 80)


@pytest.mark.parametrize(("host", "expected"), [("::1", "ws://[::1]:"), (EVERYWHERE, "ws://127.0.0.1:")])
def test_the_address_of_the_socket_can_be_reached(host, expected):
    """Port 0 is any, every address is also that of this machine, and those with colons have brackets."""

    async def start():
        async with AsyncExitStack() as stack:
            return await _start_socket(SimpleNamespace(settings=Settings(host=host, ws_port=0), pool=None), stack)

    address = asyncio.run(start())
    assert address.startswith(expected)
    assert not address.endswith(":0")


@pytest.mark.parametrize(
    ("host", "key_file", "expected"),
    [(EVERYWHERE, Path("keys"), "127.0.0.1"), (EVERYWHERE, None, EVERYWHERE), ("::1", Path("keys"), "::1")],
)
def test_the_socket_is_no_way_round_the_keys(host, key_file, expected):
    """It cannot carry a key, so where one is needed nobody reaches it from elsewhere."""
    assert Settings(host=host, key_file=key_file).ws_host == expected


def test_what_the_system_refuses_is_told_as_that(tmp_path, monkeypatch):
    """Too many open files, say, or no folder for temporary ones: nothing about answers that cannot be written."""
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "nothing"))
    with pytest.raises(InvalidInput, match=r"what the service needs to run.*No such file"):
        run(Settings(port=0, data=tmp_path), lambda *_: None)


@pytest.mark.parametrize(("method", "error"), [("recover", InvalidInput), ("put_back", None)])
def test_a_disk_that_is_full_at_the_start_or_the_end(tmp_path, monkeypatch, caplog, method, error):
    """Without its jobs no service starts; at the end they stay as after a crash, and all else ends in order."""

    def fail(*_):
        raise sqlite3.OperationalError("database or disk is full")

    monkeypatch.setattr(JobStore, method, fail)

    async def start_and_stop():
        async with open_service(Settings(data=tmp_path, workers=1), Verbs(STUBS)):
            pass

    with pytest.raises(error, match="disk is full") if error else nullcontext():
        asyncio.run(start_and_stop())
    assert error or "disk is full" in caplog.text
    JobStore(tmp_path).close()  # which nobody else holds
