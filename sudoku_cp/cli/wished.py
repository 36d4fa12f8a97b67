"""What the options of ``generate`` say is wished."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from sudoku_cp.cli.inputs import Wish, is_file
from sudoku_cp.errors import InvalidInput
from sudoku_cp.generate.wishing import wishes_of
from sudoku_cp.grid import Grid

if TYPE_CHECKING:
    from collections.abc import Callable

    from sudoku_cp.generate import Wishes

_T = TypeVar("_T")


@dataclass(frozen=True)
class Given:
    """The options, as they were typed."""

    size: str
    boxes: str | None
    rules: str
    style: str
    difficulty: str | None
    guesses: str | None
    givens: str | None
    singles_only: bool
    symmetry: str
    pattern: str | None
    minimal: bool


def wishes_given(given: Given, problems: list[str]) -> Wishes:
    """Return the wishes; raises `InvalidInput` with everything that is wrong with them, behind the ``problems`` there are."""
    read: dict[str, Any] = {
        "grid": _read(problems, lambda: _grid(given)),
        "givens": _read(problems, lambda: _span("--givens", given.givens)),
        "guesses": _read(problems, lambda: _span("--guesses", given.guesses)),
        "pattern": _read(problems, lambda: _pattern(given.pattern)),
    }
    same = ("rules", "style", "difficulty", "singles_only", "symmetry", "minimal")
    wishes = _read(problems, lambda: wishes_of(**read, **{name: getattr(given, name) for name in same}))
    if problems or wishes is None:
        raise InvalidInput(problems)
    return wishes


def _read(problems: list[str], read: Callable[[], _T]) -> _T | None:
    try:
        return read()
    except InvalidInput as error:
        problems += error.problems
        return None


def _grid(given: Given) -> Grid:
    size = f"{given.size}x{given.size}" if given.size.isdecimal() else given.size
    return Wish(size=size or None, boxes=given.boxes).grid() or Grid.square()


def _span(option: str, text: str | None) -> int | tuple[int, int | None] | None:
    """Return what ``24``, ``22..25``, ``..22`` or ``22..`` means."""
    if text is None:
        return None
    first, dots, second = (part.strip() for part in text.partition(".."))
    if not all(part.isdecimal() or (dots and not part) for part in (first, second if dots else first)) or not first + second:
        raise InvalidInput(f"{option}: expected a number such as 24, or from one to another such as 22..25, got {text!r:.40}")
    if not dots:
        return int(first)
    return int(first or 0), int(second) if second else None


def _pattern(told: str | None) -> str | None:
    if told is None or not is_file(told):
        return told
    try:
        return Path(told).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidInput(f"--pattern: expected a file that can be read, got {told}: {error}") from error
