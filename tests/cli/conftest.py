"""The command line: in this process (`call`), in a process (`run`), or in one that is still running (`start`)."""

from __future__ import annotations

import io
import json
import logging
import os
import signal
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import sudoku_cp
from sudoku_cp.cli import main

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


@dataclass(frozen=True)
class Ended:
    """What a call printed, and how it ended."""

    code: int
    out: str
    err: str

    @property
    def json_lines(self) -> list[dict[str, Any]]:
        """The JSON objects of standard output, one on each line."""
        return [json.loads(line) for line in self.out.splitlines()]


CHECKOUT = str(Path(sudoku_cp.__file__).parents[1])
ENVIRONMENT = {"PYTHONUTF8": "1", "COLUMNS": "200", "PYTHONPATH": CHECKOUT}
"""What every call is told: a process runs the package that is tested, which need not be the one that is installed."""
KERNELS = {name: os.environ[name] for name in ("HOME", "XDG_CACHE_HOME", "SUDOKU_CP_CACHE") if name in os.environ}
"""Where compiled kernels are kept: a process that looked elsewhere would compile its own."""


@pytest.fixture
def run(tmp_path) -> Callable[..., Ended]:
    """Return a function that runs ``sudoku-cp`` in a process, in an empty folder; no call may end in a traceback."""

    def call(*arguments: object, text: str | bytes | None = None, **environment: str) -> Ended:
        done = subprocess.run(
            [sys.executable, "-m", "sudoku_cp", *map(str, arguments)],
            input=text.encode() if isinstance(text, str) else text,
            stdin=None if text is not None else subprocess.DEVNULL,
            capture_output=True,
            cwd=tmp_path,
            timeout=300,
            check=False,
            env={"PATH": "/usr/bin:/bin", **KERNELS, **ENVIRONMENT, **environment},
        )
        ended = Ended(done.returncode, done.stdout.decode(), done.stderr.decode())
        assert "Traceback" not in ended.err, ended.err
        return ended

    return call


@pytest.fixture
def call(tmp_path, monkeypatch) -> Callable[..., Ended]:
    """Return a function like ``run`` that stays in this process, ten times as fast: for tests that need no real process."""

    def called(*arguments: object, text: str | bytes = "", encoding: str = "utf-8", **environment: str) -> Ended:
        streams = {name: io.TextIOWrapper(io.BytesIO(), encoding=encoding, write_through=True) for name in ("stdout", "stderr")}
        streams["stdin"] = io.TextIOWrapper(io.BytesIO(text.encode() if isinstance(text, str) else text), encoding="utf-8")
        log, level = logging.getLogger("sudoku_cp"), logging.getLogger("sudoku_cp").level
        with monkeypatch.context() as patch:
            patch.chdir(tmp_path)
            patch.setattr(sys, "argv", ["sudoku-cp", *map(str, arguments)])
            for name, value in {**ENVIRONMENT, **environment}.items():
                patch.setenv(name, value)
            for name, stream in streams.items():
                patch.setattr(sys, name, stream)
            with pytest.raises(SystemExit) as ended:
                main()
        log.setLevel(level)  # --quiet silences the library for the rest of a process
        out, err = (streams[name].buffer.getvalue().decode(encoding) for name in ("stdout", "stderr"))
        return Ended(ended.value.code, out, err)

    return called


@pytest.fixture
def start(tmp_path) -> Iterator[Callable[..., subprocess.Popen[str]]]:
    """Yield a function that starts ``sudoku-cp`` in an empty folder; the process is killed when the test ends.

    The process starts with the default SIGINT handler, even if the tests run with SIGINT ignored (under nohup, say), or with
    the one that ``sigint`` names.
    """
    started: list[subprocess.Popen[str]] = []

    def call(
        *arguments: object, sigint: Any = signal.default_int_handler, environment: dict[str, str] | None = None
    ) -> subprocess.Popen[str]:
        before = signal.signal(signal.SIGINT, sigint)  # a handler of ours becomes SIG_DFL in a child, SIG_IGN is inherited
        try:
            process = subprocess.Popen(
                [sys.executable, "-m", "sudoku_cp", *map(str, arguments)],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
                cwd=tmp_path,
                env={**os.environ, **ENVIRONMENT, **(environment or {})},
            )
        finally:
            signal.signal(signal.SIGINT, before)
        started.append(process)
        return process

    yield call
    for process in started:
        process.kill()
        process.wait()
        for stream in (process.stdout, process.stderr):
            if stream:
                stream.close()
