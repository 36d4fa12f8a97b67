"""Steps that a person could take as JSON, with what is known of the position they begin at."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sudoku_cp.answer_json.checks import conflict_to_json
from sudoku_cp.answer_json.fields import with_values
from sudoku_cp.logic.layout import layout_of
from sudoku_cp.logic.position_check import clashing_puzzle
from sudoku_cp.logic.step_json import step_to_json

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sudoku_cp.logic.paths import SolvePath
    from sudoku_cp.logic.step import Step
    from sudoku_cp.puzzle import Puzzle


def path_to_json(path: SolvePath) -> dict[str, Any]:
    """Return the JSON fields of a path or a list of steps, with the solutions there are and what is wrong."""
    puzzle = path.start.puzzle
    steps = _steps_to_json(puzzle, path.steps) if path.steps else []
    fields = {"status": "ok", "steps": steps, "complete": path.complete}
    fields |= with_values(end=path.end, reason=path.reason or path.check.reason)
    if path.clash:
        fields["clash"] = conflict_to_json(clashing_puzzle(path.start, path.check), path.clash)
    name, check = puzzle.grid.cell_name, path.check
    wrong = {"wrong_values": check.wrong_values, "wrong_eliminations": check.wrong_marks}
    named = {field: [[name(cell), value] for cell, value in candidates] for field, candidates in wrong.items()}
    return fields | {"solutions": check.status} | with_values(**named)


def _steps_to_json(puzzle: Puzzle, steps: Sequence[Step]) -> list[dict[str, Any]]:
    layout = layout_of(puzzle)
    return [step_to_json(layout, puzzle.symbols, step) for step in steps]
