"""The verb ``audit``."""

from __future__ import annotations

import sys
from array import array
from bisect import bisect
from collections.abc import Iterable, Iterator
from tempfile import SpooledTemporaryFile
from time import perf_counter
from typing import Annotated, Any

import typer

from sudoku_cp.audit import KINDS, Audited, Finding, Summary
from sudoku_cp.audit import audit as audit_records
from sudoku_cp.cli import output
from sudoku_cp.cli.answer_loop import format_speed
from sudoku_cp.cli.inputs import expand_folder, input_records
from sudoku_cp.cli.options import Backend, Json, Puzzles, Quiet
from sudoku_cp.cli.output import with_progress
from sudoku_cp.errors import InvalidInput
from sudoku_cp.formats import Record
from sudoku_cp.formats.text_files import is_file
from sudoku_cp.name_table import NameTable
from sudoku_cp.puzzle import puzzle_to_short_json
from sudoku_cp.questions.answer import BAD_INPUT, NO, RAN_OUT, YES, error_to_json, with_values
from sudoku_cp.questions.options import Limited, Reading

LISTING_MEMORY = 1 << 24
"""Bytes of the listing that are kept in memory; a longer one goes to a temporary file."""
_OPTIONAL = tuple(kind for kind in KINDS if kind != "unreadable")
"""The kinds that --ignore takes."""


def audit(
    puzzles: Puzzles,
    *,
    ignore: Annotated[
        str, typer.Option(metavar="KINDS", help=f"Kinds of findings to ignore, comma-separated: {', '.join(_OPTIONAL)}.")
    ] = "",
    minimal: Annotated[
        bool, typer.Option("--minimal", help="Also report puzzles with symmetric givens that are not minimal; few are minimal.")
    ] = False,
    every: Annotated[bool, typer.Option("--all", help="List every puzzle, also those without findings.")] = False,
    limit: Annotated[
        int, typer.Option(metavar="NUMBER", min=2, help="Count the solutions of a puzzle no further than this.")
    ] = 100,
    backend: Backend = "auto",
    limit_options: Limited = Limited(),
    input_options: Reading = Reading(),
    as_json: Json = False,
    quiet: Quiet = False,
) -> int:
    """Audit collections: find puzzles that are malformed, contradictory, not unique, not minimal, repeated or wrongly solved.

    The counts come first, then a line for each puzzle with findings; --json prints puzzles as they come, and the counts last.
    The exit code is 1 if anything was found, and 3 if nothing was but a limit left something undecided.
    """
    ignored = _parse_kinds(ignore)
    sources = _SourceMap(puzzles, input_options)
    checks = [kind for kind in KINDS if kind not in ignored]
    results = audit_records(
        sources.records(), checks=checks, backend=backend, limits=limit_options.limits(), most=limit, minimal=minimal
    )
    summary, start = Summary(), perf_counter()
    with SpooledTemporaryFile(LISTING_MEMORY, "w+", encoding="utf-8", errors="surrogatepass") as listing:
        interrupted = True
        try:
            for one in with_progress(results, quiet=quiet):
                summary.add(one)
                if as_json:
                    output.print_json(_puzzle_to_json(one, sources))
                elif every or not one.fine:
                    listing.write(f"{_format_line(one, sources)}\n")
            interrupted = False
        finally:
            _print_summary(summary, perf_counter() - start, as_json=as_json, interrupted=interrupted)
            listing.seek(0)
            sys.stdout.writelines(listing)
    return _exit_code(summary)


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

    def place(self, index: int) -> tuple[str, int]:
        """Return the file and the line of a record."""
        return self._names[bisect(self._starts, index) - 1], self._lines[index]


# --- for programs -----------------------------------------------------------------------------------------------


def _puzzle_to_json(one: Audited, sources: _SourceMap) -> dict[str, Any]:
    name, line = sources.place(one.index)
    fields: dict[str, Any] = {"index": one.index, "file": name, "line": line}
    puzzle = one.record.puzzle
    if one.record.error is not None:
        fields |= error_to_json(one.record.error)
    elif puzzle is not None:
        fields |= {"puzzle": puzzle_to_short_json(puzzle), "status": one.status} | with_values(title=puzzle.title)
    if one.answer:
        fields |= {"count": one.answer.count, "exact": one.answer.exact, "backend": one.answer.backend}
    fields["findings"] = [_finding_to_json(finding, sources) for finding in one.findings]
    return fields | ({"undecided": list(one.undecided), "reason": one.reason} if one.undecided else {})


def _finding_to_json(finding: Finding, sources: _SourceMap) -> dict[str, Any]:
    fields = {"kind": finding.kind, "text": finding.text, **finding.details}
    if "first" in finding.details:
        name, line = sources.place(finding.details["first"])
        fields["of"] = {"file": name, "line": line}
    return fields


def _parse_kinds(text: str) -> list[str]:
    """Return the kinds of findings that names between commas mean, in any spelling; raise `InvalidInput` for others."""
    table = NameTable("kind of finding", [(kind, (), kind) for kind in _OPTIONAL])
    found = {name.strip(): table.find(name) for name in text.split(",") if name.strip()}
    unknown = [name for name, kind in found.items() if kind is None]
    if unknown:
        near = " or ".join(dict.fromkeys(kind for name in unknown for kind in table.nearest(name)))
        meant = f" (did you mean {near}?)" if near else ""
        raise InvalidInput(f"--ignore: expected some of {', '.join(_OPTIONAL)}; got {', '.join(unknown)}{meant}")
    return [kind for kind in found.values() if kind is not None]


# --- for people -------------------------------------------------------------------------------------------------


def _format_line(one: Audited, sources: _SourceMap) -> str:
    """Return the line of a puzzle: index, place, kinds of findings, and a sentence for each."""
    place = "{}:{}".format(*sources.place(one.index))
    kinds: list[str] = [*dict.fromkeys(finding.kind for finding in one.findings)]
    sentences = [_format_finding(finding, sources) for finding in one.findings]
    if one.undecided:
        kinds.append("undecided")
        sentences.append(f"the limit ({one.reason}) came before it was known whether it is {' or '.join(one.undecided)}")
    return "\t".join([str(one.index), place, ",".join(kinds) or "fine", *(["; ".join(sentences)] if sentences else [])])


def _format_finding(finding: Finding, sources: _SourceMap) -> str:
    if "first" not in finding.details:
        return finding.text
    return "{} ({}:{})".format(finding.text, *sources.place(finding.details["first"]))


def _print_summary(summary: Summary, seconds: float, *, as_json: bool, interrupted: bool) -> None:
    """Print the counts."""
    if as_json:
        output.print_json({"summary": summary.to_json() | {"seconds": round(seconds, 3), "interrupted": interrupted}})
        return
    parts = {"fine": summary.fine, "with findings": summary.faulty, "undecided": summary.undecided}
    counts = ", ".join(f"{number:,} {word}" for word, number in parts.items() if number)
    noun = f"puzzle{'s' * (summary.puzzles != 1)}"
    cut = "interrupted after " * interrupted
    output.print_text(
        f"{cut}{summary.puzzles:,} {noun}{f': {counts}' if counts else ''} ({format_speed(summary.puzzles, seconds)})"
    )
    for kind, meaning in KINDS.items():
        if summary.kinds[kind]:
            output.print_text(f"{summary.kinds[kind]:>9,}  {kind:<15} {meaning}")


def _exit_code(summary: Summary) -> int:
    if summary.kinds["unreadable"]:
        return BAD_INPUT
    if summary.faulty:
        return NO
    return RAN_OUT if summary.undecided else YES
