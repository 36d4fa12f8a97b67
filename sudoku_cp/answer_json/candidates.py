"""The true candidates of a puzzle as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sudoku_cp.answer_json.fields import with_values
from sudoku_cp.model import members
from sudoku_cp.puzzle import puzzle_to_short_json, solution_to_short_json

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sudoku_cp.model import Domain
    from sudoku_cp.puzzle import Puzzle
    from sudoku_cp.queries import TrueCandidates


def candidates_to_json(found: TrueCandidates, *, partial: bool) -> dict[str, Any]:
    """Return the JSON fields of an answer; values are integers, whatever symbols they are written with."""
    puzzle = found.puzzle
    allowed = puzzle.assume()
    excluded = [domain & allowed.get(cell, -1) for cell, domain in enumerate(found.impossible)]
    fields: dict[str, Any] = {
        "puzzle": puzzle_to_short_json(puzzle),
        "status": found.status,
        "solutions": [solution_to_short_json(puzzle, solution) for solution in found.solutions[:2]],
        "count": len(found.solutions),
        "exact": found.complete and found.status in {"unique", "none"},
        "candidates": _domains_to_json(puzzle, found.possible),
    }
    if found.cap > 1:
        fields |= {"cap": found.cap, "counts": _counts_to_json(found)}
    fields |= {
        "forced": {puzzle.grid.cell_name(cell): value for cell, value in found.forced.items()},
        "impossible": _domains_to_json(puzzle, excluded),
        "undecided": _domains_to_json(puzzle, found.undecided),
        "complete": found.complete,
        "backend": found.backend,
        "calls": found.calls,
        "seconds": round(found.seconds, 6),
    }
    return fields | with_values(reason=found.reason, partial=partial)


def _domains_to_json(puzzle: Puzzle, sets: Sequence[Domain]) -> dict[str, list[int]]:
    return {puzzle.grid.cell_name(cell): list(members(domain)) for cell, domain in enumerate(sets) if domain}


def _counts_to_json(found: TrueCandidates) -> dict[str, dict[str, int]]:
    counted = enumerate(found.counts)
    return {
        found.puzzle.grid.cell_name(cell): {str(value): counts[value] for value in sorted(counts)}
        for cell, counts in counted
        if counts
    }
