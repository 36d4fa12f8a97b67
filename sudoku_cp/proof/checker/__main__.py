"""The command line of the checker."""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser
from typing import TYPE_CHECKING

from .report import CLAIMS, CODES, Report
from .verdict import check

if TYPE_CHECKING:
    from collections.abc import Sequence


def in_words(folder: str, report: Report) -> str:
    """Return a report for people."""
    claim = f": {CLAIMS[report.claim]}" if report.claim else ""
    lines = [f"{folder}: {report.verdict.upper()}{claim if report.verdict == 'verified' else ''}"]
    lines += [f"  {problem}" for problem in report.problems]
    lines += [f"  on trust: {one}" for one in report.trusted]
    if report.verdict == "verified":
        facts = report.facts
        lines.append(
            f"  {facts['clauses']} clauses ({facts['rebuilt']} made anew, {facts['compared']} compared with the rules' meaning,"
            f" {facts['trusted']} on trust), {facts['lemmas']} lemmas, {facts['seconds']:.2f} s"
        )
    return "\n".join(lines)


def seconds(text: str) -> float:
    """Return a time limit that is a positive number."""
    if not 0 < float(text) < float("inf"):
        raise ValueError
    return float(text)


def main(argv: Sequence[str] | None = None) -> int:
    """Check the folders named on the command line, and return the exit code."""
    codes = (
        "Exit code: 0 all are verified, 1 one is rejected, 2 one is no certificate, or bad usage, 3 one is not wholly checked."
    )
    parser = ArgumentParser("checker", description="Say whether each folder proves its claim about a puzzle.", epilog=codes)
    parser.add_argument("folders", nargs="+", metavar="FOLDER")
    parser.add_argument("--json", action="store_true", help="an object a line instead of words")
    parser.add_argument("--trust", action="store_true", help="verify although a part has to be taken on trust, which is told")
    parser.add_argument("--timeout", type=seconds, metavar="SECONDS", help="give up on a folder after so long")
    asked, seen = parser.parse_args(argv), set()
    for folder in asked.folders:
        report = check(folder, seconds=asked.timeout, trust=asked.trust)
        seen.add(CODES[report.verdict])
        told = json.dumps({"folder": folder, **report.__dict__}) if asked.json else in_words(folder, report)
        sys.stdout.write(told + "\n")
    return next(code for code in (1, 2, 3, 0) if code in seen)


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
