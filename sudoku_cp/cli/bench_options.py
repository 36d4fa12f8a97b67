"""The options of ``bench``: what to measure, and how long."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer


@dataclass(frozen=True)
class BenchOptions:
    """What is measured, and how long."""

    sets: Annotated[
        str | None,
        typer.Option(metavar="NAMES", help="Sets, comma-separated: easy, 17clue, forum, ...; by default all that are found."),
    ] = None
    data: Annotated[
        Path | None, typer.Option(metavar="DIR", help="The folder of the sets; or set SUDOKU_CP_DATA.", show_default=False)
    ] = None
    engines: Annotated[
        str | None, typer.Option(metavar="NAMES", help="Our engines, comma-separated, or none; by default all.")
    ] = None
    peers: Annotated[
        str | None, typer.Option(metavar="NAMES", help="Other solvers, comma-separated, or none; by default all installed ones.")
    ] = None
    also: Annotated[
        list[str] | None,
        typer.Option(
            metavar="MODULE:FUNCTION",
            help="Another contestant: a function of an array (N, cells) and a limit that returns solutions and counts.",
            show_default=False,
        ),
    ] = None
    against: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="The contestant that ratios compare with.", show_default="fast:lanes, or the first"),
    ] = None
    rounds: Annotated[int, typer.Option(metavar="NUMBER", min=1, help="Rounds, of which the shortest counts.")] = 3
    seconds: Annotated[float, typer.Option(metavar="SECONDS", min=0.001, help="Time for each contestant and round.")] = 0.25
    patience: Annotated[float, typer.Option(metavar="SECONDS", min=0.1, help="The longest wait for an answer.")] = 5.0
    variants: Annotated[
        bool | None,
        typer.Option(
            help="Time puzzles of other rules too, those of examples/variants.",
            show_default="where neither FILE nor --sets is given",
        ),
    ] = None
    trust: Annotated[
        bool | None,
        typer.Option(
            help="Time certificates, true candidates, canonical forms and audits too.",
            show_default="where neither FILE nor --sets is given",
        ),
    ] = None
    logic: Annotated[
        bool | None,
        typer.Option(
            help="Time paths, ratings and hints too.",
            show_default="where neither FILE nor --sets is given",
        ),
    ] = None
    generation: Annotated[
        bool, typer.Option("--generation", help="Time generation too, side by side with other generators (minutes).")
    ] = False
    processes: Annotated[bool, typer.Option(help="Time whole processes and threads too.")] = True
    out: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Write benchmarks.json, .md and .svg there.", show_default=False)
    ] = None
