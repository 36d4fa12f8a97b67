"""The verbs ``convert`` and ``show``."""

from __future__ import annotations

import json
from contextlib import nullcontext
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sudoku_cp.cli import output
from sudoku_cp.cli.completions import complete_format_written
from sudoku_cp.cli.inputs import Readable, Wish, refuse_to_overwrite
from sudoku_cp.cli.options import Alphabet, Ascii, Boxes, From, Json, Puzzles, Quiet, Rules, Size, Strict, Words
from sudoku_cp.cli.streams import stream_for_programs
from sudoku_cp.errors import InvalidInput
from sudoku_cp.formats import format_puzzles, write_texts
from sudoku_cp.formats.registry import format_to_write
from sudoku_cp.formats.sudokupad_words import words_below
from sudoku_cp.formats.writing import LeftOut
from sudoku_cp.output_files import all_numbered, numbered, write_text
from sudoku_cp.render import draw_outlined
from sudoku_cp.render.picture_files import name_problems
from sudoku_cp.rules import rule_to_json

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from sudoku_cp.formats import Written
    from sudoku_cp.puzzle import Puzzle


class _Report:
    """Tells what became of each puzzle that is to be written: on standard error for people, as JSON for programs."""

    def __init__(self, readable: Readable, to: str, *, quiet: bool, as_json: bool, with_text: bool) -> None:
        self._readable = readable
        self._to = to
        self._quiet = quiet
        self._as_json = as_json
        self._with_text = with_text
        self._left_out = LeftOut()
        self.code = output.YES

    def texts(self, pieces: Iterable[Written]) -> Iterator[str]:
        """Yield the text of what can be written, and tell of each puzzle."""
        for one in pieces:
            if one.error:
                self.code = output.NO
                self._refused(one.error)
            self._left_out.add(self._readable.index, one.left_out)
            if self._as_json:
                self._say(one)
            if one.text and not (self._as_json and self._with_text):
                yield one.text

    def _refused(self, error: InvalidInput) -> None:
        record = self._readable.record
        where = f" (line {record.line})" if record else ""
        output.remark(f"not written: puzzle {self._readable.index}{where}: {error}")

    def _say(self, one: Written) -> None:
        record = self._readable.record
        told: dict[str, Any] = {"status": "end"}
        if one.index is not None and record is not None:
            told = {"index": self._readable.index, "line": record.line, "status": "refused" if one.error else "written"}
            told |= {"error": str(one.error)} if one.error else {"left_out": list(one.left_out)}
            told |= {"warnings": list(record.warnings)} if record.warnings else {}
        if self._with_text and one.text:
            told["text"] = one.text
        if told != {"status": "end"}:
            output.say_json(told)

    def end(self) -> None:
        """Tell in one line what was left out of the puzzles that were written."""
        if self._left_out and not self._quiet:
            output.remark(self._left_out.told(self._to))


def convert(
    puzzles: Puzzles,
    *,
    to: Annotated[
        str,
        typer.Option(
            metavar="FORMAT", help="The format to write (see 'sudoku-cp formats').", autocompletion=complete_format_written
        ),
    ],
    out: Annotated[Path | None, typer.Option(metavar="FILE", help="Where to write instead of standard output.")] = None,
    from_: From = None,
    size: Size = None,
    boxes: Boxes = None,
    alphabet: Alphabet = None,
    rules: Rules = None,
    strict: Strict = False,
    as_json: Json = False,
    quiet: Quiet = False,
) -> int:
    """Write puzzles in another format.

    A puzzle that the format cannot say (its grid, its rules, what is given) is refused by its number, with exit code 1 at the
    end; the others are written. Titles, authors and other texts that the format has no place for are left out, which is told
    on standard error; with --strict they are errors too.
    """
    format_to_write(to)
    refuse_to_overwrite([out] if out else [], puzzles)
    readable = Readable(puzzles, Wish(from_, size, boxes, alphabet, rules, strict), quiet=quiet, as_json=as_json)
    report = _Report(readable, to, quiet=quiet, as_json=as_json, with_text=out is None)
    chunks = report.texts(format_puzzles(readable, to, strict=strict))
    first = next(chunks, None)
    if first is not None:  # where nothing can be written, no file is left behind
        with nullcontext(out) if out else stream_for_programs() as target:
            write_texts(chain([first], chunks), target)
    report.end()
    return output.worst([readable.code, report.code])


def show(
    puzzles: Puzzles,
    *,
    svg: Annotated[
        str | None,
        typer.Option("--svg", metavar="FILE", help="Write a picture to FILE.svg ('-': here), the second to FILE-2.svg."),
    ] = None,
    cell: Annotated[int, typer.Option(metavar="PIXELS", min=10, max=500, help="The side of a cell in --svg.")] = 50,
    words: Words = False,
    ascii_only: Ascii = False,
    from_: From = None,
    size: Size = None,
    boxes: Boxes = None,
    alphabet: Alphabet = None,
    rules: Rules = None,
    strict: Strict = False,
    quiet: Quiet = False,
) -> int:
    """Draw puzzles, with their titles and rules, here or as pictures.

    Cages are drawn here too; other rules are told below as JSON, or with --words in words.
    """
    if svg != "-" and (wrong := name_problems(svg)):
        raise InvalidInput(f"--svg: {problem}, or '-'" for problem in wrong)
    look = output.look_of(ascii_only=ascii_only)
    readable = Readable(puzzles, Wish(from_, size, boxes, alphabet, rules, strict), quiet=quiet)
    if svg is not None:
        refuse_to_overwrite([] if svg == "-" else all_numbered(Path(svg)), puzzles)
        _pictures(readable, svg, cell, words=words)
        return readable.code
    for number, puzzle in enumerate(readable):
        shown = draw_outlined(puzzle, look)
        output.say("\n".join([*[""] * bool(number), *_heading(puzzle), shown, *_rules(puzzle, words=words)]))
    return readable.code


def _pictures(puzzles: Iterable[Puzzle], name: str, cell: int, *, words: bool) -> None:
    """Write a picture of each; the second and later ones have their number in the name."""
    from sudoku_cp.render import svg  # noqa: PLC0415  # only pictures need it

    for index, puzzle in enumerate(puzzles):
        picture = svg(puzzle, cell=cell, words=words_below(puzzle) if words else None)
        if name == "-":
            # References say every sign in ASCII, so that the picture is the same whatever the terminal's encoding is.
            output.say(picture.encode("ascii", "xmlcharrefreplace").decode())
        else:
            write_text(numbered(Path(name), index), f"{picture}\n")


def _heading(puzzle: Puzzle) -> list[str]:
    title = " by ".join(part for part in (puzzle.title, puzzle.author) if part)
    # A title may hold anything; what would steer the terminal is not let through.
    return ["".join(sign if sign.isprintable() else "\ufffd" for sign in title)] * bool(title)


def _rules(puzzle: Puzzle, *, words: bool) -> list[str]:
    if words:
        return words_below(puzzle).splitlines()
    told = [rule_to_json(rule, puzzle.grid) for rule in puzzle.rules] if not puzzle.is_plain else []
    return [f"{one.pop('kind')}{' ' if one else ''}{json.dumps(one, ensure_ascii=False) if one else ''}" for one in told]
