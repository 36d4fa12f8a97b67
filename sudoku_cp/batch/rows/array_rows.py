"""Rows as arrays: of text as one array of bytes, with no object for any row, and of Arrow.

A column is constant, or padded with NULs to the width of its widest entry; the NULs are dropped at the end.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import accumulate, chain, count
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import numpy as np

from sudoku_cp import queries
from sudoku_cp.backends import MANY, Cancellation, Limits
from sudoku_cp.backends.fast import shape_of
from sudoku_cp.batch.rows.row_format import AnswerRow, BoardArray, answer_columns, input_columns, parse_input_fields
from sudoku_cp.errors import BackendMissing, Reason
from sudoku_cp.formats.table_rows import unescape_cell
from sudoku_cp.logic.rating.ratings_json import COLUMN_TYPES
from sudoku_cp.output_files import open_output
from sudoku_cp.puzzle import Puzzle
from sudoku_cp.queries.solution_search import (
    ENGINE,
    LEARNING_ENGINE,
    array_engine_serves,
    limits_for_all,
    make_answer,
    with_node_budget,
)
from sudoku_cp.symbols import numerals

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from sudoku_cp.backends.base import ArrayAnswer
    from sudoku_cp.batch.solve_request import RecordRequest, SolveRequest
    from sudoku_cp.grid import Grid
    from sudoku_cp.queries import Answer


# Arrays of plain boards, answered by the batch kernel; the few that exceed its budget go to an engine that learns.


STATUSES = ("none", "unique", "multiple", "solved", "unknown")
_NONE, _UNIQUE, _MULTIPLE, _SOLVED, _UNKNOWN = range(len(STATUSES))


@dataclass
class ArrayAnswers:
    """The answers to N boards: ``found`` solutions each, the first of them in ``solutions`` (N, cells), 0 if there is none.

    ``exact`` says whether that is all there are. By the numbers of their boards, ``engines`` holds those other than the kernel,
    and ``reasons`` the limits that stopped a board.
    """

    found: NDArray[np.int64]
    exact: NDArray[np.bool_]
    solutions: NDArray[np.uint8]
    engines: dict[int, str]
    reasons: dict[int, Reason]

    def statuses(self) -> NDArray[np.uint8]:
        """Return the status of each board, as an index of `STATUSES`."""
        stopped = np.zeros(len(self.found), bool)
        stopped[list(self.reasons)] = True
        known = np.where(self.exact, self.found, np.where(stopped | (self.found == 0), _UNKNOWN, _SOLVED))
        return np.where(self.found > 1, _MULTIPLE, known).astype(np.uint8)

    def answer(self, index: int, puzzle: Puzzle) -> Answer:
        """Return the answer to one board, which is ``puzzle``."""
        found = int(self.found[index])
        return make_answer(
            puzzle,
            count=found,
            exact=bool(self.exact[index]),
            reason=self.reasons.get(index),
            backend=self.engines.get(index, ENGINE),
            seconds=0.0,
            solutions=(tuple(self.solutions[index].tolist()),) if found else (),
        )


@lru_cache(maxsize=64)
def suits_kernel(grid: Grid, backend: str, expected_count: int) -> bool:
    """Return whether plain boards of this grid go to the kernel if ``backend`` is asked for.

    Whether the kernel is loaded already does not matter: a process that resumes the run must decide the same.
    """
    if len(grid.boards) > 1:
        return False
    model = Puzzle(grid).model()
    return shape_of(model) is not None and array_engine_serves(backend, model, expected_count if expected_count >= MANY else 1)


def answer_boards(
    grid: Grid, boards: NDArray[np.uint8], request: SolveRequest, cancel: Cancellation | None = None
) -> ArrayAnswers:
    """Return the answers to boards (N, cells), 0 for blanks, of a grid that suits the kernel."""
    own = request.nodes is not None or request.solution_limit is None
    limits = limits_for_all(Limits(request.seconds, request.nodes, cancel), len(boards))
    if request.solution_limit is not None:
        limits = with_node_budget(limits, request.solution_limit)
    clock = limits.started()
    many: ArrayAnswer = queries.solve_many(boards, request.solution_limit, boxes=grid.boards[0].boxes, limits=limits)
    answers = ArrayAnswers(many.counts, many.exact, many.solutions, {}, {})
    stopped = np.flatnonzero(many.stopped(request.solution_limit)).tolist()
    reason: Reason | Literal["budget"] = clock.reached() or ("nodes" if own else "budget")
    if reason == "budget":
        for index in stopped:
            _answer_again(answers, index, _puzzle(grid, boards[index]), request, cancel)
    else:
        answers.reasons.update(dict.fromkeys(stopped, reason))
    return answers


def _answer_again(answers: ArrayAnswers, index: int, puzzle: Puzzle, request: SolveRequest, cancel: Cancellation | None) -> None:
    limits = Limits(seconds=request.seconds, cancel=cancel)
    answer = queries.count(puzzle, backend=LEARNING_ENGINE, limits=limits, solution_limit=request.solution_limit)
    answers.found[index], answers.exact[index] = answer.count, answer.exact
    answers.engines[index] = answer.backend
    if answer.solution:
        answers.solutions[index] = answer.solution
    if answer.reason:
        answers.reasons[index] = answer.reason


def _puzzle(grid: Grid, board: NDArray[np.uint8]) -> Puzzle:
    return Puzzle(grid, givens={cell: value for cell, value in enumerate(board.tolist()) if value})


Column: TypeAlias = "bytes | NDArray[np.uint8]"
"""The same bytes in every row, or an array (N, width) of bytes padded with NULs."""

MAX_PADDING = 4
"""Lines that take more than this many times their size as a padded column are joined one by one."""
_DIGITS = 9


def join_columns(number: int, columns: Sequence[Column]) -> bytes | bytearray:
    """Return ``number`` rows of these columns, side by side."""
    widths = [len(column) if isinstance(column, bytes) else column.shape[1] for column in columns]
    # The constant parts of a row are laid out once and copied to all rows.
    usual = b"".join(column if isinstance(column, bytes) else bytes(width) for column, width in zip(columns, widths, strict=True))
    text = bytearray(number * len(usual))
    rows = np.frombuffer(text, np.uint8).reshape(number, -1)
    rows[:] = np.frombuffer(usual, np.uint8)
    padded = False
    for column, stop in zip(columns, accumulate(widths), strict=True):
        if not isinstance(column, bytes) and column.shape[1]:
            rows[:, stop - column.shape[1] : stop] = column
            padded = padded or not column.all()
    return text.translate(None, b"\0") if padded else text


def take_texts(which: NDArray[np.uint8] | NDArray[np.bool_], texts: Sequence[str]) -> Column:
    """Return for each row the text in ``texts`` that its number chooses."""
    if len(which) and (which == which[0]).all():
        return texts[int(which[0])].encode()
    return _column(np.array([text.encode() for text in texts])[which.astype(np.intp)])


def format_decimals(numbers: NDArray[np.int64]) -> Column:
    """Return numbers >= 0 in decimal digits."""
    if len(numbers) and (numbers == numbers[0]).all():
        return str(numbers[0]).encode()
    places = 10 ** np.arange(len(str(numbers.max())), dtype=np.int64)[::-1]
    digits = (numbers[:, None] // places % 10 + ord("0")).astype(np.uint8)
    digits[:, :-1][numbers[:, None] < places[:-1]] = 0
    return digits


def append_columns(text: bytes, columns: Sequence[Column]) -> bytes | bytearray:
    """Return the lines of a text, each followed by these columns, the last of which is a line end."""
    lines = text[:-1].split(b"\n")
    if max(map(len, lines)) * len(lines) <= MAX_PADDING * len(text):
        return join_columns(len(lines), [_column(np.array(lines)), *columns])
    rows = bytes(join_columns(len(lines), columns)).splitlines(keepends=True)
    return b"".join(chain.from_iterable(zip(lines, rows, strict=True)))


def _column(texts: NDArray[np.bytes_]) -> NDArray[np.uint8]:
    return texts.view(np.uint8).reshape(len(texts), -1)


def _with_exceptions(number: int, usual: str, others: Mapping[int, str]) -> Column:
    """Return ``usual`` for every row except those in ``others``."""
    if not others:
        return usual.encode()
    texts = [usual, *sorted(set(others.values()) - {usual})]
    which = np.zeros(number, np.uint8)
    which[list(others)] = [texts.index(text) for text in others.values()]
    return take_texts(which, texts)


class AnswerRows:
    """Boards and the answers to them, column by column."""

    def __init__(self, boards: BoardArray, answers: ArrayAnswers) -> None:
        """Make the columns that every kind of output needs, from ``boards`` and their answers."""
        self._boards, self.answers = boards, answers
        self.input_rows = boards.rows
        self._number = len(boards)
        self.puzzle = format_values(boards.grid, boards.values, ".")
        self.solution = format_values(boards.grid, answers.solutions, "\0")
        self.solved = answers.found > 0
        self.statuses = answers.statuses()
        self.status = take_texts(self.statuses, STATUSES)
        self.count = format_decimals(answers.found)
        self.engine = _with_exceptions(self._number, ENGINE, answers.engines)

    @cached_property
    def _index(self) -> Column:
        return format_decimals(np.arange(self._boards.first, self._boards.first + self._number))

    def text(self) -> bytes | bytearray:
        """Return lines of the number, the status and the first solution."""
        before = take_texts(self.solved, ["", "\t"])
        return join_columns(self._number, [self._index, b"\t", self.status, before, self.solution, b"\n"])

    def csv(self, request: SolveRequest) -> bytes | bytearray:
        """Return rows of a table."""
        reason = _with_exceptions(self._number, "", self.answers.reasons)
        shown = [self.status, self.count, self.solution, self.engine, reason]
        ours: list[Column] = [column for one in shown for column in (request.delimiter.encode(), one)]
        if request.header:
            return append_columns(self._boards.rows, [*ours, b"\n"])
        return join_columns(self._number, [self.puzzle, *ours, b"\n"])

    def jsonl(self) -> bytes | bytearray:
        """Return objects of JSON, one a line."""
        reasons = {index: f', "reason": "{reason}"' for index, reason in self.answers.reasons.items()}
        columns: list[Column] = [
            b'{"index": ',
            self._index,
            b', "puzzle": "',
            self.puzzle,
            b'", "status": "',
            self.status,
            b'", "solutions": [',
            take_texts(self.solved, ["", '"']),
            self.solution,
            take_texts(self.solved, ["", '"']),
            b'], "count": ',
            self.count,
            b', "exact": ',
            take_texts(self.answers.exact, ["false", "true"]),
            b', "backend": "',
            self.engine,
            b'"',
            _with_exceptions(self._number, "", reasons),
            self._stated(),
            b"}\n",
        ]
        return join_columns(self._number, columns)

    def _stated(self) -> Column:
        """Return the field about the stated solutions, nothing if there are none."""
        if not len(self._boards.stated):
            return b""
        right = _are_solutions(self._boards.grid, self._boards.values, self._boards.stated)
        return take_texts(right, [f', "stated_solution": "{word}"' for word in ("wrong", "right")])


def format_values(grid: Grid, values: NDArray[np.uint8], blank: str) -> NDArray[np.uint8]:
    """Return the symbol of each value, ``blank`` for 0."""
    if len(grid.values) > _DIGITS:
        table = (blank + numerals(grid.values).signs).encode().ljust(256, b"?")
        return np.frombuffer(values.tobytes().translate(table), np.uint8).reshape(values.shape)
    # For digits, adding ord('0') takes a tenth of the time of a table.
    found = values + np.uint8(ord("0"))
    found -= (values == 0) * np.uint8(ord("0") - ord(blank))
    return found


def _are_solutions(grid: Grid, boards: NDArray[np.uint8], stated: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """Say of each stated solution whether it has the givens, and each value once in every house."""
    right = ((boards == 0) | (boards == stated)).all(axis=1)
    bits = np.left_shift(1, stated.astype(np.int64))
    everything = sum(1 << value for value in grid.values)
    for house in grid.houses.values():
        right &= np.bitwise_or.reduce(bits[:, list(house)], axis=1) == everything
    return np.asarray(right)


# Rows as streams of Arrow, which wait next to a Parquet file until they are complete, and the Parquet file made of them.


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
