"""The verdicts of several engines on a puzzle, for ``compare``."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from sudoku_cp.cli import output
from sudoku_cp.compare import Verdict
from sudoku_cp.puzzle import Puzzle, puzzle_to_short_json, solution_to_short_json


def verdicts_to_json(puzzle: Puzzle, verdicts: Sequence[Verdict]) -> list[dict[str, Any]]:
    """Return the verdicts as plain data."""
    return [_verdict_to_json(puzzle, verdict) for verdict in verdicts]


def _verdict_to_json(puzzle: Puzzle, verdict: Verdict) -> dict[str, Any]:
    fields: dict[str, Any] = {"backend": verdict.engine, "status": verdict.status}
    if verdict.answer:
        fields["solutions"] = [solution_to_short_json(puzzle, solution) for solution in verdict.answer.solutions]
    error = verdict.defect or verdict.refusal
    return fields | ({"error": error} if error else {})


def print_verdicts(puzzle: Puzzle, verdicts: Sequence[Verdict]) -> None:
    """Print a puzzle and the verdict of each engine, a line each."""
    document = puzzle_to_short_json(puzzle)
    output.print_text(f"  {document if isinstance(document, str) else json.dumps(document, ensure_ascii=False)}")
    for verdict in verdicts:
        solutions = [solution_to_short_json(puzzle, solution) for solution in verdict.answer.solutions] if verdict.answer else []
        output.print_text(
            f"  {verdict.engine}: {verdict.status} {verdict.defect or verdict.refusal or ' '.join(map(str, solutions))}"
        )
