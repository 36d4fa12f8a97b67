"""The verbs ``convert`` and ``show``."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sudoku_cp.cli import output
from sudoku_cp.cli.inputs import Readable, Wish, refuse_to_overwrite
from sudoku_cp.cli.options import Alphabet, Ascii, Boxes, From, Puzzles, Quiet, Rules, Size, Strict
from sudoku_cp.formats import FORMATS, write_puzzles
from sudoku_cp.formats.registry import format_to_write
from sudoku_cp.output_files import all_numbered, numbered, write_text
from sudoku_cp.render import draw
from sudoku_cp.rules import rule_to_json

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sudoku_cp.puzzle import Puzzle


def convert(
    puzzles: Puzzles,
    *,
    to: Annotated[
        str,
        typer.Option(
            metavar="FORMAT", help="The format to write (see 'sudoku-cp formats').", autocompletion=lambda: list(FORMATS)
        ),
    ],
    out: Annotated[Path | None, typer.Option(metavar="FILE", help="Where to write instead of standard output.")] = None,
    from_: From = None,
    size: Size = None,
    boxes: Boxes = None,
    alphabet: Alphabet = None,
    rules: Rules = None,
    strict: Strict = False,
    quiet: Quiet = False,
) -> int:
    """Write puzzles in another format.

    What the format cannot say is an error, never dropped.
    """
    format_to_write(to)
    refuse_to_overwrite([out] if out else [], puzzles)
    readable = Readable(puzzles, Wish(from_, size, boxes, alphabet, rules, strict), quiet=quiet)
    write_puzzles(readable, out or sys.stdout, format=to)
    return readable.code


def show(
    puzzles: Puzzles,
    *,
    svg: Annotated[
        str | None,
        typer.Option("--svg", metavar="FILE", help="Write a picture to FILE.svg ('-': here), the second to FILE-2.svg."),
    ] = None,
    cell: Annotated[int, typer.Option(metavar="PIXELS", min=10, max=500, help="The side of a cell in --svg.")] = 50,
    ascii_only: Ascii = False,
    from_: From = None,
    size: Size = None,
    boxes: Boxes = None,
    alphabet: Alphabet = None,
    rules: Rules = None,
    strict: Strict = False,
    quiet: Quiet = False,
) -> int:
    """Draw puzzles, with their titles and rules, here or as pictures."""
    look = output.look_of(ascii_only=ascii_only)
    readable = Readable(puzzles, Wish(from_, size, boxes, alphabet, rules, strict), quiet=quiet)
    if svg is not None:
        refuse_to_overwrite([] if svg == "-" else all_numbered(Path(svg)), puzzles)
        _pictures(readable, svg, cell)
        return readable.code
    for number, puzzle in enumerate(readable):
        output.say("\n".join([*[""] * bool(number), *_heading(puzzle), draw(puzzle, look), *_rules(puzzle)]))
    return readable.code


def _pictures(puzzles: Iterable[Puzzle], name: str, cell: int) -> None:
    """Write a picture of each; the second and later ones have their number in the name."""
    from sudoku_cp.render import svg  # noqa: PLC0415  # only pictures need it

    for index, puzzle in enumerate(puzzles):
        picture = svg(puzzle, cell=cell)
        if name == "-":
            output.say(picture)
        else:
            write_text(numbered(Path(name), index), f"{picture}\n")


def _heading(puzzle: Puzzle) -> list[str]:
    title = " by ".join(part for part in (puzzle.title, puzzle.author) if part)
    # A title may hold anything; what would steer the terminal is not let through.
    return ["".join(sign if sign.isprintable() else "\ufffd" for sign in title)] * bool(title)


def _rules(puzzle: Puzzle) -> list[str]:
    told = [rule_to_json(rule, puzzle.grid) for rule in puzzle.rules] if not puzzle.is_plain else []
    return [f"{one.pop('kind')}{' ' if one else ''}{json.dumps(one, ensure_ascii=False) if one else ''}" for one in told]
