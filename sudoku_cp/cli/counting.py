"""The verb ``count``."""

from __future__ import annotations

from math import isfinite
from typing import TYPE_CHECKING, Annotated, Any

from sudoku_cp import queries
from sudoku_cp.backends import Limits
from sudoku_cp.cli import output
from sudoku_cp.cli.answering import Told, answered
from sudoku_cp.cli.inputs import Counted, Wish
from sudoku_cp.cli.output import NO, RAN_OUT, YES
from sudoku_cp.cli.progress import Bar
from sudoku_cp.errors import InvalidInput, LimitReached
from sudoku_cp.puzzle import puzzle_told

if TYPE_CHECKING:
    import typer

    from sudoku_cp.cli.options import (
        Alphabet,
        Backend,
        Boxes,
        From,
        Json,
        Nodes,
        Puzzles,
        Quiet,
        Rules,
        Size,
        Strict,
        Timeout,
    )
    from sudoku_cp.puzzle import Puzzle
    from sudoku_cp.queries import Estimate

LONG = 1_000_000
"""Estimates from here on are shortened."""


def count(
    puzzles: Puzzles,
    *,
    limit: Annotated[int | None, typer.Option(metavar="NUMBER", min=1, help="Count no further.", show_default=False)] = None,
    estimate: Annotated[bool, typer.Option("--estimate", help="Estimate the number by random probes, with an interval.")] = False,
    error: Annotated[
        float, typer.Option(metavar="SHARE", min=0.0001, max=1, help="With --estimate, how far the interval may reach.")
    ] = 0.05,
    seed: Annotated[int | None, typer.Option(metavar="NUMBER", help="Make --estimate repeatable.", show_default=False)] = None,
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
    """Count the solutions, exactly up to --limit, or estimate how many there are.

    Where rules say only that cells differ, numbers are counted that nobody could count to (--backend frontier for that alone).
    The exit code is 1 where there is none, 3 where a time or node limit came before the end (what is known is told);
    an estimate with an interval is an answer, however wide.
    """
    contradictions = {
        "--seed with --estimate, got it alone": seed is not None and not estimate,
        "--estimate without --limit and --backend": estimate and (limit is not None or backend != "auto"),
    }
    if any(contradictions.values()):
        raise InvalidInput(f"expected {words}" for words, wrong in contradictions.items() if wrong)
    limits, records = Limits(timeout, nodes), Counted(puzzles, Wish(from_, size, boxes, alphabet, rules, strict))

    def counted(index: int, puzzle: Puzzle, told: Told, *, alone: bool) -> int:
        with Bar(None, quiet=quiet, unit="solutions") as bar:
            found = queries.count(
                puzzle,
                backend=backend,
                limits=limits,
                solution_limit=limit,
                expected_count=records.amount,
                progress=lambda number: bar.show(number, number),
            )
        if as_json:
            output.say_json(output.answer_told(index, puzzle, found) | told)
        else:
            number = f"{'' if found.exact else 'at least '}{found.count}"
            output.say(number if alone else f"{index}\t{number}")
            if found.reason and not quiet:
                output.remark(f"{output.sentence(found)}; --estimate tells about how many there are")
        return RAN_OUT if found.reason else YES if found.count else NO

    def estimated(index: int, puzzle: Puzzle, told: Told, *, alone: bool) -> int:
        found = _estimated(puzzle, limits, seed, error, quiet=quiet)
        if as_json:
            output.say_json({"index": index, "puzzle": puzzle_told(puzzle)} | _told(found) | told)
        else:
            output.say(("" if alone else f"{index}\t") + _said(found))
        if isinstance(found, LimitReached) or found.high is None:
            return RAN_OUT
        return YES if found.value else NO

    return answered(iter(records), estimated if estimate else counted, as_json=as_json, quiet=quiet)


def _estimated(puzzle: Puzzle, limits: Limits, seed: int | None, error: float, *, quiet: bool) -> Estimate | LimitReached:
    last = None
    try:
        with Bar(None, quiet=quiet, unit="probes") as bar:
            for last in queries.estimates(puzzle, limits=limits, seed=seed, error=error):
                bar.show(last.samples, last.samples)
    except LimitReached as reached:
        return reached
    assert last is not None  # noqa: S101  # it yields or raises
    return last


def _told(found: Estimate | LimitReached) -> dict[str, Any]:
    """Return the fields of an estimate; ``count`` is what is certain: the number, or how many there are at least."""
    if isinstance(found, LimitReached):
        return {"count": 0, "exact": False, "reason": found.reason}
    told = {
        "count": found.value if found.exact else found.least,
        "exact": found.exact,
        "backend": found.backend,
        "seconds": round(found.seconds, 6),
        "estimate": {
            "estimate": found.value,
            "stderr": found.stderr if isfinite(found.stderr) else None,
            "iterations": found.samples,
            "ci95_lower": found.low,
            "ci95_upper": found.high,
        },
    }
    return told | ({"reason": found.reason} if found.reason else {})


def _said(found: Estimate | LimitReached) -> str:
    if isinstance(found, LimitReached):
        return f"unknown: {found}"
    how = f"{found.backend}, {found.seconds * 1e3:.3g} ms"
    if found.exact:
        return f"{found.value:,} solution{'' if found.value == 1 else 's'} ({how})"
    if found.high is None:
        return f"at least {found.least:,} solutions ({found.samples} probes are too few to say more; {how})"
    interval = f"{found.confidence:.0%}: {_short(found.low)} to {_short(found.high)}"
    limited = f", stopped by the limit ({found.reason})" if found.reason else ""
    return f"about {_short(found.value)} solutions ({interval}; {found.samples:,} probes{limited}; {how})"


def _short(number: int) -> str:
    """Return a number with about three digits: ``6.67e21``, or all of it while it is short."""
    if number < LONG:
        return f"{number:,}"
    digits = str(number)
    return f"{digits[0]}.{digits[1:3]}e{len(digits) - 1}"
