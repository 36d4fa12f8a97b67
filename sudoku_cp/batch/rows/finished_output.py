"""Whether an output without a journal holds what a finished run leaves."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from sudoku_cp.batch.rows.row_format import format_header
from sudoku_cp.errors import InvalidInput
from sudoku_cp.formats.sources import failures, unpacked

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from sudoku_cp.batch.solve_request import SolveRequest

_LINE_STARTS = {"text": b"%d\t", "jsonl": b'{"index": %d, '}
"""How the line of each record starts."""


def count_answers(output: Path, request: SolveRequest) -> int | None:
    """Return how many whole answers to this request an output holds, None if it holds anything else."""
    try:
        if request.kind == "parquet":
            found: int | None = import_module("sudoku_cp.batch.rows.arrow_rows").count_rows(output, request)
            return found
        with unpacked(output) as lines:
            return _count_lines(lines, request)
    except InvalidInput:
        return None
    except failures():
        return None


def _count_lines(lines: Iterable[bytes], request: SolveRequest) -> int | None:
    start = _LINE_STARTS.get(request.kind, b"")
    numbered = enumerate(lines)
    if request.kind == "csv":
        if next(numbered, (0, b""))[1] != format_header(request).encode():
            return None
        numbered = enumerate(line for _, line in numbered)
    number = 0
    for index, line in numbered:
        if not (line.endswith(b"\n") and line.startswith(start % index if start else b"")):
            return None
        number = index + 1
    return number
