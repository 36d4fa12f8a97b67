"""The verb ``convert``."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import nullcontext
from itertools import chain
from pathlib import Path
from typing import Annotated, Any

import typer

from sudoku_cp.cli import output
from sudoku_cp.cli.answer_loop import ReadablePuzzles, refuse_to_overwrite
from sudoku_cp.cli.options import Json, Puzzles, Quiet
from sudoku_cp.cli.output import stream_for_programs
from sudoku_cp.errors import InvalidInput
from sudoku_cp.formats import FormattedPuzzle, format_puzzles, format_to_write, write_texts
from sudoku_cp.formats.base import LeftOutTexts
from sudoku_cp.questions.answer import NO, YES, with_values, worst
from sudoku_cp.questions.convert import Converting


class _ConversionLog:
    """Reports what became of each puzzle: on standard error for people, as JSON for programs."""

    def __init__(self, readable: ReadablePuzzles, to: str, *, quiet: bool, as_json: bool, with_text: bool) -> None:
        self._readable = readable
        self._to = to
        self._quiet = quiet
        self._as_json = as_json
        self._with_text = with_text
        self._left_out = LeftOutTexts()
        self.exit_code = YES

    def texts(self, pieces: Iterable[FormattedPuzzle]) -> Iterator[str]:
        """Yield the text of every puzzle that can be written, and report on each."""
        for one in pieces:
            if one.error:
                self.exit_code = NO
                self._report_refusal(one.error)
            self._left_out.add(self._readable.index, one.left_out)
            if self._as_json:
                self._print_json(one)
            if one.text and not (self._as_json and self._with_text):
                yield one.text

    def _report_refusal(self, error: InvalidInput) -> None:
        record = self._readable.record
        where = f" (line {record.line})" if record else ""
        self._readable.troubles.add(f"not written: puzzle {self._readable.index}{where}: {error}")

    def _print_json(self, one: FormattedPuzzle) -> None:
        record = self._readable.record
        fields: dict[str, Any] = {"status": "end"}
        if one.index is not None and record is not None:
            fields = {"index": self._readable.index, "line": record.line, "status": "refused" if one.error else "written"}
            fields |= {"error": str(one.error)} if one.error else {"left_out": list(one.left_out)}
            fields |= with_values(warnings=list(record.warnings))
        if self._with_text and one.text:
            fields["text"] = one.text
        if fields != {"status": "end"}:
            output.print_json(fields)

    def end(self) -> None:
        """Say in one line what was left out of the puzzles that were written."""
        self._readable.troubles.end()
        if self._left_out and not self._quiet:
            output.remark(self._left_out.describe(self._to))


def convert(
    puzzles: Puzzles,
    *,
    out: Annotated[
        str | None, typer.Option(metavar="FILE", help="Where to write instead of standard output, for which '-' stands too.")
    ] = None,
    options: Converting = Converting(to=""),
    as_json: Json = False,
    quiet: Quiet = False,
) -> int:
    """Write puzzles in another format."""
    format_to_write(options.to)
    path = None if out in {None, "-"} else Path(str(out))
    refuse_to_overwrite([path] if path else [], puzzles)
    readable = ReadablePuzzles(puzzles, options, quiet=quiet, as_json=as_json)
    log = _ConversionLog(readable, options.to, quiet=quiet, as_json=as_json, with_text=path is None)
    chunks = log.texts(format_puzzles(readable, options.to, strict=options.strict))
    first = next(chunks, None)
    if first is not None:  # if nothing can be written, no file is created
        with nullcontext(path) if path else stream_for_programs() as target:
            write_texts(chain([first], chunks), target)
    log.end()
    return worst([readable.exit_code, log.exit_code])
