"""What a reader of documents finds: everything wrong with one, each with the path to it, and what it warns of."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, TypeVar

from sudoku_cp.errors import InvalidInput

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

_T = TypeVar("_T")
_MOST = 100
"""So many problems are listed: a hostile document has a million."""
_ENOUGH = 1000
"""After so many problems, reading ends."""
_WHOLE = re.compile(r"[+-]?[0-9]{1,9}")


class ProblemCollector:
    """Reads one thing after the other and remembers all that is wrong; `end` raises it at once."""

    def __init__(self, warnings: list[str]) -> None:
        """Begin with nothing wrong; warnings go to the list of the record."""
        self.problems: list[str] = []
        self.warnings = warnings

    def read(self, path: str, make: Callable[[], _T]) -> _T | None:
        """Return what ``make`` returns, or None when it raises something wrong with what stands at ``path``."""
        try:
            return make()
        except InvalidInput as error:
            self.problems += [f"{path}: {problem}" if path else problem for problem in error.problems]
        if len(self.problems) > _ENOUGH:
            self.raise_problems()
        return None

    def raise_problems(self) -> None:
        """Raise everything that was wrong so far."""
        problems = list(dict.fromkeys(self.problems))
        if len(problems) > _MOST:
            problems[_MOST:] = ["and more problems than can be listed"]
        if problems:
            raise InvalidInput(problems)


def parse_whole_number(data: Any, noun: str = "a whole number") -> int:
    """Return the number that a document tells as a number or as a text, or raise `InvalidInput` that asks for the ``noun``."""
    if isinstance(data, str) and _WHOLE.fullmatch(data.strip()):
        return int(data)
    if isinstance(data, float) and data.is_integer() and abs(data) < 1e9:  # noqa: PLR2004  # 5.0 is 5
        return int(data)
    if isinstance(data, int) and not isinstance(data, bool):
        return data
    raise InvalidInput(f"expected {noun}, got {short_repr(data)}")


def short_repr(data: Any) -> str:
    """Return what came, in few words."""
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
    """Return what ``parse`` makes of every item, or raise what is wrong with any, each with its path."""
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
    """Say whether a field says nothing: absent, off, or empty."""
    return data is None or data is False or (isinstance(data, str) and not data.strip()) or data in ([], {})
