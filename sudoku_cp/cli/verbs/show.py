"""The verb ``show``: puzzles in the terminal, or as files of pictures."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sudoku_cp.cli import output
from sudoku_cp.cli.answer_loop import ReadablePuzzles, refuse_to_overwrite
from sudoku_cp.errors import InvalidInput, placed
from sudoku_cp.output_files import existing_numbered_paths
from sudoku_cp.puzzle import Position, Puzzle
from sudoku_cp.puzzle.rules_in_words import ruleset_text
from sudoku_cp.questions.picture import PictureOptions, draw_in_text
from sudoku_cp.render.png_picture import picture_name_problems, require_resvg, write_picture

if TYPE_CHECKING:
    from sudoku_cp.cli.options import Puzzles, Quiet


def show(
    puzzles: Puzzles,
    *,
    svg: Annotated[
        str | None,
        typer.Option("--svg", metavar="FILE", help="Write a picture to FILE.svg ('-': print it), the second to FILE-2.svg."),
    ] = None,
    png: Annotated[
        str | None, typer.Option("--png", metavar="FILE", help="Write a picture to FILE.png, the second to FILE-2.png.")
    ] = None,
    options: PictureOptions = PictureOptions(),
    quiet: Quiet = False,
) -> int:
    """Draw puzzles."""
    _check_picture_names(svg, png)
    look = output.look_of(ascii_only=options.ascii)
    readable = ReadablePuzzles(puzzles, options, quiet=quiet)
    if names := [name for name in (svg, png) if name is not None]:
        for name in names:
            refuse_to_overwrite([] if name == "-" else existing_numbered_paths(Path(name)), puzzles)
        _write_pictures(readable, names, options.cell, words=options.words)
        return readable.exit_code
    for number, puzzle in enumerate(readable):
        drawing = draw_in_text(Position.of(puzzle), look, words=options.words)
        output.print_text(f"\n{drawing}" if number else drawing)
    return readable.exit_code


def _check_picture_names(svg: str | None, png: str | None) -> None:
    problems = [placed(problem, words=f"{problem}, or '-'") for problem in (() if svg == "-" else picture_name_problems(svg))]
    problems += picture_name_problems(png, ".png")
    if problems:
        raise InvalidInput(problems)
    if png is not None:
        require_resvg()


def _write_pictures(puzzles: Iterable[Puzzle], names: Sequence[str], cell: int, *, words: bool) -> None:
    """Write pictures of each puzzle; the names of the second and later ones end in their number."""
    from sudoku_cp.render import svg  # noqa: PLC0415  # only pictures need it

    for index, puzzle in enumerate(puzzles):
        below = ruleset_text(puzzle) if words else None
        for name in names:
            if name == "-":
                # Character references keep the picture in ASCII, the same whatever the terminal's encoding.
                output.print_text(svg(puzzle, cell=cell, words=below).encode("ascii", "xmlcharrefreplace").decode())
            else:
                write_picture(puzzle, Path(name), index, cell=cell, words=below)
