"""Steps that a person could take as JSON, with what is known of the position they begin at."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sudoku_cp.answer_json.checks import conflict_to_json
from sudoku_cp.answer_json.fields import with_values
from sudoku_cp.logic.layout import layout_of
from sudoku_cp.logic.position_check import clashing_puzzle
from sudoku_cp.logic.step_json import step_to_json

if TYPE_CHECKING:
    from sudoku_cp.logic.paths import FoundPath
    from sudoku_cp.logic.position_check import PositionCheck
    from sudoku_cp.puzzle import Position


def path_to_json(position: Position, path: FoundPath, check: PositionCheck) -> dict[str, Any]:
    """Return the JSON fields of a path or a list of steps, with the solutions there are and what is wrong."""
    layout, symbols = layout_of(position.puzzle), position.puzzle.symbols
    steps = [step_to_json(layout, symbols, step) for step in path.found.steps]
    fields = {"status": "ok", "steps": steps, "complete": path.found.complete} | with_values(end=path.end)
    if path.clash:
        fields["clash"] = conflict_to_json(clashing_puzzle(position, check), path.clash)
    return fields | _check_to_json(position, check)


def _check_to_json(position: Position, check: PositionCheck) -> dict[str, Any]:
    """Return how many solutions the puzzle has, and what is wrong in the position, if anything is."""
    name = position.puzzle.grid.cell_name
    wrong = {"wrong_values": check.wrong_values, "wrong_eliminations": check.wrong_marks}
    named = {field: [[name(cell), value] for cell, value in candidates] for field, candidates in wrong.items()}
    return {"solutions": check.status} | with_values(**named)
