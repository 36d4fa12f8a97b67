"""The cost of thinking like a person: paths, ratings and hints, in milliseconds of CPU, by how hard the puzzles are.

Each figure has its goal beside it where there is one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from types import MappingProxyType

from sudoku_cp.backends import Limits
from sudoku_cp.bench.analysis_times import AnalysisTime, Task, TimedCall, sample_puzzles, time_task, trust_rows
from sudoku_cp.bench.measurement import BenchPlan
from sudoku_cp.bench.puzzle_sets import PuzzleSet
from sudoku_cp.bench.variants import variant_puzzles
from sudoku_cp.errors import SudokuError
from sudoku_cp.logic.candidate_board import make_board
from sudoku_cp.logic.ladder import walk
from sudoku_cp.logic.proofs.profile import proof_profile
from sudoku_cp.logic.proofs.refutations import smallest_refutations
from sudoku_cp.logic.rating.explainer import explainer_rating
from sudoku_cp.logic.rating.ratings import rate
from sudoku_cp.logic.rating.score import score_puzzle
from sudoku_cp.logic.rungs import RUNGS, SINGLES
from sudoku_cp.puzzle import Puzzle

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
        **{(task, name): goal for task in ("path by the ladder", "rate, se") for name, goal in _BY_CLASS.items()},
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
    for name, task in TASKS.items():
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


TASKS: Mapping[str, Task] = MappingProxyType(
    {
        "path by the ladder": _task(_walk_path),
        "rate, se": _task(explainer_rating),
        "rate, proof": _task(proof_profile),
        "rate, hodoku": _task(score_puzzle),
        "hint by proof size": _task(_find_refutations),
    }
)
"""The tasks by their names in the table."""
