"""Answers as columns of Arrow: what waits beside a Parquet file until all of them are there."""

from __future__ import annotations

from itertools import count
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np

from sudoku_cp.batch.array_answers import ENGINE, STATUSES
from sudoku_cp.batch.rows.row_format import our_names, own_fields, own_names
from sudoku_cp.errors import BackendMissing
from sudoku_cp.output_files import open_output

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from sudoku_cp.batch.rows.array_rows import Rows
    from sudoku_cp.batch.rows.row_format import Row
    from sudoku_cp.batch.solve_request import Task

GROUP = 100_000
"""Rows of a group of a Parquet file, at least."""


def library() -> Any:
    """Return pyarrow, or raise `BackendMissing`."""
    try:
        import pyarrow  # noqa: ICN001, PLC0415  # only Parquet needs it, and it costs 0.1 s
        import pyarrow.parquet  # noqa: PLC0415
    except ImportError as error:
        raise BackendMissing(
            "expected the package pyarrow for .parquet files (pip install 'sudoku_cp[parquet]'), got none"
        ) from error
    return pyarrow


def schema(own: Sequence[str] = ("puzzle",)) -> Any:
    """Return the columns, those of a table: the input's ``own``, and ours."""
    arrow = library()
    names = arrow.dictionary(arrow.int32(), arrow.string())
    kinds = (names, arrow.int64(), arrow.string(), names, arrow.string())
    return arrow.schema([*((name, arrow.string()) for name in own), *zip(our_names(own), kinds, strict=True)])


def _schema_of(task: Task) -> Any:
    return schema(distinct(own_names(task))) if task.header else schema()


def distinct(names: Iterable[str]) -> list[str]:
    """Return the names such that none comes twice: the second is ``name_2``."""
    found: list[str] = []
    for name in names:
        found.append(name if name not in found else next(f"{name}_{n}" for n in count(2) if f"{name}_{n}" not in found))
    return found


def of_rows(rows: Sequence[tuple[str, Row]], task: Task) -> bytes:
    """Return rows, each with its line of the input, as one stream of Arrow."""
    arrow, like = library(), _schema_of(task)
    told = [[*own_fields(kept, task), *row[1:]] if task.header else row for kept, row in rows]
    columns = [arrow.array(column, type=field.type) for column, field in zip(zip(*told, strict=True), like, strict=True)]
    return _stream(columns, like)


def made_schema() -> Any:
    """Return the columns of new puzzles."""
    arrow = library()
    names = arrow.dictionary(arrow.int32(), arrow.string())
    texts, numbers = [("puzzle", arrow.string()), ("solution", arrow.string())], ["number", "givens"]
    rest = [("difficulty", names), ("tries", arrow.int64()), ("proved_by", names), ("reason", arrow.string())]
    return arrow.schema([*texts, *((name, arrow.int64()) for name in numbers), *rest])


def of_made(rows: Iterable[Sequence[Any]]) -> bytes:
    """Return rows of new puzzles as one stream of Arrow."""
    arrow = library()
    told = zip(zip(*rows, strict=True), made_schema(), strict=True)
    return _stream([arrow.array(column, type=field.type) for column, field in told], made_schema())


def of_boards(rows: Rows, task: Task) -> bytes:
    """Return the answers to plain boards as one stream of Arrow."""
    arrow, outcome = library(), rows.outcome
    number = len(outcome.found)
    answers = _texts(rows.solution)
    if not rows.solved.all():
        import pyarrow.compute  # noqa: PLC0415  # rarely needed

        answers = pyarrow.compute.if_else(arrow.array(rows.solved), answers, arrow.scalar(None, arrow.string()))
    names = [outcome.engines.get(index) for index in range(number)] if outcome.engines else [None] * number
    reasons = [outcome.reasons.get(index) for index in range(number)] if outcome.reasons else [None] * number
    columns = [
        *(_own_columns(rows.kept, task) if task.header else [_texts(rows.puzzle)]),
        arrow.DictionaryArray.from_arrays(rows.statuses.astype(np.int32), list(STATUSES)),
        arrow.array(outcome.found),
        answers,
        arrow.array([name or ENGINE for name in names], schema().field("engine").type),
        arrow.array(reasons, arrow.string()),
    ]
    return _stream(columns, _schema_of(task))


def _own_columns(kept: bytes, task: Task) -> list[Any]:
    """Return the fields of lines without quotes, column by column."""
    lines = kept[:-1].decode().split("\n")
    return [
        library().array(column, library().string())
        for column in zip(*(line.split(task.delimiter) for line in lines), strict=True)
    ]


def _texts(signs: NDArray[np.uint8]) -> Any:
    """Return the rows of an array of signs as texts."""
    arrow = library()
    number, width = signs.shape
    offsets = np.arange(0, (number + 1) * width, width, dtype=np.int32)
    return arrow.StringArray.from_buffers(number, arrow.py_buffer(offsets), arrow.py_buffer(np.ascontiguousarray(signs)))


def _stream(columns: Sequence[Any], like: Any) -> bytes:
    arrow = library()
    batch = arrow.record_batch(columns, schema=like)
    sink = arrow.BufferOutputStream()
    with arrow.ipc.new_stream(sink, like) as stream:
        stream.write_batch(batch)
    found: bytes = sink.getvalue().to_pybytes()
    return found


def rows_in(path: Path, task: Task) -> int | None:
    """Return how many rows a Parquet file holds, None where its columns are not those of this task."""
    arrow = library()
    try:
        with arrow.parquet.ParquetFile(path) as file:
            found: int = file.metadata.num_rows
            return found if file.schema_arrow.names == _schema_of(task).names else None
    except (OSError, arrow.ArrowException):
        return None


def types_of(inputs: Sequence[Path]) -> dict[str, Any]:
    """Return the types of the columns that all of these Parquet files have, as far as their texts can be told back."""
    arrow = library()
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


def to_parquet(waiting: Path, target: Path, like: Any, types: Mapping[str, Any] = MappingProxyType({})) -> None:
    """Write the streams of Arrow that follow each other in the file ``waiting`` as one Parquet file, bit by bit.

    Its columns are theirs, or ``like`` these where there is none; texts become what ``types`` says of their columns.
    """
    arrow = library()
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
            if sum(map(len, held)) >= GROUP or not file.peek(1):
                table = arrow.Table.from_batches(held, like).unify_dictionaries()
                writer.write_table(_told_back(table, written) if types else table, row_group_size=GROUP)
                held = []


def _told_back(table: Any, like: Any) -> Any:
    """Return a table whose texts are what they were before they were told: nothing where they are empty."""
    import pyarrow.compute  # noqa: PLC0415  # as above

    arrow = library()
    columns = []
    for column, field in zip(table.columns, like, strict=True):
        if column.type != field.type:
            empty = pyarrow.compute.equal(column, "")
            column = pyarrow.compute.if_else(empty, arrow.scalar(None, arrow.string()), column).cast(field.type)  # noqa: PLW2901
        columns.append(column)
    return arrow.Table.from_arrays(columns, schema=like)
