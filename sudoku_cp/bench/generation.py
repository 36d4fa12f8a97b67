"""The speed of generators, ours and others: puzzles of each kind a CPU second, checked.

Every generator works on one thread; a first puzzle, off the clock, loads what is needed. Our solver finds how many puzzles of a
sample have one solution, and how many are minimal. As some generators make many puzzles at a time, a round is
`ROUND_FACTOR` times as long as for solving.
"""

from __future__ import annotations

import json
import resource
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import islice
from statistics import mean
from time import process_time
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sudoku_cp.backends import Limits
from sudoku_cp.bench.measurement import BenchPlan
from sudoku_cp.bench.peers.generators import GENERATORS
from sudoku_cp.errors import SudokuError
from sudoku_cp.generate.api import make_generator
from sudoku_cp.generate.base import GeneratedPuzzle, Generator, PuzzleArray
from sudoku_cp.generate.request_parsing import parse_request
from sudoku_cp.generate.targets import count_guesses
from sudoku_cp.logic.array_singles import groups_of, levels
from sudoku_cp.logic.difficulty_level import Level
from sudoku_cp.puzzle import Puzzle
from sudoku_cp.queries import solve

SEED = 1
SAMPLE, QUESTIONS = 200, 600
"""Puzzles in the sample, and about the number of givens that are left out one at a time to see whether they are minimal."""
LONGEST = 180.0
"""Seconds that one puzzle of ours, or all puzzles of a peer, may take."""
CHECK_SECONDS = 30.0
"""Seconds that the check of one puzzle may take."""
ROUND_FACTOR = 10
US = "sudoku_cp"

QQWING = "qqwing"
_QQWING = (QQWING, "--one-line", "--generate")
KINDS: Mapping[str, tuple[Mapping[str, Any], Mapping[str, tuple[str, ...]]]] = MappingProxyType(
    {
        "9x9, minimal": ({"minimal": True}, {"qqwing any": ("--difficulty", "any"), **dict.fromkeys(GENERATORS, ())}),
        "9x9, easy": ({"difficulty": "easy"}, {"qqwing easy": ("--difficulty", "easy")}),
        "9x9, medium": ({"difficulty": "medium"}, {"qqwing intermediate": ("--difficulty", "intermediate")}),
        "9x9, hard": ({"difficulty": "hard"}, {"qqwing expert": ("--difficulty", "expert")}),
        "9x9, rot180": ({"symmetry": "rot180"}, {"qqwing rotate180": ("--symmetry", "rotate180")}),
        "9x9, at most 20 givens": ({"givens": (17, 20)}, {}),
        "16x16, minimal": ({"size": 16, "minimal": True}, {}),
        "25x25": ({"size": 25}, {}),
        "36x36": ({"size": 36}, {}),
        "jigsaw": ({"rules": "jigsaw"}, {}),
        "killer, no givens": ({"rules": "killer", "givens": 0}, {}),
        "thermo and kropki": ({"rules": "thermometer,kropki", "givens": (0, 6)}, {}),
        "arrows and whispers": ({"rules": "arrow,whisper", "givens": (0, 6)}, {}),
        "renban and sandwich": ({"rules": "renban,sandwich", "givens": (0, 6)}, {}),
    }
)
"""The kinds of puzzles: our request, and the peers that make them, with the options of `qqwing`."""


@dataclass
class GenerationResult:
    """The puzzles of one generator and kind: how many in the CPU seconds of its best round, and facts about a sample.

    ``unique`` and ``minimal`` are shares of the puzzles that could be checked, None if none could; ``tries`` is the mean
    number of tries for a puzzle.
    """

    kind: str
    name: str
    ours: bool = False
    puzzles: int = 0
    seconds: float = 0.0
    unique: float | None = None
    minimal: float | None = None
    givens: float | None = None
    tries: float | None = None
    mark: str = ""

    @property
    def rate(self) -> float | None:
        """Puzzles a CPU second."""
        return self.puzzles / self.seconds if self.seconds else None


def generation_times(
    plan: BenchPlan, progress: Callable[[str], object] = str, kinds: Iterable[str] | None = None, *, peers: bool = True
) -> list[GenerationResult]:
    """Return the results of all generators for these kinds of puzzles, or for all."""
    found = []
    plan = replace(plan, seconds=ROUND_FACTOR * plan.seconds)
    for kind in KINDS if kinds is None else kinds:
        progress(f"{kind}: {US}")
        found.append(_measure_or_mark(GenerationResult(kind, US, ours=True), partial(_run_ours, plan=plan)))
        for name, options in KINDS[kind][1].items() if peers else ():
            progress(f"{kind}: {name}")
            found.append(_measure_or_mark(GenerationResult(kind, name), partial(_run_peer, options=options, plan=plan)))
    return found


def _measure_or_mark(one: GenerationResult, make: Callable[[GenerationResult], Sequence[Puzzle]]) -> GenerationResult:
    try:
        _check_sample(one, make(one))
    except (SudokuError, OSError, subprocess.SubprocessError, ImportError) as error:
        one.mark = f"{type(error).__name__}: {error}"[:120]
    return one


# --- ours -------------------------------------------------------------------------------------------------------


def _run_ours(one: GenerationResult, plan: BenchPlan) -> Sequence[Puzzle]:
    """Time the best of some rounds, each of new puzzles, as many as fit the plan's seconds; return a sample."""
    generator = make_generator(parse_request(**KINDS[one.kind][0]), SEED)
    _time_round(generator, 0, 1)  # what is loaded, and compiled on a new machine, is off the clock
    start = size = 1
    while True:
        made, seconds = _time_round(generator, start, size)
        start += size
        if seconds >= plan.seconds or size >= generator.chunk_size:
            break
        size = min(generator.chunk_size, size * (2 if seconds > plan.seconds / 4 else 8))
    best, tries = (seconds, made), [each.tries for each in made]
    for _ in range(plan.rounds - 1 if seconds < plan.patience else 0):
        again = _time_round(generator, start, size)
        start += size
        tries += [each.tries for each in again[0]]
        best = min(best, again[::-1], key=lambda round_: round_[0])
    one.seconds, one.puzzles, one.tries = best[0], len(best[1]), mean(tries)
    missed = sum(each.reason is not None for each in best[1])
    one.mark = f"{missed} not as requested" if missed else ""
    return [each.puzzle for each in best[1][:SAMPLE]]


def _time_round(generator: Generator, start: int, size: int) -> tuple[list[GeneratedPuzzle], float]:
    """Return the puzzles of a range of numbers, and the CPU seconds they took."""
    began = process_time()
    parts = list(generator.make(range(start, start + size), Limits(LONGEST)))
    seconds = process_time() - began
    return [each for part in parts for each in (part.each() if isinstance(part, PuzzleArray) else [part])], seconds


# --- others -----------------------------------------------------------------------------------------------------


def _run_peer(one: GenerationResult, options: Sequence[str], plan: BenchPlan) -> Sequence[Puzzle]:
    lines = _run_qqwing(one, options, plan) if one.name.startswith(QQWING) else _run_package(one, plan)
    one.puzzles = len(lines)
    return [Puzzle.parse(line) for line in lines[:SAMPLE]]


def _run_qqwing(one: GenerationResult, options: Sequence[str], plan: BenchPlan) -> list[str]:
    if shutil.which(QQWING) is None:
        raise FileNotFoundError(f"left out: {QQWING} is not installed")
    number = 1
    while True:
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        lines = _run_command([*_QQWING, str(number), *options]).split()
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        one.seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        if one.seconds >= plan.seconds:
            return lines
        number *= 2 if one.seconds > plan.seconds / 4 else 8


def _run_package(one: GenerationResult, plan: BenchPlan) -> list[str]:
    output = json.loads(_run_command([sys.executable, "-m", "sudoku_cp.bench.peers.generators", one.name, str(plan.seconds)]))
    one.seconds = output["seconds"]
    lines: list[str] = output["lines"]
    return lines


def _run_command(words: Sequence[str]) -> str:
    done = subprocess.run(words, capture_output=True, text=True, timeout=LONGEST, check=False)  # noqa: S603
    if done.returncode:
        last = (done.stderr.strip().splitlines() or [f"exit code {done.returncode}"])[-1]
        raise OSError(f"left out: {last}")
    return done.stdout


# --- the sample ------------------------------------------------------------------------------------------------


def _check_sample(one: GenerationResult, puzzles: Sequence[Puzzle]) -> None:
    """Note what our solver finds out about a sample."""
    known = [_is_unique(puzzle) for puzzle in puzzles]
    one.unique = _share(known)
    one.givens = mean(len(puzzle.givens) for puzzle in puzzles) if puzzles else None
    unique_puzzles = [puzzle for puzzle, unique in zip(puzzles, known, strict=True) if unique and puzzle.givens]
    one.minimal = _share(
        _is_minimal(puzzle) for puzzle in islice(unique_puzzles, max(1, QUESTIONS // max(1, round(one.givens or 1))))
    )
    if one.unique is not None and one.unique < 1:
        one.minimal = (one.minimal or 0.0) * one.unique


def _share(known: Iterable[bool | None]) -> float | None:
    values = [one for one in known if one is not None]
    return mean(values) if values else None


def _is_unique(puzzle: Puzzle) -> bool | None:
    status = solve(puzzle, limits=Limits(CHECK_SECONDS), expected_count=SAMPLE).status
    return None if status == "unknown" else status == "unique"


def _is_minimal(puzzle: Puzzle) -> bool | None:
    """Return whether no given can be left out; None if a check takes too long."""
    if len(puzzle.grid.cells) > MOST_CELLS:
        return None
    for cell in puzzle.givens:
        fewer = puzzle.with_givens({other: value for other, value in puzzle.givens.items() if other != cell})
        unique = _is_unique(fewer)
        if unique is not False:
            return None if unique is None else False
    return True


MOST_CELLS = 256
"""Cells of the largest board that is checked for being minimal; larger ones take minutes."""


def generation_rows(found: Iterable[GenerationResult]) -> list[dict[str, str]]:
    """Return a row for each kind and generator: puzzles a CPU second, the ratio to ours, and facts about the sample."""
    rows = list(found)
    ours = {one.kind: one.rate for one in rows if one.ours}
    return [_row(one, ours.get(one.kind)) for one in rows]


def _row(one: GenerationResult, ours: float | None) -> dict[str, str]:
    return {
        "kind": one.kind,
        "contestant": one.name,
        "puzzles/s": _format_figure(one.rate),
        f"{US} makes": f"{_format_figure(ours / one.rate)}x" if ours and one.rate and not one.ours else "",
        "puzzles": f"{one.puzzles:,}" if one.puzzles else "",
        "one solution": "" if one.unique is None else f"{one.unique:.0%}",
        "minimal": "" if one.minimal is None else f"{one.minimal:.0%}",
        "givens": "" if one.givens is None else f"{one.givens:.1f}",
        "tries": "" if one.tries is None else f"{one.tries:.2f}",
        "remarks": one.mark,
    }


def _format_figure(value: float | None) -> str:
    if value is None:
        return ""
    return f"{value:,.0f}" if value >= 99.95 else f"{value:.3g}"  # noqa: PLR2004  # three digits at least


# Statistics of minimal puzzles of 9x9: their number of givens and their difficulty.


SAMPLE_SEED, SAMPLE_SIZE = 1, 20_000
MANY = 20
"""Puzzles with at least this many guesses are one group."""


@dataclass
class Statistics:
    """The number of minimal ``puzzles``, and how many there are by ``givens``, by difficulty (``words``) and by ``guesses``."""

    puzzles: int = 0
    givens: dict[str, int] = field(default_factory=dict)
    words: dict[str, int] = field(default_factory=dict)
    guesses: dict[str, int] = field(default_factory=dict)


def statistics(number: int | None = None, progress: Callable[[str], object] = str) -> Statistics:
    """Return the statistics of the first ``number`` (`SAMPLE_SIZE`) minimal puzzles of seed 1."""
    number = SAMPLE_SIZE if number is None else number
    progress(f"statistics of {number:,} minimal puzzles")
    generator = make_generator(parse_request(minimal=True), SAMPLE_SEED)
    givens = np.concatenate([_givens_array(part) for part in generator.make(range(number), Limits())])
    base = Puzzle()
    words = [str(Level(level)) for level in levels(groups_of(base), givens).tolist()]
    guesses = count_guesses(base, givens, MANY).tolist()
    return Statistics(
        len(givens),
        _count_values((givens > 0).sum(axis=1).tolist(), str),
        {str(level): words.count(str(level)) for level in Level},
        _count_values((min(one, MANY) for one in guesses), lambda one: f"{one} or more" if one == MANY else str(one)),
    )


def _givens_array(part: PuzzleArray | GeneratedPuzzle) -> NDArray[np.uint8]:
    if isinstance(part, PuzzleArray):
        return part.givens
    return np.array([[part.puzzle.givens.get(cell, 0) for cell in part.puzzle.grid.cells]], np.uint8)


def _count_values(numbers: Iterable[int], name: Callable[[int], str]) -> dict[str, int]:
    return {name(one): times for one, times in sorted(Counter(numbers).items())}


def statistics_rows(found: Statistics) -> list[dict[str, str]]:
    """Return a row for each group of puzzles, with its share of all."""
    groups = (("givens", found.givens), ("difficulty", found.words), ("guesses", found.guesses))
    return [
        {"measure": name, "value": value, "puzzles": f"{times:,}", "share": f"{times / found.puzzles:.2%}"}
        for name, counted in groups
        for value, times in counted.items()
    ]
