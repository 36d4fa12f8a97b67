"""The verb ``doctor``."""

from __future__ import annotations

import os
import platform
import re
from collections.abc import Iterator
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path
from time import perf_counter
from typing import Annotated, Any, NamedTuple

import typer

import sudoku_cp
from sudoku_cp.backends import BUILT_IN, Limits
from sudoku_cp.cli import output
from sudoku_cp.cli.options import Json
from sudoku_cp.cli.output import print_table
from sudoku_cp.compile_cache import cache_root
from sudoku_cp.errors import BackendMissing, SudokuError
from sudoku_cp.puzzle import Puzzle
from sudoku_cp.queries import solve
from sudoku_cp.questions.answer import NO, YES

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


# What this installation consists of: the packages that it needs, extra by extra, with their versions and licences.


PACKAGE = "sudoku-cp"
FOR_DEVELOPERS = frozenset({"bench", "dev", "docs", "test"})
"""Extras that nobody needs who only uses the program."""
_REQUIREMENT = re.compile(r"^([\w.-]+)\s*(?:\[([^]]*)\])?[^;]*(?:;(.*))?$")
_EXTRA = re.compile(r"""extra\s*==\s*['"]([\w.-]+)['"]""")


class Dependency(NamedTuple):
    """An installed package: its version and its licence, and the extras that need it, none if the package itself does."""

    name: str
    version: str
    licence: str
    extras: tuple[str, ...]


def extras() -> tuple[str, ...]:
    """Return the extras for users."""
    found = distribution(PACKAGE).metadata.get_all("Provides-Extra") or []
    return tuple(sorted(set(found) - FOR_DEVELOPERS))


def missing_packages(extra: str) -> tuple[str, ...]:
    """Return the packages that an extra needs and that are not installed."""
    return tuple(name for name, _ in _requirements(distribution(PACKAGE), {extra}) if not _installed(name))


def dependencies() -> list[Dependency]:
    """Return every package that is installed because of this one, directly or not, by name."""
    needed_by: dict[str, set[str]] = {}
    for extra in ("", *extras()):
        for name in _closure({extra} - {""}):
            needed_by.setdefault(name, set()).add(extra)
    return [_describe(name, needed_by[name]) for name in sorted(needed_by)]


def _closure(wanted: set[str]) -> set[str]:
    """Return the installed packages that this one needs with these extras, and those that they need."""
    package = distribution(PACKAGE)
    ahead = list(_requirements(package, wanted))
    found: set[str] = set()
    seen: set[tuple[str, frozenset[str]]] = set()
    while ahead:
        name, inner = ahead.pop()
        one = _installed(name)
        if one is not None and (name, inner) not in seen and name != PACKAGE:
            seen.add((name, inner))
            found.add(name)
            ahead += _requirements(one, set(inner))
    return found


def _requirements(one: Distribution, wanted: set[str]) -> list[tuple[str, frozenset[str]]]:
    """Return what a package needs with these extras: names, each with the extras of its own that are wanted.

    With extras of this very package, what they need comes beside what every user needs. Conditions on the machine are not
    evaluated: a package that is not installed is no dependency here.
    """
    found = []
    for text in one.requires or ():
        match = _REQUIREMENT.match(text)
        name, inner, condition = match.groups() if match else (text, None, None)
        extra = _EXTRA.search(condition or "")
        if extra is None or extra[1] in wanted:
            found.append((_normal(name), frozenset(part.strip() for part in (inner or "").split(",") if part.strip())))
    return found


def _normal(name: str) -> str:
    """Return a name as package indexes compare it."""
    return re.sub(r"[-_.]+", "-", name).lower()


def _installed(name: str) -> Distribution | None:
    try:
        return distribution(name)
    except PackageNotFoundError:
        return None


def _describe(name: str, needed_by: set[str]) -> Dependency:
    one = distribution(name)
    return Dependency(name, one.version, licence_of(one), () if "" in needed_by else tuple(sorted(needed_by)))


def licence_of(one: Distribution) -> str:
    """Return what a package says its licence is: as an expression, a classifier, a few words, or the title of its text."""
    expression, words = _stated(one, "License-Expression"), _stated(one, "License")
    classes = [text.rpartition(" :: ")[2] for text in one.metadata.get_all("Classifier") or () if text.startswith("License ::")]
    first = next(iter(words.strip().splitlines()), "")
    return expression or ", ".join(classes) or first or _title_of_text(one) or "not stated"


def _stated(one: Distribution, name: str) -> str:
    """Return a field of a package's metadata, empty if there is none, however the reader of metadata reports that."""
    return next(iter(one.metadata.get_all(name) or ()), "")


def _title_of_text(one: Distribution) -> str:
    """Return the first line of a package's licence, empty if it brings none."""
    texts = (path for path in one.files or () if re.match(r"(LICEN[CS]E|COPYING)", path.name, re.IGNORECASE))
    lines = (line.strip() for path in texts for line in path.read_text(encoding="utf-8").splitlines())
    return next((line for line in lines if line), "")
