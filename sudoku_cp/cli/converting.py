"""The verb ``convert``."""

from __future__ import annotations

from contextlib import nullcontext
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sudoku_cp.cli import output
from sudoku_cp.cli.completions import complete_format_written
from sudoku_cp.cli.inputs import Readable, Wish, refuse_to_overwrite
from sudoku_cp.cli.options import Alphabet, Boxes, From, Json, Puzzles, Quiet, Rules, Size, Strict
from sudoku_cp.cli.streams import stream_for_programs
from sudoku_cp.errors import InvalidInput
from sudoku_cp.formats import format_puzzles, write_texts
from sudoku_cp.formats.registry import format_to_write
from sudoku_cp.formats.writing import LeftOut

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from sudoku_cp.formats import Written


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
        self._readable.troubles.add(f"not written: puzzle {self._readable.index}{where}: {error}")

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
        self._readable.troubles.end()
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
