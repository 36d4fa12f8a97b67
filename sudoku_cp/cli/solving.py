"""The verb ``solve``."""

from __future__ import annotations

from contextlib import nullcontext
from typing import TYPE_CHECKING, Annotated

from sudoku_cp import queries
from sudoku_cp.backends import Limits
from sudoku_cp.cli import output
from sudoku_cp.cli.answering import Told, answered, code_of
from sudoku_cp.cli.inputs import Wish, amount, entries
from sudoku_cp.errors import InvalidInput
from sudoku_cp.puzzle import Position, solution_told
from sudoku_cp.render import Look, draw

if TYPE_CHECKING:
    from collections.abc import Sequence
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


def solve(
    puzzles: Puzzles,
    *,
    all_solutions: Annotated[bool, typer.Option("--all", help="Find every solution.")] = False,
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

    Several puzzles are answered a line each; with --out, millions of them from file to file. The exit code is 1 where a puzzle
    has no solution or (without --all, --first and --random) more than one.
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
    if any(contradictions.values()):
        raise InvalidInput(f"expected {words}" for words, wrong in contradictions.items() if wrong)
    wanted = None if all_solutions else 1 if first or random else limit or 2
    limits = Limits(timeout, nodes)
    wish = Wish(from_, size, boxes, alphabet, rules, strict)
    if filed:
        return solve_to_file(
            puzzles,
            filing,
            wish,
            backend=backend,
            limit=wanted,
            several=all_solutions or limit is not None,
            any_number=all_solutions or first,
            limits=limits,
            quiet=quiet,
        )
    engine = "native" if traced and backend == "auto" else backend
    many = amount(puzzles)
    look = output.look_of(ascii_only=ascii_only, marks=marks)

    def asked(puzzle: Puzzle) -> tuple[Answer, PathTree | None]:
        if random:
            return queries.random_solution(puzzle, seed=seed, backend=engine, limits=limits), None
        if traced:
            return queries.solve_traced(puzzle, backend=engine, limits=limits, limit=wanted)
        return queries.solve(puzzle, backend=engine, limits=limits, limit=wanted, amount=many), None

    with _trace(trace, puzzles) as tracing:

        def answer(index: int, puzzle: Puzzle, told: Told, *, alone: bool) -> int:
            found, tree = asked(puzzle)
            if tree and tracing:
                tracing.add(index, puzzle, tree)
            if as_json:
                output.say_json(output.answer_told(index, puzzle, found) | told)
            else:
                positions = [
                    queries.marked(puzzle, tree, number) if tree else Position.of(puzzle, values)
                    for number, values in enumerate(found.solutions)
                ]
                _say_solved(index, puzzle, found, positions, look if alone else None)
            return code_of(found, all_fine=all_solutions or first or random)

        return answered(entries(puzzles, wish), answer, as_json=as_json, quiet=quiet)


def _trace(name: str | None, puzzles: Sequence[str]) -> AbstractContextManager[Trace | None]:
    """Return what takes path trees, where they are wanted."""
    if name is None:
        return nullcontext()
    from sudoku_cp.cli.tracing import open_trace  # noqa: PLC0415  # most calls trace nothing

    return open_trace(name, puzzles)


def _say_solved(index: int, puzzle: Puzzle, answer: Answer, positions: list[Position], look: Look | None) -> None:
    if look is None:
        told = [solution_told(puzzle, solution) for solution in answer.solutions]
        output.say("\t".join([str(index), answer.status, *map(str, told)]))
        return
    for position in positions:
        output.say(draw(position, look))
    output.say(output.sentence(answer))
