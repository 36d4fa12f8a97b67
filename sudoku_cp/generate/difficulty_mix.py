"""Runs of several difficulties: which level each number of a run has, and how many puzzles of each level are still wanted.

Theory of operation. The levels (words) take turns by the number of the puzzle, in proportion to their shares, so that the level
of puzzle ``number`` depends on its number and the shares alone. A run wants as many puzzles of each level as its first numbers
have. Where puzzles are dropped because they repeat earlier ones, further numbers replace them, and only those of the missing
levels are taken. No puzzle of one level is isomorphic to one of another, so levels never drop each other's puzzles.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from heapq import heapify, heapreplace
from math import gcd
from typing import TYPE_CHECKING

from sudoku_cp.errors import InvalidInput, UnknownName
from sudoku_cp.logic.rating.levels import LEVELS

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

DIFFICULTIES = LEVELS.names
MOST = 10_000_000
"""The largest sum of counts without their common divisor: the order of turns is a table of as many entries."""


@dataclass(frozen=True)
class DifficultyMix:
    """Levels with their ``shares``, whole numbers; ``is_counted`` if these are numbers of puzzles."""

    shares: tuple[tuple[str, int], ...]
    is_counted: bool = False

    def __str__(self) -> str:
        """Return the mix as people write it: ``easy:50,hard:50``."""
        return ",".join(f"{word}:{share}" if self.is_counted else word for word, share in self.shares)

    @property
    def total(self) -> int | None:
        """The number of puzzles asked for, None where levels have no counts."""
        return sum(share for _, share in self.shares) if self.is_counted else None

    @property
    def words(self) -> tuple[str, ...]:
        """The levels, each once."""
        return tuple(word for word, _ in self.shares)

    def word(self, number: int) -> str:
        """Return the level of a puzzle."""
        return self.words[self._turns[number % len(self._turns)]]

    def counts(self, numbers: Iterable[int]) -> Counter[str]:
        """Return how many of these numbers have each level."""
        found = Counter(map(self.word, numbers))
        return Counter({word: found[word] for word in self.words})

    @cached_property
    def _turns(self) -> bytes:
        """Return the order of turns in one round: turn k of a share s is due at (k + 1/2) / s."""
        divisor = gcd(*(share for _, share in self.shares))
        shares = [share // divisor for _, share in self.shares]
        due = [(0.5 / share, place, 0) for place, share in enumerate(shares)]
        heapify(due)
        order = bytearray()
        for _ in range(sum(shares)):
            _, place, turn = due[0]
            order.append(place)
            heapreplace(due, ((turn + 1.5) / shares[place], place, turn + 1))
        return bytes(order)


def parse_mix(text: str, names: Sequence[str] = DIFFICULTIES) -> DifficultyMix:
    """Return the mix that ``hard``, ``easy,medium,hard`` or ``easy:50,hard:50`` means; ``names`` are those of the levels.

    Raises `InvalidInput` with everything that is wrong with it.
    """
    parts = [part.strip() for part in text.split(",")]
    shares: list[tuple[str, int]] = []
    problems: list[str] = []
    known = {name.lower(): name for name in names}
    for typed, colon, number in (part.partition(":") for part in parts):
        word = known.get(typed.strip().lower(), typed)
        if word not in names:
            problems += UnknownName("difficulty", word, names).problems
        if colon and not (number.isdecimal() and len(number) <= len(str(MOST)) and 1 <= int(number) <= MOST):
            problems.append(f"expected a number of puzzles from 1 to {MOST:,} after {word}:, got {number!r:.40}")
        elif colon or "," not in text or ":" not in text:
            shares.append((word, int(number or 1)))
        else:
            problems.append(f"expected a number of puzzles for each difficulty or for none, got {word!r:.40} without one")
    if double := [word for word, times in Counter(word for word, _ in shares).items() if times > 1]:
        problems.append(f"expected each difficulty once, got {', '.join(double)} several times")
    if problems:
        raise InvalidInput(problems)
    return DifficultyMix(tuple(shares), ":" in text)


def mix_total(difficulty: object, names: Sequence[str] = DIFFICULTIES) -> int | None:
    """Return how many puzzles the counts of a mix ask for; None without counts, and for anything that is not a mix."""
    try:
        return parse_mix(difficulty, names).total if isinstance(difficulty, str) else None
    except InvalidInput:
        return None


def check_total(difficulty: object, number: int | None, name: str = "number", names: Sequence[str] = DIFFICULTIES) -> None:
    """Raise `InvalidInput` where the counts of a mix do not add up to the number of puzzles: the option of that ``name``."""
    total = mix_total(difficulty, names)
    if total is not None and number is not None and total != number:
        raise InvalidInput(
            f"expected difficulties for {number:,} puzzles in all, as `{name}` says, got {difficulty} for {total:,}"
        )


class Quota:
    """How many puzzles of each level are still wanted."""

    def __init__(self, mix: DifficultyMix, numbers: Iterable[int]) -> None:
        """Begin with as many puzzles of each level as ``mix`` assigns to ``numbers``."""
        self._mix, self._left = mix, mix.counts(numbers)

    def wants(self, numbers: Iterable[int]) -> list[bool]:
        """Return for each number whether puzzles of its level are still wanted."""
        return [self._left[self._mix.word(number)] > 0 for number in numbers]

    def take(self, numbers: Iterable[int]) -> list[bool]:
        """Count the puzzles of these numbers, in order; return for each whether it was still wanted."""
        taken = []
        for number in numbers:
            word = self._mix.word(number)
            taken.append(self._left[word] > 0)
            self._left[word] -= taken[-1]
        return taken
