"""The verb ``solve``."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from functools import partial
from pathlib import Path
from typing import IO, TYPE_CHECKING, Annotated, Literal

from sudoku_cp import batch, queries
from sudoku_cp.cli import output
from sudoku_cp.cli.answer_loop import CountedRecords, JsonFields, answer_records, answer_to_file, refuse_to_overwrite
from sudoku_cp.cli.typed_options import BatchOptions, option_problems, refuse_typed
from sudoku_cp.errors import InvalidInput
from sudoku_cp.output_files import open_output
from sudoku_cp.puzzle import Position, Puzzle, puzzle_to_short_json, solution_to_short_json
from sudoku_cp.queries import Answer
from sudoku_cp.questions.answer import BAD_INPUT, ENGINE_ERRED, NO, RAN_OUT, YES, answer_sentence, found_exit_code
from sudoku_cp.questions.question import AUTO, Run
from sudoku_cp.questions.solve import SolveAnswer, SolveQuestion
from sudoku_cp.render import Look, draw

if TYPE_CHECKING:
    import typer

    from sudoku_cp.backends.search_tree import Naming, PathTree
    from sudoku_cp.cli.options import Ascii, Json, Puzzles, Quiet


LINE: Literal["line"] = "line"
"""The look of answers where there are several puzzles: a line each."""


def solve(
    puzzles: Puzzles,
    *,
    marks: Annotated[
        bool, typer.Option("--marks", help="Mark values: forced ones circled, guessed ones in parentheses.")
    ] = False,
    trace: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Write the search's path tree to FILE (.json or .dot), or '-' to print it."),
    ] = None,
    question: SolveQuestion = SolveQuestion(),
    as_json: Json = False,
    ascii_only: Ascii = False,
    batch_options: BatchOptions = BatchOptions(),
    quiet: Quiet = False,
) -> int:
    """Draw the solution.

    Several puzzles get a line each; with --out, millions are solved from file to file. With --json, very many
    solutions of a puzzle come in several objects, all but the last "partial", each with those found since the one before. The
    exit code is 1 if a puzzle has no solution or (without --all, --first and --random) more than one.
    """
    traced = marks or trace is not None
    contradictions = {
        "--random cannot be combined with --marks or --trace: a random solution is not found by one search": question.random
        and traced,
        "--trace needs a FILE with --json: '-' is for people": as_json and trace == "-",
    }
    without_out = {
        "--json": as_json,
        "--ascii": ascii_only,
        "--random": question.random,
        "--marks": marks,
        "--trace": trace is not None,
    }
    contradictions |= batch_options.contradictions(without_out)
    refuse_typed(option_problems(question), contradictions)
    if batch_options.out is not None:
        return solve_to_file(puzzles, batch_options, question, quiet=quiet)
    records = CountedRecords(puzzles, question)
    look = output.look_of(ascii_only=ascii_only, marks=marks)

    with _open_trace(trace, puzzles) as trace_writer:

        def answer(index: int, puzzle: Puzzle, extra_fields: JsonFields, *, alone: bool) -> int:
            printer = _AnswerPrinter(index, puzzle, extra_fields, None if as_json else look if alone else LINE)
            last = printer.show(_parts(question, puzzle, records.expected_count, traced=traced), trace_writer)
            return found_exit_code(last, any_number=question.takes_any_number)

        return answer_records(iter(records), answer, as_json=as_json, quiet=quiet)


def _parts(
    question: SolveQuestion, puzzle: Puzzle, expected_count: int, *, traced: bool
) -> Iterator[tuple[Answer, PathTree | None]]:
    """Yield the parts of an answer, with the path tree if it is traced."""
    limits = question.limits()
    if traced:
        engine = "native" if question.backend == AUTO else question.backend
        yield queries.solve_traced(puzzle, backend=engine, limits=limits, solution_limit=question.wanted)
    else:
        for part in question.parts(puzzle, Run(limits, expected_count=expected_count)):
            yield part, None


def _open_trace(name: str | None, puzzles: Sequence[str]) -> AbstractContextManager[TraceWriter | None]:
    """Open the file of ``--trace``, if there is one."""
    if name is None:
        return nullcontext()

    return open_trace(name, puzzles)


class _AnswerPrinter:
    """Prints the parts of an answer as they come: as JSON, as drawings, or on one line for each puzzle."""

    def __init__(self, index: int, puzzle: Puzzle, extra_fields: JsonFields, look: Look | Literal["line"] | None) -> None:
        self._index, self._puzzle, self._extra_fields, self._look = index, puzzle, extra_fields, look
        self._solutions = 0

    def show(self, parts: Iterator[tuple[Answer, PathTree | None]], trace_writer: TraceWriter | None) -> Answer:
        """Print and trace the parts; return the last, which holds how the query ended."""
        part = None
        try:
            for part, tree in parts:
                if tree and trace_writer:
                    trace_writer.add(self._index, self._puzzle, tree)
                self._print(part, tree)
        except KeyboardInterrupt:
            self._report_interrupted()
            raise
        assert part is not None  # noqa: S101  # every query has an answer
        return part

    def _print(self, part: Answer, tree: PathTree | None) -> None:
        if self._look is None:
            answer = SolveAnswer.of(self._puzzle, part, partial=part.partial)
            output.print_json({"index": self._index} | answer.to_json() | self._extra_fields)
            self._solutions += len(part.solutions)
        elif self._look == LINE:
            self._print_line(part)
        else:
            for number, values in enumerate(part.solutions):
                position = queries.mark_origins(self._puzzle, tree, number) if tree else Position.of(self._puzzle, values)
                output.print_text(draw(position, self._look))
                self._solutions += 1
            if not part.partial:
                output.print_text(answer_sentence(part))
        if part.partial:
            sys.stdout.flush()

    def _print_line(self, part: Answer) -> None:
        head = [] if self._solutions else [str(self._index), part.status]
        solutions = [str(solution_to_short_json(self._puzzle, solution)) for solution in part.solutions]
        output.print_text(
            "\t".join([*([""] if self._solutions and solutions else []), *head, *solutions]), end="" if part.partial else "\n"
        )
        self._solutions += len(part.solutions)

    def _report_interrupted(self) -> None:
        """Print how much of the answer has been printed, if anything."""
        if self._solutions:
            output.print_text("", end="\n" * (self._look == LINE))
            output.remark(f"sudoku-cp: at least {self._solutions:,} solutions of puzzle {self._index} were printed")


# ``solve --out``: millions of puzzles from file to file.


_WORDS = {"unique": "unique", "multiple": "multiple", "none": "without solution", "solved": "solved", "unknown": "unknown"}


def solve_to_file(puzzles: Sequence[str], batch_options: BatchOptions, question: SolveQuestion, *, quiet: bool) -> int:
    """Answer every puzzle into the file and return the exit code."""
    solve = partial(
        batch.solve_files,
        backend=question.backend,
        solution_limit=question.wanted,
        all_solutions=question.all or question.limit is not None,
        limits=question.limits(),
    )
    summary = answer_to_file(puzzles, batch_options, question, solve, _WORDS, quiet=quiet)
    return _exit_code(summary, any_number=question.takes_any_number)


def _exit_code(summary: batch.RunSummary, *, any_number: bool) -> int:
    from sudoku_cp.batch.solve_request import ENGINE_ERRED as ERRED  # noqa: PLC0415  # for files alone

    statuses = summary.counts
    if statuses[ERRED]:
        return ENGINE_ERRED
    if statuses["error"]:
        return BAD_INPUT
    if statuses["unknown"] or (any_number and summary.stopped):
        return RAN_OUT
    return NO if statuses["none"] or (statuses["multiple"] and not any_number) else YES


# The output of ``--trace``: path trees as a JSON array, as Graphviz' DOT, or on the terminal.


ENDINGS = (".json", ".dot", ".gv")


@contextmanager
def open_trace(name: str, puzzles: Iterable[str]) -> Iterator[TraceWriter]:
    """Open a file for the trees of the puzzles; the name ``-`` prints them.

    Raises `InvalidInput` for an ending that is no format, and for a file that puzzles are read from.
    """
    if name == "-":
        yield TraceWriter()
        return
    path = Path(name)
    if path.suffix not in ENDINGS:
        raise InvalidInput(f"--trace: expected a file that ends in {', '.join(ENDINGS)}, or '-'; got {name!r}")
    refuse_to_overwrite([path], puzzles)
    with open_output(path) as file:
        trace = TraceWriter(file, as_json=path.suffix == ".json")
        try:
            yield trace
        finally:
            trace.end()


class TraceWriter:
    """Writes one tree after the other to a file, or to the terminal."""

    def __init__(self, file: IO[bytes] | None = None, *, as_json: bool = False) -> None:
        """Take the open file, or None for the terminal; write nothing yet."""
        self._file, self._as_json = file, as_json
        self._number = 0

    def add(self, index: int, puzzle: Puzzle, tree: PathTree) -> None:
        """Write the tree of one puzzle."""

        def naming(cell: int, value: int) -> str:
            return (
                f"{puzzle.grid.cell_name(cell)}={puzzle.symbols.sign(value)}" if cell in puzzle.grid.cells else f"a{cell}={value}"
            )

        if self._file is None:
            output.print_text(tree.to_text(naming))
        else:
            self._file.write(self._format(index, puzzle, tree, naming).encode())
        self._number += 1

    def _format(self, index: int, puzzle: Puzzle, tree: PathTree, naming: Naming) -> str:
        if self._as_json:
            document = {"index": index, "puzzle": puzzle_to_short_json(puzzle)} | tree.to_json(
                naming, queries.statement_texts(puzzle)
            )
            return ("[\n" if self._number == 0 else ",\n") + json.dumps(document, ensure_ascii=False)
        return tree.to_dot(naming)

    def end(self) -> None:
        """End the JSON array, even when the work broke off."""
        if self._file and self._as_json:
            self._file.write(b"\n]\n" if self._number else b"[]\n")
