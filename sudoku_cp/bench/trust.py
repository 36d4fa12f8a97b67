"""What trust costs: certificates made and checked, true candidates, canonical forms, audits, in milliseconds of CPU.

Every task is done with the same few puzzles in each round, and the shortest round of each puzzle counts. A first puzzle, off
the clock, loads what is needed; the rules are known from then on, as for the second puzzle of a file.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import process_time
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from sudoku_cp.audit import audit
from sudoku_cp.bench.sets import spread_over
from sudoku_cp.errors import SudokuError, WrongAnswer
from sudoku_cp.formats import Record
from sudoku_cp.grid import Grid
from sudoku_cp.proof import prove, verify
from sudoku_cp.puzzle import Puzzle, canonical_keys
from sudoku_cp.queries import solve, true_candidates

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from sudoku_cp.bench.sets import PuzzleSet
    from sudoku_cp.bench.timing import Plan

FEW, MANY = 10, 1000
"""So many puzzles of a set are asked about one by one, and so many where they are asked about at once."""
USUAL = 81
"""Cells of the board that people know."""
AMBIGUOUS = 300
"""Givens are left out until a puzzle has so many true candidates."""


Task: TypeAlias = "Callable[[list[Puzzle]], Iterator[Run]]"
"""What is timed with some puzzles of one set."""


TRUSTED = ("17clue", "forum", "kaggle", "6x6", "16x16")
"""The sets that show what trust costs; all that are measured where these are not there."""


class Run(NamedTuple):
    """Something timed: what is done, for how many puzzles, and the bytes of what comes out of it, where they matter."""

    do: Callable[[], Any]
    puzzles: int = 1
    size: Callable[[Any], int] | None = None


@dataclass
class TrustTime:
    """One task on one set: the shortest CPU seconds a puzzle of each run, the bytes of its results, what is amiss."""

    task: str
    set: str
    puzzles: int = 0
    seconds: list[float] = field(default_factory=list)
    sizes: list[int] = field(default_factory=list)
    mark: str = ""

    def to_json(self) -> dict[str, Any]:
        """Return it as plain data."""
        return vars(self)


def trust_times(sets: Iterable[PuzzleSet], plan: Plan, report: Callable[[str], object] = str) -> list[TrustTime]:
    """Return the times of every task on the sets of `TRUSTED`, or on all ``sets``; of their puzzles each has one solution."""
    sure = [one for one in sets if one.count == 1]
    samples = {one.name: _puzzles(one) for one in [one for one in sure if one.name in TRUSTED] or sure}
    found = []
    for name, task in TASKS.items():
        for where, puzzles in samples.items():
            report(f"{name}: {where}")
            found.append(_timed(TrustTime(name, where), task, puzzles, plan))
    return found


def _timed(time: TrustTime, task: Task, puzzles: list[Puzzle], plan: Plan) -> TrustTime:
    try:
        for run in task(puzzles):
            result = run.do()
            time.seconds.append(min(_seconds(run.do) for _ in range(plan.rounds)) / run.puzzles)
            time.puzzles += run.puzzles
            if run.size:
                time.sizes.append(run.size(result))
            if sum(time.seconds) > plan.patience:
                break
    except SudokuError as error:
        time.mark = f"{type(error).__name__}: {error}"
    return time


def _seconds(do: Callable[[], object]) -> float:
    start = process_time()
    do()
    return process_time() - start


# --- the tasks --------------------------------------------------------------------------------------------------


def _puzzles(one: PuzzleSet) -> list[Puzzle]:
    grid = Grid.square(one.side, one.boxes)
    rows = one.puzzles[spread_over(len(one.puzzles), min(MANY, len(one.puzzles)))].tolist()
    return [Puzzle(grid, givens={cell: value for cell, value in enumerate(row) if value}) for row in rows]


def _few(puzzles: list[Puzzle]) -> list[Puzzle]:
    return [puzzles[index] for index in spread_over(len(puzzles), min(FEW, len(puzzles)))]


def _proved(prover: str) -> Task:
    def runs(puzzles: list[Puzzle]) -> Iterator[Run]:
        for puzzle in _few(puzzles):
            do = partial(prove, puzzle, claim="unique", provers=(prover,))
            yield Run(do, size=lambda certificate: sum(len(proof.packed()) for proof in certificate.proofs))

    return runs


def _verified(prover: str) -> Task:
    def runs(puzzles: list[Puzzle]) -> Iterator[Run]:
        for puzzle in _few(puzzles):
            with TemporaryDirectory() as folder:
                where = prove(puzzle, claim="unique", provers=(prover,)).write(Path(folder) / "certificate")
                yield Run(partial(_verify, where))

    return runs


def _verify(where: Path) -> None:
    report = verify(where)
    if report.verdict != "verified":
        raise WrongAnswer(f"expected a certificate that is verified, got one {report.verdict}: {'; '.join(report.problems)}")


def _candidates(puzzles: list[Puzzle]) -> Iterator[Run]:
    for puzzle in _few(puzzles):
        yield Run(partial(true_candidates, ambiguous(puzzle)))


def ambiguous(puzzle: Puzzle) -> Puzzle:
    """Return the puzzle without its last givens, as many as it takes to have `AMBIGUOUS` true candidates."""
    givens = dict(puzzle.givens)
    while givens:
        givens.popitem()
        fewer = puzzle.with_givens(givens)
        if sum(domain.bit_count() for domain in true_candidates(fewer).possible) >= AMBIGUOUS:
            return fewer
    return puzzle.with_givens({})


def _keys(puzzles: list[Puzzle]) -> Iterator[Run]:
    yield Run(partial(canonical_keys, puzzles), len(puzzles))


def _grids(puzzles: list[Puzzle]) -> Iterator[Run]:
    # A full large board takes seconds, where a thousand of 9x9 take half of one.
    chosen = puzzles if len(puzzles[0].grid.cells) <= USUAL else _few(puzzles)
    grids = [puzzle.with_givens(dict(enumerate(solve(puzzle).solutions[0]))) for puzzle in chosen]
    yield Run(partial(canonical_keys, grids), len(grids))


def _audited(puzzles: list[Puzzle]) -> Iterator[Run]:
    yield Run(lambda: deque(audit(Record(puzzle, None, 0) for puzzle in puzzles), maxlen=0), len(puzzles))


TASKS: Mapping[str, Task] = MappingProxyType(
    {
        "prove, by sat": _proved("sat"),
        "prove, by native": _proved("native"),
        "verify, by sat": _verified("sat"),
        "verify, by native": _verified("native"),
        "true candidates, 300 or more": _candidates,
        "canonical form": _keys,
        "canonical form of the solution": _grids,
        "audit": _audited,
    }
)
"""What is timed, by its name for people."""


def trust_rows(times: Iterable[TrustTime]) -> list[dict[str, str]]:
    """Return a row a task and set: milliseconds of CPU a puzzle, puzzles a second, bytes of a compressed proof."""
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
