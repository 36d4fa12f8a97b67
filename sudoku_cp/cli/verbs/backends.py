"""The verb ``backends``."""

from __future__ import annotations

from typing import Any

from sudoku_cp.backends import backend, known_backends
from sudoku_cp.backends.external import NAMES
from sudoku_cp.cli import output
from sudoku_cp.cli.exit_codes import YES
from sudoku_cp.cli.options import Json
from sudoku_cp.cli.text_tables import class_summary, print_listing
from sudoku_cp.errors import BackendMissing


def backends(*, as_json: Json = False) -> int:
    """List the engines that are installed, and name those that could be; --json says which are, and what the others need."""
    rows = [{"backend": name} | _state(name) for name in sorted({*known_backends(), *NAMES})]
    if as_json:
        print_listing(rows, as_json=True)
        return YES
    installed = [{name: row[name] for name in row if name != "installed"} for row in rows if row["installed"]]
    print_listing(installed, least=["takes"])
    missing = [row["backend"] for row in rows if not row["installed"]]
    # An engine whose kinds are listed need not be named itself.
    if others := [name for name in missing if not any(other.startswith(f"{name}:") for other in missing)]:
        output.print_text(f"not installed: {', '.join(others)} (--json says what each needs)")
    return YES


def _state(name: str) -> dict[str, Any]:
    try:
        engine = backend(name)
    except BackendMissing as error:
        return {"installed": False, "takes": [], "summary": str(error)}
    takes = sorted(constraint.__name__ for constraint in engine.takes)
    return {"installed": True, "takes": takes, "summary": class_summary(type(engine))}
