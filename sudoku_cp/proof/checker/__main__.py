"""The command line of the checker."""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser
from typing import TYPE_CHECKING

from .folder_check import check
from .report import CLAIMS, EXIT_CODES, Report, report_lines

if TYPE_CHECKING:
    from collections.abc import Sequence


def format_report(folder: str, report: Report) -> str:
    """Return the report as text for people."""
    claim = f": {CLAIMS[report.claim]}" if report.claim and report.verdict == "verified" else ""
    return "\n".join([f"{folder}: {report.verdict.upper()}{claim}", *(f"  {line}" for line in report_lines(report))])


def seconds(text: str) -> float:
    """Parse a time limit, a positive number."""
    if not 0 < float(text) < float("inf"):
        raise ValueError
    return float(text)


def main(argv: Sequence[str] | None = None) -> int:
    """Check the folders named on the command line, and return the exit code."""
    codes = (
        "Exit code: 0 all are verified, 1 one is rejected, 2 one is not a certificate, or bad usage, 3 one is not wholly checked."
    )
    parser = ArgumentParser("checker", description="Check whether each folder proves its claim about a puzzle.", epilog=codes)
    parser.add_argument("folders", nargs="+", metavar="FOLDER")
    parser.add_argument("--json", action="store_true", help="print one JSON object per line instead of text")
    parser.add_argument(
        "--trust", action="store_true", help="accept parts that can only be taken on trust; the report lists them"
    )
    parser.add_argument("--timeout", type=seconds, metavar="SECONDS", help="give up on a folder after this many seconds")
    arguments, seen = parser.parse_args(argv), set()
    for folder in arguments.folders:
        report = check(folder, seconds=arguments.timeout, trust=arguments.trust)
        seen.add(EXIT_CODES[report.verdict])
        line = json.dumps({"folder": folder, **report.__dict__}) if arguments.json else format_report(folder, report)
        sys.stdout.write(line + "\n")
    return next(code for code in (1, 2, 3, 0) if code in seen)


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
