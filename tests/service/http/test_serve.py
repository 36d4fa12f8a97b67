"""`sudoku-cp serve` prints its address when it can answer, ends in order, and says what keeps it from starting."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
from contextlib import contextmanager

import httpx
import pytest

from sudoku_cp.errors import InvalidInput
from sudoku_cp.service.listening import address_of, bind

SERVE = [sys.executable, "-m", "sudoku_cp", "serve", "--workers", "1"]
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
    with pytest.raises(InvalidInput, match="a host to listen on"):
        bind("no.such.host.invalid", 80)
