"""The verb ``verify``."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

import typer

from sudoku_cp.answer_json.proofs import report_to_json
from sudoku_cp.cli import output
from sudoku_cp.cli.options import Json, Quiet
from sudoku_cp.cli.progress_bar import with_progress
from sudoku_cp.errors import shorten
from sudoku_cp.proof import Report
from sudoku_cp.proof import verify as verify_certificate
from sudoku_cp.proof.checker.report import report_lines
from sudoku_cp.questions.exit_codes import BAD_INPUT, NO, RAN_OUT, YES, worst
from sudoku_cp.questions.options import Timed

_LONGEST_LINE = 900
"""The most characters of a line of a report."""
_EXIT_CODES = {"verified": YES, "rejected": NO, "absent": BAD_INPUT, "unchecked": RAN_OUT}


def verify(
    folders: Annotated[list[str], typer.Argument(metavar="FOLDER...", help="Folders of certificates.", show_default=False)],
    *,
    trust: Annotated[
        bool,
        typer.Option("--trust", help="Accept parts that have to be taken on trust (unknown rules, too large), and name them."),
    ] = False,
    timed: Timed = Timed(),
    as_json: Json = False,
    quiet: Quiet = False,
) -> int:
    """Check certificates with the independent checker, which shares no code with what makes them.

    The exit code is 0 if the claim is proved, 1 if anything is wrong, 2 if there is no certificate, 3 if not everything could
    be checked: a limit came first, or the rest would have to be taken on trust.
    """
    codes = set()
    for folder in with_progress(folders, quiet=quiet):
        report = verify_certificate(folder, seconds=timed.timeout, trust=trust)
        codes.add(_EXIT_CODES[report.verdict])
        if as_json:
            output.print_json({"folder": folder} | report_to_json(report))
        else:
            output.print_text("\n".join(shorten(line, _LONGEST_LINE) for line in _report_lines(folder, report)))
    return worst(codes)


def _report_lines(folder: str, report: Report) -> Iterator[str]:
    yield f"{folder}: {report.verdict}{f' ({report.claim})' if report.claim else ''}"
    yield from (f"  {line}" for line in report_lines(report))
