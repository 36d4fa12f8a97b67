"""Sentences of wings and of almost locked sets: cells with few values, of which one set or another has to hold a value."""

from __future__ import annotations

from string import ascii_uppercase
from typing import TYPE_CHECKING

from sudoku_cp.logic.words.chain_words import chain
from sudoku_cp.logic.words.wording import plural
from sudoku_cp.model import members

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sudoku_cp.logic.step import CellsAndValues
    from sudoku_cp.logic.words.wording import Wording
    from sudoku_cp.model import Domain

_DOUBLY = 2


def wing(say: Wording) -> str:
    """Say of a pivot and two cells that one of them holds the value they share."""
    pivot, *pincers = say.step.pattern.sets
    lost = say.lost
    cases = [
        f"if it is {say.values(pivot.values & pincer.values & ~lost)}, then {say.cells(pincer.cells)} is {say.values(lost)}"
        for pincer in pincers
    ]
    if pivot.values & lost:
        cases.append(f"otherwise it is {say.values(lost)} itself")
    wings = " and ".join(map(say.set, pincers))
    ends = "all three" if pivot.values & lost else "both ends"
    return f"{say.set(pivot)} sees {wings}: {'; '.join(cases)}. {say.cells_of_result} {say.verb('see')} {ends}"


def w_wing(say: Wording) -> str:
    """Say of two cells of the same two candidates that they are not both the value of a conjugate pair."""
    step = say.step
    links = step.pattern.links
    first, last, pair = links[0].start.cells, links[-1].end.cells, links[2]
    kept = say.sign(pair.start.value)
    return (
        f"{say.every(first | last)} can each only hold {say.values(step.values, 'or')}. {kept} in "
        f"{say.houses(step.pattern.bases)} stands in {say.either(pair.start.cells | pair.end.cells)}, which they see: "
        f"{chain(say, links)}. Therefore one of them is {say.values(say.lost)}. {say.seen_both}"
    )


# --- almost locked sets -------------------------------------------------------------------------------------------------


def als_xz(say: Wording) -> str:
    """Say of two sets that share a value once that one of them is locked; if they share two once, both are."""
    sets, common = say.step.pattern.sets, _restricted_commons(say)
    names = _lettered(say, sets)
    if len(common) == _DOUBLY:
        return (
            f"{names} have {_signs(say, common)} in common, each of which only one of them can hold. "
            "Each set gives up just one of these, and holds all its other values"
        )
    others = f"all its other values, {say.values(say.lost)} among them"
    return f"{names} cannot both hold {_signs(say, common)}, and the one without it holds {others}. {say.seen_both}"


def als_chain(say: Wording) -> str:
    """Say of sets of which neighbours share a value once that the first or the last is locked."""
    sets, common = say.step.pattern.sets, _restricted_commons(say)
    names = _lettered(say, sets)
    letters, lost = ascii_uppercase, say.values(say.lost)
    if len(common) != len(sets) - 1:
        joints = ", in which neighbours share values that only one of them can hold"
    else:
        joints = ": " + ", ".join(
            f"{letters[index]} and {letters[index + 1]} cannot both hold {say.sign(value)}" for index, value in enumerate(common)
        )
    return f"{names}{joints}. Therefore {letters[0]} or {letters[len(sets) - 1]} holds all its other values, {lost} among them"


def death_blossom(say: Wording) -> str:
    """Say of a cell each of whose candidates would lock another set that one of these sets is locked."""
    stem, *petals = say.step.pattern.sets
    return (
        f"whatever value the stem {say.set(stem)} has, one of {_lettered(say, petals)} loses it and holds all its other values, "
        f"{say.values(say.lost)} among them"
    )


def sue_de_coq(say: Wording) -> str:
    """Say of cells in a crossing, in the line and in the box that together have as many values as cells."""
    pattern = say.step.pattern
    crossed, line, box = pattern.sets
    houses = [say.houses([house]) for house in pattern.bases]
    count = (crossed.cells | line.cells | box.cells).bit_count()
    return (
        f"{say.set(crossed)} in {' and '.join(houses)}, {say.set(line)} in {houses[0]} and {say.set(box)} in {houses[1]} are "
        f"{plural(count, 'cell')} with just enough room for their values, and use them up: those of {say.cells(line.cells)} in "
        f"{houses[0]}, those of {say.cells(box.cells)} in {houses[1]}, all others in both"
    )


def _lettered(say: Wording, sets: Sequence[CellsAndValues]) -> str:
    """Return sets as ``A = r1c2 {3,5} and B = ...``."""
    parts = [f"{letter} = {say.set(one)}" for letter, one in zip(ascii_uppercase, sets, strict=False)]
    return " and ".join(part for part in (", ".join(parts[:-1]), parts[-1]) if part)


def _restricted_commons(say: Wording) -> list[int]:
    """Return the values that the links of the step say neighbours share; else what two sets share and the step leaves."""
    pattern = say.step.pattern
    weak = [link.start.value for link in pattern.links if not link.strong]
    shared: Domain = pattern.sets[0].values & pattern.sets[-1].values & ~say.lost
    return weak or members(shared)


def _signs(say: Wording, values: Sequence[int]) -> str:
    return " and ".join(map(say.sign, values))
