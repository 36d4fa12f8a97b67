"""Merge two steps into one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sudoku_cp.logic.proof_groups import distinct
from sudoku_cp.logic.step import Pattern, Step

if TYPE_CHECKING:
    from sudoku_cp.logic.technique import Technique


def united(technique: Technique, one: Step, other: Step) -> Step:
    """Return the step that shows what both of two steps of a board show."""
    pattern = Pattern(
        tuple(dict.fromkeys(one.pattern.bases + other.pattern.bases)),
        tuple(dict.fromkeys(one.pattern.covers + other.pattern.covers)),
        one.pattern.fins | other.pattern.fins,
        one.pattern.links + other.pattern.links,
        one.pattern.sets + other.pattern.sets,
    )
    return Step(
        technique,
        one.values | other.values,
        one.cells | other.cells,
        tuple(sorted({*one.eliminations, *other.eliminations})),
        tuple(sorted({*one.placements, *other.placements})),
        pattern,
        distinct(one.proof + other.proof),
    )
