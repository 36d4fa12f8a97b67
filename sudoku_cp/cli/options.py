"""The options that verbs share, as typer declares them; `option_groups` puts them together."""

from __future__ import annotations

from typing import Annotated, TypeAlias

import typer

from sudoku_cp.cli.completions import complete_backend


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
Words: TypeAlias = Annotated[bool, typer.Option("--words", help="Write title and rules in words below the picture.")]


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
