"""Whole processes: a cold call, and a file solved into a file."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import dataclass
from math import ceil
from pathlib import Path
from shutil import which
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import TYPE_CHECKING, Any

import numpy as np

from sudoku_cp.bench.asking import lines_of
from sudoku_cp.bench.children import Child
from sudoku_cp.bench.contestants import KERNEL, cores, kernel
from sudoku_cp.bench.timing import Result

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from sudoku_cp.bench.asking import Clock
    from sudoku_cp.bench.sets import PuzzleSet
    from sudoku_cp.bench.timing import Asks

LINE = "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......"
RUNS = 15
WARMING = 2
"""The first runs only warm the disk's cache."""
TINY = 1000
"""The puzzles of the file that shows the start, enough for the program to take the kernel; smaller sets are left out."""
MANY, LASTING = 500_000, 0.5
"""A set is repeated until its file has about so many puzzles, or the kernel takes so many seconds: it outlasts the start."""
PATIENCE = 60.0
"""Seconds that a process may take."""


@dataclass(frozen=True)
class FileTime:
    """A set, repeated, solved from file to file: seconds of the whole process, and of one that has `TINY` puzzles to solve.

    ``solving`` are the seconds that the checked kernel takes for all puzzles from array to array, on as many threads.
    """

    name: str
    puzzles: int
    whole: float
    starting: float
    solving: float

    @property
    def rate(self) -> float | None:
        """Puzzles a second past the start of the process; None where it was over too soon to tell."""
        seconds = self.whole - self.starting
        return (self.puzzles - TINY) / seconds if seconds > self.starting / 10 else None

    @property
    def alone(self) -> float:
        """Puzzles a second of the kernel from array to array."""
        return self.puzzles / self.solving

    @property
    def ratio(self) -> float | None:
        """Seconds past the start that go into all else, for each second that goes into solving."""
        return self.alone / self.rate - 1 if self.rate else None

    def to_json(self) -> dict[str, Any]:
        """Return it as plain data."""
        return vars(self) | {"rate": self.rate, "alone": self.alone, "ratio": self.ratio}


def ran(words: Sequence[str]) -> str:
    """Run a command, of which any exit code that is an answer is good, and return what it printed; raise `OSError` otherwise."""
    try:
        done = subprocess.run(words, capture_output=True, check=False, text=True, timeout=PATIENCE)  # noqa: S603
    except subprocess.TimeoutExpired as error:
        raise OSError(f"expected {' '.join(words)} to answer in {PATIENCE:g} s, got nothing") from error
    if done.returncode > 1:
        raise OSError(f"expected {' '.join(words)} to answer, got exit code {done.returncode}")
    return done.stdout


def program() -> str:
    """Return the command ``sudoku-cp`` that belongs to this Python."""
    return which("sudoku-cp", path=str(Path(sys.executable).parent)) or "sudoku-cp"


def cold(runs: int = RUNS, run: Callable[[Sequence[str]], object] = ran, clock: Clock = perf_counter) -> list[Result]:
    """Return the seconds of whole processes, run in turn, against those of ``python -c pass``."""
    commands: Mapping[str, Sequence[str]] = {
        "python -c pass": [sys.executable, "-c", "pass"],
        'python -c "import sudoku_cp"': [sys.executable, "-c", "import sudoku_cp"],
        "sudoku-cp solve LINE": [program(), "solve", LINE],
    }
    results = [Result(name, 1, ours="sudoku" in name) for name in commands]
    for number in range(runs + WARMING):
        for result, words in zip(results, commands.values(), strict=True):
            start = clock()
            run(words)
            if number >= WARMING:
                result.seconds.append(clock() - start)
    for result in results:
        result.shared, result.against = result.seconds, results[0].seconds
    return results


def writes_files() -> bool:
    """Say whether this ``sudoku-cp solve`` can write its answers to a file, with the batch kernel."""
    return "--out" in ran([program(), "solve", "--help"])


def file_to_file(one: PuzzleSet, rounds: int = 3, clock: Clock = perf_counter) -> FileTime:
    """Return how long ``sudoku-cp solve SET --out FILE.csv`` takes, as the shortest of some rounds, and the kernel alone."""
    with TemporaryDirectory() as folder, Child(kernel(cores())) as alone:
        copies = _copies(one, alone)
        puzzles, lines = np.tile(one.puzzles, (copies, 1)), lines_of(one.puzzles) * copies
        whole, tiny = _filed(Path(folder, "set.txt"), lines), _filed(Path(folder, "tiny.txt"), lines[:TINY])
        _solved(tiny, clock)  # compiles what is not compiled yet, and warms the disk's cache
        times = [
            (_solved(whole, clock), _solved(tiny, clock), alone.ask(puzzles, one.boxes, PATIENCE).seconds) for _ in range(rounds)
        ]
    return FileTime(one.name, len(lines), *map(min, zip(*times, strict=True)))


def _copies(one: PuzzleSet, alone: Asks) -> int:
    seconds = alone.ask(one.puzzles, one.boxes, PATIENCE).seconds
    return ceil(min(LASTING / seconds, MANY / len(one.puzzles)))


def _filed(path: Path, lines: Sequence[str]) -> Path:
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def _solved(path: Path, clock: Clock) -> float:
    answers = path.with_suffix(".csv")
    answers.unlink(missing_ok=True)
    start = clock()
    words = [program(), "solve", "--quiet", "--backend", KERNEL, "--workers", str(cores()), "--out", str(answers), str(path)]
    ran(words)
    seconds = clock() - start
    if not answers.stat().st_size:
        raise OSError(f"expected answers in {answers.name}, got none")
    return seconds
