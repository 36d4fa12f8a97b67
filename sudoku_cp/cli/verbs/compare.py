"""The verb ``compare``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from sudoku_cp.cli import output
from sudoku_cp.cli.inputs import ReadablePuzzles
from sudoku_cp.cli.option_groups import no_folder, refuse_contradictions
from sudoku_cp.cli.options import Json, Quiet
from sudoku_cp.cli.text_tables import print_table
from sudoku_cp.cli.typed_names import refuse_typed
from sudoku_cp.cli.verdict_report import print_verdicts
from sudoku_cp.compare import Comparison, Disagreement, table
from sudoku_cp.errors import InvalidInput
from sudoku_cp.questions.compare import CompareAnswer, CompareQuestion
from sudoku_cp.questions.exit_codes import worst


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
    fuzz: Annotated[
        int | None,
        typer.Option(
            metavar="NUMBER", min=1, help="Compare on this many random puzzles of random rules instead.", show_default=False
        ),
    ] = None,
    seed: Annotated[int | None, typer.Option(metavar="NUMBER", help="Make --fuzz repeatable.", show_default="a new one")] = None,
    skip: Annotated[
        int | None, typer.Option(metavar="NUMBER", min=0, help="With --fuzz, skip this many puzzles first.", show_default="0")
    ] = None,
    out: Annotated[
        str | None,
        typer.Option(
            metavar="FOLDER", help="Write the findings of --fuzz into this folder, each with a test.", show_default=False
        ),
    ] = None,
    question: CompareQuestion = CompareQuestion(),
    as_json: Json = False,
    quiet: Quiet = False,
) -> int:
    """Compare engines.

    With --fuzz the puzzles are random, and the engines, more by default, are checked against the meaning of the rules and against
    certificates too; then 40 solutions of a puzzle are looked for.
    """
    problems = {
        "expected puzzles or --fuzz, got neither": not puzzles and fuzz is None,
        "expected puzzles or --fuzz, got both": bool(puzzles) and fuzz is not None,
        "--seed, --skip and --out need --fuzz": fuzz is None and (seed, skip, out) != (None, None, None),
        **no_folder("--out", out),
    }
    refuse_contradictions(problems)
    if fuzz is not None:
        from sudoku_cp.cli.fuzz_run import run_fuzz  # noqa: PLC0415  # only --fuzz makes puzzles and certificates

        return run_fuzz((skip or 0, fuzz), seed, question, out=Path(out) if out else None, as_json=as_json, quiet=quiet)
    refuse_typed(question.contradictions())
    readable = ReadablePuzzles(puzzles or [], question, quiet=quiet)
    check = question.cross_check(question.limits())
    try:
        for puzzle in readable:
            check.add(puzzle)
    except KeyboardInterrupt:
        if check.compared.puzzles:
            _report(check.compared, as_json=as_json)
        raise
    if not check.compared.puzzles:
        raise InvalidInput("expected at least one puzzle to compare, got none that can be read")
    _report(check.compared, as_json=as_json)
    return worst([readable.exit_code, CompareAnswer.of(check.compared).exit_code])


def _report(compared: Comparison, *, as_json: bool) -> None:
    if as_json:
        output.print_json(CompareAnswer.of(compared).to_json())
    else:
        _print_comparison(compared)


def _print_comparison(compared: Comparison) -> None:
    rows = table(compared)
    print_table(rows, numbers=[*rows[0]][1:])
    for one in compared.disagreements:
        _print_disagreement(one)
    for engine, failure in compared.failures.items():
        output.print_text(f"{engine} failed; {failure}")
    if compared.agreed:
        words = f"; {compared.unknown} questions stayed open at their limit" * bool(compared.unknown)
        words += f"; {compared.refused} questions were of a sort that the engine does not take" * bool(compared.refused)
        words += f"; {compared.failed} questions made an engine fail" * bool(compared.failed)
        agreeing = "all engines agree" if not compared.failed else "the answers agree"
        output.print_text(f"{compared.puzzles} puzzles: {agreeing}{words}")
    else:
        output.print_text(f"{compared.puzzles} puzzles: DISAGREEMENT on {compared.disagreed}")


def _print_disagreement(one: Disagreement) -> None:
    output.print_text(
        f"\npuzzle {one.index}: shrunk from {len(one.puzzle.givens)} to {len(one.least.givens)} givens, it still shows"
    )
    print_verdicts(one.least, one.least_verdicts)
