"""Whether an output that no journal speaks of holds what a finished run would have left."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from sudoku_cp.batch.rows.row_format import header_of
from sudoku_cp.errors import InvalidInput
from sudoku_cp.formats.sources import failures, unpacked

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from sudoku_cp.batch.solve_request import Task

_BEGINNINGS = {"text": b"%d\t", "jsonl": b'{"index": %d, '}
"""How the line of each record begins."""


def answers_in(output: Path, task: Task) -> int | None:
    """Return how many whole answers of this task an output holds, None where it holds anything else."""
    try:
        if task.kind == "parquet":
            found: int | None = import_module("sudoku_cp.batch.rows.arrow_rows").rows_in(output, task)
            return found
        with unpacked(output) as lines:
            return _lines(lines, task)
    except InvalidInput:
        return None
    except failures():
        return None


def _lines(lines: Iterable[bytes], task: Task) -> int | None:
    beginning = _BEGINNINGS.get(task.kind, b"")
    numbered = enumerate(lines)
    if task.kind == "csv":
        if next(numbered, (0, b""))[1] != header_of(task).encode():
            return None
        numbered = enumerate(line for _, line in numbered)
    number = 0
    for index, line in numbered:
        if not (line.endswith(b"\n") and line.startswith(beginning % index if beginning else b"")):
            return None
        number = index + 1
    return number
