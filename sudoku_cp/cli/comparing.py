"""The verb ``compare``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from sudoku_cp.backends import Limits
from sudoku_cp.cli import output
from sudoku_cp.cli.completions import complete_backends
from sudoku_cp.cli.inputs import Readable, Wish
from sudoku_cp.cli.options import Alphabet, Boxes, From, Json, Nodes, Quiet, Rules, Size, Strict, Timeout
from sudoku_cp.cli.tables import say_table
from sudoku_cp.cli.verdicts import say_least, verdicts_told
from sudoku_cp.compare import Comparison, CrossCheck, Disagreement, table
from sudoku_cp.errors import InvalidInput
from sudoku_cp.puzzle import puzzle_told

USUAL = "native,sat,cpsat"
TWO = 2
"""So many solutions show that there are several."""


def compare(
    puzzles: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[PUZZLE]...",
            help="A puzzle as text (after '--' if it begins with '-'), a file of puzzles, or '-' for standard input.",
            show_default=False,
        ),
    ] = None,
    *,
    backends: Annotated[
        str | None,
        typer.Option(
            metavar="NAMES",
            help="The engines, with commas.",
            show_default=f"{USUAL}; more with --fuzz",
            autocompletion=complete_backends,
        ),
    ] = None,
    limit: Annotated[
        int | None,
        typer.Option(metavar="NUMBER", min=1, help="Find at most so many solutions a puzzle.", show_default="2; 40 with --fuzz"),
    ] = None,
    fuzz: Annotated[
        int | None,
        typer.Option(metavar="NUMBER", min=1, help="Make so many random puzzles of random rules instead.", show_default=False),
    ] = None,
    seed: Annotated[int | None, typer.Option(metavar="NUMBER", help="Make --fuzz repeatable.", show_default="a new one")] = None,
    skip: Annotated[
        int | None, typer.Option(metavar="NUMBER", min=0, help="Leave out so many of them.", show_default="0")
    ] = None,
    out: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="Write what --fuzz finds there, each with a test.", show_default=False)
    ] = None,
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
    """Answer the same puzzles with several engines: do they agree, and how fast is each?

    A disagreement is shown on the smallest puzzle that still shows it, and makes the exit code 1. With --fuzz the puzzles are
    random ones, and the engines are held against the rules' own words and against certificates too.
    """
    names = None if backends is None else [name.strip() for name in backends.split(",") if name.strip()]
    problems = {
        "puzzles or --fuzz, got neither": not puzzles and fuzz is None,
        "puzzles or --fuzz, got both": bool(puzzles) and fuzz is not None,
        "--seed, --skip and --out with --fuzz, got one alone": fuzz is None and (seed, skip, out) != (None, None, None),
    }
    if any(problems.values()):
        raise InvalidInput(f"expected {words}" for words, wrong in problems.items() if wrong)
    if fuzz is not None:
        from sudoku_cp.cli.fuzzing import fuzzed  # noqa: PLC0415  # only --fuzz makes puzzles and certificates

        span = (skip or 0, fuzz)
        return fuzzed(span, seed, names, limits=(timeout, nodes), limit=limit, out=out, as_json=as_json, quiet=quiet)
    readable = Readable(puzzles or [], Wish(from_, size, boxes, alphabet, rules, strict), quiet=quiet)
    check = CrossCheck(names or USUAL.split(","), limits=Limits(timeout, nodes), solution_limit=limit or TWO)
    try:
        for puzzle in readable:
            check.add(puzzle)
    except KeyboardInterrupt:
        if check.compared.puzzles:
            _tell(check.compared, as_json=as_json)
        raise
    if not check.compared.puzzles:
        raise InvalidInput("expected at least one puzzle to compare, got none that can be read")
    _tell(check.compared, as_json=as_json)
    return _code(check.compared, readable)


def _code(compared: Comparison, readable: Readable) -> int:
    codes = {
        output.NO: not compared.agreed,
        output.RAN_OUT: compared.unknown > 0,
        output.BAD_INPUT: compared.refused > 0,
        readable.code: True,
    }
    return output.worst(code for code, so in codes.items() if so)


def _tell(compared: Comparison, *, as_json: bool) -> None:
    if as_json:
        output.say_json(_told(compared))
    else:
        _say(compared)


def _told(compared: Comparison) -> dict[str, Any]:
    return {
        "puzzles": compared.puzzles,
        "agreed": compared.agreed,
        "disagreed": compared.disagreed,
        "unknown": compared.unknown,
        "refused": compared.refused,
        "backends": [tally.to_json() for tally in compared.tallies],
        "disagreements": [
            {
                "index": one.index,
                "puzzle": puzzle_told(one.puzzle),
                "verdicts": verdicts_told(one.puzzle, one.verdicts),
                "shrunk": puzzle_told(one.least),
                "shrunk_verdicts": verdicts_told(one.least, one.least_verdicts),
            }
            for one in compared.disagreements
        ],
    }


def _say(compared: Comparison) -> None:
    rows = table(compared)
    say_table(rows, numbers=[*rows[0]][1:])
    for one in compared.disagreements:
        _say_disagreement(one)
    if compared.agreed:
        words = f"; {compared.unknown} questions stayed open at their limit" * bool(compared.unknown)
        words += f"; {compared.refused} questions were of a sort that the engine does not take" * bool(compared.refused)
        output.say(f"{compared.puzzles} puzzles: all engines agree{words}")
    else:
        output.say(f"{compared.puzzles} puzzles: DISAGREEMENT on {compared.disagreed}")


def _say_disagreement(one: Disagreement) -> None:
    output.say(f"\npuzzle {one.index}: shrunk from {len(one.puzzle.givens)} to {len(one.least.givens)} givens, it still shows")
    say_least(one.least, one.least_verdicts)
