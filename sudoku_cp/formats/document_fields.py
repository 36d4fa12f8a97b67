"""Reading fields of JSON documents made by others: all problems are collected, each with the path to it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any, TypeVar

from sudoku_cp.errors import InvalidInput

_T = TypeVar("_T")
_MOST = 100
"""Problems listed at most: a hostile document has a million."""
_ENOUGH = 1000
"""Problems after which reading stops."""
_WHOLE = re.compile(r"[+-]?[0-9]{1,9}")


class ProblemCollector:
    """Collects problems while the parts of a document are read; `raise_problems` raises them together."""

    def __init__(self, warnings: list[str]) -> None:
        """Start without problems; ``warnings`` is the list of the record."""
        self.problems: list[str] = []
        self.warnings = warnings

    def read(self, path: str, make: Callable[[], _T]) -> _T | None:
        """Return what ``make`` returns, or None if it raises a problem, which is noted with its ``path``."""
        try:
            return make()
        except InvalidInput as error:
            self.problems += [f"{path}: {problem}" if path else problem for problem in error.problems]
        if len(self.problems) > _ENOUGH:
            self.raise_problems()
        return None

    def require(self, path: str, make: Callable[[], _T]) -> _T:
        """Return what ``make`` returns, or raise its problem together with all noted so far."""
        found = self.read(path, make)
        self.raise_problems()
        assert found is not None  # noqa: S101  # else there was a problem
        return found

    def raise_problems(self) -> None:
        """Raise all problems noted so far, if there are any."""
        problems = list(dict.fromkeys(self.problems))
        if len(problems) > _MOST:
            problems[_MOST:] = ["and more problems than can be listed"]
        if problems:
            raise InvalidInput(problems)


def parse_whole_number(data: Any, noun: str = "a whole number") -> int:
    """Parse a whole number written as a number or a string; the error says that ``noun`` was expected."""
    if isinstance(data, str) and _WHOLE.fullmatch(data.strip()):
        return int(data)
    if isinstance(data, float) and data.is_integer() and abs(data) < 1e9:  # noqa: PLR2004  # 5.0 is 5
        return int(data)
    if isinstance(data, int) and not isinstance(data, bool):
        return data
    raise InvalidInput(f"expected {noun}, got {short_repr(data)}")


def short_repr(data: Any) -> str:
    """Return a value in a few words, for an error."""
    if isinstance(data, list | dict) and len(data) > 8:  # noqa: PLR2004  # its text could have millions of signs
        return f"{'an array' if isinstance(data, list) else 'an object'} of {len(data)}"
    if isinstance(data, int) and not isinstance(data, bool) and abs(data) > 10**80:  # slow to write down
        return "a number of many digits"
    return f"{data!r:.80}"


def iter_elements(data: Any, path: str, noun: str = "an array") -> Iterator[tuple[str, Any]]:
    """Yield the elements of an array, each with its path (from 1)."""
    if not isinstance(data, list):
        raise InvalidInput(f"expected {noun}, got {short_repr(data)}")
    yield from ((f"{path}[{number}]", one) for number, one in enumerate(data, 1))


def parse_all(items: Iterable[tuple[str, Any]], parse: Callable[[Any], _T]) -> tuple[_T, ...]:
    """Parse every item, or raise the problems of all items, each with its path."""
    found: list[_T] = []
    problems: list[str] = []
    for path, data in items:
        try:
            found.append(parse(data))
        except InvalidInput as error:
            problems += [f"{path}: {problem}" for problem in error.problems]
        if len(problems) > _MOST:
            break
    if problems:
        raise InvalidInput(problems)
    return tuple(found)


def is_empty(data: Any) -> bool:
    """Return whether a field is absent, false or empty."""
    return data is None or data is False or (isinstance(data, str) and not data.strip()) or data in ([], {})
