"""The verb ``bench``."""

from __future__ import annotations

import os
import shlex
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sudoku_cp.cli import output
from sudoku_cp.cli.options import Json, Quiet
from sudoku_cp.cli.tables import say_table
from sudoku_cp.errors import InvalidInput
from sudoku_cp.output_files import refuse_inputs

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from sudoku_cp.bench import Measured, PuzzleSet, Report

THREADED = ("17clue", "forum")
"""The sets that show what threads gain; the first one measured where these are not."""

Files = Annotated[
    list[Path] | None, typer.Argument(metavar="[FILE]...", help="Files of puzzles of your own.", show_default=False)
]
Names = Annotated[str | None, typer.Option(metavar="NAMES", help="Sets, with commas: easy, 17clue, forum, ...; all there are.")]
Data = Annotated[
    Path | None, typer.Option(metavar="DIR", help="The folder of the sets; or set SUDOKU_CP_DATA.", show_default=False)
]
Engines = Annotated[str | None, typer.Option(metavar="NAMES", help="Engines of ours, with commas, or none; all of them.")]
Peers = Annotated[str | None, typer.Option(metavar="NAMES", help="Other solvers, with commas, or none; all installed.")]
Also = Annotated[
    list[str] | None,
    typer.Option(
        metavar="MODULE:FUNCTION",
        help="Another contestant: takes an array (N, cells) and a limit, returns solutions and counts.",
        show_default=False,
    ),
]

Against = Annotated[
    str | None, typer.Option(metavar="NAME", help="The contestant that ratios are to.", show_default="fast:lanes, or the first")
]

Variants = Annotated[
    bool | None,
    typer.Option(
        help="Time puzzles of other rules too, those of examples/variants.", show_default="where neither FILE nor --sets is given"
    ),
]
Trust = Annotated[
    bool | None,
    typer.Option(
        help="Time certificates, true candidates, canonical forms and audits too.",
        show_default="where neither FILE nor --sets is given",
    ),
]

WIDE = 160
"""Columns of a table that goes to no terminal."""

Generation = Annotated[bool, typer.Option("--generation", help="Time making puzzles too, beside other generators (minutes).")]


def bench(
    files: Files = None,
    *,
    sets: Names = None,
    data: Data = None,
    engines: Engines = None,
    peers: Peers = None,
    also: Also = None,
    against: Against = None,
    rounds: Annotated[int, typer.Option(metavar="NUMBER", min=1, help="The shortest of so many rounds counts.")] = 3,
    seconds: Annotated[float, typer.Option(metavar="SECONDS", min=0.001, help="For each contestant and round.")] = 0.25,
    patience: Annotated[float, typer.Option(metavar="SECONDS", min=0.1, help="The longest wait for any answer.")] = 5.0,
    variants: Variants = None,
    trust: Trust = None,
    generation: Generation = False,
    processes: Annotated[bool, typer.Option(help="Time whole processes and threads too.")] = True,
    out: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Write benchmarks.json, .md and .svg there.", show_default=False)
    ] = None,
    as_json: Json = False,
    quiet: Quiet = False,
) -> int:
    """Time every engine and every installed peer on the same puzzles, side by side: solve and prove unique.

    Every answer is checked; who is wrong, crashes or does not answer in time is marked. A slow contestant gets as many
    puzzles as fit its seconds, and ratios compare times on the same puzzles.
    """
    from sudoku_cp import bench as room  # noqa: PLC0415  # with numpy, which the help of all verbs need not load

    sys.path.insert(0, "")  # `--also` finds modules of the current folder, as `python -m` would
    contestants, missing = room.chosen(_names(engines), _names(peers), also or ())
    reference = room.reference_among(contestants, against)
    room.expect_callables(contestants)
    if out is not None:
        refuse_inputs(room.outputs(out), files or [])
        room.ready(out)
    found, absent = ([], []) if generation and sets == "none" and not files else _sets(files or [], sets, data)
    remarks = [*absent, *missing]
    for remark in [] if quiet else remarks:
        output.remark(remark)
    report = _heard(quiet=quiet)
    told = room.Report(
        room.Plan(rounds, seconds, patience), contestants, room.this_machine(), _command(), _today(), remarks=remarks
    )
    told.sets = room.measure(found, contestants, told.plan, reference=reference, report=report, done=str if as_json else _show)
    everything = not files and sets is None
    if everything if variants is None else variants:
        told.variants = room.variant_times(room.variant_puzzles(), _engines_of(_names(engines)), told.plan, report)
    if everything if trust is None else trust:
        told.trust = room.trust_times(found, told.plan, report)
    if generation:
        told.statistics = room.statistics(report=report)
        told.generation = room.generation_times(told.plan, report, peers=_names(peers) != [])
    if processes:
        _add_processes(told, found, report)
    if out is not None:
        for path in room.written(told, out):
            output.remark(f"wrote {path}")
    if as_json:
        output.say_json(told.to_json())
    else:
        _show_rest(told)
    return output.YES


def _engines_of(names: Sequence[str] | None) -> list[str]:
    """Return who is asked about puzzles of other rules: of all engines, those that take any."""
    from sudoku_cp.bench import ENGINES  # noqa: PLC0415

    return [name for name in ENGINES if names is None or name in names]


def _sets(files: Sequence[Path], names: str | None, data: Path | None) -> tuple[list[PuzzleSet], list[str]]:
    """Return the files of one's own and the sets asked for; all sets where neither is asked for."""
    from sudoku_cp.bench import file_sets, named_sets  # noqa: PLC0415
    from sudoku_cp.bench.sets import how_to_get  # noqa: PLC0415

    own = [one for path in files for one in file_sets(path)]
    named, remarks = ([], []) if files and names is None else named_sets(_names(names), data)
    if not own and not named:
        raise InvalidInput([*remarks, f"expected at least one set that is there: {how_to_get()}"])
    return own + named, remarks


def _names(text: str | None) -> list[str] | None:
    if text is None:
        return None
    return [] if text == "none" else [name.strip() for name in text.split(",") if name.strip()]


def _command() -> str:
    return shlex.join(["sudoku-cp", *sys.argv[1:]])


def _today() -> str:
    return datetime.now(UTC).date().isoformat()


def _heard(*, quiet: bool) -> Callable[[str], object]:
    """Return what shows on a terminal what goes on, on one line that is written over; elsewhere nothing does."""
    shown = sys.stderr.isatty() and not quiet
    return (lambda text: sys.stderr.write(f"\r\033[K{text}")) if shown else str


def _add_processes(told: Report, found: Sequence[PuzzleSet], report: Callable[[str], object]) -> None:
    from sudoku_cp.bench import process_times, scaling  # noqa: PLC0415

    threaded = [one for one in found if one.name in THREADED] or found[:1]
    told.scaling = scaling(threaded, told.plan, report)
    told.cold, told.files, remarks = process_times(found, report)
    told.remarks += remarks


def _show(one: Measured) -> None:
    from sudoku_cp.bench.tables import rows  # noqa: PLC0415

    _table(f"{one.name}: {one.about} ({one.total:,} puzzles of {one.side}x{one.side})", rows(one))


def _show_rest(told: Report) -> None:
    from sudoku_cp.bench.generation import generation_rows  # noqa: PLC0415
    from sudoku_cp.bench.generation_statistics import statistics_rows  # noqa: PLC0415
    from sudoku_cp.bench.tables import cold_rows, file_rows, scaling_rows  # noqa: PLC0415
    from sudoku_cp.bench.trust import trust_rows  # noqa: PLC0415
    from sudoku_cp.bench.variants import family_rows  # noqa: PLC0415

    _table("Threads of the batch kernel: puzzles a second", scaling_rows(told.scaling))
    _table("From file to file", file_rows(told.files))
    _table("A cold process", cold_rows(told.cold))
    _table("What trust costs: ms of CPU a puzzle", trust_rows(told.trust))
    _table("Puzzles made: a CPU second", generation_rows(told.generation))
    if told.statistics:
        _table("What minimal puzzles are like", statistics_rows(told.statistics))
    for shown, hidden in (("new", "known"), ("known", "new")):
        rows = [{name: cell for name, cell in row.items() if not name.endswith(hidden)} for row in family_rows(told.variants)]
        _table(f"Other rules: median ms a family, with the rules {shown}", rows)


def _table(title: str, rows: Sequence[Mapping[str, str]]) -> None:
    """Print a table; nothing without rows."""
    numbers = [name for name in [*(rows[0] if rows else ())][1:] if name != "remarks"]
    # Nobody's window is too narrow for a file or a pipe.
    narrow = sys.stdout.isatty() or "COLUMNS" in os.environ
    say_table(rows, numbers=numbers, least=["remarks"], title=title, width=None if narrow else WIDE)
