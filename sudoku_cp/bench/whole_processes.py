"""Whole processes: a cold call, and a file solved into a file."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import ceil
from pathlib import Path
from shutil import which
from tempfile import TemporaryDirectory
from time import perf_counter

import numpy as np

from sudoku_cp.bench.contestant_process import ContestantProcess
from sudoku_cp.bench.contestants import KERNEL, kernel_contestant
from sudoku_cp.bench.machine import cores
from sudoku_cp.bench.measurement import ContestantResult, RunningContestant
from sudoku_cp.bench.puzzle_sets import PuzzleSet
from sudoku_cp.bench.runners import Clock, givens_to_lines

LINE = "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......"
RUNS = 15
WARMING = 2
"""The first runs, not counted, warm the disk's cache."""
TINY = 1000
"""Puzzles of the file that shows the time of the start: enough for the batch kernel; smaller sets are left out."""
MANY, LASTING = 500_000, 0.5
"""A set is repeated until it has about this many puzzles or takes the kernel this many seconds, to outlast the start."""
PATIENCE = 60.0
"""Seconds that a process may take."""


@dataclass(frozen=True)
class FileTime:
    """A set, repeated, solved from file to file: seconds of the whole process, and of one with only `TINY` puzzles.

    ``solving`` is the time of the checked kernel for all puzzles from array to array, on as many threads.
    """

    name: str
    puzzles: int
    whole: float
    starting: float
    solving: float

    @property
    def rate(self) -> float | None:
        """Puzzles a second after the start of the process; None where it ended too soon to measure."""
        seconds = self.whole - self.starting
        return (self.puzzles - TINY) / seconds if seconds > self.starting / 10 else None

    @property
    def alone(self) -> float:
        """Puzzles a second of the kernel from array to array."""
        return self.puzzles / self.solving

    @property
    def ratio(self) -> float | None:
        """Seconds after the start spent on all else, for each second of solving."""
        return self.alone / self.rate - 1 if self.rate else None


def run_command(words: Sequence[str]) -> str:
    """Run a command and return its output; raise `OSError` if it gives no answer (an exit code above 1, or a timeout)."""
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


def cold_process_times(
    runs: int = RUNS, run: Callable[[Sequence[str]], object] = run_command, clock: Clock = perf_counter
) -> list[ContestantResult]:
    """Return the times of whole processes, run in turn, with ``python -c pass`` as the reference."""
    commands: Mapping[str, Sequence[str]] = {
        "python -c pass": [sys.executable, "-c", "pass"],
        'python -c "import sudoku_cp"': [sys.executable, "-c", "import sudoku_cp"],
        "sudoku-cp solve LINE": [program(), "solve", LINE],
    }
    results = [ContestantResult(name, 1, ours="sudoku" in name) for name in commands]
    for number in range(runs + WARMING):
        for result, words in zip(results, commands.values(), strict=True):
            start = clock()
            run(words)
            if number >= WARMING:
                result.seconds.append(clock() - start)
    for result in results:
        result.shared, result.against = result.seconds, results[0].seconds
    return results


def can_write_files() -> bool:
    """Return whether this ``sudoku-cp solve`` has ``--out``."""
    return "--out" in run_command([program(), "solve", "--help"])


def file_to_file(one: PuzzleSet, rounds: int = 3, clock: Clock = perf_counter) -> FileTime:
    """Return the times of ``sudoku-cp solve SET --out FILE.csv`` and of the kernel alone, the shortest of some rounds."""
    with TemporaryDirectory() as folder, ContestantProcess(kernel_contestant(cores())) as kernel:
        copies = _copies(one, kernel)
        puzzles, lines = np.tile(one.puzzles, (copies, 1)), givens_to_lines(one.puzzles) * copies
        whole, tiny = _write_lines(Path(folder, "set.txt"), lines), _write_lines(Path(folder, "tiny.txt"), lines[:TINY])
        _time_solving(tiny, clock)  # compiles what is not compiled yet, and warms the disk's cache
        times = [
            (_time_solving(whole, clock), _time_solving(tiny, clock), kernel.ask(puzzles, one.boxes, PATIENCE).seconds)
            for _ in range(rounds)
        ]
    return FileTime(one.name, len(lines), *map(min, zip(*times, strict=True)))


def _copies(one: PuzzleSet, kernel: RunningContestant) -> int:
    seconds = kernel.ask(one.puzzles, one.boxes, PATIENCE).seconds
    return ceil(min(LASTING / seconds, MANY / len(one.puzzles)))


def _write_lines(path: Path, lines: Sequence[str]) -> Path:
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def _time_solving(path: Path, clock: Clock) -> float:
    answers = path.with_suffix(".csv")
    answers.unlink(missing_ok=True)
    start = clock()
    words = [program(), "solve", "--quiet", "--backend", KERNEL, "--workers", str(cores()), "--out", str(answers), str(path)]
    run_command(words)
    seconds = clock() - start
    if not answers.stat().st_size:
        raise OSError(f"expected answers in {answers.name}, got none")
    return seconds
