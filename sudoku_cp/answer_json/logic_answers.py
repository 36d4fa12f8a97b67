"""Answers of logic as JSON: explanations, hints up to their level of detail, paths."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sudoku_cp.answer_json.fields import with_values
from sudoku_cp.answer_json.query_answers import conflict_to_json
from sudoku_cp.errors import LimitReached
from sudoku_cp.logic.hints import HintLevel, clashing_puzzle
from sudoku_cp.logic.layout import layout_of
from sudoku_cp.logic.step_json import step_to_json
from sudoku_cp.logic.words import describe_group, describe_line
from sudoku_cp.model import members
from sudoku_cp.puzzle import solution_to_short_json

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from sudoku_cp.grid import Cell
    from sudoku_cp.logic.explanations import Explanation
    from sudoku_cp.logic.hints import Hint
    from sudoku_cp.logic.paths import SolvePath
    from sudoku_cp.logic.proofs import Claim
    from sudoku_cp.logic.step import Step
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


# Hints as JSON, up to their level of detail.


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


# Steps that a person could take as JSON, with what is known of the position they begin at.


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
