"""What a rule part is called: ``the 13-cage at r1c1``, ``the sandwich 26 of row 4``, ``the thermometer from r1c1 to r4c2``."""

from __future__ import annotations

import re
from collections import defaultdict
from typing import TYPE_CHECKING

from sudoku_cp.logic.layout import HouseKind
from sudoku_cp.logic.step_reasons import needs_of
from sudoku_cp.logic.words.wording import MOST_PLACES, PLACES, enumerate_words, numeral
from sudoku_cp.model import to_mask

if TYPE_CHECKING:
    from sudoku_cp.grid import Cell
    from sudoku_cp.logic.layout import CellSet, Layout, RulePart
    from sudoku_cp.logic.step_reasons import PartNeed
    from sudoku_cp.logic.words.wording import Wording
    from sudoku_cp.model import Domain


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


# Why a rule part rules candidates out: what each would need of few other cells of the part, and that these do not have it.


_MOST_REASONS = 3
"""The most reasons that a sentence gives."""
_SPARE = 2
"""Places that a sentence needs besides: where the part is found."""
_FEW = 3
"""The most cells, and the most values, that a reason lists."""


def reasons(say: Wording) -> str:
    """Return why candidates of a part's cells go: ``r1c3 = 3 would need 6 in r2c3, which can only be 2``."""
    known = {one.cells.bit_length() - 1: one.values for one in say.step.pattern.domains}
    needs = needs_of(say.layout, say.step)
    if not needs:
        return "no filling of its cells has any of the candidates that go"
    told: list[str] = []
    for need in needs[:_MOST_REASONS]:
        told.append(_reason(say, need, known))
        if len(set(PLACES.findall(" ".join(told)))) > MOST_PLACES - _SPARE and len(told) > 1:
            told.pop()
            break
    return "; ".join([*told, *(["the others fail in the same way"] if len(needs) > len(told) else [])])


def _reason(say: Wording, need: PartNeed, known: dict[Cell, Domain]) -> str:
    """Return why candidates go that need the same cells."""
    if not need.cells:
        return _no_filling(say, need.lost)
    if all(known[other] & (known[other] - 1) == 0 for other in need.cells):
        return _beside_filled(say, need, known)
    return f"{_beside_open(say, need, known)}{', and so on' if len(need.lost) > 1 else ''}"


def _beside_filled(say: Wording, need: PartNeed, known: dict[Cell, Domain]) -> str:
    """Return what filled cells leave, or rule out."""
    held = [f"{say.cell(other)} = {say.values(known[other])}" for other in need.cells[:_FEW]]
    given = f"with {enumerate_words(held, 'and')}"
    cell, values = next(iter(need.lost.items()))
    left = known[cell] & ~values
    if len(need.lost) == 1 and left.bit_count() < min(_FEW, values.bit_count()) and not left & say.lost:
        return f"{given}, {say.cell(cell)} can only be {say.values(left, 'or')}"
    return f"{given}, {_no_filling(say, need.lost)}"


def _beside_open(say: Wording, need: PartNeed, known: dict[Cell, Domain]) -> str:
    """Return what a candidate would need of open cells."""
    cell, values = next(iter(need.lost.items()))
    claim = f"{say.cell(cell)} = {say.values(values, 'or')}"
    if len(need.cells) > _FEW:
        return f"{claim} leaves no way to fill {numeral(len(need.cells))} of the other cells"
    if len(need.cells) > 1:
        sets = [f"{say.cell(other)} {say.value_set(known[other])}" for other in need.cells]
        return f"{claim} leaves no way to fill {enumerate_words(sets, 'and')}"
    (other,) = need.cells
    held = f"which can only be {say.values(known[other], 'or')}"
    if not need.partners:
        return f"{claim} goes with no value of {say.cell(other)}"
    if len(need.lost) == 1 and need.partners.bit_count() <= _FEW:
        return f"{claim} would need {say.values(need.partners, 'or')} in {say.cell(other)}, {held}"
    return f"{claim} does not go with {say.cell(other)}, {held}"


def _no_filling(say: Wording, lost: dict[Cell, Domain]) -> str:
    """Return ``no filling has 5 in r12c3 or 4 in r2c7``: cells that lose the same are named together."""
    alike: dict[Domain, CellSet] = defaultdict(int)
    for cell, values in lost.items():
        alike[values] |= 1 << cell
    told = [f"{say.values(values, 'or')} in {say.cells(cells)}" for values, cells in list(alike.items())[:_FEW]]
    return f"no filling has {enumerate_words([*told, *(['so on'] if len(alike) > _FEW else [])], 'or')}"
