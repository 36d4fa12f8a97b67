"""The cost of trust: making and checking certificates, true candidates, canonical forms, audits, in milliseconds of CPU.

Every task is done with the same few puzzles in each round, and the shortest round of each puzzle counts. A first run, off the
clock, loads what is needed; from then on the rules are known, as for the second puzzle of a file.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import process_time
from types import MappingProxyType
from typing import Any, NamedTuple, TypeAlias

from sudoku_cp.audit import audit
from sudoku_cp.bench.measurement import BenchPlan
from sudoku_cp.bench.puzzle_sets import PuzzleSet, evenly_spaced
from sudoku_cp.errors import SudokuError, WrongAnswer
from sudoku_cp.formats import Record
from sudoku_cp.grid import Grid
from sudoku_cp.proof import prove, verify
from sudoku_cp.puzzle import Puzzle, canonical_keys
from sudoku_cp.queries import solve, true_candidates

FEW, MANY = 10, 1000
"""Puzzles of a set in tasks that take them one by one, and in those that take all at once."""
USUAL = 81
"""Cells of the classic board."""
AMBIGUOUS = 300
"""Givens are left out until a puzzle has this many true candidates."""

Task: TypeAlias = "Callable[[list[Puzzle]], Iterator[TimedCall]]"
"""Yields the calls to time with some puzzles of one set."""
TRUST_SETS = ("17clue", "forum", "kaggle", "6x6", "16x16")
"""The sets that show the cost of trust; without them, all that are measured."""


class TimedCall(NamedTuple):
    """A call to time, the number of puzzles it covers, and the size of its result in bytes where that matters."""

    do: Callable[[], Any]
    puzzles: int = 1
    size: Callable[[Any], int] | None = None


@dataclass
class AnalysisTime:
    """One task on one set: the shortest CPU seconds a puzzle of each call, the bytes of its results, and any failure."""

    task: str
    set: str
    puzzles: int = 0
    seconds: list[float] = field(default_factory=list)
    sizes: list[int] = field(default_factory=list)
    mark: str = ""


def trust_times(sets: Iterable[PuzzleSet], plan: BenchPlan, progress: Callable[[str], object] = str) -> list[AnalysisTime]:
    """Return the times of every task on those of `TRUST_SETS` that were loaded, else on all ``sets`` of unique puzzles."""
    unique = [one for one in sets if one.count == 1]
    samples = {one.name: sample_puzzles(one) for one in [one for one in unique if one.name in TRUST_SETS] or unique}
    found = []
    for name, task in TASKS.items():
        for where, puzzles in samples.items():
            progress(f"{name}: {where}")
            found.append(time_task(AnalysisTime(name, where), task, puzzles, plan))
    return found


def time_task(time: AnalysisTime, task: Task, puzzles: list[Puzzle], plan: BenchPlan) -> AnalysisTime:
    """Add the times of a task's calls to ``time``; what fails or takes longer than the patience ends it."""
    try:
        for call in task(puzzles):
            result = call.do()
            time.seconds.append(min(_cpu_seconds(call.do) for _ in range(plan.rounds)) / call.puzzles)
            time.puzzles += call.puzzles
            if call.size:
                time.sizes.append(call.size(result))
            if sum(time.seconds) > plan.patience:
                break
    except SudokuError as error:
        time.mark = f"{type(error).__name__}: {error}"
    return time


def _cpu_seconds(do: Callable[[], object]) -> float:
    start = process_time()
    do()
    return process_time() - start


# --- the tasks --------------------------------------------------------------------------------------------------


def sample_puzzles(one: PuzzleSet, number: int = MANY) -> list[Puzzle]:
    """Return so many puzzles of a set, evenly spaced; all if there are no more."""
    grid = Grid.square(one.side, one.boxes)
    rows = one.puzzles[evenly_spaced(len(one.puzzles), min(number, len(one.puzzles)))].tolist()
    return [Puzzle(grid, givens={cell: value for cell, value in enumerate(row) if value}) for row in rows]


def _few(puzzles: list[Puzzle]) -> list[Puzzle]:
    return [puzzles[index] for index in evenly_spaced(len(puzzles), min(FEW, len(puzzles)))]


def _prove_task(prover: str) -> Task:
    def calls(puzzles: list[Puzzle]) -> Iterator[TimedCall]:
        for puzzle in _few(puzzles):
            do = partial(prove, puzzle, claim="unique", provers=(prover,))
            yield TimedCall(do, size=lambda certificate: sum(len(proof.compress()) for proof in certificate.proofs))

    return calls


def _verify_task(prover: str) -> Task:
    def calls(puzzles: list[Puzzle]) -> Iterator[TimedCall]:
        for puzzle in _few(puzzles):
            with TemporaryDirectory() as folder:
                where = prove(puzzle, claim="unique", provers=(prover,)).write(Path(folder) / "certificate")
                yield TimedCall(partial(_verify, where))

    return calls


def _verify(where: Path) -> None:
    report = verify(where)
    if report.verdict != "verified":
        raise WrongAnswer(f"expected a certificate that is verified, got one {report.verdict}: {'; '.join(report.problems)}")


def _candidates_task(puzzles: list[Puzzle]) -> Iterator[TimedCall]:
    for puzzle in _few(puzzles):
        yield TimedCall(partial(true_candidates, make_ambiguous(puzzle)))


def make_ambiguous(puzzle: Puzzle) -> Puzzle:
    """Return the puzzle without as many of its last givens as it takes to have `AMBIGUOUS` true candidates."""
    givens = dict(puzzle.givens)
    while givens:
        givens.popitem()
        fewer = puzzle.with_givens(givens)
        if sum(domain.bit_count() for domain in true_candidates(fewer).possible) >= AMBIGUOUS:
            return fewer
    return puzzle.with_givens({})


def _keys_task(puzzles: list[Puzzle]) -> Iterator[TimedCall]:
    yield TimedCall(partial(canonical_keys, puzzles), len(puzzles))


def _grids_task(puzzles: list[Puzzle]) -> Iterator[TimedCall]:
    # A full large board takes seconds, where a thousand of 9x9 take half of one.
    chosen = puzzles if len(puzzles[0].grid.cells) <= USUAL else _few(puzzles)
    grids = [puzzle.with_givens(dict(enumerate(solve(puzzle).solutions[0]))) for puzzle in chosen]
    yield TimedCall(partial(canonical_keys, grids), len(grids))


def _audit_task(puzzles: list[Puzzle]) -> Iterator[TimedCall]:
    yield TimedCall(lambda: deque(audit(Record(puzzle, None, 0) for puzzle in puzzles), maxlen=0), len(puzzles))


TASKS: Mapping[str, Task] = MappingProxyType(
    {
        "prove, by sat": _prove_task("sat"),
        "prove, by native": _prove_task("native"),
        "verify, by sat": _verify_task("sat"),
        "verify, by native": _verify_task("native"),
        "true candidates, 300 or more": _candidates_task,
        "canonical form": _keys_task,
        "canonical form of the solution": _grids_task,
        "audit": _audit_task,
    }
)
"""The tasks by their names in the tables."""


def trust_rows(times: Iterable[AnalysisTime]) -> list[dict[str, str]]:
    """Return a row for each task and set: milliseconds of CPU a puzzle, puzzles a second, bytes of a compressed proof."""
    return [
        {
            "task": one.task,
            "set": one.set,
            "puzzles": f"{one.puzzles:,}",
            "ms median": f"{median(one.seconds) * 1e3:.3g}" if one.seconds else "-",
            "ms max": f"{max(one.seconds) * 1e3:.3g}" if one.seconds else "-",
            "a second": f"{1 / median(one.seconds):,.0f}" if one.seconds else "-",
            "bytes median": f"{median(one.sizes):,.0f}" if one.sizes else "",
            "bytes max": f"{max(one.sizes):,}" if one.sizes else "",
            "remarks": one.mark,
        }
        for one in times
    ]
