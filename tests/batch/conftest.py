"""Shared by the batch tests: puzzles, file contents, and commands in processes of their own."""

from __future__ import annotations

import bz2
import gzip
import lzma
import os
import signal
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from sudoku_cp.batch import journal

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

HARD = "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......"
SEVERAL4 = "12..34..21..43.."
NONE4 = "11.............."
MANY4 = "1..............."
UNPACKED = {".gz": gzip.decompress, ".bz2": bz2.decompress, ".xz": lzma.decompress, "": bytes}


@pytest.fixture(scope="session")
def unpacked() -> Callable[[Path], bytes]:
    """Return a function that reads a file, decompressed."""
    return lambda path: UNPACKED.get(path.suffix, bytes)(path.read_bytes())


@pytest.fixture
def mixed(tmp_path) -> Path:
    """A file with every kind of line: boards of two sizes, a title, a comment, an empty line, one that cannot be read."""
    lines = [HARD, SEVERAL4, f"{SEVERAL4} a title", "# a comment", "", HARD[:-2], NONE4, MANY4, HARD.replace(".", "0")]
    path = tmp_path / "mixed.txt"
    path.write_text("".join(f"{line}\n" for line in lines))
    return path


def _hear_ctrl_c() -> None:
    """Let a child receive Ctrl-C even if the tests run with it ignored."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


@pytest.fixture(scope="session")
def start() -> Callable[..., subprocess.Popen[bytes]]:
    """Return a function that starts the command."""

    def start_command(*arguments: object, environment: dict[str, str] | None = None, **options) -> subprocess.Popen[bytes]:
        known = {**os.environ, "PYTHONUTF8": "1", **(environment or {})}
        call = [sys.executable, "-m", "sudoku_cp", *map(str, arguments)]
        return subprocess.Popen(call, stderr=subprocess.PIPE, env=known, preexec_fn=_hear_ctrl_c, **options)  # noqa: PLW1509

    return start_command


@pytest.fixture
def quick_checkpoints(monkeypatch) -> None:
    """A checkpoint after every chunk, without waiting for the disk."""
    monkeypatch.setattr(journal, "CHECKPOINT_SECONDS", -1.0)
    monkeypatch.setattr(os, "fsync", lambda _file: None)
