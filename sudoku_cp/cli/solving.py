"""The verbs ``solve``, ``count`` and ``check``."""

from __future__ import annotations

from contextlib import nullcontext
from itertools import islice
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias

from sudoku_cp import queries
from sudoku_cp.backends import Limits
from sudoku_cp.cli import output
from sudoku_cp.cli.inputs import Wish, amount, entries
from sudoku_cp.cli.output import NO, RAN_OUT, YES
from sudoku_cp.cli.progress import watched
from sudoku_cp.errors import InvalidInput
from sudoku_cp.puzzle import Position, solution_told
from sudoku_cp.render import Look, draw

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
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
    from sudoku_cp.cli.tracing import TraceFile
    from sudoku_cp.formats import Record
    from sudoku_cp.puzzle import Puzzle
    from sudoku_cp.queries import Answer, Check

_Told: TypeAlias = "dict[str, Any]"
"""What is to be told beside the answer itself: the warnings of the reader."""


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

    def answered(puzzle: Puzzle) -> tuple[Answer, PathTree | None]:
        if random:
            return queries.random_solution(puzzle, seed=seed, backend=engine, limits=limits), None
        if traced:
            return queries.solve_traced(puzzle, backend=engine, limits=limits, limit=wanted)
        return queries.solve(puzzle, backend=engine, limits=limits, limit=wanted, amount=many), None

    with _trace_file(trace) as tracing:

        def answer(index: int, puzzle: Puzzle, told: _Told, *, alone: bool) -> int:
            found, tree = answered(puzzle)
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
            return _code(found, all_fine=all_solutions or first or random)

        return _run(entries(puzzles, wish), answer, as_json=as_json, quiet=quiet)


def count(
    puzzles: Puzzles,
    *,
    limit: Annotated[int | None, typer.Option(metavar="NUMBER", min=1, help="Count no further.", show_default=False)] = None,
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
    quiet: Quiet = False,
) -> int:
    """Count the solutions, exactly up to --limit.

    The exit code is 1 where there is none, 3 where a time or node limit came before the end (what was counted is told).
    """
    limits, many = Limits(timeout, nodes), amount(puzzles)

    def answer(index: int, puzzle: Puzzle, told: _Told, *, alone: bool) -> int:
        found = queries.count(puzzle, backend=backend, limits=limits, limit=limit, amount=many)
        if as_json:
            output.say_json(output.answer_told(index, puzzle, found) | told)
        else:
            number = f"{'' if found.exact else 'at least '}{found.count}"
            output.say(number if alone else f"{index}\t{number}")
            if found.reason and not quiet:
                output.remark(output.sentence(found))
        return RAN_OUT if found.reason else YES if found.count else NO

    records = entries(puzzles, Wish(from_, size, boxes, alphabet, rules, strict))
    return _run(records, answer, as_json=as_json, quiet=quiet)


def check(
    puzzles: Puzzles,
    *,
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
    quiet: Quiet = False,
) -> int:
    """Say whether a puzzle is well-formed, consistent and unique, and if not, what is wrong.

    No solution: givens that clash are named. Several: the cells in which two of them differ.
    """
    limits = Limits(timeout, nodes)

    def answer(index: int, puzzle: Puzzle, told: _Told, *, alone: bool) -> int:
        checked = queries.check(puzzle, backend=backend, limits=limits)
        if as_json:
            output.say_json(output.answer_told(index, puzzle, checked.answer) | _check_told(puzzle, checked) | told)
        else:
            output.say(("" if alone else f"{index}\t") + _check_said(puzzle, checked))
        return _code(checked.answer)

    records = entries(puzzles, Wish(from_, size, boxes, alphabet, rules, strict))
    return _run(records, answer, as_json=as_json, quiet=quiet)


def _run(records: Iterator[Record], answer: Callable[..., int], *, as_json: bool, quiet: bool) -> int:
    """Answer puzzle after puzzle; a record that cannot be read is told in its place, and the rest goes on."""
    # Programs want an answer as soon as a puzzle is there; people see a puzzle drawn if it is the only one.
    ahead = [] if as_json else list(islice(records, 2))
    alone = len(ahead) < 2  # noqa: PLR2004
    codes = {YES}

    def rest() -> Iterator[Record]:
        yield from ahead
        yield from records

    for index, record in enumerate(watched(rest(), quiet=quiet)):
        if record.puzzle is not None:
            if not (as_json or quiet):
                output.warn(index, record.warnings)
            told: _Told = {"warnings": list(record.warnings)} if record.warnings else {}
            codes.add(answer(index, record.puzzle, told, alone=alone))
        elif record.error is not None:
            codes.add(output.BAD_INPUT)
            if as_json:
                output.say_json(output.error_told(index, record.error))
            elif alone:
                raise record.error
            else:
                output.say(f"{index}\terror\t{record.error}")
    return output.worst(codes)


def _trace_file(name: str | None) -> AbstractContextManager[TraceFile | None]:
    """Return the file of path trees, where one is wanted."""
    if name is None:
        return nullcontext()
    from sudoku_cp.cli.tracing import TraceFile  # noqa: PLC0415  # most calls trace nothing

    return TraceFile(name)


def _code(answer: Answer, *, all_fine: bool = False) -> int:
    if answer.status == "unknown":
        return RAN_OUT
    if answer.status in {"unique", "solved"} or (all_fine and answer.status == "multiple"):
        return RAN_OUT if answer.reason else YES
    return NO


def _say_solved(index: int, puzzle: Puzzle, answer: Answer, positions: list[Position], look: Look | None) -> None:
    if look is None:
        told = [solution_told(puzzle, solution) for solution in answer.solutions]
        output.say("\t".join([str(index), answer.status, *map(str, told)]))
        return
    for position in positions:
        output.say(draw(position, look))
    output.say(output.sentence(answer))


def _check_told(puzzle: Puzzle, checked: Check) -> dict[str, Any]:
    told: dict[str, Any] = {}
    if checked.conflict:
        names = [f"{puzzle.grid.cell_name(cell)}={puzzle.symbols.sign(puzzle.givens[cell])}" for cell in checked.conflict.givens]
        told["conflict"] = {"givens": names, "rules": list(checked.conflict.rules), "minimal": checked.conflict.minimal}
    if checked.differ:
        told["differ"] = output.cells_told(puzzle, checked.differ)
    return told


def _check_said(puzzle: Puzzle, checked: Check) -> str:
    answer = checked.answer
    words = f"well-formed; {output.sentence(answer)}"
    told = _check_told(puzzle, checked)
    if checked.conflict:
        clash = " ".join(told["conflict"]["givens"]) or "the rules alone"
        within = f" in {', '.join(checked.conflict.rules)}" if checked.conflict.rules else ""
        words += f"\nclash: {clash}{within}"
    if checked.differ:
        words += f"\ntwo solutions differ in {len(checked.differ)} cells: {' '.join(told['differ'])}"
    return words
