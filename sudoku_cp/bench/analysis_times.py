"""The cost of trust: making and checking certificates, true candidates, canonical forms, audits, in milliseconds of CPU.

Every task is done with the same few puzzles in each round, and the shortest round of each puzzle counts. A first run, off the
clock, loads what is needed; from then on the rules are known, as for the second puzzle of a file.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import process_time
from types import MappingProxyType
from typing import Any, NamedTuple, TypeAlias

from sudoku_cp.audit import audit
from sudoku_cp.backends import Limits
from sudoku_cp.bench.measurement import BenchPlan
from sudoku_cp.bench.puzzle_sets import PuzzleSet, evenly_spaced
from sudoku_cp.bench.variants import variant_puzzles
from sudoku_cp.errors import SudokuError, WrongAnswer
from sudoku_cp.formats import Record
from sudoku_cp.grid import Grid
from sudoku_cp.logic.candidate_board import make_board
from sudoku_cp.logic.ladder import RUNGS, SINGLES, walk
from sudoku_cp.logic.proofs.refutations import smallest_refutations
from sudoku_cp.logic.proofs.rounds import proof_profile
from sudoku_cp.logic.rating.explainer import SUKAKU_EXPLAINER, explainer_rating
from sudoku_cp.logic.rating.path_score import score_puzzle
from sudoku_cp.logic.rating.ratings import rate
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
    for name, task in ANALYSIS_TASKS.items():
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


ANALYSIS_TASKS: Mapping[str, Task] = MappingProxyType(
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


# The cost of thinking like a person: paths, ratings and hints, in milliseconds of CPU, by how hard the puzzles are.
#
# Each figure has its goal beside it where there is one.


LOGIC_SETS = ("kaggle", "minimal", "top95", "magictour", "forum")
"""The sets from which puzzles are taken."""
CLASSES: Mapping[str, tuple[float, float]] = MappingProxyType(
    {
        "ER to 2.8": (1.0, 2.8),
        "ER 2.9 to 5.2": (2.9, 5.2),
        "ER 5.3 to 7.3": (5.3, 7.3),
        "ER 7.4 to 9.5": (7.4, 9.5),
        "ER above": (9.6, 12.0),
    }
)
"""The classes of puzzles by their rating on Sudoku Explainer's scale, the least and the greatest of each."""
PER_CLASS = 10
"""Puzzles timed of each class."""
PER_SET, IDLE = 300, 20
"""The most puzzles of a set that are rated to fill the classes, and those in a row without a place after which it is left."""
PATIENCE = 10
"""A task has so many times the patience of other measurements: it is to end with all puzzles of a class."""
KILLERS = "killer"
"""The class, and the family of the project's own puzzles of other rules, that stands for all of these."""
_BY_CLASS = dict(zip(CLASSES, (5, 5, 40, 400), strict=False))
GOALS: Mapping[tuple[str, str], float] = MappingProxyType(
    {
        **{(task, name): goal for task in ("path by the ladder", "rate, se", "rate, sukaku") for name, goal in _BY_CLASS.items()},
        ("rate, proof", "ER 5.3 to 7.3"): 50,
        **{("hint by proof size", name): 20 for name in _BY_CLASS},
        ("hint by proof size", "ER above"): 1000,
        ("rate, all scales", KILLERS): 1000,
    }
)
"""The milliseconds that the median of a task in a class is meant to stay below."""

RATING_PATIENCE = 1.0
"""Seconds in which a puzzle is rated, or counts as one of the hardest."""


def logic_times(sets: Iterable[PuzzleSet], plan: BenchPlan, progress: Callable[[str], object] = str) -> list[AnalysisTime]:
    """Return the times of every task on each class of the puzzles of `LOGIC_SETS`, and of killers; none if no set was loaded."""
    classes = _classify([one for one in sets if one.name in LOGIC_SETS], plan, progress)
    if not classes:
        return []
    found, plan = [], replace(plan, patience=PATIENCE * plan.patience)
    for name, task in LOGIC_TASKS.items():
        for where, puzzles in classes.items():
            progress(f"{name}: {where}")
            found.append(time_task(AnalysisTime(name, where), task, puzzles, plan))
    killers = [puzzle for family, puzzle in variant_puzzles() if family == KILLERS]
    progress(f"rating puzzles: {KILLERS}")
    return [*found, time_task(AnalysisTime("rate, all scales", KILLERS), _task(rate), killers, plan)]


def logic_rows(times: Iterable[AnalysisTime]) -> list[dict[str, str]]:
    """Return a row for each task and class: milliseconds of CPU a puzzle, and the goal of the median where there is one."""
    timed, found = list(times), []
    for one, row in zip(timed, trust_rows(timed), strict=True):
        goal = GOALS.get((one.task, one.set))
        shown = {name: row[name] for name in ("task", "set", "puzzles", "ms median", "ms max")}
        found.append(shown | {"goal": "" if goal is None else f"{goal:g}", "remarks": row["remarks"]})
    return found


def _classify(sets: Iterable[PuzzleSet], plan: BenchPlan, progress: Callable[[str], object]) -> dict[str, list[Puzzle]]:
    """Return up to `PER_CLASS` puzzles of each class, as many as the sets have where that is soon known."""
    found: dict[str, list[Puzzle]] = {name: [] for name in CLASSES}
    for one in sets:
        idle = 0
        for puzzle in sample_puzzles(one, PER_SET):
            progress(f"rating puzzles: {one.name}")
            own = found[_class_of(puzzle, plan)]
            idle = 0 if len(own) < PER_CLASS else idle + 1
            if idle == IDLE:
                break
            own += [puzzle] * (not idle)
    return {name: some for name, some in found.items() if some}


def _class_of(puzzle: Puzzle, plan: BenchPlan) -> str:
    """Return the class of a puzzle; one that is not rated within the patience is in the last."""
    try:
        rating = explainer_rating(puzzle, limits=Limits(seconds=min(RATING_PATIENCE, plan.patience))).er
    except SudokuError:
        rating = max(CLASSES.values())[1]
    return next(name for name, (_, greatest) in CLASSES.items() if rating <= greatest)


def _task(do: Callable[[Puzzle], object]) -> Task:
    def calls(puzzles: list[Puzzle]) -> Iterator[TimedCall]:
        for puzzle in puzzles:
            yield TimedCall(partial(do, puzzle))

    return calls


def _walk_path(puzzle: Puzzle) -> None:
    walk(make_board(puzzle), RUNGS)


def _find_refutations(puzzle: Puzzle) -> None:
    """Refute candidates where singles end: what a hint does that no technique gives."""
    board = make_board(puzzle)
    walk(board, SINGLES)
    smallest_refutations(board)


LOGIC_TASKS: Mapping[str, Task] = MappingProxyType(
    {
        "path by the ladder": _task(_walk_path),
        "rate, se": _task(explainer_rating),
        "rate, sukaku": _task(partial(explainer_rating, program=SUKAKU_EXPLAINER)),
        "rate, proof": _task(proof_profile),
        "rate, hodoku": _task(score_puzzle),
        "hint by proof size": _task(_find_refutations),
    }
)
"""The tasks by their names in the table."""
