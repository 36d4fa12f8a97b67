"""Hints as JSON, up to their level of detail."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sudoku_cp.answer_json.checks import conflict_to_json
from sudoku_cp.answer_json.fields import with_values
from sudoku_cp.logic.hints import HintLevel
from sudoku_cp.logic.layout import layout_of
from sudoku_cp.logic.position_check import clashing_puzzle
from sudoku_cp.logic.step_json import step_to_json
from sudoku_cp.model import members

if TYPE_CHECKING:
    from sudoku_cp.logic.hints import Hint


def hint_to_json(found: Hint, level: HintLevel) -> dict[str, Any]:
    """Return the JSON fields of a hint, up to its level of detail; for a wrong position, what is left without the errors."""
    puzzle, name = found.start.puzzle, found.start.puzzle.grid.cell_name
    fields: dict[str, Any] = {"status": found.answer, "level": int(level), "solutions": found.check.status}
    fields |= with_values(reason=found.reason or found.check.reason)
    wrong = {"wrong_values": found.check.wrong_values, "wrong_eliminations": found.check.wrong_marks}
    fields |= with_values(**{field: [[name(cell), value] for cell, value in candidates] for field, candidates in wrong.items()})
    if found.clash:
        fields["clash"] = conflict_to_json(clashing_puzzle(found.start, found.check), found.clash)
    if step := found.step:
        told = step_to_json(layout_of(puzzle), puzzle.symbols, step)
        fields["place"] = found.place.name
        for field, needed in (("technique", HintLevel.TECHNIQUE), ("code", HintLevel.TECHNIQUE), ("cells", HintLevel.CELLS)):
            fields |= {field: told[field]} if level >= needed else {}
        fields |= {"step": told} if level >= HintLevel.STEP else {}
    if found.position and (level >= HintLevel.APPLY or not found.step):
        fields["values"] = {name(cell): value for cell, value in enumerate(found.position.values) if value is not None}
        fields["candidates"] = {name(cell): members(marks) for cell, marks in enumerate(found.position.marks) if marks}
    return fields | {"text": found.text(level)}
