"""Ratings that new puzzles are to have: a span on a scale, such as ``se:6.6..7.2``, and techniques that they need."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from sudoku_cp.errors import InvalidInput, UnknownName
from sudoku_cp.logic.step import Technique, parse_techniques

if TYPE_CHECKING:
    from collections.abc import Sequence

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
