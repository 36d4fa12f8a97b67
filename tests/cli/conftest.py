"""The command line as people use it: through a process."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import sudoku_cp
from sudoku_cp.cli import main

if TYPE_CHECKING:
    from collections.abc import Callable


@dataclass(frozen=True)
class Ended:
    """What a call printed, and how it ended."""

    code: int
    out: str
    err: str

    @property
    def told(self) -> list[dict[str, Any]]:
        """The JSON objects of standard output, a line each."""
        return [json.loads(line) for line in self.out.splitlines()]


CHECKOUT = str(Path(sudoku_cp.__file__).parents[1])
ENVIRONMENT = {"PYTHONUTF8": "1", "COLUMNS": "200", "PYTHONPATH": CHECKOUT}
"""What every call is told: a process runs the package that is tested, which need not be the one that is installed."""


@pytest.fixture
def run(tmp_path) -> Callable[..., Ended]:
    """Calls ``sudoku-cp`` in an empty folder and gives what came out; no call may end in a traceback."""

    def call(*arguments: object, text: str | bytes | None = None, **environment: str) -> Ended:
        done = subprocess.run(
            [sys.executable, "-m", "sudoku_cp", *map(str, arguments)],
            input=text.encode() if isinstance(text, str) else text,
            stdin=None if text is not None else subprocess.DEVNULL,
            capture_output=True,
            cwd=tmp_path,
            timeout=60,
            check=False,
            env={"PATH": "/usr/bin:/bin", **ENVIRONMENT, **environment},
        )
        ended = Ended(done.returncode, done.stdout.decode(), done.stderr.decode())
        assert "Traceback" not in ended.err, ended.err
        return ended

    return call


@pytest.fixture
def call(tmp_path, monkeypatch) -> Callable[..., Ended]:
    """Does what ``run`` does in this process, which is ten times as quick: for what is not about a process."""

    def called(*arguments: object, text: str = "", encoding: str = "utf-8", **environment: str) -> Ended:
        streams = {name: io.TextIOWrapper(io.BytesIO(), encoding=encoding, write_through=True) for name in ("stdout", "stderr")}
        streams["stdin"] = io.TextIOWrapper(io.BytesIO(text.encode()), encoding="utf-8")
        with monkeypatch.context() as patch:
            patch.chdir(tmp_path)
            patch.setattr(sys, "argv", ["sudoku-cp", *map(str, arguments)])
            for name, value in {**ENVIRONMENT, **environment}.items():
                patch.setenv(name, value)
            for name, stream in streams.items():
                patch.setattr(sys, name, stream)
            with pytest.raises(SystemExit) as ended:
                main()
        out, err = (streams[name].buffer.getvalue().decode(encoding) for name in ("stdout", "stderr"))
        return Ended(ended.value.code, out, err)

    return called
