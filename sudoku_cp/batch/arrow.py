"""Answers as columns of Arrow: what waits beside a Parquet file until all of them are there."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from sudoku_cp.batch.lanes import ENGINE, STATUSES
from sudoku_cp.errors import BackendMissing
from sudoku_cp.output_files import open_output

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from sudoku_cp.batch.rows import Rows
    from sudoku_cp.batch.telling import Row

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


def schema() -> Any:
    """Return the columns: those of a table."""
    arrow = library()
    names = arrow.dictionary(arrow.int32(), arrow.string())
    told = [("puzzle", arrow.string()), ("status", names), ("count", arrow.int64()), ("answer", arrow.string())]
    return arrow.schema([*told, ("engine", names), ("reason", arrow.string())])


def of_rows(rows: Sequence[Row]) -> bytes:
    """Return rows as one stream of Arrow."""
    arrow = library()
    columns = [arrow.array(column, type=field.type) for column, field in zip(zip(*rows, strict=True), schema(), strict=True)]
    return _stream(columns, schema())


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


def of_boards(rows: Rows) -> bytes:
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
        _texts(rows.puzzle),
        arrow.DictionaryArray.from_arrays(rows.statuses.astype(np.int32), list(STATUSES)),
        arrow.array(outcome.found),
        answers,
        arrow.array([name or ENGINE for name in names], schema().field("engine").type),
        arrow.array(reasons, arrow.string()),
    ]
    return _stream(columns, schema())


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


def rows_in(path: Path) -> int | None:
    """Return how many rows a Parquet file holds, None where it is none of ours."""
    arrow = library()
    try:
        with arrow.parquet.ParquetFile(path) as file:
            found: int = file.metadata.num_rows
            return found if file.schema_arrow.names[-len(schema()) :] == schema().names else None
    except (OSError, arrow.ArrowException):
        return None


def to_parquet(waiting: Path, target: Path, like: Any = None) -> None:
    """Write the streams of Arrow that follow each other in the file ``waiting`` as one Parquet file, bit by bit.

    Its columns are ``like`` these, by default those of answers.
    """
    arrow, like = library(), like or schema()
    with (
        waiting.open("rb") as file,
        open_output(target, keep=False) as whole,
        arrow.parquet.ParquetWriter(whole, like, compression="zstd") as writer,
    ):
        held: list[Any] = []
        while file.peek(1):
            held += arrow.ipc.open_stream(file).read_all().to_batches()
            if sum(map(len, held)) >= GROUP or not file.peek(1):
                writer.write_table(arrow.Table.from_batches(held, like).unify_dictionaries(), row_group_size=GROUP)
                held = []
