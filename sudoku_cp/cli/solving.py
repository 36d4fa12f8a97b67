"""The verb ``solve``."""

from __future__ import annotations

import sys
from contextlib import nullcontext
from typing import TYPE_CHECKING, Annotated, Literal

from sudoku_cp import queries
from sudoku_cp.backends import Limits
from sudoku_cp.cli import output
from sudoku_cp.cli.answering import Told, answered, code_of
from sudoku_cp.cli.inputs import Counted, Wish
from sudoku_cp.errors import InvalidInput
from sudoku_cp.puzzle import Position, solution_told
from sudoku_cp.render import Look, draw

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from contextlib import AbstractContextManager

    import typer

    from sudoku_cp.backends.tree import PathTree
    from sudoku_cp.cli.options import (
        Alphabet,
        Ascii,
        Backend,
        Boxes,
        ClusterAddress,
        Force,
        From,
        Json,
        Nodes,
        Out,
        Puzzles,
        Quiet,
        Resume,
        Rules,
        Size,
        Strict,
        Timeout,
        Workers,
    )
    from sudoku_cp.cli.tracing import Trace
    from sudoku_cp.puzzle import Puzzle
    from sudoku_cp.queries import Answer


LINE: Literal["line"] = "line"
"""How several puzzles are shown to people."""


def solve(
    puzzles: Puzzles,
    *,
    all_solutions: Annotated[bool, typer.Option("--all", help="Find every solution, and tell them as they are found.")] = False,
    limit: Annotated[
        int | None,
        typer.Option(metavar="NUMBER", min=1, help="Find at most so many solutions, instead of 2, which prove uniqueness."),
    ] = None,
    first: Annotated[bool, typer.Option("--first", help="Find a solution and do not ask whether it is the only one.")] = False,
    random: Annotated[bool, typer.Option("--random", help="Find a random solution (of an empty grid, say).")] = False,
    seed: Annotated[int | None, typer.Option(metavar="NUMBER", help="Make --random repeatable.", show_default=False)] = None,
    marks: Annotated[
        bool, typer.Option("--marks", help="Mark values: forced ones circled, guessed ones in parentheses.")
    ] = False,
    trace: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Write the search's path tree to FILE (.json or .dot), or '-' to show it here."),
    ] = None,
    backend: Backend = "auto",
    timeout: Timeout = None,
    nodes: Nodes = None,
    from_: From = None,
    size: Size = None,
    boxes: Boxes = None,
    alphabet: Alphabet = None,
    rules: Rules = None,
    strict: Strict = False,
    as_json: Json = False,
    ascii_only: Ascii = False,
    out: Out = None,
    resume: Resume = False,
    force: Force = False,
    workers: Workers = None,
    cluster: ClusterAddress = None,
    quiet: Quiet = False,
) -> int:
    """Find the solution, and whether it is the only one.

    Several puzzles are answered a line each; with --out, millions of them from file to file. With --json, very many solutions
    of a puzzle come in several objects, all but the last "partial", each with those found since the one before. The exit code
    is 1 where a puzzle has no solution or (without --all, --first and --random) more than one.
    """
    traced = marks or trace is not None
    kinds = (all_solutions, first, random, limit is not None)
    contradictions = {
        "only one of --all, --first, --random and --limit, got several": sum(kinds) > 1,
        "--seed with --random, got it alone": seed is not None and not random,
        "--random without --marks and --trace: a random solution is not found by one search": random and traced,
        "--trace FILE with --json, got '-', which is for people": as_json and trace == "-",
    }
    if filed := out is not None or resume or force or workers is not None or cluster is not None:
        from sudoku_cp.cli.batching import Filing, solve_to_file  # noqa: PLC0415  # most calls write no file

        filing = Filing(out, resume, force, workers, cluster)
        shown = {"--json": as_json, "--ascii": ascii_only, "--random": random, "--marks": marks, "--trace": trace is not None}
        contradictions |= filing.contradictions(shown)
    if wrong := [f"expected {words}" for words, is_wrong in contradictions.items() if is_wrong]:
        raise InvalidInput(wrong)
    wanted = None if all_solutions else 1 if first or random else limit or 2
    limits = Limits(timeout, nodes)
    wish = Wish(from_, size, boxes, alphabet, rules, strict)
    if filed:
        return solve_to_file(
            puzzles,
            filing,
            wish,
            backend=backend,
            solution_limit=wanted,
            several=all_solutions or limit is not None,
            any_number=all_solutions or first,
            limits=limits,
            quiet=quiet,
        )
    engine = "native" if traced and backend == "auto" else backend
    records = Counted(puzzles, wish)
    ask = _question(engine, limits, wanted, random=random, seed=seed, traced=traced)
    look = output.look_of(ascii_only=ascii_only, marks=marks)

    with _trace(trace, puzzles) as tracing:

        def answer(index: int, puzzle: Puzzle, told: Told, *, alone: bool) -> int:
            shown = _Shown(index, puzzle, told, None if as_json else look if alone else LINE)
            last = shown.show(ask(puzzle, records.amount), tracing)
            return code_of(last, all_fine=all_solutions or first or random)

        return answered(iter(records), answer, as_json=as_json, quiet=quiet)


def _question(
    engine: str, limits: Limits, wanted: int | None, *, random: bool, seed: int | None, traced: bool
) -> Callable[[Puzzle, int], Iterator[tuple[Answer, PathTree | None]]]:
    """Return what asks about a puzzle, one of so many, and yields the parts of the answer, each with its path tree if any."""

    def ask(puzzle: Puzzle, amount: int) -> Iterator[tuple[Answer, PathTree | None]]:
        if random:
            yield queries.random_solution(puzzle, seed=seed, backend=engine, limits=limits), None
        elif traced:
            yield queries.solve_traced(puzzle, backend=engine, limits=limits, solution_limit=wanted)
        else:
            for part in queries.solve_stream(puzzle, backend=engine, limits=limits, solution_limit=wanted, expected_count=amount):
                yield part, None

    return ask


def _trace(name: str | None, puzzles: Sequence[str]) -> AbstractContextManager[Trace | None]:
    """Return what takes path trees, where they are wanted."""
    if name is None:
        return nullcontext()
    from sudoku_cp.cli.tracing import open_trace  # noqa: PLC0415  # most calls trace nothing

    return open_trace(name, puzzles)


class _Shown:
    """Shows the parts of an answer as they come: as JSON, as drawings, or on one line for each puzzle."""

    def __init__(self, index: int, puzzle: Puzzle, told: Told, look: Look | Literal["line"] | None) -> None:
        self._index, self._puzzle, self._told, self._look = index, puzzle, told, look
        self._solutions = 0

    def show(self, parts: Iterator[tuple[Answer, PathTree | None]], tracing: Trace | None) -> Answer:
        """Show and trace the parts; return the last, which says how the question ended."""
        found = None
        try:
            for found, tree in parts:
                if tree and tracing:
                    tracing.add(self._index, self._puzzle, tree)
                self._add(found, tree)
        except KeyboardInterrupt:
            self._say_interrupted()
            raise
        assert found is not None  # noqa: S101  # every question has an answer
        return found

    def _add(self, found: Answer, tree: PathTree | None) -> None:
        if self._look is None:
            output.say_json(output.answer_told(self._index, self._puzzle, found) | self._told)
            self._solutions += len(found.solutions)
        elif self._look == LINE:
            self._say_in_line(found)
        else:
            for number, values in enumerate(found.solutions):
                position = queries.marked(self._puzzle, tree, number) if tree else Position.of(self._puzzle, values)
                output.say(draw(position, self._look))
                self._solutions += 1
            if not found.partial:
                output.say(output.sentence(found))
        if found.partial:
            sys.stdout.flush()

    def _say_in_line(self, found: Answer) -> None:
        head = [] if self._solutions else [str(self._index), found.status]
        told = [str(solution_told(self._puzzle, solution)) for solution in found.solutions]
        output.say("\t".join([*([""] * bool(self._solutions and told)), *head, *told]), end="" if found.partial else "\n")
        self._solutions += len(found.solutions)

    def _say_interrupted(self) -> None:
        """Say how much of the answer has been printed, where that is anything."""
        if self._solutions:
            output.say("", end="\n" * (self._look == LINE))
            output.remark(f"sudoku-cp: at least {self._solutions:,} solutions of puzzle {self._index} were printed")
