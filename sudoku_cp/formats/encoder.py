"""How a format writes a file, and which texts about a puzzle (title, author, ...) it has a place for."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from operator import attrgetter
from types import MappingProxyType
from typing import TYPE_CHECKING, TypeAlias

from sudoku_cp.symbols import numerals

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

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
