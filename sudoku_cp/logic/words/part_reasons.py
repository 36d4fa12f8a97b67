"""Why a rule part rules candidates out: what each would need of few other cells of the part, and that these do not have it."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from sudoku_cp.logic.part_needs import needs_of
from sudoku_cp.logic.words.wording import MOST_PLACES, PLACES, enumerate_words, numeral

if TYPE_CHECKING:
    from sudoku_cp.grid import Cell
    from sudoku_cp.logic.layout import CellSet
    from sudoku_cp.logic.part_needs import Need
    from sudoku_cp.logic.words.wording import Wording
    from sudoku_cp.model import Domain

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


def _reason(say: Wording, need: Need, known: dict[Cell, Domain]) -> str:
    """Return why candidates go that need the same cells."""
    if not need.cells:
        return _no_filling(say, need.lost)
    if all(known[other] & (known[other] - 1) == 0 for other in need.cells):
        return _beside_filled(say, need, known)
    return f"{_beside_open(say, need, known)}{', and so on' if len(need.lost) > 1 else ''}"


def _beside_filled(say: Wording, need: Need, known: dict[Cell, Domain]) -> str:
    """Return what filled cells leave, or rule out."""
    held = [f"{say.cell(other)} = {say.values(known[other])}" for other in need.cells[:_FEW]]
    given = f"with {enumerate_words(held, 'and')}"
    cell, values = next(iter(need.lost.items()))
    left = known[cell] & ~values
    if len(need.lost) == 1 and left.bit_count() < min(_FEW, values.bit_count()) and not left & say.lost:
        return f"{given}, {say.cell(cell)} can only be {say.values(left, 'or')}"
    return f"{given}, {_no_filling(say, need.lost)}"


def _beside_open(say: Wording, need: Need, known: dict[Cell, Domain]) -> str:
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
