"""Rows as streams of Arrow, which wait next to a Parquet file until they are complete, and the Parquet file made of them."""

from __future__ import annotations

from itertools import count
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np

from sudoku_cp.batch.rows.array_rows import STATUSES
from sudoku_cp.batch.rows.row_format import AnswerRow, answer_columns, input_columns, parse_input_fields
from sudoku_cp.errors import BackendMissing
from sudoku_cp.formats.table_rows import unescape_cell
from sudoku_cp.logic.rating.ratings_json import COLUMN_TYPES
from sudoku_cp.output_files import open_output
from sudoku_cp.queries.solution_search import ENGINE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from sudoku_cp.batch.rows.array_rows import AnswerRows
    from sudoku_cp.batch.solve_request import RecordRequest, SolveRequest

GROUP_ROWS = 100_000
"""Rows of a row group of a Parquet file, at least."""


def import_pyarrow() -> Any:
    """Return pyarrow, or raise `BackendMissing`."""
    try:
        import pyarrow  # noqa: ICN001, PLC0415  # only Parquet needs it, and it costs 0.1 s
        import pyarrow.parquet  # noqa: PLC0415
    except ImportError as error:
        raise BackendMissing(
            "expected the package pyarrow for .parquet files (pip install 'sudoku_cp[parquet]'), got none"
        ) from error
    return pyarrow


def answer_schema(before: Sequence[str] = ("puzzle",)) -> Any:
    """Return the columns of answers: those of the input (``before``), and ours."""
    arrow = import_pyarrow()
    names = arrow.dictionary(arrow.int32(), arrow.string())
    kinds = (names, arrow.int64(), arrow.string(), names, arrow.string())
    return arrow.schema([*((name, arrow.string()) for name in before), *zip(answer_columns(before), kinds, strict=True)])


def rating_schema(before: Sequence[str] = ("puzzle",)) -> Any:
    """Return the columns of ratings: those of the input (``before``), and ours."""
    arrow = import_pyarrow()
    names = arrow.dictionary(arrow.int32(), arrow.string())
    kinds = {str: names, float: arrow.float64(), int: arrow.int64(), bool: arrow.bool_()}
    own = [kinds[kind] for kind in COLUMN_TYPES.values()]
    own[-1] = arrow.string()  # reasons say something else each time
    return arrow.schema(
        [*((name, arrow.string()) for name in before), *zip(answer_columns(before, [*COLUMN_TYPES]), own, strict=True)]
    )


def schema_of_request(request: RecordRequest, make: Callable[..., Any] = answer_schema) -> Any:
    """Return the columns that a run writes: those of ``make`` with the columns of the input that are kept."""
    return make(with_unique_names(input_columns(request))) if request.header else make()


def with_unique_names(names: Iterable[str]) -> list[str]:
    """Return the names with repetitions numbered: ``name_2``."""
    found: list[str] = []
    for name in names:
        found.append(name if name not in found else next(f"{name}_{n}" for n in count(2) if f"{name}_{n}" not in found))
    return found


def answers_to_arrow(rows: Sequence[tuple[str, AnswerRow]], request: SolveRequest) -> bytes:
    """Return answers, each with its line of the input, as one stream of Arrow."""
    return _rows_to_stream(_with_input(rows, request), schema_of_request(request))


def ratings_to_arrow(rows: Sequence[tuple[str, Sequence[Any]]], request: RecordRequest) -> bytes:
    """Return ratings, each row with its line of the input, and the puzzle in front, as one stream of Arrow."""
    return _rows_to_stream(_with_input(rows, request), schema_of_request(request, rating_schema))


def _with_input(rows: Iterable[tuple[str, Sequence[Any]]], request: RecordRequest) -> list[Sequence[Any]]:
    """Return rows with the fields of their lines of the input instead of the puzzle, if these are kept."""
    if not request.header:
        return [row for _, row in rows]
    return [[*map(unescape_cell, parse_input_fields(line, request)), *row[1:]] for line, row in rows]


def _rows_to_stream(rows: Iterable[Sequence[Any]], like: Any) -> bytes:
    columns = zip(zip(*rows, strict=True), like, strict=True)
    return _to_stream([import_pyarrow().array(column, type=field.type) for column, field in columns], like)


def generated_schema() -> Any:
    """Return the columns of new puzzles."""
    arrow = import_pyarrow()
    names = arrow.dictionary(arrow.int32(), arrow.string())
    texts, numbers = [("puzzle", arrow.string()), ("solution", arrow.string())], ["number", "givens"]
    rest = [("difficulty", names), ("tries", arrow.int64()), ("proved_by", names), ("reason", arrow.string())]
    return arrow.schema([*texts, *((name, arrow.int64()) for name in numbers), *rest])


def generated_to_arrow(rows: Iterable[Sequence[Any]]) -> bytes:
    """Return rows of new puzzles as one stream of Arrow."""
    return _rows_to_stream(rows, generated_schema())


def board_answers_to_arrow(rows: AnswerRows, request: SolveRequest) -> bytes:
    """Return the answers to plain boards as one stream of Arrow."""
    arrow, answers = import_pyarrow(), rows.answers
    number = len(answers.found)
    solutions = _to_strings(rows.solution)
    if not rows.solved.all():
        import pyarrow.compute  # noqa: PLC0415  # rarely needed

        solutions = pyarrow.compute.if_else(arrow.array(rows.solved), solutions, arrow.scalar(None, arrow.string()))
    names = [answers.engines.get(index) for index in range(number)] if answers.engines else [None] * number
    reasons = [answers.reasons.get(index) for index in range(number)] if answers.reasons else [None] * number
    columns = [
        *(_input_columns(rows.input_rows, request) if request.header else [_to_strings(rows.puzzle)]),
        arrow.DictionaryArray.from_arrays(rows.statuses.astype(np.int32), list(STATUSES)),
        arrow.array(answers.found),
        solutions,
        arrow.array([name or ENGINE for name in names], answer_schema().field("engine").type),
        arrow.array(reasons, arrow.string()),
    ]
    return _to_stream(columns, schema_of_request(request))


def _input_columns(text: bytes, request: SolveRequest) -> list[Any]:
    """Return the fields of lines without quotes, column by column."""
    lines = text[:-1].decode().split("\n")
    return [
        import_pyarrow().array(map(unescape_cell, column) if b"'" in text else column, import_pyarrow().string())
        for column in zip(*(line.split(request.delimiter) for line in lines), strict=True)
    ]


def _to_strings(signs: NDArray[np.uint8]) -> Any:
    """Return the rows of an array of characters as strings."""
    arrow = import_pyarrow()
    number, width = signs.shape
    offsets = np.arange(0, (number + 1) * width, width, dtype=np.int32)
    return arrow.StringArray.from_buffers(number, arrow.py_buffer(offsets), arrow.py_buffer(np.ascontiguousarray(signs)))


def _to_stream(columns: Sequence[Any], like: Any) -> bytes:
    arrow = import_pyarrow()
    batch = arrow.record_batch(columns, schema=like)
    sink = arrow.BufferOutputStream()
    with arrow.ipc.new_stream(sink, like) as stream:
        stream.write_batch(batch)
    found: bytes = sink.getvalue().to_pybytes()
    return found


def count_rows(path: Path, like: Any) -> int | None:
    """Return how many rows a Parquet file holds, None if its columns are not those of the schema ``like``."""
    arrow = import_pyarrow()
    try:
        with arrow.parquet.ParquetFile(path) as file:
            found: int = file.metadata.num_rows
            return found if file.schema_arrow.names == like.names else None
    except (OSError, arrow.ArrowException):
        return None


def common_types(inputs: Sequence[Path]) -> dict[str, Any]:
    """Return the types of the columns that all of these Parquet files share, if text can be cast back to them."""
    arrow = import_pyarrow()
    found: list[dict[str, Any]] = []
    for path in inputs:
        try:
            like = arrow.parquet.read_schema(path)
        except (OSError, arrow.ArrowException):
            return {}
        plain = (arrow.types.is_integer, arrow.types.is_floating, arrow.types.is_boolean, arrow.types.is_date)
        found.append({field.name: field.type for field in like if any(fits(field.type) for fits in plain)})
    first = found[0] if found else {}
    return {name: kind for name, kind in first.items() if all(other.get(name) == kind for other in found)}


def write_parquet(waiting: Path, target: Path, like: Any, types: Mapping[str, Any] = MappingProxyType({})) -> None:
    """Write the concatenated streams of Arrow in the file ``waiting`` as one Parquet file, a row group at a time.

    Its columns are theirs, or those of the schema ``like`` if there is no stream; text columns are cast to their ``types``.
    """
    arrow = import_pyarrow()
    if waiting.stat().st_size:
        with waiting.open("rb") as file:
            like = arrow.ipc.open_stream(file).schema
    written = arrow.schema([arrow.field(field.name, types.get(field.name, field.type)) for field in like])
    with (
        waiting.open("rb") as file,
        open_output(target, keep=False) as whole,
        arrow.parquet.ParquetWriter(whole, written, compression="zstd") as writer,
    ):
        held: list[Any] = []
        while file.peek(1):
            held += arrow.ipc.open_stream(file).read_all().to_batches()
            if sum(map(len, held)) >= GROUP_ROWS or not file.peek(1):
                table = arrow.Table.from_batches(held, like).unify_dictionaries()
                writer.write_table(_restore_types(table, written) if types else table, row_group_size=GROUP_ROWS)
                held = []


def _restore_types(table: Any, like: Any) -> Any:
    """Return a table whose text columns are cast to the types of ``like``; an empty text is a null."""
    import pyarrow.compute  # noqa: PLC0415  # as above

    arrow = import_pyarrow()
    columns = []
    for column, field in zip(table.columns, like, strict=True):
        if column.type != field.type:
            empty = pyarrow.compute.equal(column, "")
            column = pyarrow.compute.if_else(empty, arrow.scalar(None, arrow.string()), column).cast(field.type)  # noqa: PLW2901
        columns.append(column)
    return arrow.Table.from_arrays(columns, schema=like)
