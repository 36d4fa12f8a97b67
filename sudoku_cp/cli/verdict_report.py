"""The verdicts of several engines on a puzzle, for ``compare``."""

from __future__ import annotations

import json
from collections.abc import Sequence

from sudoku_cp.cli import output
from sudoku_cp.compare import Verdict
from sudoku_cp.puzzle import Puzzle, puzzle_to_short_json, solution_to_short_json


def print_verdicts(puzzle: Puzzle, verdicts: Sequence[Verdict]) -> None:
    """Print a puzzle and the verdict of each engine, a line each."""
    document = puzzle_to_short_json(puzzle)
    output.print_text(f"  {document if isinstance(document, str) else json.dumps(document, ensure_ascii=False)}")
    for verdict in verdicts:
        solutions = [solution_to_short_json(puzzle, solution) for solution in verdict.answer.solutions] if verdict.answer else []
        output.print_text(f"  {verdict.engine}: {verdict.status} {verdict.problem or ' '.join(map(str, solutions))}")
