"""How a person makes a rule on a drawn board: with one gesture, which follows from its fields and from what its example draws."""

from __future__ import annotations

from dataclasses import MISSING, fields
from functools import cache
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, get_args

from sudoku_cp.cosmetics import Cage, Chevron, Clue, Dot, DrawnArrow, Line, Mark
from sudoku_cp.grid import Cell, Grid

if TYPE_CHECKING:
    from sudoku_cp.cosmetics import Cosmetic

Gesture: TypeAlias = Literal["line", "cage", "cells", "edge", "corner", "outside", "stem", "groups", "stages", "joined", "switch"]
"""
- line: cells in order; cage: cells with an outline; cells: single cells;
- edge: the edge of two cells; corner: where four meet; outside: around the board, looking inwards;
- stem: a bulb, then lines that begin there; groups: several sets of cells; stages: one field of cells after another;
- joined: rules that are on the board already; switch: no cells.
"""
GESTURES: tuple[str, ...] = get_args(Gesture)
_SIDE = 9
"""The side of the board on which examples are looked at."""
_TOGETHER: tuple[tuple[type | tuple[type, ...], int | None, Gesture], ...] = (
    (Clue, None, "outside"),
    ((Line, DrawnArrow), None, "line"),
    (Cage, None, "cage"),
    ((Dot, Mark, Chevron), 2, "edge"),
    ((Dot, Mark), 4, "corner"),
)
"""What is drawn through all of a rule's cells, their number if it matters, and the gesture; the first that fits."""


@cache
def derive_gesture(rule: type[Any]) -> Gesture:
    """Return the gesture that a rule's required fields of cells, and the drawing of its example, call for."""
    if any(field.plain not in (Cell, int, bool, str) for field in rule.field_types.values()):
        return "joined"
    required = [rule.field_types[field.name] for field in fields(rule) if field.default is MISSING]
    depths = [field.depth for field in required if field.plain is Cell]
    if not depths:
        return "switch"
    grid = Grid.square(_SIDE)
    example = rule.example(grid)
    drawn = (*example.cosmetics(grid),)
    if max(depths) > 1:
        return "stem" if any(isinstance(one, DrawnArrow) for one in drawn) else "groups"
    if len(depths) > 1:
        return "stages"
    name = next(name for name, field in rule.field_types.items() if field.plain is Cell)
    return _gesture_of_drawing(set(getattr(example, name)), drawn)


def _gesture_of_drawing(cells: set[Cell], drawn: tuple[Cosmetic, ...]) -> Gesture:
    together = [one for one in drawn if set(one.cells) == cells]
    for types, count, gesture in _TOGETHER:
        if count in (None, len(cells)) and any(isinstance(one, types) for one in together):
            return gesture
    return "cells"
