"""Statistics of minimal puzzles of 9x9: their number of givens and their difficulty."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from sudoku_cp.backends import Limits
from sudoku_cp.generate.base import Made, Sheet
from sudoku_cp.generate.effort import guesses_of
from sudoku_cp.generate.making import maker_of
from sudoku_cp.generate.wishing import wishes_of
from sudoku_cp.logic.groups import groups_of
from sudoku_cp.logic.many import levels
from sudoku_cp.logic.singles import Level
from sudoku_cp.puzzle import Puzzle

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from numpy.typing import NDArray

SEED, NUMBER = 1, 20_000
MANY = 20
"""Puzzles with at least this many guesses are one group."""


@dataclass
class Statistics:
    """Of ``puzzles`` minimal ones: how many have so many ``givens``, fall under each ``word``, take so many ``guesses``."""

    puzzles: int = 0
    givens: dict[str, int] = field(default_factory=dict)
    words: dict[str, int] = field(default_factory=dict)
    guesses: dict[str, int] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """Return it as plain data."""
        return dict(vars(self))


def statistics(number: int | None = None, progress: Callable[[str], object] = str) -> Statistics:
    """Return the statistics of the first ``number`` (`NUMBER`) minimal puzzles of seed 1."""
    number = NUMBER if number is None else number
    progress(f"statistics of {number:,} minimal puzzles")
    maker = maker_of(wishes_of(minimal=True), SEED)
    givens = np.concatenate([_givens_array(part) for part in maker.make(range(number), Limits())])
    base = Puzzle()
    words = [str(Level(level)) for level in levels(groups_of(base), givens).tolist()]
    guesses = guesses_of(base, givens, MANY).tolist()
    return Statistics(
        len(givens),
        _count_values((givens > 0).sum(axis=1).tolist(), str),
        {str(level): words.count(str(level)) for level in Level},
        _count_values((min(one, MANY) for one in guesses), lambda one: f"{one} or more" if one == MANY else str(one)),
    )


def _givens_array(part: Sheet | Made) -> NDArray[np.uint8]:
    if isinstance(part, Sheet):
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
