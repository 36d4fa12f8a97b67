"""The verb ``audit``."""

from __future__ import annotations

import sys
from array import array
from bisect import bisect
from tempfile import SpooledTemporaryFile
from time import perf_counter
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sudoku_cp.audit import KINDS, Audited, Finding, Summary
from sudoku_cp.audit import audit as audited
from sudoku_cp.backends import Limits
from sudoku_cp.cli import output
from sudoku_cp.cli.inputs import Wish, entries, files_of, is_file
from sudoku_cp.cli.options import Alphabet, Backend, Boxes, From, Json, Nodes, Puzzles, Quiet, Rules, Size, Strict, Timeout
from sudoku_cp.cli.progress import watched
from sudoku_cp.errors import InvalidInput
from sudoku_cp.puzzle import puzzle_told

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from sudoku_cp.formats import Record

LISTED = 1 << 24
"""Bytes of lines that are kept in memory."""
_WHOLE = 10
"""Puzzles a second from which on nobody cares for a part of one."""
_OPTIONAL = tuple(kind for kind in KINDS if kind != "unreadable")
"""What may be left out."""
_TWINS = frozenset({"duplicate", "isomorphic"})


def audit(
    puzzles: Puzzles,
    *,
    ignore: Annotated[
        str, typer.Option(metavar="KINDS", help=f"Kinds of findings not to look for, with commas: {', '.join(_OPTIONAL)}.")
    ] = "",
    minimal: Annotated[
        bool, typer.Option("--minimal", help="Puzzles with symmetric givens are to be minimal too, as few of them can be.")
    ] = False,
    every: Annotated[bool, typer.Option("--all", help="Tell of every puzzle, also of those without findings.")] = False,
    limit: Annotated[
        int, typer.Option(metavar="NUMBER", min=2, help="Count the solutions of a puzzle that has several no further.")
    ] = 100,
    backend: Backend = "auto",
    timeout: Timeout = None,
    nodes: Nodes = None,
    from_: From = None,
    size: Size = None,
    boxes: Boxes = None,
    alphabet: Alphabet = None,
    rules: Rules = None,
    strict: Strict = False,
    as_json: Json = False,
    quiet: Quiet = False,
) -> int:
    """Look through other people's puzzles: malformed, contradictory, not unique, not minimal, twice there, wrongly solved?

    First comes how many have what, then a line for each puzzle that has something; --json tells puzzles as they come, and the
    counts last. The exit code is 1 if anything was found, and 3 if nothing was but a limit left something undecided.
    """
    ignored = [name.strip() for name in ignore.split(",") if name.strip()]
    if unknown := [name for name in ignored if name not in _OPTIONAL]:
        raise InvalidInput(f"--ignore: expected some of {', '.join(_OPTIONAL)}; got {', '.join(unknown)}")
    sources = _Sources(puzzles, Wish(from_, size, boxes, alphabet, rules, strict))
    checks = [kind for kind in KINDS if kind not in ignored]
    found = audited(sources.records(), checks=checks, backend=backend, limits=Limits(timeout, nodes), most=limit, minimal=minimal)
    summary, start = Summary(), perf_counter()
    with SpooledTemporaryFile(LISTED, "w+", encoding="utf-8", errors="surrogatepass") as listing:
        interrupted = True
        try:
            for one in watched(found, quiet=quiet):
                summary.add(one)
                if as_json:
                    output.say_json(_told(one, sources))
                elif every or not one.fine:
                    listing.write(f"{_said(one, sources)}\n")
            interrupted = False
        finally:
            _sum_up(summary, perf_counter() - start, as_json=as_json, interrupted=interrupted)
            listing.seek(0)
            sys.stdout.writelines(listing)
    return _code(summary)


class _Sources:
    """The records of all arguments, and where each came from."""

    def __init__(self, arguments: Iterable[str], wish: Wish) -> None:
        """Refuse what is neither a file nor a puzzle, before anything is looked through."""
        self._names: list[str] = []
        self._starts: list[int] = []
        self._lines = array("Q")
        self._wish = wish
        self._sources = [name for argument in arguments for name in files_of(argument)]
        texts = [name for name in self._sources if name != "-" and not is_file(name)]
        problems = [record.error for text in texts for record in entries([text], wish) if record.error]
        if problems:
            raise InvalidInput(str(problem) for problem in problems)

    def records(self) -> Iterator[Record]:
        """Yield them, and note their lines."""
        for name in self._sources:
            self._names.append("standard input" if name == "-" else name if is_file(name) else "argument")
            self._starts.append(len(self._lines))
            for record in entries([name], self._wish):
                self._lines.append(record.line)
                yield record

    def place(self, index: int) -> tuple[str, int]:
        """Return the file and the line of a record."""
        return self._names[bisect(self._starts, index) - 1], self._lines[index]


# --- for programs -----------------------------------------------------------------------------------------------


def _told(one: Audited, sources: _Sources) -> dict[str, Any]:
    name, line = sources.place(one.index)
    told: dict[str, Any] = {"index": one.index, "file": name, "line": line}
    puzzle = one.record.puzzle
    if one.record.error is not None:
        told |= output.error_told(one.index, one.record.error)
    elif puzzle is not None:
        told |= {"puzzle": puzzle_told(puzzle), "status": one.status} | ({"title": puzzle.title} if puzzle.title else {})
    if one.answer:
        told |= {"count": one.answer.count, "exact": one.answer.exact, "backend": one.answer.backend}
    told["findings"] = [_finding_told(finding, sources) for finding in one.findings]
    return told | ({"undecided": list(one.undecided), "reason": one.reason} if one.undecided else {})


def _finding_told(finding: Finding, sources: _Sources) -> dict[str, Any]:
    told = {"kind": finding.kind, "text": finding.text, **finding.details}
    if finding.kind in _TWINS:
        name, line = sources.place(finding.details["first"])
        told["of"] = {"file": name, "line": line}
    return told


# --- for people -------------------------------------------------------------------------------------------------


def _said(one: Audited, sources: _Sources) -> str:
    """Return a line: index, place, kinds of findings, and the words for them."""
    place = "{}:{}".format(*sources.place(one.index))
    kinds: list[str] = [*dict.fromkeys(finding.kind for finding in one.findings)]
    said = [_finding_said(finding, sources) for finding in one.findings]
    if one.undecided:
        kinds.append("undecided")
        said.append(f"the limit ({one.reason}) came before it was known whether it is {' or '.join(one.undecided)}")
    return "\t".join([str(one.index), place, ",".join(kinds) or "fine", *["; ".join(said)] * bool(said)])


def _finding_said(finding: Finding, sources: _Sources) -> str:
    if finding.kind not in _TWINS:
        return finding.text
    return "{} ({}:{})".format(finding.text, *sources.place(finding.details["first"]))


def _sum_up(summary: Summary, seconds: float, *, as_json: bool, interrupted: bool) -> None:
    """Say how many had what: for people first, for programs last."""
    if as_json:
        output.say_json({"summary": summary.to_json() | {"seconds": round(seconds, 3), "interrupted": interrupted}})
        return
    parts = {"fine": summary.fine, "with findings": summary.faulty, "undecided": summary.undecided}
    counts = ", ".join(f"{number:,} {word}" for word, number in parts.items() if number)
    rate = summary.puzzles / max(seconds, 1e-3)
    speed = f"{rate:,.0f}" if rate >= _WHOLE else f"{rate:.2g}"
    noun = f"puzzle{'s' * (summary.puzzles != 1)}"
    cut = "interrupted after " * interrupted
    output.say(f"{cut}{summary.puzzles:,} {noun}{f': {counts}' if counts else ''} ({seconds:.3g} s, {speed} a second)")
    for kind, meaning in KINDS.items():
        if summary.kinds[kind]:
            output.say(f"{summary.kinds[kind]:>9,}  {kind:<15} {meaning}")


def _code(summary: Summary) -> int:
    if summary.kinds["unreadable"]:
        return output.BAD_INPUT
    if summary.faulty:
        return output.NO
    return output.RAN_OUT if summary.undecided else output.YES
