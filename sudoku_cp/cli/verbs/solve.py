"""The verb ``solve``."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING, Annotated, Literal

from sudoku_cp import queries
from sudoku_cp.answer_json.fields import answer_to_json
from sudoku_cp.backends import Limits
from sudoku_cp.cli import output
from sudoku_cp.cli.answer_loop import JsonFields, answer_records
from sudoku_cp.cli.inputs import CountedRecords
from sudoku_cp.cli.option_groups import BatchOptions, refuse_contradictions
from sudoku_cp.errors import require_seed
from sudoku_cp.puzzle import Position, Puzzle, solution_to_short_json
from sudoku_cp.queries import Answer
from sudoku_cp.questions.found_answers import answer_sentence, found_exit_code
from sudoku_cp.questions.options import Limited, Reading
from sudoku_cp.render import Look, draw

if TYPE_CHECKING:
    import typer

    from sudoku_cp.backends.search_tree import PathTree
    from sudoku_cp.cli.options import Ascii, Backend, Json, Puzzles, Quiet
    from sudoku_cp.cli.trace_file import TraceWriter


LINE: Literal["line"] = "line"
"""The look of answers where there are several puzzles: a line each."""


def solve(
    puzzles: Puzzles,
    *,
    all_solutions: Annotated[bool, typer.Option("--all", help="Find every solution, and print them as they are found.")] = False,
    limit: Annotated[
        int | None,
        typer.Option(metavar="NUMBER", min=1, help="Find at most this many solutions, instead of 2, which prove uniqueness."),
    ] = None,
    first: Annotated[bool, typer.Option("--first", help="Find a solution without asking whether it is the only one.")] = False,
    random: Annotated[bool, typer.Option("--random", help="Find a random solution (of an empty grid, say).")] = False,
    seed: Annotated[int | None, typer.Option(metavar="NUMBER", help="Make --random repeatable.", show_default=False)] = None,
    marks: Annotated[
        bool, typer.Option("--marks", help="Mark values: forced ones circled, guessed ones in parentheses.")
    ] = False,
    trace: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Write the search's path tree to FILE (.json or .dot), or '-' to print it."),
    ] = None,
    backend: Backend = "auto",
    limit_options: Limited = Limited(),
    input_options: Reading = Reading(),
    as_json: Json = False,
    ascii_only: Ascii = False,
    batch_options: BatchOptions = BatchOptions(),
    quiet: Quiet = False,
) -> int:
    """Find the solution, and whether it is the only one.

    Several puzzles are answered on a line each; with --out, millions of them from file to file. With --json, very many
    solutions of a puzzle come in several objects, all but the last "partial", each with those found since the one before. The
    exit code is 1 if a puzzle has no solution or (without --all, --first and --random) more than one.
    """
    traced = marks or trace is not None
    contradictions = {
        "only one of --all, --first, --random and --limit, got several": all_solutions + first + random + (limit is not None) > 1,
        "--seed with --random, got it alone": seed is not None and not random,
        "--random without --marks and --trace: a random solution is not found by one search": random and traced,
        "--trace FILE with --json, got '-', which is for people": as_json and trace == "-",
    }
    without_out = {"--json": as_json, "--ascii": ascii_only, "--random": random, "--marks": marks, "--trace": trace is not None}
    contradictions |= batch_options.contradictions(without_out)
    refuse_contradictions(contradictions)
    require_seed(0 if seed is None else seed)
    wanted = None if all_solutions else 1 if first or random else limit or 2
    limits = limit_options.limits()
    if batch_options.out is not None:
        from sudoku_cp.cli.solve_to_file import solve_to_file  # noqa: PLC0415  # most calls write no file

        return solve_to_file(
            puzzles,
            batch_options,
            input_options,
            backend=backend,
            limit=wanted,
            several=all_solutions or limit is not None,
            any_number=all_solutions or first,
            limits=limits,
            quiet=quiet,
        )
    records = CountedRecords(puzzles, input_options)
    run = _query(backend, limits, wanted, random=random, seed=seed, traced=traced)
    look = output.look_of(ascii_only=ascii_only, marks=marks)

    with _open_trace(trace, puzzles) as trace_writer:

        def answer(index: int, puzzle: Puzzle, extra_fields: JsonFields, *, alone: bool) -> int:
            printer = _AnswerPrinter(index, puzzle, extra_fields, None if as_json else look if alone else LINE)
            last = printer.show(run(puzzle, records.expected_count), trace_writer)
            return found_exit_code(last, any_number=all_solutions or first or random)

        return answer_records(iter(records), answer, as_json=as_json, quiet=quiet)


def _query(
    backend: str, limits: Limits, wanted: int | None, *, random: bool, seed: int | None, traced: bool
) -> Callable[[Puzzle, int], Iterator[tuple[Answer, PathTree | None]]]:
    """Return the query: from a puzzle and the expected number of puzzles to parts of the answer, with path trees if traced."""
    engine = "native" if traced and backend == "auto" else backend

    def run_query(puzzle: Puzzle, expected_count: int) -> Iterator[tuple[Answer, PathTree | None]]:
        if random:
            yield queries.random_solution(puzzle, seed=seed, backend=engine, limits=limits), None
        elif traced:
            yield queries.solve_traced(puzzle, backend=engine, limits=limits, solution_limit=wanted)
        else:
            for part in queries.solve_stream(
                puzzle, backend=engine, limits=limits, solution_limit=wanted, expected_count=expected_count
            ):
                yield part, None

    return run_query


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
        """Print and trace the parts; return the last, which says how the query ended."""
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
        """Say how much of the answer has been printed, if anything."""
        if self._solutions:
            output.print_text("", end="\n" * (self._look == LINE))
            output.remark(f"sudoku-cp: at least {self._solutions:,} solutions of puzzle {self._index} were printed")
