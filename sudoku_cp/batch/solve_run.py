"""Solving millions of puzzles from file to file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import numpy as np

from sudoku_cp import queries
from sudoku_cp.arguments import checked
from sudoku_cp.backends import TEAMS, UNLIMITED, Cancellation, Limits
from sudoku_cp.backends import backend as engine_named
from sudoku_cp.batch.file_run import Callbacks, RecordRun, RunSummary, check_readable, check_workers, input_stamp
from sudoku_cp.batch.journal import journal_path
from sudoku_cp.batch.rows import array_rows, row_format
from sudoku_cp.batch.rows.array_rows import AnswerRows, answer_schema
from sudoku_cp.batch.rows.reader import Input, Reader, ReadOptions
from sudoku_cp.batch.rows.row_format import BoardArray, ChunkEntry, RecordChunk, RecordList
from sudoku_cp.batch.rows.run_output import RunOutput, compress, parse_output_name, table_conversion
from sudoku_cp.batch.solve_request import ENGINE_ERRED, TABLES, FailedRecord, SolvedChunk, SolveRequest
from sudoku_cp.errors import InvalidInput, ParseError, WrongAnswer
from sudoku_cp.formats import Options, Record
from sudoku_cp.grid import Grid
from sudoku_cp.output_files import refuse_inputs
from sudoku_cp.puzzle.puzzle import CLASSIC
from sudoku_cp.queries.solution_search import engine_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from sudoku_cp.puzzle import Puzzle
    from sudoku_cp.queries import Answer


@checked
def solve_files(
    sources: Iterable[Input | str | Path | IO[bytes]],
    out: str | Path,
    *,
    backend: str = "auto",
    solution_limit: int | None = 2,
    all_solutions: bool = False,
    limits: Limits = UNLIMITED,
    format: str | None = None,  # noqa: A002
    grid: Grid | None = None,
    alphabet: str | None = None,
    rules: Sequence[str | Mapping[str, Any]] = (),
    workers: int | None = None,
    cluster: str | None = None,
    resume: bool = False,
    force: bool = False,
    strict: bool = False,
    callbacks: Callbacks | None = None,
) -> RunSummary:
    """Solve every puzzle of files and streams of bytes, and write the answers to ``out`` in the order of the input.

    The ending of ``out`` decides what is written. ``solution_limit`` is the number of solutions to look for (None: all); with
    ``all_solutions`` JSON lines list all that were found. ``limits`` are for each puzzle; a cancellation ends the run. ``rules``
    (as JSON) are added to each puzzle. ``workers`` is by default the number of cores; ``cluster`` is the address of a Dask
    scheduler, or ``local:4``.

    ``resume`` continues a run that has not ended; ``force`` starts over and replaces an existing output. ``strict`` turns
    warnings into errors and ends at the first record that fails. Raises `InvalidInput` if the output cannot be written or belongs
    to another run, and `LimitReached` when cancelled; the run can then be resumed.
    """
    path = Path(out)
    kind, compressor = parse_output_name(path)
    inputs = [Input.of(source) for source in sources]
    how = ReadOptions(format, Options(grid, alphabet, strict), tuple(rules))
    request = SolveRequest(
        backend=backend,
        solution_limit=solution_limit,
        all_solutions=all_solutions and kind == "jsonl",
        seconds=limits.seconds,
        nodes=limits.nodes,
        kind=kind,
        compressor=compressor,
    )
    output = RunOutput(path, table_conversion(kind, [one.source for one in inputs], answer_schema))
    _check(how, request, workers)
    output.check()
    refuse_inputs((*output.files, journal_path(path)), [one.source for one in inputs])
    stamp = _make_stamp(inputs, how, request)
    reader = Reader(inputs, how, callbacks.spell if callbacks else None, keep_rows=kind in TABLES)
    with closing(SolveRun(output, reader, request, callbacks, strict=strict)) as run:
        run.prepare(stamp, resume=resume, force=force)
        return run.run(workers, cluster, limits.cancel)


def _check(how: ReadOptions, request: SolveRequest, workers: int | None) -> None:
    """Refuse at once what would only fail later."""
    if request.backend != "auto":
        engine_named(request.backend)
    check_readable(how)
    if request.solution_limit is not None and request.solution_limit < 1:
        raise InvalidInput(f"expected a limit of 1 solution or more, got {request.solution_limit!r}")
    check_workers(workers)


def _make_stamp(inputs: Sequence[Input], how: ReadOptions, request: SolveRequest) -> dict[str, Any]:
    """Return what must be the same for a run to be resumed, as plain data."""
    return input_stamp(inputs, how) | {
        "backend": request.backend,
        "limit": request.solution_limit,
        "several": request.all_solutions,
        "seconds": request.seconds,
        "nodes": request.nodes,
    }


class SolveRun(RecordRun[SolveRequest]):
    """A run that solves."""

    def _make_task(self, request: SolveRequest) -> SolveTask:
        return SolveTask(request)


# The task of a run that solves: answer a chunk of records, and write the answers as rows.


CHUNK_RECORDS, REMOTE_CHUNK_RECORDS = 32, 1000
"""Records sent at a time to a process, and to a cluster: few enough to be lost without regret, enough to be worth sending."""


@dataclass(frozen=True)
class SolveTask:
    """Answers chunks of records as ``request`` says; see `ChunkTask`."""

    request: SolveRequest

    def run(self, chunk: RecordChunk, cancel: Cancellation | None = None) -> SolvedChunk:
        """Return the answers to a chunk."""
        return solve_chunk(chunk, self.request, cancel)

    def runs_in_thread(self, chunk: RecordChunk) -> bool:
        """Return whether the batch kernel takes a chunk, or there is too little to do to start processes for it."""
        return self.request.expected_count <= CHUNK_RECORDS or _is_for_kernel(chunk, self.request)

    def chunk_size(self, chunk: RecordChunk, *, remote: bool) -> int:
        """Return how many records of a chunk are sent at a time."""
        if not remote:
            return CHUNK_RECORDS
        return len(chunk) if _is_for_kernel(chunk, self.request) else REMOTE_CHUNK_RECORDS

    def result_after_loss(self, chunk: RecordChunk) -> SolvedChunk:
        """Return an error for each record of a chunk that kills every worker."""
        held = []
        for record, line in chunk.entries():
            error = ParseError("expected an answer, but every worker that was asked for it ended", line=record.line)
            held.append(ChunkEntry(Record(None, error, record.line), line))
        return solve_chunk(RecordList(tuple(held), chunk.first, chunk.position), self.request)


def _is_for_kernel(chunk: RecordChunk, request: SolveRequest) -> bool:
    """Return whether the batch kernel takes every puzzle of a chunk."""
    if request.all_solutions:
        return False
    if isinstance(chunk, BoardArray):
        return array_rows.suits_kernel(chunk.grid, request.backend, request.expected_count)
    return all(entry.record.puzzle is None or _suits_kernel(entry.record.puzzle, request) for entry in chunk.entries())


def _suits_kernel(puzzle: Puzzle, request: SolveRequest) -> bool:
    plain = puzzle.rules == CLASSIC and not puzzle.candidates
    return plain and array_rows.suits_kernel(puzzle.grid, request.backend, request.expected_count)


def solve_chunk(chunk: RecordChunk, request: SolveRequest, cancel: Cancellation | None = None) -> SolvedChunk:
    """Return the answers to a chunk as the rows that are asked for."""
    if isinstance(chunk, BoardArray) and _is_for_kernel(chunk, request):
        return _solve_boards(chunk, request, cancel)
    return _solve_entries(chunk.first, list(chunk.entries()), request, cancel)


# --- boards in an array -----------------------------------------------------------------------------------------


def _solve_boards(boards: BoardArray, request: SolveRequest, cancel: Cancellation | None) -> SolvedChunk:
    answers = array_rows.answer_boards(boards.grid, boards.values, request, cancel)
    rows = AnswerRows(boards, answers)
    numbers = np.bincount(rows.statuses, minlength=len(array_rows.STATUSES)).tolist()
    counts = Counter({status: number for status, number in zip(array_rows.STATUSES, numbers, strict=True) if number})
    return SolvedChunk(compress(_format_boards(rows, request), request.compressor), len(boards), counts, len(answers.reasons))


def _format_boards(rows: AnswerRows, request: SolveRequest) -> bytes | bytearray:
    if request.kind == "text":
        return rows.text()
    if request.kind == "csv":
        return rows.csv(request)
    if request.kind == "jsonl":
        return rows.jsonl()
    return array_rows.board_answers_to_arrow(rows, request)


# --- any records ------------------------------------------------------------------------------------------------


def _solve_entries(first: int, entries: Sequence[ChunkEntry], request: SolveRequest, cancel: Cancellation | None) -> SolvedChunk:
    found = _answer_puzzles([entry.record.puzzle for entry in entries], request, cancel)
    answers = [None if isinstance(one, WrongAnswer) else one for one in found]
    marked = [_mark(entry, one) if isinstance(one, WrongAnswer) else entry for entry, one in zip(entries, found, strict=True)]
    rows = [(first + index, *row) for index, row in enumerate(zip(marked, answers, strict=True))]
    counts = Counter(answer.status if answer else "error" for answer in answers)
    counts.update(ENGINE_ERRED for one in found if isinstance(one, WrongAnswer))
    failed = [FailedRecord(index, row_format.format_error(one.record.error)) for index, one, _ in rows if one.record.error]
    stopped = sum(answer is not None and answer.reason is not None for answer in answers)
    return SolvedChunk(compress(_format_entries(rows, request), request.compressor), len(entries), counts, stopped, tuple(failed))


def _mark(entry: ChunkEntry, error: WrongAnswer) -> ChunkEntry:
    """Return the entry of a puzzle at which its engine failed, with that error."""
    return entry._replace(record=Record(None, ParseError(str(error), line=entry.record.line), entry.record.line))


def _format_entries(rows: Sequence[tuple[int, ChunkEntry, Answer | None]], request: SolveRequest) -> bytes:
    if request.kind == "parquet":
        table = [(entry.line, row_format.make_answer_row(entry, found)) for _, entry, found in rows]
        return array_rows.answers_to_arrow(table, request)
    if request.kind == "text":
        lines = [row_format.format_text_line(*row) for row in rows]
    elif request.kind == "csv":
        lines = [row_format.format_csv_line(entry, found, request) for _, entry, found in rows]
    else:
        lines = [row_format.format_json_line(*row, request) for row in rows]
    return "".join(lines).encode("utf-8", "surrogateescape")


def _answer_puzzles(
    puzzles: Sequence[Puzzle | None], request: SolveRequest, cancel: Cancellation | None
) -> list[Answer | WrongAnswer | None]:
    """Return an answer for each puzzle, or its engine's error: those for the batch kernel together, the others one by one."""
    answers: list[Answer | WrongAnswer | None] = [None] * len(puzzles)
    together: dict[Grid, list[tuple[int, Puzzle]]] = {}
    for index, puzzle in enumerate(puzzles):
        if puzzle is not None and _suits_kernel(puzzle, request):
            together.setdefault(puzzle.grid, []).append((index, puzzle))
        elif puzzle is not None:
            try:
                answers[index] = _answer_puzzle(puzzle, request, request.backend, cancel)
            except WrongAnswer as error:
                answers[index] = error
    for grid, group in together.items():
        from_kernel = array_rows.answer_boards(grid, _values(grid, [puzzle for _, puzzle in group]), request, cancel)
        for place, (index, puzzle) in enumerate(group):
            found = from_kernel.answer(place, puzzle)
            # The kernel keeps the first solution; an engine that enumerates finds the others.
            again = request.all_solutions and found.count > 1
            answers[index] = _answer_puzzle(puzzle, request, "auto", cancel) if again else found
    return answers


def _values(grid: Grid, puzzles: Sequence[Puzzle]) -> NDArray[np.uint8]:
    values = np.zeros((len(puzzles), len(grid.cells)), np.uint8)
    for row, puzzle in zip(values, puzzles, strict=True):
        row[list(puzzle.givens)] = list(puzzle.givens.values())
    return values


def _answer_puzzle(puzzle: Puzzle, request: SolveRequest, backend: str, cancel: Cancellation | None) -> Answer:
    # A count keeps two solutions at most, so that a puzzle with millions of them costs no memory.
    ask = queries.solve if request.all_solutions else queries.count
    limits = Limits(request.seconds, request.nodes, cancel)
    answer = ask(
        puzzle, backend=backend, limits=limits, solution_limit=request.solution_limit, expected_count=request.expected_count
    )
    engine = engine_of(backend, puzzle.model(), request.expected_count, learning_only=False).name
    # The same input gives the same bytes, whichever engine of a race came first this time.
    return replace(answer, backend=engine) if engine in TEAMS else answer
