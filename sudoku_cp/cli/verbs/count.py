"""The verb ``count``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from sudoku_cp import queries
from sudoku_cp.answer_json.counts import estimate_to_json
from sudoku_cp.answer_json.fields import answer_to_json
from sudoku_cp.backends import Limits
from sudoku_cp.cli import output
from sudoku_cp.cli.answer_loop import JsonFields, answer_records
from sudoku_cp.cli.exit_codes import NO, RAN_OUT, YES
from sudoku_cp.cli.inputs import CountedRecords
from sudoku_cp.cli.option_groups import InputOptions, LimitOptions, refuse_contradictions
from sudoku_cp.cli.progress_bar import ProgressBar
from sudoku_cp.errors import LimitReached, require_seed
from sudoku_cp.puzzle import Puzzle
from sudoku_cp.queries.count_estimate import ERROR

if TYPE_CHECKING:
    import typer

    from sudoku_cp.cli.options import Backend, Json, Puzzles, Quiet
    from sudoku_cp.queries import Estimate

LONG = 1_000_000
"""Estimates from here on are shown with about three digits."""


def count(
    puzzles: Puzzles,
    *,
    limit: Annotated[
        int | None, typer.Option(metavar="NUMBER", min=1, help="Count no further than this.", show_default=False)
    ] = None,
    estimate: Annotated[
        bool, typer.Option("--estimate", help="Estimate the number by random probes, with a confidence interval.")
    ] = False,
    error: Annotated[
        float | None,
        typer.Option(
            metavar="SHARE",
            min=0.0001,
            max=1,
            help="With --estimate, the relative half-width of the interval at which to stop.",
            show_default=f"{ERROR}",
        ),
    ] = None,
    seed: Annotated[int | None, typer.Option(metavar="NUMBER", help="Make --estimate repeatable.", show_default=False)] = None,
    backend: Backend = "auto",
    limit_options: LimitOptions = LimitOptions(),
    input_options: InputOptions = InputOptions(),
    as_json: Json = False,
    quiet: Quiet = False,
) -> int:
    """Count the solutions, exactly up to --limit, or estimate how many there are.

    Where all rules say that cells differ, even numbers far too large to enumerate are counted (--backend frontier does only
    this). The exit code is 1 if there is none, 3 if a time or node limit came first (what is known is printed); an estimate
    with an interval is an answer, however wide.
    """
    refuse_contradictions(
        {
            "--error with --estimate, got it alone": error is not None and not estimate,
            "--seed with --estimate, got it alone": seed is not None and not estimate,
            "--estimate without --limit and --backend": estimate and (limit is not None or backend != "auto"),
        }
    )
    require_seed(0 if seed is None else seed)
    limits, records = limit_options.limits(), CountedRecords(puzzles, input_options)

    def show_count(index: int, puzzle: Puzzle, extra_fields: JsonFields, *, alone: bool) -> int:
        with ProgressBar(None, quiet=quiet, unit="solutions") as bar:
            found = queries.count(
                puzzle,
                backend=backend,
                limits=limits,
                solution_limit=limit,
                expected_count=records.expected_count,
                progress=lambda number: bar.show(number, number),
            )
        if as_json:
            output.print_json({"index": index} | answer_to_json(puzzle, found) | extra_fields)
        else:
            number = f"{'' if found.exact else 'at least '}{found.count}"
            output.print_text(number if alone else f"{index}\t{number}")
            if found.reason and not quiet:
                output.remark(f"{output.answer_sentence(found)}; --estimate shows about how many there are")
        return RAN_OUT if found.reason else YES if found.count else NO

    def show_estimate(index: int, puzzle: Puzzle, extra_fields: JsonFields, *, alone: bool) -> int:
        found = _estimate(puzzle, limits, seed, ERROR if error is None else error, quiet=quiet)
        if as_json:
            output.print_json({"index": index} | estimate_to_json(puzzle, found) | extra_fields)
        else:
            output.print_text(("" if alone else f"{index}\t") + _format_estimate(found))
        if isinstance(found, LimitReached) or found.high is None:
            return RAN_OUT
        return YES if found.value else NO

    return answer_records(iter(records), show_estimate if estimate else show_count, as_json=as_json, quiet=quiet)


def _estimate(puzzle: Puzzle, limits: Limits, seed: int | None, error: float, *, quiet: bool) -> Estimate | LimitReached:
    last = None
    try:
        with ProgressBar(None, quiet=quiet, unit="probes") as bar:
            for last in queries.estimates(puzzle, limits=limits, seed=seed, error=error):
                bar.show(last.samples, last.samples)
    except LimitReached as reached:
        return reached
    assert last is not None  # noqa: S101  # it yields or raises
    return last


def _format_estimate(found: Estimate | LimitReached) -> str:
    if isinstance(found, LimitReached):
        return f"unknown: {found}"
    how = f"{found.backend}, {found.seconds * 1e3:.3g} ms"
    if found.exact:
        return f"{found.value:,} solution{'' if found.value == 1 else 's'} ({how})"
    if found.high is None:
        return f"at least {found.least:,} solutions ({found.samples} probes are too few to say more; {how})"
    interval = f"{found.confidence:.0%}: {_format_number(found.low)} to {_format_number(found.high)}"
    limited = f", stopped by the limit ({found.reason})" if found.reason else ""
    return f"about {_format_number(found.value)} solutions ({interval}; {found.samples:,} probes{limited}; {how})"


def _format_number(number: int) -> str:
    """Return a number with about three digits, ``6.67e21``, or in full if it is short."""
    if number < LONG:
        return f"{number:,}"
    digits = str(number)
    return f"{digits[0]}.{digits[1:3]}e{len(digits) - 1}"
