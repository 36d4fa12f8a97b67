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

from sudoku_cp.bench.analysis_times import logic_times, trust_times
from sudoku_cp.bench.contestant_process import check_callables
from sudoku_cp.bench.contestants import choose_contestants, choose_reference
from sudoku_cp.bench.generation import generation_times, statistics
from sudoku_cp.bench.machine import describe_machine
from sudoku_cp.bench.measurement import BenchPlan
from sudoku_cp.bench.puzzle_sets import PuzzleSet, file_sets, named_sets, puzzle_sets_help
from sudoku_cp.bench.report_files import prepare_folder, report_paths, write_report
from sudoku_cp.bench.report_tables import (
    BenchReport,
    SetResult,
    measure_sets,
    process_times,
    report_sections,
    set_rows,
    set_title,
    thread_scaling,
)
from sudoku_cp.bench.variants import ENGINES, variant_puzzles, variant_times
from sudoku_cp.cli import output
from sudoku_cp.cli.options import BenchOptions, Json, Quiet
from sudoku_cp.cli.output import print_table
from sudoku_cp.cli.typed_options import spell_options
from sudoku_cp.errors import InvalidInput
from sudoku_cp.output_files import refuse_inputs
from sudoku_cp.questions.answer import YES


def bench(
    files: Annotated[
        list[Path] | None, typer.Argument(metavar="[FILE]...", help="Files of puzzles of your own.", show_default=False)
    ] = None,
    *,
    bench_options: BenchOptions = BenchOptions(),
    as_json: Json = False,
    quiet: Quiet = False,
) -> int:
    """Time every engine and every installed peer on the same puzzles, side by side: solve and prove unique.

    Every answer is checked; contestants that are wrong, crash or do not answer in time are marked. A slow contestant gets as
    many puzzles as fit its seconds, and ratios compare times on the same puzzles.
    """
    return run_bench(files or [], bench_options, as_json=as_json, quiet=quiet)


# A run of ``bench``: measure what the options ask for, print the tables, write the report.


SCALING_SETS = ("17clue", "forum")
"""The sets that show what threads gain; without them, the first one measured."""
WIDE = 160
"""Columns of a table that goes to a file or a pipe."""


def run_bench(files: Sequence[Path], options: BenchOptions, *, as_json: bool, quiet: bool) -> int:
    """Measure, print and write the report; return the exit code."""
    sys.path.insert(0, "")  # `--also` finds modules of the current folder, as `python -m` would
    engines, peers = _split_names(options.engines), _split_names(options.peers)
    contestants, missing = choose_contestants(engines, peers, options.also or ())
    reference = choose_reference(contestants, options.against)
    check_callables(contestants)
    if options.out is not None:
        refuse_inputs(report_paths(options.out), files)
        prepare_folder(options.out)
    found, absent = ([], []) if options.generation and options.sets == "none" and not files else _sets(files, options)
    remarks = [*absent, *missing]
    for remark in [] if quiet else remarks:
        output.remark(remark)
    progress = _progress_line(quiet=quiet)
    plan = BenchPlan(options.rounds, options.seconds, options.patience)
    command, today = shlex.join(["sudoku-cp", *sys.argv[1:]]), datetime.now(UTC).date().isoformat()
    report = BenchReport(plan, contestants, describe_machine(), command, today, remarks=remarks)
    report.sets = measure_sets(
        found, contestants, plan, reference=reference, progress=progress, done=str if as_json else _print_set
    )
    everything = not files and options.sets is None
    if everything if options.variants is None else options.variants:
        takes_any_rule = [name for name in ENGINES if engines is None or name in engines]
        report.variants = variant_times(variant_puzzles(), takes_any_rule, plan, progress)
    if everything if options.trust is None else options.trust:
        report.trust = trust_times(found, plan, progress)
    if everything if options.logic is None else options.logic:
        report.logic = logic_times(found, plan, progress)
    if options.generation:
        report.statistics = statistics(progress=progress)
        report.generation = generation_times(plan, progress, peers=peers != [])
    if options.processes:
        _add_processes(report, found, progress)
    for path in write_report(report, options.out) if options.out else ():
        output.remark(f"wrote {path}")
    if as_json:
        output.print_json(report.to_json())
    else:
        _print_sections(report)
    return YES


def _sets(files: Sequence[Path], options: BenchOptions) -> tuple[list[PuzzleSet], list[str]]:
    """Return the sets of the files and names, or all sets if there are neither, with remarks on those left out."""
    own = [one for path in files for one in file_sets(path)]
    named, remarks = ([], []) if files and options.sets is None else named_sets(_split_names(options.sets), options.data)
    if not own and not named:
        raise InvalidInput([*remarks, f"expected at least one set that is there, got none: {spell_options(puzzle_sets_help())}"])
    return own + named, remarks


def _split_names(text: str | None) -> list[str] | None:
    if text is None:
        return None
    return [] if text == "none" else [name.strip() for name in text.split(",") if name.strip()]


def _progress_line(*, quiet: bool) -> Callable[[str], object]:
    """Return the callback that overwrites one line of a terminal with what is being measured; elsewhere it does nothing."""
    visible = sys.stderr.isatty() and not quiet
    return (lambda text: sys.stderr.write(f"\r\033[K{text}")) if visible else str


def _add_processes(report: BenchReport, found: Sequence[PuzzleSet], progress: Callable[[str], object]) -> None:
    threaded = [one for one in found if one.name in SCALING_SETS] or found[:1]
    report.scaling = thread_scaling(threaded, report.plan, progress)
    report.cold, report.files, remarks = process_times(found, progress)
    report.remarks += remarks


def _print_set(one: SetResult) -> None:
    _print_table(set_title(one), set_rows(one))


def _print_sections(report: BenchReport) -> None:
    for section in report_sections(report):
        if not section.split_by:
            _print_table(f"{section.title}{section.unit}", section.rows)
        for word in section.split_by:
            hidden = tuple(other for other in section.split_by if other != word)
            rows = [{name: cell for name, cell in row.items() if not name.endswith(hidden)} for row in section.rows]
            _print_table(f"{section.title}{section.unit} {word}", rows)


def _print_table(title: str, rows: Sequence[Mapping[str, str]]) -> None:
    """Print a table; nothing without rows."""
    numbers = [name for name in [*(rows[0] if rows else ())][1:] if name != "remarks"]
    # A file or a pipe has no width.
    narrow = sys.stdout.isatty() or "COLUMNS" in os.environ
    print_table(rows, numbers=numbers, least=["remarks"], title=title, width=None if narrow else WIDE)
