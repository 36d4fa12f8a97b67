"""The skeleton of a run into a file, which runs that solve and runs that generate share.

Theory of operation. A run is `prepare`d (where was it left?), then `run`, and `close`d in any case. Its client supplies a task
and rounds of chunks; an in-flight window sends the chunks to a pool of workers and returns the results in order; the client
accepts each, which writes rows and advances the checkpoint. So whatever ends the process, the output and its journal agree on a
prefix of the run, from which it can be resumed. Between results, and ten times a second, progress is reported and limits are
checked.
"""

from __future__ import annotations

import hashlib
import os
from abc import ABC, abstractmethod
from collections import Counter
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar

import numpy as np

from sudoku_cp import __version__
from sudoku_cp.backends import MANY, UNLIMITED, Cancellation, Limits
from sudoku_cp.batch.journal import CheckpointedOutput
from sudoku_cp.batch.rows.array_rows import answer_schema, count_rows, schema_of_request
from sudoku_cp.batch.rows.row_format import COLUMNS, InputPosition, RecordChunk, count_lines, format_header
from sudoku_cp.batch.rows.run_output import RunOutput, compress
from sudoku_cp.batch.solve_request import TABLES, FailedRecord, RecordRequest, SolvedChunk
from sudoku_cp.batch.worker_pool import (
    C,
    ChunkTask,
    InFlightWindow,
    R,
    WorkerPool,
    available_cores,
    exit_if_worker_imports_main,
    make_pool,
)
from sudoku_cp.errors import InvalidInput, LimitReached, OptionProblem, Unsupported
from sudoku_cp.formats import format_named
from sudoku_cp.puzzle.rules_in_words import ruleset_text
from sudoku_cp.render.png_picture import picture_name_problems, write_picture

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from numpy.typing import NDArray

    from sudoku_cp.batch.rows.reader import Input, Reader, ReadOptions
    from sudoku_cp.generate import GeneratedPuzzle
    from sudoku_cp.generate.chunks import ProvedPuzzles


@dataclass(frozen=True)
class Progress:
    """How far a run is: ``records`` in the output, those ``before`` it was resumed among them, and the seconds since it began.

    ``bytes_read`` are those of the input (as compressed) of a run that solves, ``tries`` the puzzles begun by one that generates.
    """

    records: int
    seconds: float
    before: int = 0
    bytes_read: int = 0
    tries: int = 0


@dataclass(frozen=True)
class Callbacks:
    """Functions that a run calls.

    ``progress`` is called ten times a second and after every chunk, ``failed`` with each failed record of a run that solves, and
    ``generated`` with new puzzles and the index of the first of them. ``spell`` replaces options named in backquotes in errors.
    """

    progress: Callable[[Progress], None] = lambda _: None
    failed: Callable[[FailedRecord], None] = lambda _: None
    generated: Callable[[int, ProvedPuzzles], None] = lambda _index, _part: None
    spell: Callable[[str], str] | None = None


@dataclass(frozen=True)
class RunSummary:
    """How a run ended: ``records`` in the output, those ``before`` it was resumed among them, and its seconds.

    A run that solves ``counts`` the records of each status (``unique``, ..., ``error``), and those that a limit ``stopped``.
    One that generates counts ``puzzles``, the ``numbers`` and ``tries`` they took, those that each engine proved
    (``proved sat``), and those that fulfil only a part of the request because of a limit (``limited``); ``limit_reached`` is what
    cut it short. ``already`` says that the output was whole before, and then nothing is counted.
    """

    records: int
    counts: Counter[str]
    stopped: int
    before: int
    seconds: float
    already: bool = False
    limit_reached: LimitReached | None = None


class FileRun(ABC, Generic[C, R]):
    """One run: `prepare`, `run`, `close`."""

    def __init__(self, output: RunOutput, callbacks: Callbacks) -> None:
        """Lock the journal of ``output``, so that no other run writes it."""
        exit_if_worker_imports_main()
        self._callbacks = callbacks
        self._cancel = Cancellation()
        self._limit_reached: LimitReached | None = None
        self._tail: Counter[str] = Counter()
        self._output = CheckpointedOutput(output)

    # --- what clients supply ------------------------------------------------------------------------------------

    @abstractmethod
    def _records_if_whole(self) -> int | None:
        """Return how many records the output holds if a run like this has finished it, None if not."""

    @abstractmethod
    def _begin(self) -> ChunkTask[C, R]:
        """Get ready to write after the checkpoint, and return the task for each chunk."""

    @abstractmethod
    def _rounds(self) -> Iterator[Iterator[C]]:
        """Yield the chunks to run; those of a further round may depend on the results of the one before."""

    @abstractmethod
    def _accept(self, chunk: C, result: R) -> None:
        """Write a result and advance the checkpoint; what a resumed run must write again is counted in the tail."""

    def _bytes_read(self) -> int:
        """Return how many bytes of an input were read."""
        return 0

    def _when_whole(self) -> None:
        """Write the files that accompany the output, once it is complete."""

    def _check_limits(self) -> None:
        """Raise `LimitReached` if the run was cancelled."""
        if self._cancel.cancelled:
            raise LimitReached("cancelled", f"{self._output.checkpoint.records} puzzles are written")

    # --- the run ------------------------------------------------------------------------------------------------

    def prepare(self, stamp: dict[str, Any], *, resume: bool, force: bool) -> None:
        """Find where the run with this stamp left off, or refuse to continue from the files found."""
        self._output.prepare(stamp, resume=resume, force=force, whole=self._records_if_whole)

    def run(self, workers: int | None, cluster: str | None, cancel: Cancellation | None) -> RunSummary:
        """Run to the end, on ``workers`` of this machine or a ``cluster``; raises `LimitReached` if cancelled."""
        output = self._output
        if output.already_whole:
            return self._summary()
        if not output.checkpoint.finished:
            with cancel.calling(self._cancel.cancel) if cancel else nullcontext():
                self._run_all(workers or available_cores(), cluster)
        if self._limit_reached is None:
            output.complete(self._when_whole)
        elif self._limit_reached.reason == "cancelled":
            raise self._limit_reached
        elif output.output.is_open:
            output.output.publish()
            self._when_whole()
        return self._summary()

    def _run_all(self, workers: int, cluster: str | None) -> None:
        task = self._begin()
        pool = make_pool(task, workers, cluster, self._cancel)
        complete = False
        try:
            for chunk, result in self._results(pool, task):
                self._accept(chunk, result)
                if self._limit_reached is not None:
                    return
            if self._limit_reached is None:
                self._output.open()
                complete = True
        finally:
            pool.close(cancel=not complete)

    def _results(self, pool: WorkerPool[C, R], task: ChunkTask[C, R]) -> Iterator[tuple[C, R]]:
        """Yield each chunk with its result, until a limit ends the run."""
        try:
            for chunks in self._rounds():
                self._tick()
                for completed in InFlightWindow(chunks, pool, task, self._tick).completed_in_order():
                    yield completed
                    self._tick()
        except LimitReached:
            if self._limit_reached is None:
                raise

    def _tick(self) -> None:
        done, before, seconds = self._output.checkpoint, self._output.records_before, perf_counter() - self._output.start
        self._callbacks.progress(Progress(done.records, seconds, before, self._bytes_read(), done.counts["tries"]))
        self._check_limits()

    def _summary(self) -> RunSummary:
        output, done = self._output, self._output.checkpoint
        return RunSummary(
            done.records + self._tail["puzzles"],
            done.counts + self._tail,
            done.stopped,
            output.records_before,
            perf_counter() - output.start,
            output.already_whole,
            self._limit_reached,
        )

    def close(self) -> None:
        """Write a last checkpoint; leave no trace of a run that is complete or never began."""
        self._output.close()


def check_workers(workers: int | None) -> None:
    """Refuse fewer than one worker; None is as many as there are cores."""
    if workers is not None and workers < 1:
        raise InvalidInput(f"expected 1 worker or more, got {workers!r}")


# Files that accompany generated puzzles: a picture and a certificate of each.


@dataclass(frozen=True)
class SideOutputs:
    """Writes pictures to ``svg`` (the second to NAME-2.svg) and certificates to folders 0, 1, ... in ``certificates``.

    ``limits`` are for each certificate; ``force`` replaces older ones. With ``captions`` the title and the rules stand below each
    picture.
    """

    svg: Path | None = None
    certificates: Path | None = None
    limits: Limits = UNLIMITED
    force: bool = False
    captions: bool = False

    def __bool__(self) -> bool:
        """Return whether anything is wanted."""
        return self.svg is not None or self.certificates is not None

    def check(self) -> None:
        """Refuse a folder that is not empty, and a picture whose name has another ending."""
        problems: list[str] = [*picture_name_problems(self.svg)]
        folder = self.certificates
        if folder is not None and not self.force and folder.exists() and not (folder.is_dir() and not any(folder.iterdir())):
            problems.append(OptionProblem(f"expected a new or an empty folder, got {folder}", "certificates_to"))
        if problems:
            raise InvalidInput(problems)

    def add(self, index: int, part: ProvedPuzzles) -> None:
        """Write the files of puzzles, the first of which has this index."""
        if self:
            for place, (made, _) in enumerate(part.each(), index):
                self._write_picture(place, made)
                self._write_certificate(place, made)

    def _write_picture(self, index: int, made: GeneratedPuzzle) -> None:
        if self.svg is not None:
            below = ruleset_text(made.puzzle) if self.captions else None
            write_picture(replace(made.puzzle, solution=None), self.svg, index, words=below)

    def _write_certificate(self, index: int, made: GeneratedPuzzle) -> None:
        if self.certificates is None:
            return
        from sudoku_cp.proof import prove  # noqa: PLC0415  # only certificates need it

        certificate = prove(made.puzzle, claim="unique", limits=self.limits)
        certificate.write(self.certificates / str(index), force=self.force)


# Runs that answer records from file to file: what those that solve and those that rate share.
#
# The answers come in the order of the records. A resumed run reads its input again, and makes sure that it is the same up to
# the record at which it goes on.


RecordRequestT = TypeVar("RecordRequestT", bound=RecordRequest)

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


class RecordRun(FileRun[RecordChunk, SolvedChunk], Generic[RecordRequestT]):
    """A run that answers the records of a reader as its request says."""

    columns: ClassVar[tuple[str, ...]] = COLUMNS
    """The columns that follow each puzzle in a table."""
    schema: ClassVar[Callable[..., Any]] = staticmethod(answer_schema)
    """Makes the columns of a Parquet file, given those of the input."""

    def __init__(
        self, output: RunOutput, reader: Reader, request: RecordRequestT, callbacks: Callbacks | None, *, strict: bool
    ) -> None:
        """Lock the journal of ``output``. ``reader`` reads the puzzles; ``strict`` ends at the first record that fails."""
        super().__init__(output, callbacks or Callbacks())
        self._reader, self._request, self._strict = reader, request, strict
        self._chunks: Iterator[RecordChunk] = iter(())

    # --- what clients supply ------------------------------------------------------------------------------------

    @abstractmethod
    def _make_task(self, request: RecordRequestT) -> ChunkTask[RecordChunk, SolvedChunk]:
        """Return the task for a request, which has the header of the input and about how many records there are."""

    # --- the run ------------------------------------------------------------------------------------------------

    def _records_if_whole(self) -> int | None:
        """Return how many records the input has, if the output holds the answers to as many."""
        records = sum(map(len, self._reader.chunks()))
        return records if self._count_records(self._output.output.path, self._with_header()) == records else None

    def _count_records(self, output: Path, request: RecordRequestT) -> int | None:
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

    def _with_header(self) -> RecordRequestT:
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
