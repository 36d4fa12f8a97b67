"""The verb ``compare``."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sudoku_cp.backends import Limits
from sudoku_cp.cli import output
from sudoku_cp.cli.inputs import Readable, Wish
from sudoku_cp.cli.options import Alphabet, Boxes, From, Json, Nodes, Puzzles, Quiet, Rules, Size, Strict, Timeout
from sudoku_cp.compare import Comparison, Disagreement, Verdict, cross_check, table
from sudoku_cp.errors import InvalidInput
from sudoku_cp.puzzle import puzzle_told, solution_told

if TYPE_CHECKING:
    from sudoku_cp.puzzle import Puzzle


def compare(
    puzzles: Puzzles,
    *,
    backends: Annotated[str, typer.Option(metavar="NAMES", help="The engines, with commas.")] = "native,sat,cpsat",
    limit: Annotated[int, typer.Option(metavar="NUMBER", min=1, help="Find at most so many solutions a puzzle.")] = 2,
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

    A disagreement is shown on the puzzle with the fewest givens that still shows it, and makes the exit code 1.
    """
    readable = Readable(puzzles, Wish(from_, size, boxes, alphabet, rules, strict), quiet=quiet)
    names = [name.strip() for name in backends.split(",") if name.strip()]
    compared = cross_check(readable, names, limits=Limits(timeout, nodes), limit=limit)
    if not compared.puzzles:
        raise InvalidInput("expected at least one puzzle to compare, got none that can be read")
    if as_json:
        output.say_json(_told(compared))
    else:
        _say(compared)
    return output.worst([output.NO] * (not compared.agreed) + [output.RAN_OUT] * bool(compared.unknown) + [readable.code])


def _told(compared: Comparison) -> dict[str, Any]:
    return {
        "puzzles": compared.puzzles,
        "agreed": compared.agreed,
        "unknown": compared.unknown,
        "backends": [tally.to_json() for tally in compared.tallies],
        "disagreements": [
            {
                "index": one.index,
                "puzzle": puzzle_told(one.puzzle),
                "verdicts": [_verdict_told(one.puzzle, verdict) for verdict in one.verdicts],
                "shrunk": puzzle_told(one.least),
                "shrunk_verdicts": [_verdict_told(one.least, verdict) for verdict in one.least_verdicts],
            }
            for one in compared.disagreements
        ],
    }


def _verdict_told(puzzle: Puzzle, verdict: Verdict) -> dict[str, Any]:
    told: dict[str, Any] = {"backend": verdict.engine, "status": verdict.status}
    if verdict.answer:
        told["solutions"] = [solution_told(puzzle, solution) for solution in verdict.answer.solutions]
    return told | ({"error": verdict.defect} if verdict.defect else {})


def _say(compared: Comparison) -> None:
    from rich.console import Console  # noqa: PLC0415  # rich costs 40 ms; programs that want JSON need not wait
    from rich.table import Table  # noqa: PLC0415

    rows = table(compared)
    drawn = Table(*rows[0])
    for column in drawn.columns[1:]:
        column.justify = "right"
    for row in rows:
        drawn.add_row(*row.values())
    Console().print(drawn)
    for one in compared.disagreements:
        _say_disagreement(one)
    if compared.agreed:
        open_questions = f"; {compared.unknown} questions stayed open at their limit" if compared.unknown else ""
        output.say(f"{compared.puzzles} puzzles: all engines agree{open_questions}")
    else:
        output.say(f"{compared.puzzles} puzzles: DISAGREEMENT on {len(compared.disagreements)}")


def _say_disagreement(one: Disagreement) -> None:
    output.say(f"\npuzzle {one.index}: shrunk from {len(one.puzzle.givens)} to {len(one.least.givens)} givens, it still shows")
    told = puzzle_told(one.least)
    output.say(f"  {told if isinstance(told, str) else json.dumps(told, ensure_ascii=False)}")
    for verdict in one.least_verdicts:
        found = [solution_told(one.least, solution) for solution in verdict.answer.solutions] if verdict.answer else []
        output.say(f"  {verdict.engine}: {verdict.status} {verdict.defect or ' '.join(map(str, found))}")
