"""Why a cell cannot hold a value, as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sudoku_cp.errors import LimitReached
from sudoku_cp.logic.words import describe_group, describe_line
from sudoku_cp.puzzle import solution_to_short_json

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sudoku_cp.grid import Cell
    from sudoku_cp.logic.explanations import Explanation
    from sudoku_cp.logic.proofs import Claim
    from sudoku_cp.puzzle import Puzzle


def explanation_to_json(puzzle: Puzzle, asked: tuple[Cell, int], found: Explanation | LimitReached) -> dict[str, Any]:
    """Return the JSON fields of an answer; values are integers, whatever symbols they are written with."""
    fields: dict[str, Any] = {"cell": puzzle.grid.cell_name(asked[0]), "value": asked[1]}
    if isinstance(found, LimitReached):
        return fields | {"answer": "unknown", "reason": found.reason}
    layout = found.board.layout
    fields |= {"answer": found.reply, "text": found.sentences()}
    if found.lines:
        proof = [describe_group(layout, puzzle.symbols, group) for group in found.proof]
        fields |= {"size": found.size, "smallest": found.smallest, "by_cases": found.by_cases, "proof": proof}
    if found.lines and not found.by_cases:
        fields["lines"] = [
            {
                "fact": describe_group(layout, puzzle.symbols, line.group),
                "uses": _claims_to_json(puzzle, line.uses),
                "forces": _claims_to_json(puzzle, line.forces),
                "text": describe_line(puzzle.symbols, found.board, line),
            }
            for line in found.lines
        ]
    if found.solution:
        fields["solution"] = solution_to_short_json(puzzle, found.solution)
    return fields


def _claims_to_json(puzzle: Puzzle, claims: Iterable[Claim]) -> list[list[Any]]:
    """Return (cell, value, whether the cell holds it) of each claim."""
    return [[puzzle.grid.cell_name(cell), value, holds] for cell, value, holds in claims]
