"""An estimate of the number of solutions as JSON."""

from __future__ import annotations

from math import isfinite
from typing import TYPE_CHECKING, Any

from sudoku_cp.answer_json.fields import with_values
from sudoku_cp.errors import LimitReached
from sudoku_cp.puzzle import puzzle_to_short_json

if TYPE_CHECKING:
    from sudoku_cp.puzzle import Puzzle
    from sudoku_cp.queries import Estimate


def estimate_to_json(puzzle: Puzzle, found: Estimate | LimitReached) -> dict[str, Any]:
    """Return the JSON fields of an estimate; ``count`` is what is certain: the exact number or a lower bound."""
    told: dict[str, Any] = {"puzzle": puzzle_to_short_json(puzzle)}
    if isinstance(found, LimitReached):
        return told | {"count": 0, "exact": False, "reason": found.reason}
    fields = told | {
        "count": found.value if found.exact else found.least,
        "exact": found.exact,
        "backend": found.backend,
        "seconds": round(found.seconds, 6),
        "estimate": {
            "estimate": found.value,
            "stderr": found.stderr if isfinite(found.stderr) else None,
            "iterations": found.samples,
            "ci95_lower": found.low,
            "ci95_upper": found.high,
        },
    }
    return fields | with_values(reason=found.reason)
