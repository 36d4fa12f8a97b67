"""Puzzles of other rules: every engine on every puzzle, with the rule set new to it and with the rule set known.

New means that the library is warm and the rules have to be translated; known, that a puzzle of the same rules was solved
before. The question is the same as everywhere: the solution, and that it is the only one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from time import perf_counter

from sudoku_cp.backends import Limits, new_backend
from sudoku_cp.bench.measurement import BenchPlan
from sudoku_cp.bench.puzzle_sets import EXAMPLES
from sudoku_cp.errors import SudokuError
from sudoku_cp.formats import read_puzzles
from sudoku_cp.puzzle import Puzzle, forget_models
from sudoku_cp.queries import solve

ENGINES = ("race", "native", "sat", "cpsat")
"""The engines, first the one that `auto` chooses."""
FOLDER = EXAMPLES / "variants"
"""The project's own puzzles of other rules, a file for each family."""


@dataclass
class VariantTime:
    """One engine on one puzzle: the seconds of each round with the rules new and known, and any failure."""

    family: str
    puzzle: str
    engine: str
    new: list[float] = field(default_factory=list)
    known: list[float] = field(default_factory=list)
    mark: str = ""


def variant_puzzles(folder: Path = FOLDER) -> list[tuple[str, Puzzle]]:
    """Return the puzzles of a folder, each with the name of its file as its family; none if there is no folder."""
    files = sorted(folder.glob("*.jsonl")) if folder.is_dir() else []
    return [(path.stem, puzzle) for path in files for puzzle in read_puzzles(path)]


def variant_times(
    puzzles: Iterable[tuple[str, Puzzle]], engines: Sequence[str], plan: BenchPlan, progress: Callable[[str], object] = str
) -> list[VariantTime]:
    """Return the times of every engine on every puzzle; engines that take longer than the plan's patience are marked."""
    found = []
    for family, puzzle in puzzles:
        progress(f"variants: {puzzle.title or family}")
        entries = [VariantTime(family, puzzle.title or family, engine) for engine in engines]
        for _ in range(plan.rounds):
            for entry in entries:
                if not entry.mark:
                    _time_round(entry, puzzle, plan)
        found += entries
    return found


def _time_round(entry: VariantTime, puzzle: Puzzle, plan: BenchPlan) -> None:
    engine = new_backend(entry.engine)  # new sessions, which know no rules
    forget_models()
    Puzzle(puzzle.grid).model()  # rows, columns and boxes are always known
    for times in (entry.new, entry.known):
        start = perf_counter()
        try:
            answer = solve(puzzle, backend=engine, limits=Limits(plan.patience))
        except SudokuError as error:
            entry.mark = f"{type(error).__name__}: {error}"
            return
        times.append(perf_counter() - start)
        if answer.status == "unknown":
            entry.mark = f"no answer in {plan.patience:g} s"
            return
        if answer.status != "unique" or answer.stated == "wrong":
            entry.mark = f"wrong: {answer.status}"
            return


def family_rows(times: Sequence[VariantTime]) -> list[dict[str, str]]:
    """Return a row for each family: the median of each engine's shortest times with the rules new, and known."""
    families = dict.fromkeys(one.family for one in times)
    engines = dict.fromkeys(one.engine for one in times)
    rows = [_row(family, [one for one in times if one.family == family], engines) for family in families]
    return [*rows, _row("all", times, engines)] if rows else []


def puzzle_rows(times: Sequence[VariantTime]) -> list[dict[str, str]]:
    """Return a row for each puzzle: each engine's shortest time with the rules new, and known."""
    engines = dict.fromkeys(one.engine for one in times)
    return [
        _row(puzzle, [one for one in times if one.puzzle == puzzle], engines)
        for puzzle in dict.fromkeys(one.puzzle for one in times)
    ]


def _row(name: str, times: Sequence[VariantTime], engines: Iterable[str]) -> dict[str, str]:
    row = {"ms": name, "puzzles": str(len({one.puzzle for one in times}))}
    for engine in engines:
        own = [one for one in times if one.engine == engine]
        row[f"{engine} new"] = _median_ms([one.new for one in own])
        row[f"{engine} known"] = _median_ms([one.known for one in own])
    row["remarks"] = "; ".join(f"{one.engine}, {one.puzzle}: {one.mark}" for one in times if one.mark)
    return row


def _median_ms(rounds: Sequence[Sequence[float]]) -> str:
    shortest = [min(one) for one in rounds if one]
    return f"{median(shortest) * 1e3:.3g}" if shortest else "-"
