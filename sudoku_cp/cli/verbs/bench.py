"""The verb ``bench``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from sudoku_cp.cli.bench_options import BenchOptions
from sudoku_cp.cli.options import Json, Quiet


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
    from sudoku_cp.cli.bench_run import run_bench  # noqa: PLC0415  # numpy, which --help does without

    return run_bench(files or [], bench_options, as_json=as_json, quiet=quiet)
