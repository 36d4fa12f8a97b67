"""Statistics of minimal puzzles of 9x9: their number of givens and their difficulty."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from sudoku_cp.backends import Limits
from sudoku_cp.generate.api import make_generator
from sudoku_cp.generate.base import GeneratedPuzzle, PuzzleArray
from sudoku_cp.generate.request_parsing import parse_request
from sudoku_cp.generate.search_effort import count_guesses
from sudoku_cp.logic.array_singles import levels
from sudoku_cp.logic.cell_groups import groups_of
from sudoku_cp.logic.difficulty_level import Level
from sudoku_cp.puzzle import Puzzle

SEED, NUMBER = 1, 20_000
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
    """Return the statistics of the first ``number`` (`NUMBER`) minimal puzzles of seed 1."""
    number = NUMBER if number is None else number
    progress(f"statistics of {number:,} minimal puzzles")
    generator = make_generator(parse_request(minimal=True), SEED)
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
