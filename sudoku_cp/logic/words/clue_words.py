"""What a rule part is called: ``the 13-cage at r1c1``, ``the sandwich 26 of row 4``, ``the thermometer from r1c1 to r4c2``."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from sudoku_cp.logic.layout import HouseKind
from sudoku_cp.model import to_mask

if TYPE_CHECKING:
    from sudoku_cp.logic.layout import Layout, RulePart

_CELL = re.compile(r"r\d+c\d+")
_OF_CELLS = re.compile(r" r\d+c\d+.*")
_PAIR = 2
_CAGES = frozenset({"killer-cage", "sum-cage"})
"""Kinds that are called by their sum: ``13-cage``."""
_NOT_LINES = frozenset(
    {
        "all-of",
        "any-of",
        "repeated",
        "quadruple",
        "contains-at-least",
        "contains-exactly",
        "counting-circles",
        "look-and-say",
        "equal-sums",
        "same-value-sets",
        "clone",
        "count-distinct",
        "dutch-flatmates",
        "global-entropy",
        "global-mod",
        "minimum",
        "maximum",
    }
)
"""Kinds, besides cages, whose cells are in no order: they are found by their first cell."""
_NOUNS = {
    "all-of": "combined clue",
    "any-of": "choice of clues",
    "repeated": "choice of clues",
    "global-entropy": "2x2 square",
    "global-mod": "2x2 square",
    "dutch-flatmates": "flatmates rule",
    "negative-difference": "missing dot",
    "negative-ratio": "missing dot",
    "negative-sum": "missing mark",
    "contains-at-least": "listed digits",
    "contains-exactly": "listed digits",
    "regular-expression": "pattern",
    "region-count": "count",
    "diagonally-nonconsecutive": "diagonal pair",
}
"""Nouns that say more than the names of parts do."""


def clue_noun(part: RulePart) -> str:
    """Return what a part is called without its cells, with its number: ``13-cage``, ``sandwich 26``, ``black dot``."""
    rule = part.rule
    noun = _NOUNS.get(rule.kind) or _OF_CELLS.sub("", part.name)
    number = getattr(rule, "total", None)
    if number is None:
        number = getattr(rule, "visible", None)
    if rule.kind in _CAGES:
        return noun if number is None else f"{number}-cage"
    return noun if number is None else f"{noun} {number}"


def clue_name(layout: Layout, part: RulePart) -> str:
    """Return how people find a part: its noun, and its line, its first and last cell, or its first cell alone."""
    noun, names = clue_noun(part), _CELL.findall(part.name)
    if not names:
        return noun
    if part.rule.kind == "inequality" and len(names) == _PAIR:
        return f"sign {names[0]} > {names[1]}"
    if "cage" in part.rule.kind or part.rule.kind in _NOT_LINES or len(names) == 1:
        return f"{noun} at {layout.grid.cell_name(min(part.cells)) if part.cells else names[0]}"
    if len(names) == _PAIR:
        return f"{noun} {names[0]}-{names[1]}"
    mask = to_mask(layout.grid.parse_cell(name) for name in names)
    for house in layout.houses_of_kind(HouseKind.ROW, HouseKind.COLUMN):
        if layout.groups[house].mask == mask:
            return f"{noun} of {layout.groups[house].name}"
    return f"{noun} from {names[0]} to {names[-1]}"
