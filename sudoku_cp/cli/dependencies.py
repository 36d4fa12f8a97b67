"""What this installation consists of: the packages that it needs, extra by extra, with their versions and licences."""

from __future__ import annotations

import re
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from typing import NamedTuple

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
