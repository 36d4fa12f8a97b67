"""The cost of thinking like a person: paths, ratings and hints, in milliseconds of CPU, by how hard the puzzles are."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from itertools import chain
from types import MappingProxyType

from sudoku_cp.backends import Limits
from sudoku_cp.bench.analysis_times import AnalysisTime, Task, TimedCall, sample_puzzles, time_task
from sudoku_cp.bench.measurement import BenchPlan
from sudoku_cp.bench.puzzle_sets import PuzzleSet
from sudoku_cp.errors import SudokuError
from sudoku_cp.logic.candidate_board import make_board
from sudoku_cp.logic.ladder import walk
from sudoku_cp.logic.proofs.profile import proof_profile
from sudoku_cp.logic.proofs.refutations import smallest_refutations
from sudoku_cp.logic.rating.explainer import explainer_rating
from sudoku_cp.logic.rating.score import score_puzzle
from sudoku_cp.logic.rungs import RUNGS, SINGLES
from sudoku_cp.puzzle import Puzzle

LOGIC_SETS = ("kaggle", "minimal", "top95", "magictour", "forum")
"""The sets from which puzzles are taken."""
CLASSES: Mapping[str, tuple[float, float]] = MappingProxyType(
    {
        "ER to 2.8": (1.0, 2.8),
        "ER 2.9 to 5.2": (2.9, 5.2),
        "ER 5.4 to 7.3": (5.4, 7.3),
        "ER 7.5 to 9.5": (7.5, 9.5),
        "ER above": (9.6, 12.0),
    }
)
"""The classes of puzzles by their rating on Sudoku Explainer's scale, the least and the greatest of each."""
PER_CLASS, PER_SET = 10, 20
"""Puzzles timed of each class, and puzzles of each set that are rated to fill the classes."""


RATING_PATIENCE = 1.0
"""Seconds in which a puzzle is rated, or counts as one of the hardest."""


def logic_times(sets: Iterable[PuzzleSet], plan: BenchPlan, progress: Callable[[str], object] = str) -> list[AnalysisTime]:
    """Return the times of every task on each class of the puzzles of `LOGIC_SETS`, as far as these were loaded."""
    classes = _classify(
        chain.from_iterable(sample_puzzles(one, PER_SET) for one in sets if one.name in LOGIC_SETS), plan, progress
    )
    found = []
    for name, task in TASKS.items():
        for where, puzzles in classes.items():
            progress(f"{name}: {where}")
            found.append(time_task(AnalysisTime(name, where), task, puzzles, plan))
    return found


def _classify(puzzles: Iterable[Puzzle], plan: BenchPlan, progress: Callable[[str], object]) -> dict[str, list[Puzzle]]:
    """Return some puzzles of each class; one that is not rated within the patience is in the last."""
    found: dict[str, list[Puzzle]] = {name: [] for name in CLASSES}
    for puzzle in puzzles:
        progress("rating puzzles")
        try:
            rating = explainer_rating(puzzle, limits=Limits(seconds=min(RATING_PATIENCE, plan.patience))).er
        except SudokuError:
            rating = max(CLASSES.values())[1]
        for name, (least, greatest) in CLASSES.items():
            if least <= rating <= greatest and len(found[name]) < PER_CLASS:
                found[name].append(puzzle)
    return {name: some for name, some in found.items() if some}


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
