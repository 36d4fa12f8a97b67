"""The negative constraints of f-puzzles, about neighbours without a mark, and the key nonconsecutive.

Kropki dots of either colour exempt their cells from the negatives of both colours, X and V likewise.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from sudoku_cp.formats.base import make_rule

if TYPE_CHECKING:
    from sudoku_cp.rules import Rule
    from sudoku_cp.rules.base import Cells


@dataclass(frozen=True)
class Negative:
    """The rule ``kind`` that forbids ``values`` (those of rules ``mark``, if any), except at marks of the kinds ``off``."""

    kind: str
    values: str
    mark: str
    usual: tuple[int, ...]
    off: tuple[str, ...]
    always: bool = False

    def rule(self, rules: Iterable[Any]) -> Rule:
        """Return the negative rule for a puzzle with these other rules."""
        marks = [rule for rule in rules if rule.kind in self.off]
        field = {"difference": "difference", "ratio": "ratio", "pair-sum": "total"}[self.mark]
        there = () if self.always else tuple(sorted({getattr(rule, field) for rule in marks if rule.kind == self.mark}))
        values = {self.values: there or self.usual} if self.values else {}
        return make_rule(self.kind, **values, exempt=sorted_pairs(rule.cells for rule in marks))


def sorted_pairs(pairs: Iterable[Cells]) -> tuple[Cells, ...]:
    """Return the pairs in ascending order, each once."""
    return tuple(sorted({(min(pair), max(pair)) for pair in pairs}))


_DOTS = ("difference", "ratio")
NEGATIVES: Mapping[str, Negative] = MappingProxyType(
    {
        "nonconsecutive": Negative("nonconsecutive", "", "difference", (), _DOTS),
        "difference": Negative("negative-difference", "differences", "difference", (1,), _DOTS),
        "ratio": Negative("negative-ratio", "ratios", "ratio", (2,), _DOTS),
        "xv": Negative("negative-sum", "sums", "pair-sum", (5, 10), ("pair-sum",), always=True),
    }
)
"""The key ``nonconsecutive``, and the names allowed in the key ``negative``."""


def meanings(rules: Iterable[Any]) -> Iterator[object]:
    """Yield a normal form of rules: the order of cells, or splitting a rule in two, makes no difference."""
    for rule in rules:
        match rule.kind:
            case "odd" | "even":
                yield from ((rule.kind, cell) for cell in rule.cells)
            case "minimum" | "maximum":
                yield rule.kind, frozenset(rule.cells)
            case "diagonals":
                yield from ((rule.kind, name) for name in ("down", "up") if getattr(rule, name))
            case "clone":
                yield from ((rule.kind, frozenset(pair)) for copy in rule.copies for pair in zip(rule.cells, copy, strict=True))
            case "arrow" | "pill-arrow":
                yield from ((rule.kind, rule.bulb, shaft) for shaft in rule.shafts)
            case "nonconsecutive" | "negative-difference" | "negative-ratio" | "negative-sum":
                negative = next(one for one in NEGATIVES.values() if one.kind == rule.kind)
                values = frozenset(getattr(rule, negative.values)) if negative.values else None
                yield rule.kind, values, sorted_pairs(rule.exempt)
            case _:
                yield rule
