"""The verbs ``convert`` and ``show``."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sudoku_cp.cli import output
from sudoku_cp.cli.inputs import Wish, entries
from sudoku_cp.cli.options import Alphabet, Ascii, Boxes, From, Puzzles, Quiet, Rules, Size
from sudoku_cp.cli.progress import watched
from sudoku_cp.errors import UnknownName
from sudoku_cp.formats import FORMATS, write_puzzles
from sudoku_cp.render import draw
from sudoku_cp.rules import rule_to_json

if TYPE_CHECKING:
    from collections.abc import Iterator

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
    quiet: Quiet = False,
) -> int:
    """Write puzzles in another format.

    What the format cannot say is an error, never dropped.
    """
    if to not in FORMATS or FORMATS[to].write is None:
        raise UnknownName("format to write", to, [name for name, one in FORMATS.items() if one.write])
    bad = 0

    def readable() -> Iterator[Puzzle]:
        nonlocal bad
        for record in watched(entries(puzzles, Wish(from_, size, boxes, alphabet, rules)), quiet=quiet):
            if record.puzzle is not None:
                yield record.puzzle
            else:
                bad += 1
                output.remark(f"left out: {record.error}")

    write_puzzles(readable(), out or sys.stdout, format=to)
    return output.BAD_INPUT if bad else output.YES


def show(
    puzzles: Puzzles,
    *,
    ascii_only: Ascii = False,
    from_: From = None,
    size: Size = None,
    boxes: Boxes = None,
    alphabet: Alphabet = None,
    rules: Rules = None,
    quiet: Quiet = False,
) -> int:
    """Draw puzzles, with their titles and rules."""
    look = output.look_of(ascii_only=ascii_only)
    bad = 0
    for number, record in enumerate(watched(entries(puzzles, Wish(from_, size, boxes, alphabet, rules)), quiet=quiet)):
        if record.puzzle is None:
            bad += 1
            output.remark(f"left out: {record.error}")
        else:
            output.say(
                ("\n" if number else "")
                + "\n".join([*_heading(record.puzzle), draw(record.puzzle, look), *_rules(record.puzzle)])
            )
    return output.BAD_INPUT if bad else output.YES


def _heading(puzzle: Puzzle) -> list[str]:
    title = " by ".join(part for part in (puzzle.title, puzzle.author) if part)
    return [title] * bool(title)


def _rules(puzzle: Puzzle) -> list[str]:
    told = [rule_to_json(rule, puzzle.grid) for rule in puzzle.rules] if not puzzle.is_plain else []
    return [f"{one.pop('kind')}{' ' if one else ''}{json.dumps(one, ensure_ascii=False) if one else ''}" for one in told]
