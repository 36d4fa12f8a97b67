"""Sentences of implied houses: why each value stands in them once, and what that shows."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

from sudoku_cp.logic.step import Technique
from sudoku_cp.logic.words.wording import numeral

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from sudoku_cp.logic.words.wording import Wording

_FEW = 4
"""The most houses that are named one by one."""


def implied_house(say: Wording) -> str:
    """Explain a step in an implied house, and why it is one: ``rows 2, 3 and 4 without two windows``."""
    step = say.step
    house = step.pattern.sets[0].cells
    return f"{say.cells(house)} {_holds(house)} each value once, as {_sides(say)}. {_PATTERNS[step.technique](say, house)}"


def _holds(mask: int) -> str:
    return "hold" if mask & (mask - 1) else "holds"


def _sides(say: Wording) -> str:
    """Return which houses are taken away from which, each side by its names if they are few."""
    plus, minus = say.step.pattern.bases, say.step.pattern.covers
    if len(plus) + len(minus) <= _FEW + 1:
        return f"{say.houses(plus)} without {say.houses(minus)}"
    return f"{numeral(len(plus))} houses count these cells once more than {numeral(len(minus))} others"


def _single(say: Wording, _house: int) -> str:
    return f"There {say.value} has only one place left"


def _locked(say: Wording, house: int) -> str:
    step, shared = say.step, say.step.pattern.choice
    cells = say.cells(step.cells)
    if shared is None:
        return f"{say.value} stands there already, in {cells}"
    other = say.houses([shared.subject])
    if any(house >> cell & 1 for cell, _ in step.eliminations):
        return f"{say.value} in {other} can only stand there ({cells})"
    return f"There {say.value} can only stand in {other} ({cells})"


def _subset(say: Wording, _house: int) -> str:
    step = say.step
    count = step.values.bit_count()
    held = f"{numeral(count)} cells for {numeral(count)} values"
    if any(step.cells >> cell & 1 for cell, _ in step.eliminations):
        return f"There {say.value} can only stand in {say.cells(step.cells)}: {held}"
    return f"There {say.cells(step.cells)} can only hold {say.value}: {held}"


_PATTERNS = {
    Technique.IMPLIED_SINGLE: _single,
    Technique.IMPLIED_LOCKED: _locked,
    Technique.IMPLIED_SUBSET: _subset,
}
IMPLIED_REASONS: Mapping[Technique, Callable[[Wording], str]] = MappingProxyType(dict.fromkeys(_PATTERNS, implied_house))
"""The words of techniques that look at implied houses."""
