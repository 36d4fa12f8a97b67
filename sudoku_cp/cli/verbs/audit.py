"""The verb ``audit``: a line for each puzzle with findings, after the counts."""

from __future__ import annotations

import sys
from array import array
from bisect import bisect
from collections.abc import Iterable, Iterator
from tempfile import SpooledTemporaryFile
from time import perf_counter
from typing import TYPE_CHECKING, Annotated

import typer

from sudoku_cp.audit import KINDS, Audited, Finding, Summary
from sudoku_cp.cli import output
from sudoku_cp.cli.answer_loop import expand_folder, format_speed, input_records
from sudoku_cp.cli.output import with_progress
from sudoku_cp.cli.typed_options import option_problems, refuse_typed, with_levels_read
from sudoku_cp.errors import InvalidInput
from sudoku_cp.formats import Record
from sudoku_cp.formats.text_files import is_file
from sudoku_cp.questions.answer import to_json
from sudoku_cp.questions.audit import AuditQuestion, AuditSummary, Place, PuzzleFindings
from sudoku_cp.questions.question import Reading

if TYPE_CHECKING:
    from sudoku_cp.cli.options import Json, Puzzles, Quiet

LISTING_MEMORY = 1 << 24
"""Bytes of the listing that are kept in memory; a longer one goes to a temporary file."""


def audit(
    puzzles: Puzzles,
    *,
    every: Annotated[bool, typer.Option("--all", help="List every puzzle, also those without findings.")] = False,
    question: AuditQuestion = AuditQuestion(),
    as_json: Json = False,
    quiet: Quiet = False,
) -> int:
    """Audit collections.

    The counts come first, then a line for each puzzle with findings; --json prints puzzles as they come, and the counts last.
    """
    question = with_levels_read(question)
    refuse_typed(option_problems(question))
    sources = _SourceMap(puzzles, question)
    results = question.results(sources.records(), question.limits())
    summary, start = Summary(), perf_counter()
    with SpooledTemporaryFile(LISTING_MEMORY, "w+", encoding="utf-8", errors="surrogatepass") as listing:
        interrupted = True
        try:
            for one in with_progress(results, quiet=quiet):
                summary.add(one)
                if as_json:
                    output.print_json(to_json(PuzzleFindings.of(one, sources.place)))
                elif every or not one.fine:
                    listing.write(f"{_format_line(one, sources)}\n")
            interrupted = False
        finally:
            seconds = perf_counter() - start
            counts = AuditSummary.of(summary, seconds, interrupted=interrupted)
            if as_json:
                output.print_json({"summary": to_json(counts)})
            else:
                _print_summary(counts, seconds)
            listing.seek(0)
            sys.stdout.writelines(listing)
    return counts.exit_code


class _SourceMap:
    """The records of all arguments, and the file and line of each."""

    def __init__(self, arguments: Iterable[str], options: Reading) -> None:
        """Take the PUZZLE arguments; refuse those that are neither a file nor a puzzle."""
        self._names: list[str] = []
        self._starts: list[int] = []
        self._lines = array("Q")
        self._options = options
        self._sources = [name for argument in arguments for name in expand_folder(argument)]
        texts = [name for name in self._sources if name != "-" and not is_file(name)]
        problems = [record.error for text in texts for record in input_records([text], options) if record.error]
        if problems:
            raise InvalidInput(str(problem) for problem in problems)

    def records(self) -> Iterator[Record]:
        """Yield the records, and note where each is."""
        for name in self._sources:
            self._names.append("standard input" if name == "-" else name if is_file(name) else "argument")
            self._starts.append(len(self._lines))
            for record in input_records([name], self._options):
                self._lines.append(record.line)
                yield record

    def place(self, index: int) -> Place:
        """Return the file and the line of a record."""
        return Place(file=self._names[bisect(self._starts, index) - 1], line=self._lines[index])

    def format_place(self, index: int) -> str:
        """Return ``file:line`` of a record."""
        place = self.place(index)
        return f"{place.file}:{place.line}"


def _format_line(one: Audited, sources: _SourceMap) -> str:
    """Return the line of a puzzle: index, place, kinds of findings, and a sentence for each."""
    kinds: list[str] = [*dict.fromkeys(finding.kind for finding in one.findings)]
    sentences = [_format_finding(finding, sources) for finding in one.findings]
    if one.undecided:
        kinds.append("undecided")
        sentences.append(f"the limit ({one.reason}) came before it was known whether it is {' or '.join(one.undecided)}")
    words = ["; ".join(sentences)] if sentences else []
    return "\t".join([str(one.index), sources.format_place(one.index), ",".join(kinds) or "fine", *words])


def _format_finding(finding: Finding, sources: _SourceMap) -> str:
    if "first" not in finding.details:
        return finding.text
    return f"{finding.text} ({sources.format_place(finding.details['first'])})"


def _print_summary(counts: AuditSummary, seconds: float) -> None:
    parts = {"fine": counts.fine, "with findings": counts.faulty, "undecided": counts.undecided}
    several = ", ".join(f"{number:,} {word}" for word, number in parts.items() if number)
    noun = f"puzzle{'s' * (counts.puzzles != 1)}"
    cut = "interrupted after " * counts.interrupted
    speed = format_speed(counts.puzzles, seconds)
    output.print_text(f"{cut}{counts.puzzles:,} {noun}{f': {several}' if several else ''} ({speed})")
    for kind, meaning in KINDS.items():
        if number := counts.found.get(kind):
            output.print_text(f"{number:>9,}  {kind:<15} {meaning}")
