"""The verdicts of several engines on puzzles as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sudoku_cp.answer_json.fields import with_values
from sudoku_cp.puzzle import puzzle_to_short_json, solution_to_short_json

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sudoku_cp.compare import Comparison, Verdict
    from sudoku_cp.puzzle import Puzzle


def comparison_to_json(compared: Comparison) -> dict[str, Any]:
    """Return the JSON fields of a comparison: each engine's tally, and every disagreement with the least puzzle that shows it."""
    return {
        "puzzles": compared.puzzles,
        "agreed": compared.agreed if compared.puzzles else None,
        "disagreed": compared.disagreed,
        "unknown": compared.unknown,
        "refused": compared.refused,
        "failed": compared.failed,
        "backends": [
            tally.to_json() | with_values(failure=compared.failures.get(tally.engine, "")) for tally in compared.tallies
        ],
        "disagreements": [
            {
                "index": one.index,
                "puzzle": puzzle_to_short_json(one.puzzle),
                "verdicts": verdicts_to_json(one.puzzle, one.verdicts),
                "shrunk": puzzle_to_short_json(one.least),
                "shrunk_verdicts": verdicts_to_json(one.least, one.least_verdicts),
            }
            for one in compared.disagreements
        ],
    }


def verdicts_to_json(puzzle: Puzzle, verdicts: Sequence[Verdict]) -> list[dict[str, Any]]:
    """Return the verdicts as plain data."""
    return [_verdict_to_json(puzzle, verdict) for verdict in verdicts]


def _verdict_to_json(puzzle: Puzzle, verdict: Verdict) -> dict[str, Any]:
    fields: dict[str, Any] = {"backend": verdict.engine, "status": verdict.status}
    if verdict.answer:
        fields["solutions"] = [solution_to_short_json(puzzle, solution) for solution in verdict.answer.solutions]
    return fields | ({"error": verdict.problem} if verdict.problem else {})
