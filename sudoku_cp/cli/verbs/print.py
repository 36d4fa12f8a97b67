"""The verb ``print``."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated

import typer

from sudoku_cp.cli import output
from sudoku_cp.cli.answer_loop import ReadablePuzzles, refuse_to_overwrite
from sudoku_cp.cli.options import Quiet
from sudoku_cp.cli.typed_options import option_problems, refuse_typed
from sudoku_cp.errors import InvalidInput
from sudoku_cp.output_files import is_stream, open_output
from sudoku_cp.paper import PrintedPuzzle
from sudoku_cp.paper.sheet_options import require_reportlab
from sudoku_cp.puzzle import Position
from sudoku_cp.questions.answer import NO, RAN_OUT, YES, worst
from sudoku_cp.questions.print import Printing


def print(  # noqa: A001  # a verb is named after what is typed
    puzzles: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="PUZZLE...", help="A puzzle as text, a file of puzzles, or '-' for standard input.", show_default=False
        ),
    ] = None,
    *,
    out: Annotated[str, typer.Option(metavar="FILE", help="Where to write the PDF ('-': to standard output).")],
    options: Printing = Printing(),
    font: Annotated[
        list[str] | None,
        typer.Option(metavar="TTF", help="A TrueType font for signs that DejaVu Sans lacks; may be repeated."),
    ] = None,
    generate: Annotated[
        str | None,
        typer.Option(metavar="OPTIONS", help="Generate the puzzles with these options of generate: '-n 300 --rules killer'."),
    ] = None,
    quiet: Quiet = False,
) -> int:
    """Print puzzles."""
    require_reportlab()
    refuse_typed(option_problems(options))
    if bool(puzzles) == (generate is not None):
        raise InvalidInput(
            "expected puzzles or --generate OPTIONS, got both" if puzzles else "expected puzzles or --generate, got neither"
        )
    if out == "-" and sys.stdout.isatty():
        raise InvalidInput("--out: expected a file for the PDF, or a pipe for '-', got a terminal")
    refuse_to_overwrite([] if out == "-" else [out], [*(puzzles or []), *(font or [])])
    readable = ReadablePuzzles(puzzles or [], options, quiet=quiet, positions=True)
    positions = _generated(generate, quiet=quiet) if generate is not None else _read(readable)
    from sudoku_cp.paper import make_pdf  # noqa: PLC0415  # solvers, which --help does without

    printed = options.prepare(positions, options.limits())
    pdf = make_pdf(printed, options.sheet_options(), fonts=map(Path, font or ()))
    if out == "-":
        sys.stdout.buffer.write(pdf)
        sys.stdout.flush()
    else:
        with open_output(out, keep=False) as file:
            file.write(pdf)
    if not quiet and out != "-" and not is_stream(Path(out)):
        output.print_text(f"{out}: {len(printed):,} puzzle{'s' * (len(printed) > 1)}, {len(pdf):,} bytes")
    return worst([readable.exit_code, _report(printed, quiet=quiet)])


def _read(readable: ReadablePuzzles) -> Iterable[Position]:
    for puzzle in readable:
        record = readable.record
        yield record.position() if record is not None and record.state is not None else Position.of(puzzle)


def _generated(text: str, *, quiet: bool) -> Iterable[Position]:
    from sudoku_cp.cli.generated_input import GeneratedInput  # noqa: PLC0415  # few calls generate

    return map(Position.of, GeneratedInput(text, quiet=quiet))


def _report(printed: Iterable[PrintedPuzzle], *, quiet: bool) -> int:
    """Print which puzzles have no solution to print; the exit code is 3 if time ran out, 1 if there is no single one."""
    noted = [one for one in printed if one.note]
    for one in noted if not quiet else ():
        output.remark(f"sudoku-cp: puzzle {one.name}: {one.note}")
    return worst(RAN_OUT if "in time" in one.note else NO for one in noted) if noted else YES
