"""What the options of ``generate`` say is wished."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sudoku_cp.cli.inputs import Wish, is_file
from sudoku_cp.errors import InvalidInput
from sudoku_cp.generate.patterns import MOST, parse_pattern
from sudoku_cp.generate.wishing import Problems, wishes_read
from sudoku_cp.grid import Grid

if TYPE_CHECKING:
    from sudoku_cp.generate import Wishes
    from sudoku_cp.grid import Cell

_LONG = 100
_PATH = re.compile(r"[/\\]|\.[A-Za-z]\w*$")
"""What looks like the name of a file."""


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


def wishes_given(given: Given, problems: Problems) -> Wishes:
    """Return the wishes; raises `InvalidInput` with everything that is wrong with them, behind the ``problems`` there are."""
    grid = problems.read(lambda: _grid(given), None) or Problems().read(lambda: _bare(given), None)
    read: dict[str, Any] = {
        "givens": problems.read(lambda: _span("--givens", given.givens), None),
        "guesses": problems.read(lambda: _span("--guesses", given.guesses), None),
        "pattern": grid and problems.read(lambda: _pattern(given.pattern, grid), None),
    }
    same = ("rules", "style", "difficulty", "singles_only", "symmetry", "minimal")
    return wishes_read(problems, grid, read | {name: getattr(given, name) for name in same})


def _grid(given: Given) -> Grid:
    return Wish(size=given.size.strip() or None, boxes=given.boxes).grid() or Grid.square()


def _bare(given: Given) -> Grid:
    """Return the board without boxes, for what else is wrong where the boxes are."""
    return _grid(replace(given, boxes="none"))


def _span(option: str, text: str | None) -> int | tuple[int, int | None] | None:
    """Return what ``24``, ``22..25``, ``..22`` or ``22..`` means."""
    if text is None:
        return None
    first, dots, second = (part.strip() for part in text.partition(".."))
    if not all(part.isdecimal() or (dots and not part) for part in (first, second if dots else first)) or not first + second:
        raise InvalidInput(f"{option}: expected a number such as 24, or from one to another such as 22..25, got {text!r:.40}")
    if len(text) > _LONG:
        raise InvalidInput(f"{option}: expected numbers that a board can have, got {text!r:.40}")
    if not dots:
        return int(first)
    return int(first or 0), int(second) if second else None


def _pattern(told: str | None, grid: Grid) -> tuple[Cell, ...] | None:
    """Return the cells given; errors name the file, or say that there is none."""
    if told is None:
        return None
    if is_file(told):
        return _of_file(told, grid)
    try:
        return parse_pattern(told, grid)
    except InvalidInput as error:
        if "\n" in told:
            raise
        no_file = f"--pattern: expected a pattern or a file, got {told!r:.60}: there is no such file"
        raise InvalidInput([no_file, *(() if _PATH.search(told) else error.problems)]) from error


def _of_file(name: str, grid: Grid) -> tuple[Cell, ...]:
    try:
        with Path(name).open(encoding="utf-8") as file:
            return parse_pattern(file.read(MOST + 1), grid)
    except InvalidInput as error:
        raise InvalidInput(f"--pattern {name}: {problem}" for problem in error.problems) from error
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidInput(f"--pattern: expected a file that can be read, got {name}: {error}") from error
