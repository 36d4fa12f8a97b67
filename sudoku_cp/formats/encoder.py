"""How a format writes a file, which texts about a puzzle (title, author, ...) it has a place for, and what it refuses."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache, partial
from operator import attrgetter
from types import MappingProxyType
from typing import TYPE_CHECKING, TypeAlias

from sudoku_cp.errors import Unsupported
from sudoku_cp.rules import Houses
from sudoku_cp.symbols import numerals

if TYPE_CHECKING:
    from sudoku_cp.puzzle import Puzzle

KeptTexts: TypeAlias = "Mapping[str, Callable[[Puzzle], object]]"
"""For each field of `Puzzle` that a format has a place for, a function that returns what a reader will find there."""

TEXTS = MappingProxyType(
    {
        "title": "title",
        "author": "author",
        "source": "source",
        "ruleset": "rules in words",
        "solution": "stated solution",
        "symbols": "signs",
    }
)
"""The fields of `Puzzle` that do not affect its solutions, and what people call them."""

_usual_symbols = lru_cache(maxsize=64)(numerals)


@dataclass
class Encoder:
    """Writes one file: ``encode`` returns the text of a puzzle (or raises `InvalidInput`), between an opening and a closing."""

    encode: Callable[[Puzzle], str]
    opening: str = ""
    closing: Callable[[], str] = str


def write_each(encode: Callable[[Puzzle], str], opening: str = "", closing: Callable[[], str] = str) -> Callable[[], Encoder]:
    """Return the writer of a format that writes each puzzle independently of the others."""
    return partial(Encoder, encode, opening, closing)


def texts_left_out(puzzle: Puzzle, keeps: KeptTexts) -> Iterator[str]:
    """Yield the names of the texts that the format drops or changes."""
    for field, noun in TEXTS.items():
        value = getattr(puzzle, field)
        nothing = _usual_symbols(puzzle.grid.values) if field == "symbols" else None if field == "solution" else ""
        if value == nothing:
            continue
        kept_value = keeps[field](puzzle) if field in keeps else nothing
        if kept_value != value:
            yield noun if kept_value == nothing else f"{noun} as it is"


# --- what formats keep ------------------------------------------------------------------------------------------


def keep_unchanged(*fields: str) -> KeptTexts:
    """Return the entries of fields that are kept as they are."""
    return {field: attrgetter(field) for field in fields}


def keep_changed(change: Callable[[str], str], *fields: str) -> KeptTexts:
    """Return the entries of texts that are kept as ``change`` leaves them."""
    return {field: lambda puzzle, field=field: change(getattr(puzzle, field)) for field in fields}  # type: ignore[misc]


def collapse_space(text: str) -> str:
    """Return a text on one line, with single spaces between its words."""
    return " ".join(text.split())


def one_line(text: str) -> str:
    """Return a title that can stand in a line of text: without line breaks and ``#``."""
    return collapse_space(text.replace("#", " "))


def one_line_title(puzzle: Puzzle) -> str:
    """Return the title as it can stand in a line of text."""
    return one_line(puzzle.title)


# --- what formats refuse ----------------------------------------------------------------------------------------


def require_plain(name: str, puzzle: Puzzle, *, candidates: bool = False) -> None:
    """Refuse a puzzle if a plain text cannot express everything that matters for its solutions."""
    problems = [] if puzzle.grid.is_plain else ["a grid that is not one square board with the usual boxes and values"]
    refuse_any([*problems, *unplain_problems(puzzle, candidates=candidates)], f"a plain puzzle for the format {name!r}")


def unplain_problems(puzzle: Puzzle, *, candidates: bool = False) -> Iterator[str]:
    """Yield what a puzzle has besides its grid, the rule ``houses``, its givens and perhaps its candidates."""
    if puzzle.rules != (Houses(),):
        yield f"the rules {', '.join(dict.fromkeys(rule.kind for rule in puzzle.rules)) or '(none)'}"
    if puzzle.candidates and not candidates:
        yield "candidates"


def refuse_any(problems: Iterable[str], expected: str) -> None:
    """Raise `Unsupported` if there are any problems; ``expected`` is what the format can express."""
    found = [f"expected {expected} (json can express everything), got {problem}" for problem in problems]
    if found:
        raise Unsupported(found)
