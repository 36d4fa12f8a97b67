"""``make bench``: our engines beside plain ortools and python-sat programs, and a cold process beside ``python -c pass``.

All contestants of a table answer the same puzzles in turn, in several rounds; the minimum of the rounds is reported, with
the spread, and ratios are taken within the run. The tables are printed and written to ``benchmarks/results``.
"""

from __future__ import annotations

import json
import platform
import subprocess
import sys
from dataclasses import dataclass
from itertools import islice
from os import cpu_count
from pathlib import Path
from shutil import which
from time import perf_counter
from typing import TYPE_CHECKING

from benchmarks.plain import plain_cpsat, plain_cpsat_twice, plain_sat, plain_sat_list
from sudoku_cp import Puzzle, is_unique
from sudoku_cp.formats import read_puzzles

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

ROOT = Path(__file__).resolve().parents[1]
DATA = ROOT / "../shared/data/puzzles"
RESULTS = ROOT / "benchmarks/results"
SETS = {
    "17-clue": ("17clue.txt.gz", 400),
    "top95": ("norvig_top95.txt", 95),
    "forum 11+": ("forum_hardest_11plus_20k.txt.gz", 100),
}
ROUNDS = 5
LINE = "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......"


@dataclass(frozen=True)
class Contestant:
    """A way to say whether a puzzle is unique, and the baseline it is held against."""

    name: str
    unique: Callable[[str], bool]
    against: str | None = None


def ours(engine: str) -> Callable[[str], bool]:
    """Return our answer to the same question, from text to checked answer."""
    return lambda text: is_unique(Puzzle.parse(text), backend=engine)


CONTESTANTS = (
    Contestant("plain python-sat, fresh CNF", plain_sat),
    Contestant("plain python-sat, fresh list of clauses", plain_sat_list),
    Contestant("sudoku_cp sat", ours("sat"), "plain python-sat, fresh list of clauses"),
    Contestant("plain ortools, fresh model, enumerated", plain_cpsat),
    Contestant("plain ortools, fresh model, solved twice", plain_cpsat_twice),
    Contestant("sudoku_cp cpsat", ours("cpsat"), "plain ortools, fresh model, enumerated"),
    Contestant("sudoku_cp cpsat:alldifferent", ours("cpsat:alldifferent"), "plain ortools, fresh model, enumerated"),
    Contestant("sudoku_cp native", ours("native")),
)


def measured(texts: Sequence[str]) -> dict[str, list[float]]:
    """Return the milliseconds a puzzle of every contestant, a round each."""
    times: dict[str, list[float]] = {contestant.name: [] for contestant in CONTESTANTS}
    for contestant in CONTESTANTS:
        if not all(map(contestant.unique, texts[:3])):
            raise SystemExit(f"{contestant.name} is wrong about one of {texts[:3]}")
    for _ in range(ROUNDS):
        for contestant in CONTESTANTS:
            start = perf_counter()
            right = sum(map(contestant.unique, texts)) == len(texts)
            times[contestant.name].append((perf_counter() - start) / len(texts) * 1e3)
            if not right:
                raise SystemExit(f"{contestant.name} calls a unique puzzle not unique")
    return times


def cold(commands: dict[str, list[str]], runs: int = 25) -> dict[str, list[float]]:
    """Return the milliseconds of whole processes, run in turn."""
    times: dict[str, list[float]] = {name: [] for name in commands}
    for number in range(runs + 2):
        for name, command in commands.items():
            start = perf_counter()
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
            if number > 1:  # the first two warm the disk's cache
                times[name].append((perf_counter() - start) * 1e3)
    return times


def table(title: str, times: dict[str, list[float]], against: dict[str, str | None]) -> list[str]:
    """Return a Markdown table: minimum, spread, and how many times faster than its baseline."""
    rows = [f"### {title}", "", "| | ms, minimum | median | maximum | ratio |", "|---|---:|---:|---:|---|"]
    for name, own in times.items():
        base = against.get(name)
        ratio = f"{min(times[base]) / min(own):.2f}x faster than {base}" if base else ""
        middle = sorted(own)[len(own) // 2]
        rows.append(f"| {name} | {min(own):.3f} | {middle:.3f} | {max(own):.3f} | {ratio} |")
    return [*rows, ""]


def main() -> None:
    """Measure everything and show it."""
    machine = f"{platform.machine()}, {cpu_count()} cores, Python {platform.python_version()}, {platform.system()}"
    lines = ["## Solve and prove unique, ms a puzzle", "", f"{machine}; one thread; `make bench`.", ""]
    results: dict[str, dict[str, list[float]]] = {}
    against = {contestant.name: contestant.against for contestant in CONTESTANTS}
    for title, (name, number) in SETS.items():
        if not (DATA / name).exists():
            lines.append(f"{title}: {name} is not here, left out")
            continue
        texts = [puzzle.line() for puzzle in islice(read_puzzles(DATA / name), number)]
        results[title] = measured(texts)
        lines += table(f"{title} ({len(texts)} puzzles)", results[title], against)
    command = which("sudoku-cp", path=str(Path(sys.executable).parent)) or "sudoku-cp"
    processes = {
        "python -c pass": [sys.executable, "-c", "pass"],
        "import sudoku_cp": [sys.executable, "-c", "import sudoku_cp"],
        "sudoku-cp solve LINE": [command, "solve", LINE],
    }
    results["cold"] = cold(processes)
    base = min(results["cold"]["python -c pass"])
    lines += table("A cold process, ms", results["cold"], {})
    lines += [f"{name}: {min(own) / base:.1f} times `python -c pass`" for name, own in results["cold"].items()]
    sys.stdout.write("\n".join(lines) + "\n")
    RESULTS.mkdir(exist_ok=True)
    (RESULTS / "latest.json").write_text(json.dumps({"machine": machine, "ms": results}, indent=1))
    (RESULTS / "latest.md").write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
