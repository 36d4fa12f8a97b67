"""The difficulty that is asked for: the level of each number of a run, or a rating and techniques.

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
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from sudoku_cp.errors import InvalidInput, UnknownName
from sudoku_cp.logic.step import Technique, parse_techniques

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


DIFFICULTIES = ("easy", "medium", "hard")
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


def parse_mix(text: str) -> DifficultyMix:
    """Return the mix that ``hard``, ``easy,medium,hard`` or ``easy:50,hard:50`` means.

    Raises `InvalidInput` with everything that is wrong with it.
    """
    parts = [part.strip().lower() for part in text.split(",")]
    shares: list[tuple[str, int]] = []
    problems: list[str] = []
    for word, colon, number in (part.partition(":") for part in parts):
        if word not in DIFFICULTIES:
            problems += UnknownName("difficulty", word, DIFFICULTIES).problems
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


def mix_total(difficulty: object) -> int | None:
    """Return how many puzzles the counts of a mix ask for; None without counts, and for anything that is not a mix."""
    try:
        return parse_mix(difficulty).total if isinstance(difficulty, str) else None
    except InvalidInput:
        return None


def check_total(difficulty: object, number: int | None, name: str = "number") -> None:
    """Raise `InvalidInput` where the counts of a mix do not add up to the number of puzzles: the option of that ``name``."""
    total = mix_total(difficulty)
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


# Ratings that new puzzles are to have: a span on a scale, such as ``se:6.6..7.2``, and techniques that they need.


RATED = ("se", "proof", "hodoku")
"""The scales of numbers."""
BOUNDS = {"se": (1.0, 12.0)}
"""The least and the highest rating of puzzles, on scales that have both: of all puzzles known, the hardest has se:11.9."""
_LONGEST = 60
Needed: TypeAlias = Technique | tuple[Technique, ...]
"""A technique that a path must use, or several of which it must use one."""


def techniques_of(needed: Needed) -> tuple[Technique, ...]:
    """Return the techniques of which one is needed."""
    return (needed,) if isinstance(needed, Technique) else needed


class RatingSpan(NamedTuple):
    """The ratings on a scale from ``least`` to ``most``, both included; None is no upper bound."""

    scale: str
    least: float
    most: float | None = None

    def __str__(self) -> str:
        """Return the span as people write it: ``se:6.6..7.2``."""
        if self.most == self.least:
            return f"{self.scale}:{self.least:g}"
        return f"{self.scale}:{self.least:g}..{'' if self.most is None else format(self.most, 'g')}"

    def miss(self, rating: float) -> float:
        """Return the distance of a rating from the span, 0 within it."""
        return max(0.0, self.least - rating, 0.0 if self.most is None else rating - self.most)


def parse_rating(text: str) -> RatingSpan:
    """Return the span that ``se:6.6..7.2``, ``proof:5..9``, ``hodoku:1000..`` or ``se:7.2`` means."""
    scale, _, numbers = (part.strip() for part in text[:_LONGEST].partition(":"))
    first, dots, last = (part.strip() for part in numbers.partition(".."))
    try:
        least = float(first or 0) if first or dots else None
        most = (float(last) if last else None) if dots else least
    except ValueError:
        least = most = None
    if scale.lower() not in RATED or least is None or not (0 <= least <= (least if most is None else most) < float("inf")):
        raise InvalidInput(
            f"expected a rating such as se:6.6..7.2, on one of the scales {', '.join(RATED)}, from a number to the same or a "
            f"larger one, got {text!r:.{_LONGEST}}"
        )
    span = RatingSpan(scale.lower(), least, most)
    first_rating, last_rating = BOUNDS.get(span.scale, (0.0, None))
    if (most is not None and most < first_rating) or (last_rating is not None and least > last_rating):
        raise InvalidInput(
            f"expected ratings that puzzles can have, on the scale {span.scale} from {first_rating} to {last_rating}, got {span}"
        )
    return span


def parse_needs(names: str | Sequence[str]) -> tuple[Needed, ...]:
    """Return the techniques of codes or names, each once, and families as tuples of those that paths use.

    Raises `InvalidInput` for those that are unknown or on no path.
    """
    from sudoku_cp.logic.ladder import RUNGS  # noqa: PLC0415  # all techniques, which few requests need

    used = {rung.technique for rung in RUNGS}
    found: dict[Needed, None] = {}
    problems: list[str] = []
    for name in [names] if isinstance(names, str) else names:
        try:
            named = parse_techniques(name)
        except UnknownName as error:
            problems += error.problems
            continue
        on_paths = tuple(technique for technique in named if technique in used)
        if on_paths:
            found[on_paths[0] if len(named) == 1 else on_paths] = None
        else:
            problems.append(
                f"expected a technique that paths use, got {', '.join(map(str, named))}, which is only searched for on request"
            )
    if problems:
        raise InvalidInput(problems)
    return tuple(found)
