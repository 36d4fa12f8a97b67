"""Printing, as a table: `python -m sudoku_cp.bench.print_times [--rounds N] [--out FILE]`.

Times are seconds of CPU, of a process and its children, so that other work on the machine counts little; the least of a
few rounds.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from itertools import cycle, islice
from pathlib import Path
from typing import TYPE_CHECKING

from sudoku_cp import Position, Puzzle, read_puzzles, write_puzzles
from sudoku_cp.paper import SheetOptions, make_pdf, prepare_puzzles

if TYPE_CHECKING:
    from collections.abc import Callable

EXAMPLES = Path(__file__).parents[2] / "examples/variants"
MANY = 300
"""Puzzles of the booklet-sized run: the examples of all variants, as often as it takes."""


def main() -> None:
    """Measure everything, and write the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=3, help="how often each thing is timed")
    parser.add_argument("--out", type=Path, help="the file of the table, instead of standard output")
    options = parser.parse_args()
    table = "\n".join(["| what | CPU | goal | size | goal |", "|:---|---:|---:|---:|---:|", *rows(options.rounds)]) + "\n"
    if options.out:
        options.out.parent.mkdir(parents=True, exist_ok=True)
        options.out.write_text(f"# What printing costs\n\n{__doc__}\n\n{table}", encoding="utf-8")
    else:
        print(table)


def rows(rounds: int) -> list[str]:
    """Return a row for each thing that is timed: its name, its seconds and its bytes, each with its goal."""
    puzzles = [puzzle for file in sorted(EXAMPLES.glob("*.jsonl")) for puzzle in read_puzzles(file)]
    many = [*islice(cycle(puzzles), MANY)]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_puzzles(many, folder / "many.jsonl", format="json")
        write_puzzles(many[:6], folder / "six.jsonl", format="json")
        return [
            row(f"{MANY} variant puzzles, six a page, start included", "3 s", "500 kB", *command("many.jsonl", folder, rounds)),
            row(f"... drawing alone, of {MANY} puzzles", "2 s", "", *drawing(many, rounds)),
            row("one sheet of six, start included", "0.6 s", "", *command("six.jsonl", folder, rounds)),
            row("`import sudoku_cp`", "0.1 s", "", *least(lambda: run("-c", "import sudoku_cp"), rounds)),
        ]


def row(what: str, goal: str, most: str, seconds: float, size: int) -> str:
    """Return a row of the table."""
    return f"| {what} | {seconds:.2f} s | {goal} | {f'{size / 1000:.0f} kB' if size else ''} | {most} |"


def command(source: str, folder: Path, rounds: int) -> tuple[float, int]:
    """Return the CPU of a run of ``sudoku-cp print``, and the size of what it wrote."""
    out = folder / "out.pdf"
    arguments = ("-m", "sudoku_cp", "print", "--quiet", "--per-page", "6", "--out", str(out), str(folder / source))
    seconds, _ = least(lambda: run(*arguments), rounds)
    return seconds, out.stat().st_size


def drawing(puzzles: list[Puzzle], rounds: int) -> tuple[float, int]:
    """Return the CPU of making the PDF from puzzles that have been read, in this process."""
    options = SheetOptions(per_page=6)
    prepared = prepare_puzzles(map(Position.of, puzzles), options)
    return least(lambda: make_pdf(prepared, options), rounds)


def least(work: Callable[[], object], rounds: int) -> tuple[float, int]:
    """Return the least CPU of a few rounds, of this process and of those that it has waited for."""
    found = []
    for _ in range(rounds):
        before = _cpu()
        made = work()
        found.append(_cpu() - before)
    return min(found), len(made) if isinstance(made, bytes) else 0


def _cpu() -> float:
    times = os.times()
    return time.process_time() + times.children_user + times.children_system


def run(*arguments: str) -> None:
    """Run Python, which must end well."""
    subprocess.run([sys.executable, *arguments], check=True, capture_output=True)  # noqa: S603  # our own program


if __name__ == "__main__":
    main()
