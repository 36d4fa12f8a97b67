"""The options that verbs share, as typer declares them; `typed_options` puts them together."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, TypeAlias

import typer

# Shell completion of option values from the registries; in a comma-separated list, the last name is completed.
#
# Every function takes the text typed so far. Imports are lazy, as only a shell that completes calls these functions.


def complete_backend(incomplete: str) -> list[str]:
    """Return the engines."""
    from sudoku_cp.backends import known_backends  # noqa: PLC0415

    return _with_prefix(incomplete, ["auto", *known_backends()])


def complete_backends(incomplete: str) -> list[str]:
    """Return the engines, for a list of them."""
    from sudoku_cp.backends import known_backends  # noqa: PLC0415

    return _complete_last(incomplete, known_backends())


def complete_format_read(incomplete: str) -> list[str]:
    """Return the formats that can be read."""
    from sudoku_cp.formats import FORMATS  # noqa: PLC0415

    return _with_prefix(incomplete, (name for name, one in FORMATS.items() if one.read is not None))


def complete_format_written(incomplete: str) -> list[str]:
    """Return the formats that can be written."""
    from sudoku_cp.formats import FORMATS  # noqa: PLC0415

    return _with_prefix(incomplete, (name for name, one in FORMATS.items() if one.write is not None))


def complete_rules(incomplete: str) -> list[str]:
    """Return the rules of the whole board, which need a name alone."""
    from sudoku_cp.generate.requested_rules import whole_board_rules  # noqa: PLC0415

    return _complete_last(incomplete, whole_board_rules())


def complete_rules_to_generate(incomplete: str) -> list[str]:
    """Return the rules of the whole board, the families of clues, and irregular regions."""
    from sudoku_cp.generate.requested_rules import JIGSAW, whole_board_rules  # noqa: PLC0415
    from sudoku_cp.generate.variants.families import FAMILIES  # noqa: PLC0415

    return _complete_last(incomplete, {*whole_board_rules(), *FAMILIES, JIGSAW})


def complete_technique(incomplete: str) -> list[str]:
    """Return the techniques that something finds, by their names."""
    from sudoku_cp.logic.ladder import RUNGS  # noqa: PLC0415

    return _with_prefix(incomplete, (rung.technique.title for rung in RUNGS))


def complete_scale(incomplete: str) -> list[str]:
    """Return the scales of ratings."""
    from sudoku_cp.logic.rating.ratings import EVERY, SCALES  # noqa: PLC0415

    return _complete_last(incomplete, [*SCALES, EVERY])


def complete_difficulty(incomplete: str) -> list[str]:
    """Return the words for difficulty."""
    from sudoku_cp.generate.difficulty_mix import DIFFICULTIES  # noqa: PLC0415

    return _complete_last(incomplete, DIFFICULTIES)


def complete_symmetry(incomplete: str) -> list[str]:
    """Return the symmetries of givens."""
    from sudoku_cp.puzzle.pattern_symmetry import SYMMETRIES  # noqa: PLC0415

    return _with_prefix(incomplete, SYMMETRIES)


def complete_style(incomplete: str) -> list[str]:
    """Return the styles of clues."""
    from sudoku_cp.generate.variants.proposals import STYLES  # noqa: PLC0415

    return _with_prefix(incomplete, STYLES)


def _with_prefix(incomplete: str, names: Iterable[str]) -> list[str]:
    return [name for name in names if name.startswith(incomplete)]


def _complete_last(incomplete: str, names: Iterable[str]) -> list[str]:
    """Return the lists with their last name completed, and no name twice."""
    before, comma, last = incomplete.rpartition(",")
    earlier = set(before.split(","))
    return [f"{before}{comma}{name}" for name in sorted(names) if name.startswith(last) and name not in earlier]


def _silence_library(quiet: bool) -> bool:  # noqa: FBT001
    """Silence the library's remarks too, for example that it compiles a kernel."""
    if quiet:
        import logging  # noqa: PLC0415  # 4 ms that few calls need

        logging.getLogger("sudoku_cp").setLevel(logging.ERROR)
    return quiet


Puzzles: TypeAlias = Annotated[
    list[str],
    typer.Argument(
        metavar="PUZZLE...",
        help="A puzzle as text (after '--' if it begins with '-'), a file of puzzles, or '-' for standard input.",
        show_default=False,
    ),
]
Backend: TypeAlias = Annotated[
    str,
    typer.Option(
        metavar="NAME",
        help="The engine: fast (plain grids), native, sat, cpsat, race, a kind of one such as sat:cadical153, or auto.",
        autocompletion=complete_backend,
    ),
]
QuestionTimeout: TypeAlias = Annotated[
    float, typer.Option(metavar="SECONDS", min=0, help="Give up on a puzzle after this many seconds in all.")
]
Json: TypeAlias = Annotated[bool, typer.Option("--json", help="Print JSON for programs, one object per line.")]
Quiet: TypeAlias = Annotated[
    bool, typer.Option("--quiet", "-q", callback=_silence_library, help="Print no progress and no remarks on standard error.")
]
Ascii: TypeAlias = Annotated[bool, typer.Option("--ascii", help="Draw with + - | only.")]
Words: TypeAlias = Annotated[
    bool, typer.Option("--words", "--rules-in-words", help="Write title and rules in words below the picture.")
]


# --- from file to file -------------------------------------------------------------------------------------------

Out: TypeAlias = Annotated[
    str | None,
    typer.Option(
        metavar="FILE",
        help="Write the answers to FILE: .txt, .csv, .jsonl (compressed: .gz, .zst, .bz2, .xz) or .parquet, by its"
        " ending; with --strict, stop at the first error.",
    ),
]
Resume: TypeAlias = Annotated[bool, typer.Option("--resume", help="Continue the unfinished run that wrote --out FILE.")]
Force: TypeAlias = Annotated[
    bool, typer.Option("--force", help="Start over, even if --out FILE exists or belongs to an unfinished run.")
]
Workers: TypeAlias = Annotated[
    int | None, typer.Option(metavar="NUMBER", min=1, help="With --out, use this many workers.", show_default="all cores")
]
ClusterAddress: TypeAlias = Annotated[
    str | None,
    typer.Option("--cluster", metavar="ADDRESS", help="With --out, work on a Dask cluster (tcp://host:8786), or start local:4."),
]


# The options of ``bench``: what to measure, and how long.


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
