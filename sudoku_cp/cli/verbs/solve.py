"""The verb ``solve``."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING, Annotated, Literal

from sudoku_cp import queries
from sudoku_cp.answer_json.fields import answer_to_json
from sudoku_cp.cli import output
from sudoku_cp.cli.answer_loop import JsonFields, answer_records
from sudoku_cp.cli.inputs import CountedRecords
from sudoku_cp.cli.option_groups import BatchOptions
from sudoku_cp.cli.typed_names import refuse_typed
from sudoku_cp.puzzle import Position, Puzzle, solution_to_short_json
from sudoku_cp.queries import Answer
from sudoku_cp.questions.found_answers import answer_sentence, found_exit_code
from sudoku_cp.questions.options import AUTO
from sudoku_cp.questions.question import Run
from sudoku_cp.questions.solve import SolveQuestion
from sudoku_cp.render import Look, draw

if TYPE_CHECKING:
    import typer

    from sudoku_cp.backends.search_tree import PathTree
    from sudoku_cp.cli.options import Ascii, Json, Puzzles, Quiet
    from sudoku_cp.cli.trace_file import TraceWriter


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
    refuse_typed(question.contradictions(), contradictions)
    if batch_options.out is not None:
        from sudoku_cp.cli.solve_to_file import solve_to_file  # noqa: PLC0415  # most calls write no file

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
    from sudoku_cp.cli.trace_file import open_trace  # noqa: PLC0415  # most calls trace nothing

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
            output.print_json({"index": self._index} | answer_to_json(self._puzzle, part) | self._extra_fields)
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
            "\t".join([*([""] * bool(self._solutions and solutions)), *head, *solutions]), end="" if part.partial else "\n"
        )
        self._solutions += len(part.solutions)

    def _report_interrupted(self) -> None:
        """Print how much of the answer has been printed, if anything."""
        if self._solutions:
            output.print_text("", end="\n" * (self._look == LINE))
            output.remark(f"sudoku-cp: at least {self._solutions:,} solutions of puzzle {self._index} were printed")
