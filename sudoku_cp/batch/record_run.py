"""Runs that answer records from file to file: what those that solve and those that rate share.

The answers come in the order of the records. A resumed run reads its input again, and makes sure that it is the same up to the
record at which it goes on.
"""

from __future__ import annotations

import hashlib
import os
from abc import abstractmethod
from contextlib import contextmanager, suppress
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar

import numpy as np

from sudoku_cp import __version__
from sudoku_cp.backends import MANY
from sudoku_cp.batch.file_run import Callbacks, FileRun
from sudoku_cp.batch.rows.arrow_rows import answer_schema, count_rows, schema_of_request
from sudoku_cp.batch.rows.row_format import COLUMNS, RecordChunk, count_lines, format_header
from sudoku_cp.batch.rows.run_output import compress
from sudoku_cp.batch.solve_request import TABLES, FailedRecord, RecordRequest, SolvedChunk
from sudoku_cp.errors import InvalidInput, Unsupported
from sudoku_cp.formats.registry import format_named

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from numpy.typing import NDArray

    from sudoku_cp.batch.rows.reader import Input, Reader, ReadOptions
    from sudoku_cp.batch.rows.row_format import InputPosition
    from sudoku_cp.batch.rows.run_output import RunOutput
    from sudoku_cp.batch.worker_pool import ChunkTask
    from sudoku_cp.generate.chunks import ProvedPuzzles


R = TypeVar("R", bound=RecordRequest)

_HEAD_BYTES = 1 << 16
"""Bytes of a file by which it is recognised when a run is resumed."""


def check_readable(how: ReadOptions) -> None:
    """Refuse a format that is only written."""
    if how.format and format_named(how.format).read is None:
        raise Unsupported(f"expected a format that can be read, got {how.format!r}, which is only written")


def input_stamp(inputs: Sequence[Input], how: ReadOptions) -> dict[str, Any]:
    """Return what must be the same of the input, and of how it is read, for a run to be resumed, as plain data."""
    return {
        "version": __version__,
        "input": [_fingerprint(one) for one in inputs],
        "format": how.format,
        "grid": repr(how.options.grid) if how.options.grid else None,
        "alphabet": how.options.alphabet,
        "rules": list(how.rules),
    }


def _fingerprint(one: Input) -> str | None:
    """Return a file's size and the hash of its head; None for streams, whose bytes are compared, and for what cannot be read."""
    if not isinstance(one.source, str | Path) or not Path(one.source).is_file():
        return None
    with suppress(OSError), Path(one.source).open("rb") as file:
        head = hashlib.sha256(file.read(_HEAD_BYTES)).hexdigest()[:16]
        return f"{Path(one.source).stat().st_size} bytes, {head}"
    return None


class RecordRun(FileRun[RecordChunk, SolvedChunk], Generic[R]):
    """A run that answers the records of a reader as its request says."""

    columns: ClassVar[tuple[str, ...]] = COLUMNS
    """The columns that follow each puzzle in a table."""
    schema: ClassVar[Callable[..., Any]] = staticmethod(answer_schema)
    """Makes the columns of a Parquet file, given those of the input."""

    def __init__(self, output: RunOutput, reader: Reader, request: R, callbacks: Callbacks | None, *, strict: bool) -> None:
        """Lock the journal of ``output``. ``reader`` reads the puzzles; ``strict`` ends at the first record that fails."""
        super().__init__(output, callbacks or Callbacks())
        self._reader, self._request, self._strict = reader, request, strict
        self._chunks: Iterator[RecordChunk] = iter(())

    # --- what clients supply ------------------------------------------------------------------------------------

    @abstractmethod
    def _make_task(self, request: R) -> ChunkTask[RecordChunk, SolvedChunk]:
        """Return the task for a request, which has the header of the input and about how many records there are."""

    # --- the run ------------------------------------------------------------------------------------------------

    def _records_if_whole(self) -> int | None:
        """Return how many records the input has, if the output holds the answers to as many."""
        records = sum(map(len, self._reader.chunks()))
        return records if self._count_records(self._output.output.path, self._with_header()) == records else None

    def _count_records(self, output: Path, request: R) -> int | None:
        """Return how many whole answers to a request an output holds, None if it holds anything else."""
        if request.kind == "parquet":
            return count_rows(output, schema_of_request(request, self.schema))
        return count_lines(output, request.kind, format_header(request, self.columns))

    def _begin(self) -> ChunkTask[RecordChunk, SolvedChunk]:
        """Read the first chunks, to learn whether there are many puzzles and what the header of a table is."""
        chunks = self._reader.chunks()
        ahead: list[RecordChunk] = []
        while sum(map(len, ahead)) < MANY and (chunk := next(chunks, None)):
            ahead.append(chunk)
        self._chunks = chain(ahead, chunks)
        request = replace(self._with_header(), expected_count=sum(map(len, ahead)))
        if request.kind == "csv":
            self._output.header = compress(format_header(request, self.columns).encode(), request.compressor)
        self._task = self._make_task(request)
        return self._task

    def _with_header(self) -> R:
        """Return the request with the header of the input, if its columns are kept; it is known once a chunk has been read."""
        header = self._reader.header if self._request.kind in TABLES else ""
        return replace(self._request, header=header, delimiter=self._reader.delimiter if header else ",")

    def _rounds(self) -> Iterator[Iterator[RecordChunk]]:
        yield self._remaining_chunks()

    def _remaining_chunks(self) -> Iterator[RecordChunk]:
        """Yield what follows the checkpoint, after a check that this is the same input."""
        checkpoint = self._output.checkpoint
        done = checkpoint.records
        reached: InputPosition | None = checkpoint.position if done == 0 else None
        for chunk in self._chunks:
            end = chunk.first + len(chunk)
            if chunk.first < done <= end:
                reached = chunk.position
                _check_same_input(reached, checkpoint.position)
            if chunk.first >= done:
                yield chunk
            elif end > done:
                yield from chunk.slices([(done - chunk.first, len(chunk))])
        if reached is None:
            _check_same_input(None, checkpoint.position)

    def _accept(self, chunk: RecordChunk, result: SolvedChunk) -> None:
        if self._strict and result.failed:
            self._stop_at(chunk, result.failed[0])
        self._output.write(result.body)
        for failed in result.failed:
            self._callbacks.failed(failed)
        self._output.advance(result.records, chunk.position, result.counts, result.stopped)

    def _stop_at(self, chunk: RecordChunk, failed: FailedRecord) -> None:
        """Write what comes before a failed record, and end; a resumed run begins before its chunk."""
        for part in chunk.slices([(0, failed.index - chunk.first)]):
            if len(part):
                self._output.write(self._task.run(part).body)
        raise InvalidInput(f"{failed.message}; stopped there, with {failed.index} answers written")

    def _bytes_read(self) -> int:
        return self._reader.bytes_read


def _check_same_input(position: InputPosition | None, known: InputPosition) -> None:
    if position != known:
        raise InvalidInput("expected the input of the unfinished run, got another one")


# The keys of the puzzles of a run, in a file next to its output, so that a resumed run recognises them.


ENTRY_BYTES = 16
"""Bytes for each puzzle: its key and its number."""


def seen_keys_path(output: Path) -> Path:
    """Return where the keys of an output are."""
    return output.with_name(f"{output.name}.seen")


class SeenKeysFile:
    """The keys and numbers of the puzzles in an output."""

    def __init__(self, output: Path) -> None:
        """Open nothing yet, for the keys of ``output``."""
        self._path = seen_keys_path(output)
        self._file: Any = None

    def open(self, count: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return the keys and numbers of the first ``count`` puzzles, and drop all others."""
        with self._writing():
            self._file = self._path.open("r+b" if count else "w+b")
            data = self._file.read(count * ENTRY_BYTES)
            if len(data) < count * ENTRY_BYTES:
                raise InvalidInput(f"{self._path}: expected the keys of {count} puzzles, got those of {len(data) // ENTRY_BYTES}")
            self._file.truncate(count * ENTRY_BYTES)
            self._file.seek(count * ENTRY_BYTES)
        both = np.frombuffer(data, "<i8").reshape(-1, 2)
        return both[:, 0].astype(np.int64), both[:, 1].astype(np.int64)

    def add(self, part: ProvedPuzzles) -> None:
        """Write the keys of more puzzles."""
        with self._writing():
            self._file.write(np.stack([part.keys, part.numbers], 1).astype("<i8").tobytes())

    def sync(self) -> None:
        """Flush what was written to the disk, so that it survives a power failure."""
        with self._writing():
            self._file.flush()
            os.fsync(self._file.fileno())

    def close(self, *, remove: bool) -> None:
        """Close the file, and remove it if the run cannot be resumed."""
        if self._file is not None:
            with suppress(OSError):  # what is missing is generated again
                self._file.close()
            if remove:
                self._path.unlink(missing_ok=True)

    @contextmanager
    def _writing(self) -> Iterator[None]:
        """Raise `InvalidInput` for a file that cannot be written."""
        try:
            yield
        except OSError as error:
            raise InvalidInput(f"{self._path}: expected a file that can be written, got {error.strerror or error}") from error
