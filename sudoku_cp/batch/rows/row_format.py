"""One puzzle and its answer as a line of text, a row of a table or an object of JSON."""

from __future__ import annotations

import csv
import io
import json
from typing import TYPE_CHECKING, Any, NamedTuple

from sudoku_cp.batch.rows.line_parsers import fields_of
from sudoku_cp.puzzle import puzzle_told, solution_told

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sudoku_cp.batch.rows.record_chunks import Entry
    from sudoku_cp.batch.solve_request import Task
    from sudoku_cp.queries import Answer

COLUMNS = ("status", "count", "answer", "engine", "reason")
"""What stands behind each puzzle in a table."""


class Row(NamedTuple):
    """What a table says of a record."""

    puzzle: str
    status: str
    number: int | None
    answer: str | None
    engine: str | None
    reason: str | None


def header_of(task: Task) -> str:
    """Return the first line of a table: the input's own columns and ours, which give way to names already taken."""
    if not task.header:
        return f"puzzle,{','.join(COLUMNS)}\n"
    return task.delimiter.join([task.header, *our_names(own_names(task))]) + "\n"


def own_names(task: Task) -> list[str]:
    """Return the names of the input's own columns."""
    return fields_of(task.header, task.delimiter) or []


def our_names(own: Sequence[str]) -> list[str]:
    """Return the names of our columns, which give way to names already taken."""
    taken = {name.strip().lower() for name in own}
    return [
        name if name not in taken else next(f"{name}_{n}" for n in range(2, 99) if f"{name}_{n}" not in taken) for name in COLUMNS
    ]


def error_told(error: Exception) -> str:
    """Return an error in words; bytes that were no text stay visible."""
    return str(error).encode("utf-8", "backslashreplace").decode()


def row_of(entry: Entry, answer: Answer | None) -> Row:
    """Return what a table says of a record; without an answer, of its error."""
    puzzle = entry.record.puzzle
    if puzzle is None or answer is None:
        return Row("", "error", None, None, None, error_told(entry.record.error or ValueError("no answer")))
    return Row(
        _flat(puzzle_told(puzzle)),
        answer.status,
        answer.count,
        _flat(solution_told(puzzle, answer.solution)) if answer.solution else None,
        answer.backend,
        answer.reason,
    )


def _flat(told: str | dict[str, Any]) -> str:
    return told if isinstance(told, str) else json.dumps(told, ensure_ascii=False)


def text_line(index: int, entry: Entry, answer: Answer | None) -> str:
    """Return the number, the status and the first solution, or the error; tabs between them."""
    row = row_of(entry, answer)
    last = row.reason if row.status == "error" else row.answer
    return "\t".join([str(index), row.status, *([" ".join(last.split())] if last else [])]) + "\n"


def csv_line(entry: Entry, answer: Answer | None, task: Task) -> str:
    """Return a row of a table, behind the columns of its own line where these are kept."""
    row = row_of(entry, answer)
    ours = ["" if value is None else str(value) for value in row[1:]]
    text = io.StringIO()
    if not task.header:
        csv.writer(text, lineterminator="\n").writerow([row.puzzle, *ours])
        return text.getvalue()
    csv.writer(text, delimiter=task.delimiter, lineterminator="\n").writerow(ours)
    kept, fields = own_fields(entry.kept, task), fields_of(entry.kept, task.delimiter)
    if kept == fields:
        return entry.kept + task.delimiter + text.getvalue()
    own = io.StringIO()
    csv.writer(own, delimiter=task.delimiter, lineterminator="").writerow(kept)
    return own.getvalue() + task.delimiter + text.getvalue()


def own_fields(line: str, task: Task) -> list[str]:
    """Return as many fields of a line of the input as its header has names.

    A line with others would push ours out of their columns: what is too much goes into the last, what is missing is empty.
    """
    width = len(own_names(task)) or 1
    fields = fields_of(line, task.delimiter)
    kept = [line] if fields is None else fields
    if len(kept) > width:
        kept = [*kept[: width - 1], task.delimiter.join(kept[width - 1 :])]
    return [*map(_visible, kept), *[""] * (width - len(kept))]


def _visible(text: str) -> str:
    """Return a text with bytes that were no UTF-8 made visible."""
    return text.encode("utf-8", "backslashreplace").decode()


def json_line(index: int, entry: Entry, answer: Answer | None, task: Task) -> str:
    """Return the object of a record; ``solutions`` has the first, or all that were found where several are asked for."""
    puzzle = entry.record.puzzle
    if puzzle is None or answer is None:
        told: dict[str, Any] = {"index": index, "status": "error", "error": row_of(entry, answer).reason}
        return json.dumps(told, ensure_ascii=False) + "\n"
    shown = answer.solutions if task.several else answer.solutions[:1]
    told = {
        "index": index,
        "puzzle": puzzle_told(puzzle),
        "status": answer.status,
        "solutions": [solution_told(puzzle, solution) for solution in shown],
        "count": answer.count,
        "exact": answer.exact,
        "backend": answer.backend,
    }
    if answer.reason:
        told["reason"] = answer.reason
    if answer.stated:
        told["stated_solution"] = answer.stated
    return json.dumps(told, ensure_ascii=False) + "\n"
