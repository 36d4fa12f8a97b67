"""The verb ``backends``."""

from __future__ import annotations

from sudoku_cp.cli import output
from sudoku_cp.cli.options import Json
from sudoku_cp.cli.output import print_listing
from sudoku_cp.questions.answer import YES
from sudoku_cp.questions.listings import backends_to_json


def backends(*, as_json: Json = False) -> int:
    """List the engines that are installed, and those that could be; --json adds what each of the others needs."""
    rows = backends_to_json()
    if as_json:
        print_listing(rows, as_json=True)
        return YES
    installed = [{name: row[name] for name in row if name != "installed"} for row in rows if row["installed"]]
    print_listing(installed, least=["takes"])
    missing = [row["backend"] for row in rows if not row["installed"]]
    # An engine whose kinds are listed need not be named itself.
    if others := [name for name in missing if not any(other.startswith(f"{name}:") for other in missing)]:
        output.print_text(f"not installed: {', '.join(others)} (--json lists what each needs)")
    return YES
