"""The questions about what a person could deduce: rate, hint, steps, explain."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sudoku_cp.answer_json.explanations import explanation_to_json
from sudoku_cp.errors import InvalidInput, LimitReached, Problem
from sudoku_cp.logic.explanations import explain as explain_value
from sudoku_cp.service.questions.asked import Asked

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sudoku_cp.grid import Cell
    from sudoku_cp.logic.explanations import Explanation
    from sudoku_cp.puzzle import Puzzle
    from sudoku_cp.service.pool.tasks import Control


def explain(body: Mapping[str, Any], control: Control) -> dict[str, Any]:
    """Say why a cell cannot hold a value, or that it can."""
    asked = Asked(body, control)
    position = asked.position()
    puzzle, cell, value = position.puzzle, 0, 0
    if asked.is_readable:
        cell = asked.read(lambda: _parse_cell(puzzle, asked.get("cell", "")), 0, "cell")
        value = asked.read(lambda: _parse_value(puzzle, asked.get("value")), 0, "value")
    asked.end()
    patience, limits = asked.get("patience", 1.0), asked.limits()
    try:
        found: Explanation | LimitReached = explain_value(position, cell, value, patience=patience, limits=limits)
    except LimitReached as reached:
        found = reached
    return {"answers": [explanation_to_json(puzzle, (cell, value), found)]} | asked.remarks()


def _parse_cell(puzzle: Puzzle, name: str) -> Cell:
    try:
        return puzzle.grid.parse_cell(name)
    except InvalidInput as error:
        raise InvalidInput(Problem(problem, cell=name[:20]) for problem in error.problems) from error


def _parse_value(puzzle: Puzzle, sent: int | str | None) -> int:
    """Return a value, which is sent as a number or as its sign in the puzzle."""
    value = puzzle.symbols.parse(sent) if isinstance(sent, str) else sent
    if value is None or value not in puzzle.grid.values:
        raise InvalidInput(f"expected a value of the puzzle, got {sent!r:.40}")
    return value
