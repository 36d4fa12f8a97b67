"""What engines say of a puzzle, shown."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from sudoku_cp.cli import output
from sudoku_cp.puzzle import puzzle_told, solution_told

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sudoku_cp.compare import Verdict
    from sudoku_cp.puzzle import Puzzle


def verdicts_told(puzzle: Puzzle, verdicts: Sequence[Verdict]) -> list[dict[str, Any]]:
    """Return what engines say of a puzzle as plain data."""
    return [_verdict_told(puzzle, verdict) for verdict in verdicts]


def _verdict_told(puzzle: Puzzle, verdict: Verdict) -> dict[str, Any]:
    told: dict[str, Any] = {"backend": verdict.engine, "status": verdict.status}
    if verdict.answer:
        told["solutions"] = [solution_told(puzzle, solution) for solution in verdict.answer.solutions]
    error = verdict.defect or verdict.refusal
    return told | ({"error": error} if error else {})


def say_least(puzzle: Puzzle, verdicts: Sequence[Verdict]) -> None:
    """Print a puzzle and what each engine says of it, a line each."""
    told = puzzle_told(puzzle)
    output.say(f"  {told if isinstance(told, str) else json.dumps(told, ensure_ascii=False)}")
    for verdict in verdicts:
        found = [solution_told(puzzle, solution) for solution in verdict.answer.solutions] if verdict.answer else []
        output.say(f"  {verdict.engine}: {verdict.status} {verdict.defect or verdict.refusal or ' '.join(map(str, found))}")
