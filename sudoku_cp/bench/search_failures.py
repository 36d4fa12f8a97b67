"""Failures and CPU milliseconds of the compiled search on puzzles of other rules, for each family, in two source trees.

Run it as ``python -m sudoku_cp.bench.search_failures TREE TREE [FILE...]``: the package as it was, and as it is. A child for each
tree reads, translates and proves every puzzle with ``native:compiled``, in alternation, with the models of rules forgotten; the
shortest time counts. What takes longer than the patience counts as that, and is marked with an asterisk.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from argparse import ArgumentParser
from collections.abc import Sequence
from io import StringIO
from pathlib import Path
from statistics import median
from time import process_time
from typing import Any

HERE = Path(__file__).resolve()
EXAMPLES = HERE.parents[2] / "examples"
FOLDERS = {"": EXAMPLES / "variants", "harder ": EXAMPLES / "harder_variants"}
ROUNDS = 3
PATIENCE = 10.0
"""Seconds that a puzzle may take."""


def measure() -> None:
    """Solve the puzzles that come as lines; print the failures, the status and the CPU milliseconds of each."""
    from sudoku_cp import Grid, Limits, Puzzle, read_puzzles, solve  # of the child's own tree
    from sudoku_cp.backends import new_backend
    from sudoku_cp.puzzle import forget_models

    for line in sys.stdin:
        forget_models()
        Puzzle(Grid.square(9)).model()  # rows, columns and boxes are always known
        start = process_time()
        (puzzle,) = read_puzzles(StringIO(line))
        answer = solve(puzzle, backend=new_backend("native:compiled"), limits=Limits(seconds=12 * PATIENCE))
        ms = min(process_time() - start, PATIENCE) * 1e3
        solved = answer.status == "unique" and ms < PATIENCE * 1e3
        found = {"failures": answer.counters["backtracks"], "ms": ms, "solved": solved, "seconds": answer.seconds}
        print(json.dumps(found), flush=True)


def child(tree: str) -> subprocess.Popen[str]:
    """Start a process that measures with the package of a source tree, and let it load the kernel."""
    environment = {**os.environ, "PYTHONPATH": tree}
    found = subprocess.Popen(  # noqa: S603  # this interpreter, with this file
        [sys.executable, str(HERE), "--child"], env=environment, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    ask(found, (FOLDERS[""] / "killer.jsonl").read_text().splitlines()[0])
    return found


def ask(one: subprocess.Popen[str], line: str) -> dict[str, Any]:
    """Return what a child measures."""
    assert one.stdin  # noqa: S101  # both are pipes
    assert one.stdout  # noqa: S101
    print(line, file=one.stdin, flush=True)
    return json.loads(one.stdout.readline())  # type: ignore[no-any-return]


def alternate(children: list[subprocess.Popen[str]], line: str) -> list[dict[str, Any]]:
    """Return the shortest of each child's rounds; a long puzzle has only one."""
    found = [ask(one, line) for one in children]
    if max(one["ms"] for one in found) < PATIENCE * 1e2:
        for _ in range(ROUNDS - 1):
            found = [min(before, ask(one, line), key=lambda run: run["ms"]) for before, one in zip(found, children, strict=True)]
    return found


def print_row(name: str, pairs: list[list[dict[str, Any]]]) -> None:
    """Print the failures and the milliseconds of some puzzles, before and after, and how many times faster they are."""
    cells = []
    for key, form in (("failures", "{:.0f}"), ("ms", "{:.1f}")):
        for run in zip(*pairs, strict=True):
            mark = "*" if _unsolved(run) else ""
            cells += [form.format(sum(one[key] for one in run)) + mark]
    before, after = (sum(one["ms"] for one in run) for run in zip(*pairs, strict=True))
    print(f"{name:28}" + "".join(f"{cell:>11}" for cell in cells) + f"{before / after:8.2f}", flush=True)


def main() -> None:
    """Measure all files, or those named."""
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("trees", nargs=2)
    parser.add_argument("files", nargs="*", type=Path)
    options = parser.parse_args()
    children = [child(tree) for tree in options.trees]
    print(f"{'':28}{'failures':>22}{'ms':>22}   times")
    everything = []
    for path in options.files or [path for folder in FOLDERS.values() for path in sorted(folder.glob("*.jsonl"))]:
        prefix = next((prefix for prefix, folder in FOLDERS.items() if path.resolve().parent == folder), "")
        pairs = [alternate(children, line) for line in path.read_text().splitlines()]
        print_row(prefix + path.stem, pairs)
        everything += pairs
    print_row("all", everything)
    for name, run in zip(("before", "after"), zip(*everything, strict=True), strict=True):
        times = [one["ms"] for one in run]
        print(f"{name}: median {median(times):.2f} ms, total {sum(times) / 1e3:.2f} s, unsolved {_unsolved(run)}")


def _unsolved(run: Sequence[dict[str, Any]]) -> int:
    return sum(not one["solved"] for one in run)


if __name__ == "__main__":
    measure() if "--child" in sys.argv else main()
