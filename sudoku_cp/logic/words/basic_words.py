"""Sentences of singles, locked candidates, subsets and fish."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sudoku_cp.logic.words.wording import plural

if TYPE_CHECKING:
    from sudoku_cp.logic.words.wording import Wording


def full_house(say: Wording) -> str:
    """Explain that a cell is the last of its house."""
    return f"all other cells of {say.houses(say.step.pattern.bases)} are filled"


def hidden_single(say: Wording) -> str:
    """Explain that a value has one place left."""
    return f"{say.value} has only one place left in {say.houses(say.step.pattern.bases)}"


def naked_single(say: Wording) -> str:
    """Explain that a cell has one candidate left."""
    return f"all other values are ruled out in {say.cells(say.step.cells)}"


def locked_candidates(say: Wording) -> str:
    """Explain that the places of a value in one house lie in another."""
    pattern = say.step.pattern
    return (
        f"{say.value} in {say.houses(pattern.bases)} can only stand in {say.houses(pattern.covers)} ({say.cells(say.step.cells)})"
    )


def locked_subset(say: Wording) -> str:
    """Explain that cells of a crossing keep their values to themselves, in both houses."""
    step = say.step
    houses = say.houses(step.pattern.bases)
    return f"{say.cells(step.cells)}, in both {houses}, can only hold {say.value}, and use them up in both"


def naked_subset(say: Wording) -> str:
    """Explain that as many cells as values have no others."""
    step = say.step
    count = step.values.bit_count()
    counts = f"{plural(count, 'cell')} for {plural(count, 'value')}"
    return f"{say.cells(step.cells)} in {say.houses(step.pattern.bases)} can only hold {say.value}, {counts}"


def hidden_subset(say: Wording) -> str:
    """Explain that as many values as cells have no other places."""
    step = say.step
    stand = f"{say.value} in {say.houses(step.pattern.bases)} can only stand in {say.cells(step.cells)}"
    return f"{stand}, which then hold nothing else"


def plain_fish(say: Wording) -> str:
    """Explain that a value in some houses has places in as many others only."""
    pattern = say.step.pattern
    return f"{say.value} in {say.houses(pattern.bases)} can only stand in {say.houses(pattern.covers)}"


def finned_fish(say: Wording) -> str:
    """Explain the same for a value that has other places, too."""
    pattern = say.step.pattern
    fins = f"fin {say.cells(pattern.fins)}" if pattern.fins.bit_count() == 1 else f"fins {say.cells(pattern.fins)}"
    covers = say.houses(pattern.covers)
    if len(pattern.covers) > len(pattern.bases):  # two fish in one
        return (
            f"{say.value} in {say.houses(pattern.bases)} makes two fish, with covers among {covers} and fins among "
            f"{say.cells(pattern.fins)}. Of each either the fish holds or one of its fins is {say.value}"
        )
    single = pattern.fins.bit_count() == 1
    otherwise = f"the fin is {say.value}" if single else f"one of the fins is {say.value}"
    return (
        f"{say.value} in {say.houses(pattern.bases)} can only stand in {covers} or in the {fins}. Either {otherwise}, "
        f"or the fish holds. {say.cells_of_result} {say.verb('see')} {'the fin' if single else 'all fins'}"
    )
