"""What a player has entered in an f-puzzles document: values that are not given, and centre marks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sudoku_cp.formats.base import SolvingState
from sudoku_cp.formats.document_fields import is_empty, iter_elements, parse_whole_number
from sudoku_cp.model import to_mask

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sudoku_cp.grid import Cell
    from sudoku_cp.model import Domain
    from sudoku_cp.puzzle import Puzzle


def player_state(data: Mapping[str, Any], puzzle: Puzzle) -> SolvingState:
    """Return the values and the centre marks entered in a document; ``puzzle`` is the one that it states.

    Marks that are no values of the puzzle are passed over, as the site itself does; so are those of filled cells.
    """
    placed: dict[Cell, int] = {}
    left: dict[Cell, Domain] = {}
    values = set(puzzle.grid.values)
    entries = [entry or {} for row in data.get("grid") or [] for entry in row]
    for cell, entry in enumerate(entries):
        value, marks = entry.get("value"), entry.get("centerPencilMarks")
        if cell in puzzle.givens:
            continue
        if not is_empty(value) and value != 0:
            placed[cell] = parse_whole_number(value, "a value")
        elif not is_empty(marks):
            marked = {parse_whole_number(one, "a value") for _, one in iter_elements(marks, "centerPencilMarks")} & values
            if marked:
                left[cell] = to_mask(marked)
    return SolvingState(placed, left)
