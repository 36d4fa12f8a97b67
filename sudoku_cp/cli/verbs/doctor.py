"""The verb ``doctor``."""

from __future__ import annotations

import os
import platform
from collections.abc import Iterator
from pathlib import Path
from time import perf_counter
from typing import Annotated, Any

import typer

import sudoku_cp
from sudoku_cp.backends import BUILT_IN, Limits
from sudoku_cp.cli import output
from sudoku_cp.cli.dependencies import dependencies, extras, missing_packages
from sudoku_cp.cli.options import Json
from sudoku_cp.cli.text_tables import print_table
from sudoku_cp.compile_cache import cache_root
from sudoku_cp.errors import BackendMissing, SudokuError
from sudoku_cp.puzzle import Puzzle
from sudoku_cp.queries import solve
from sudoku_cp.questions.exit_codes import NO, YES

PATIENCE = 30.0
"""Seconds for an engine to solve a puzzle of 4x4, loading not counted."""


def doctor(
    *,
    licences: Annotated[bool, typer.Option("--licences", help="List every package that is needed, with its licence.")] = False,
    as_json: Json = False,
) -> int:
    """List the parts of this installation, and check that each of them works.

    The exit code is 1 if a part does not work; an extra or an engine that is not installed does not count as one.
    """
    if licences:
        _list_licences(as_json=as_json)
        return YES
    found = [*_basics(), *_extras(), *_engines()]
    for row in found:
        if as_json:
            output.print_json(row)
        else:
            output.print_text(f"{row['state']:<14}{row['part']:<17}{row['about']}".rstrip())
    return NO if any(row["state"] == "broken" for row in found) else YES


def _list_licences(*, as_json: bool) -> None:
    """Print each package with its version and licence, and the extras that need it."""
    found = dependencies()
    if as_json:
        for one in found:
            output.print_json({**one._asdict(), "extras": list(one.extras)})
    else:
        print_table([{**one._asdict(), "extras": ", ".join(one.extras)} for one in found])


def _row(part: str, state: str, about: str) -> dict[str, Any]:
    return {"part": part, "state": state, "about": about}


def _basics() -> Iterator[dict[str, Any]]:
    """Yield the program, Python, the machine, and the folder of compiled code."""
    yield _row("sudoku_cp", "ok", f"{sudoku_cp.__version__}, {Path(sudoku_cp.__file__).parent}")
    yield _row("python", "ok", f"{platform.python_version()}, {platform.platform()}, {os.cpu_count()} cores")
    root = cache_root()
    usable = root is not None and os.access(next(path for path in (root, *root.parents) if path.exists()), os.W_OK)
    about = f"{root}" if usable else f"expected a folder to write to, got {root}"
    yield _row("compiled code", "ok" if usable else "broken", about)


def _extras() -> Iterator[dict[str, Any]]:
    """Yield each extra, and how to install those that are missing."""
    for extra in extras():
        missing = missing_packages(extra)
        about = f"pip install 'sudoku-cp[{extra}]' ({', '.join(missing)})" if missing else ""
        yield _row(f"extra {extra}", "not installed" if missing else "ok", about)


def _engines() -> Iterator[dict[str, Any]]:
    """Yield each engine, which solves a small puzzle."""
    puzzle = Puzzle.parse("1234341221......")
    for name in BUILT_IN:
        begin = perf_counter()
        try:
            answer = solve(puzzle, backend=name, limits=Limits(PATIENCE))
            state, about = ("ok", "") if answer.status == "unique" else ("broken", f"expected one solution, got {answer.status}")
        except BackendMissing as error:
            state, about = "not installed", str(error)
        except SudokuError as error:
            state, about = "broken", str(error)
        yield _row(f"engine {name}", state, about or f"{1000 * (perf_counter() - begin):.0f} ms, loading included")
