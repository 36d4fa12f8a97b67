"""The verb ``verify``."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

import typer

from sudoku_cp.cli import output
from sudoku_cp.cli.options import Json, Quiet
from sudoku_cp.cli.output import with_progress
from sudoku_cp.errors import shorten
from sudoku_cp.proof.checker.report import report_lines
from sudoku_cp.questions.answer import worst
from sudoku_cp.questions.verify import VerifyAnswer, Verifying

_LONGEST_LINE = 900
"""The most characters of a line of a report."""


def verify(
    folders: Annotated[list[str], typer.Argument(metavar="FOLDER...", help="Folders of certificates.", show_default=False)],
    *,
    options: Verifying = Verifying(),
    as_json: Json = False,
    quiet: Quiet = False,
) -> int:
    """Check certificates."""
    codes = set()
    for folder in with_progress(folders, quiet=quiet):
        answer = options.verdict_on(folder, options.timeout)
        codes.add(answer.exit_code)
        if as_json:
            output.print_json({"folder": folder} | answer.to_json())
        else:
            output.print_text("\n".join(shorten(line, _LONGEST_LINE) for line in _report_lines(folder, answer)))
    return worst(codes)


def _report_lines(folder: str, answer: VerifyAnswer) -> Iterator[str]:
    yield f"{folder}: {answer.verdict}{f' ({answer.claim})' if answer.claim else ''}"
    yield from (f"  {line}" for line in report_lines(answer.report))
