"""Whole processes: a cold call, and a file solved into a file."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from shutil import which
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import TYPE_CHECKING, Any

from sudoku_cp.bench.asking import lines_of
from sudoku_cp.bench.contestants import KERNEL
from sudoku_cp.bench.timing import Result

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from sudoku_cp.bench.asking import Clock
    from sudoku_cp.bench.sets import PuzzleSet

LINE = "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......"
RUNS = 15
WARMING = 2
"""The first runs only warm the disk's cache."""
ENOUGH = 1000
"""Sets of fewer puzzles are not solved from file to file."""
MANY = 200_000
"""A set is repeated until its file has about so many puzzles, so that the process outlasts its start."""
PATIENCE = 60.0
"""Seconds that a process may take."""


@dataclass(frozen=True)
class FileTime:
    """A set, repeated, solved from file to file: seconds of the whole process, and of one that has a single puzzle to solve."""

    name: str
    puzzles: int
    whole: float
    starting: float

    @property
    def rate(self) -> float | None:
        """Puzzles a second once the process has started; None where it was over too soon to tell."""
        seconds = self.whole - self.starting
        return self.puzzles / seconds if seconds > self.starting / 10 else None

    def to_json(self) -> dict[str, Any]:
        """Return it as plain data."""
        return vars(self) | {"rate": self.rate}


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
    """Return how long ``sudoku-cp solve SET --out FILE.csv`` takes, as the shortest of some rounds."""
    lines = lines_of(one.puzzles) * max(1, MANY // len(one.puzzles))
    with TemporaryDirectory() as folder:
        whole, single = Path(folder, "set.txt"), Path(folder, "one.txt")
        whole.write_text("\n".join(lines) + "\n", encoding="utf-8")
        single.write_text(lines[0] + "\n", encoding="utf-8")
        times = [(_solved(whole, clock), _solved(single, clock)) for _ in range(rounds)]
    return FileTime(one.name, len(lines), *map(min, zip(*times, strict=True)))


def _solved(path: Path, clock: Clock) -> float:
    answers = path.with_suffix(".csv")
    answers.unlink(missing_ok=True)
    start = clock()
    ran([program(), "solve", "--quiet", "--backend", KERNEL, "--out", str(answers), str(path)])
    seconds = clock() - start
    if not answers.stat().st_size:
        raise OSError(f"expected answers in {answers.name}, got none")
    return seconds
