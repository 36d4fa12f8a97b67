"""Sentences of the techniques that argue from uniqueness: otherwise values could be exchanged, and there were two solutions."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sudoku_cp.logic.words.wording import Wording

_TWO = 2


def _deadly(say: Wording) -> str:
    """Explain what must not happen."""
    rectangle = say.step.pattern.sets[0]
    pair = say.values(rectangle.values)
    return f"if {say.cells(rectangle.cells)} held nothing but {pair}, these could be exchanged and there would be two solutions"


def rectangle_1(say: Wording) -> str:
    """Explain that the roof is one cell."""
    return f"{_deadly(say)}. Only {say.cells(say.step.pattern.fins)} can hold anything else"


def rectangle_2(say: Wording) -> str:
    """Explain that the roof has one extra value."""
    roof = say.step.pattern.fins
    sight = f"{say.cells_of_result} {say.verb('see')} {'both' if roof.bit_count() == _TWO else 'them all'}"
    return f"{_deadly(say)}. Therefore {say.either(roof)} is {say.values(say.lost)}. {sight}"


def rectangle_3(say: Wording) -> str:
    """Explain that the roof's extra values make a subset with other cells."""
    pattern = say.step.pattern
    rectangle, subset = pattern.sets
    extras = say.step.values & ~rectangle.values
    return (
        f"{_deadly(say)}. Therefore {say.either(pattern.fins)} holds {say.values(extras, 'or')}, "
        f"and makes with {say.set(subset)} a naked subset of {say.values(subset.values | extras)} in {say.houses(pattern.bases)}"
    )


def rectangle_4(say: Wording) -> str:
    """Explain that a value must stand in the roof."""
    pattern = say.step.pattern
    kept = say.values(pattern.sets[0].values & ~say.lost)
    return (
        f"{_deadly(say)}. {kept} in {say.houses(pattern.bases)} has to stand in {say.either(pattern.fins)}, and with "
        f"{say.values(say.lost)} in the other one the four cells would hold nothing else"
    )


def rectangle_6(say: Wording) -> str:
    """Explain that a value has no place outside the rectangle in its four lines."""
    pattern = say.step.pattern
    lost = say.values(say.lost)
    return (
        f"{_deadly(say)}. {lost} in {say.houses(pattern.bases)} can only stand in these cells: "
        f"if one of {say.every(pattern.fins)} were {lost}, both would be, and the four cells would hold nothing else"
    )


def hidden_rectangle(say: Wording) -> str:
    """Explain that a value has no place outside the rectangle in the two lines of a corner."""
    pattern = say.step.pattern
    pair, lost = pattern.sets[0].values, say.lost
    corner = 1 << say.step.eliminations[0][0]
    return (
        f"{_deadly(say)}. {say.values(pair & ~lost)} in {say.houses(pattern.bases)} can only stand in these cells: if "
        f"{say.cells(corner)} were {say.values(lost)}, the two beside it would be {say.values(pair & ~lost)} and the fourth "
        f"{say.values(lost)}"
    )


def avoidable_1(say: Wording) -> str:
    """Explain that the last open cell would complete the rectangle."""
    last = say.step.pattern.fins
    return (
        f"none of {say.cells(say.step.pattern.sets[0].cells)} is given. If {say.cells(last)} were {say.values(say.lost)}, "
        f"{say.values(say.step.pattern.sets[0].values)} could be exchanged in them and there would be two solutions"
    )


def avoidable_2(say: Wording) -> str:
    """Explain that one of the two open cells has the extra value."""
    pattern = say.step.pattern
    lost, pair = say.values(say.lost), say.values(pattern.sets[0].values)
    return (
        f"none of {say.cells(pattern.sets[0].cells)} is given. If neither of {say.every(pattern.fins)} were {lost}, "
        f"{pair} could be exchanged in them and there would be two solutions. {say.seen_both}"
    )


def bug_plus_1(say: Wording) -> str:
    """Explain that all other open cells have two candidates, and all values two places."""
    cell = say.cells(say.step.cells)
    return (
        f"if {cell} were not {say.value}, all open cells would have two candidates, and all values two places or none in every "
        f"house. Such a grid never has just one solution. Therefore {cell} is {say.value}"
    )
