"""The verb ``bench``."""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer

from sudoku_cp.bench import BenchReport, PuzzleSet, SetResult
from sudoku_cp.cli import output
from sudoku_cp.cli.exit_codes import YES
from sudoku_cp.cli.options import Json, Quiet
from sudoku_cp.cli.text_tables import print_table
from sudoku_cp.errors import InvalidInput
from sudoku_cp.output_files import refuse_inputs

SCALING_SETS = ("17clue", "forum")
"""The sets that show what threads gain; without them, the first one measured."""

Files = Annotated[
    list[Path] | None, typer.Argument(metavar="[FILE]...", help="Files of puzzles of your own.", show_default=False)
]
Names = Annotated[
    str | None, typer.Option(metavar="NAMES", help="Sets, with commas: easy, 17clue, forum, ...; by default all there are.")
]
Data = Annotated[
    Path | None, typer.Option(metavar="DIR", help="The folder of the sets; or set SUDOKU_CP_DATA.", show_default=False)
]
Engines = Annotated[str | None, typer.Option(metavar="NAMES", help="Our engines, with commas, or none; by default all.")]
Peers = Annotated[
    str | None, typer.Option(metavar="NAMES", help="Other solvers, with commas, or none; by default all installed ones.")
]
Also = Annotated[
    list[str] | None,
    typer.Option(
        metavar="MODULE:FUNCTION",
        help="Another contestant: a function of an array (N, cells) and a limit that returns solutions and counts.",
        show_default=False,
    ),
]

Against = Annotated[
    str | None,
    typer.Option(metavar="NAME", help="The contestant that ratios compare with.", show_default="fast:lanes, or the first"),
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
"""Columns of a table that goes to a file or a pipe."""

Generation = Annotated[bool, typer.Option("--generation", help="Time generation too, beside other generators (minutes).")]


def bench(
    files: Files = None,
    *,
    sets: Names = None,
    data: Data = None,
    engines: Engines = None,
    peers: Peers = None,
    also: Also = None,
    against: Against = None,
    rounds: Annotated[int, typer.Option(metavar="NUMBER", min=1, help="Rounds, of which the shortest counts.")] = 3,
    seconds: Annotated[float, typer.Option(metavar="SECONDS", min=0.001, help="Time for each contestant and round.")] = 0.25,
    patience: Annotated[float, typer.Option(metavar="SECONDS", min=0.1, help="The longest wait for an answer.")] = 5.0,
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

    Every answer is checked; contestants that are wrong, crash or do not answer in time are marked. A slow contestant gets as
    many puzzles as fit its seconds, and ratios compare times on the same puzzles.
    """
    from sudoku_cp import bench as room  # noqa: PLC0415  # numpy, which --help does without

    sys.path.insert(0, "")  # `--also` finds modules of the current folder, as `python -m` would
    contestants, missing = room.choose_contestants(_split_names(engines), _split_names(peers), also or ())
    reference = room.choose_reference(contestants, against)
    room.check_callables(contestants)
    if out is not None:
        refuse_inputs(room.report_paths(out), files or [])
        room.prepare_folder(out)
    found, absent = ([], []) if generation and sets == "none" and not files else _sets(files or [], sets, data)
    remarks = [*absent, *missing]
    for remark in [] if quiet else remarks:
        output.remark(remark)
    progress = _progress_line(quiet=quiet)
    report = room.BenchReport(
        room.BenchPlan(rounds, seconds, patience), contestants, room.describe_machine(), _command(), _today(), remarks=remarks
    )
    report.sets = room.measure_sets(
        found, contestants, report.plan, reference=reference, progress=progress, done=str if as_json else _print_set
    )
    everything = not files and sets is None
    if everything if variants is None else variants:
        report.variants = room.variant_times(
            room.variant_puzzles(), _variant_engines(_split_names(engines)), report.plan, progress
        )
    if everything if trust is None else trust:
        report.trust = room.trust_times(found, report.plan, progress)
    if generation:
        report.statistics = room.statistics(progress=progress)
        report.generation = room.generation_times(report.plan, progress, peers=_split_names(peers) != [])
    if processes:
        _add_processes(report, found, progress)
    if out is not None:
        for path in room.write_report(report, out):
            output.remark(f"wrote {path}")
    if as_json:
        output.print_json(report.to_json())
    else:
        _print_rest(report)
    return YES


def _variant_engines(names: Sequence[str] | None) -> list[str]:
    """Return the engines for puzzles of other rules: those of the names that take any rule."""
    from sudoku_cp.bench import ENGINES  # noqa: PLC0415

    return [name for name in ENGINES if names is None or name in names]


def _sets(files: Sequence[Path], names: str | None, data: Path | None) -> tuple[list[PuzzleSet], list[str]]:
    """Return the sets of the files and names, or all sets if there are neither, with remarks on those left out."""
    from sudoku_cp.bench import file_sets, named_sets  # noqa: PLC0415
    from sudoku_cp.bench.puzzle_sets import how_to_get_sets  # noqa: PLC0415

    own = [one for path in files for one in file_sets(path)]
    named, remarks = ([], []) if files and names is None else named_sets(_split_names(names), data)
    if not own and not named:
        raise InvalidInput([*remarks, f"expected at least one set that is there: {how_to_get_sets()}"])
    return own + named, remarks


def _split_names(text: str | None) -> list[str] | None:
    if text is None:
        return None
    return [] if text == "none" else [name.strip() for name in text.split(",") if name.strip()]


def _command() -> str:
    return shlex.join(["sudoku-cp", *sys.argv[1:]])


def _today() -> str:
    return datetime.now(UTC).date().isoformat()


def _progress_line(*, quiet: bool) -> Callable[[str], object]:
    """Return the callback that overwrites one line of a terminal with what is being measured; elsewhere it does nothing."""
    visible = sys.stderr.isatty() and not quiet
    return (lambda text: sys.stderr.write(f"\r\033[K{text}")) if visible else str


def _add_processes(report: BenchReport, found: Sequence[PuzzleSet], progress: Callable[[str], object]) -> None:
    from sudoku_cp.bench import process_times, thread_scaling  # noqa: PLC0415

    threaded = [one for one in found if one.name in SCALING_SETS] or found[:1]
    report.scaling = thread_scaling(threaded, report.plan, progress)
    report.cold, report.files, remarks = process_times(found, progress)
    report.remarks += remarks


def _print_set(one: SetResult) -> None:
    from sudoku_cp.bench.report_tables import set_rows  # noqa: PLC0415

    _print_table(f"{one.name}: {one.about} ({one.total:,} puzzles of {one.side}x{one.side})", set_rows(one))


def _print_rest(report: BenchReport) -> None:
    from sudoku_cp.bench.generation import generation_rows  # noqa: PLC0415
    from sudoku_cp.bench.generation_statistics import statistics_rows  # noqa: PLC0415
    from sudoku_cp.bench.report_tables import cold_rows, file_rows, scaling_rows  # noqa: PLC0415
    from sudoku_cp.bench.trust import trust_rows  # noqa: PLC0415
    from sudoku_cp.bench.variants import family_rows  # noqa: PLC0415

    _print_table("Threads of the batch kernel: puzzles a second", scaling_rows(report.scaling))
    _print_table("From file to file", file_rows(report.files))
    _print_table("A cold process", cold_rows(report.cold))
    _print_table("What trust costs: ms of CPU a puzzle", trust_rows(report.trust))
    _print_table("Puzzles made: a CPU second", generation_rows(report.generation))
    if report.statistics:
        _print_table("What minimal puzzles are like", statistics_rows(report.statistics))
    for kept, hidden in (("new", "known"), ("known", "new")):
        rows = [{name: cell for name, cell in row.items() if not name.endswith(hidden)} for row in family_rows(report.variants)]
        _print_table(f"Other rules: median ms a family, with the rules {kept}", rows)


def _print_table(title: str, rows: Sequence[Mapping[str, str]]) -> None:
    """Print a table; nothing without rows."""
    numbers = [name for name in [*(rows[0] if rows else ())][1:] if name != "remarks"]
    # A file or a pipe has no width.
    narrow = sys.stdout.isatty() or "COLUMNS" in os.environ
    print_table(rows, numbers=numbers, least=["remarks"], title=title, width=None if narrow else WIDE)
