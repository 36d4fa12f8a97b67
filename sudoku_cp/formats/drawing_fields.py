"""What documents of f-puzzles and SudokuPad have in common where they draw: colours, numbers, what is kept and what is not."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from sudoku_cp.cosmetics import LONE_SURROGATE, MOST_DRAWINGS, MOST_LETTERS, MOST_POINTS, Drawing, drawing_size, in_drawing_order
from sudoku_cp.cosmetics import drawing_problems as problems_on_grid
from sudoku_cp.errors import InvalidInput
from sudoku_cp.formats.document_fields import is_empty, short_repr

if TYPE_CHECKING:
    from sudoku_cp.grid import Grid

INVISIBLE = "#FFFFFF00"
"""What stands in documents for "no colour"."""
_HEX = re.compile("#(?:[0-9A-Fa-f]{3,4}|[0-9A-Fa-f]{6}|[0-9A-Fa-f]{8})")
_NAMES = {
    "black": "#000000", "white": "#FFFFFF", "gray": "#808080", "grey": "#808080", "silver": "#C0C0C0", "red": "#FF0000",
    "maroon": "#800000", "orange": "#FFA500", "yellow": "#FFFF00", "olive": "#808000", "lime": "#00FF00", "green": "#008000",
    "aqua": "#00FFFF", "cyan": "#00FFFF", "teal": "#008080", "blue": "#0000FF", "navy": "#000080", "magenta": "#FF00FF",
    "fuchsia": "#FF00FF", "purple": "#800080", "pink": "#FFC0CB", "lightblue": "#ADD8E6", "lightgreen": "#90EE90",
    "lightgrey": "#D3D3D3", "lightgray": "#D3D3D3", "darkgrey": "#A9A9A9", "darkgray": "#A9A9A9",
    "transparent": INVISIBLE, "none": INVISIBLE,
}  # fmt: skip
_DIGITS = 4
"""Digits of numbers behind the point: documents have sums of thirds."""


# --- fields -----------------------------------------------------------------------------------------------------


def parse_colour(raw: Any, default: str = "") -> tuple[str, bool]:
    """Return a colour as ``#RRGGBB``, mixed with white where it is translucent, and whether it is opaque; "" if invisible."""
    if is_empty(raw):
        return default, True
    text = raw.strip().lower() if isinstance(raw, str) else ""
    found = _NAMES.get(text, text)
    if not _HEX.fullmatch(found):
        raise InvalidInput(f"expected a colour such as '#CFCFCF', got {short_repr(raw)}")
    digits = found[1:] if len(found) > len("#RGBA") else "".join(2 * digit for digit in found[1:])
    red, green, blue, alpha = (int(digits[at : at + 2] or "FF", 16) for at in (0, 2, 4, 6))
    if not alpha:
        return "", True
    mixed = (round(255 - (255 - part) * alpha / 255) for part in (red, green, blue))
    return "#" + "".join(f"{part:02X}" for part in mixed), alpha == 255  # noqa: PLR2004  # the most of a byte


def parse_number(raw: Any, default: float, per_cell: float = 1) -> float:
    """Return a number in cells, of which ``per_cell`` units of the document are one."""
    if is_empty(raw):
        return default
    if isinstance(raw, str):
        try:
            raw = float(raw)
        except ValueError:
            raise InvalidInput(f"expected a number, got {short_repr(raw)}") from None
    if isinstance(raw, bool) or not isinstance(raw, int | float) or not abs(raw) < 1e6:  # noqa: PLR2004  # NaN is not, either
        raise InvalidInput(f"expected a number, got {short_repr(raw)}")
    return rounded(raw / per_cell)


def rounded(number: float) -> float:
    """Return a number with as many digits as drawings have."""
    return round(number + 0.0, _DIGITS)


def parse_words(raw: Any) -> str:
    """Return a text on one line, cut where it is longer than any of a drawing."""
    if is_empty(raw):
        return ""
    if not isinstance(raw, str | int | float):
        raise InvalidInput(f"expected a text, got {short_repr(raw)}")
    return LONE_SURROGATE.sub("\ufffd", " ".join(str(raw)[: 4 * MOST_LETTERS].split())[:MOST_LETTERS])


# --- what is kept -----------------------------------------------------------------------------------------------


@dataclass
class DrawingCollector:
    """Collects the drawings of a document, and counts those that can be kept and those that cannot, each by its noun."""

    grid: Grid
    _found: list[Drawing] = field(default_factory=list)
    _points: int = 0
    _kept: Counter[str] = field(default_factory=Counter)
    _lost: Counter[str] = field(default_factory=Counter)
    _reason: str = ""

    def add(self, noun: str, make: Callable[[], Iterable[Drawing]]) -> None:
        """Keep the drawings that ``make`` yields, all or, if one cannot be, none; one that draws nothing is not counted."""
        is_full = len(self._found) == MOST_DRAWINGS
        made: tuple[Drawing, ...] = ()
        problems: list[str] = []
        try:
            made = () if is_full else tuple(make())
            problems += problems_on_grid(made, self.grid)
        except InvalidInput as error:
            problems += error.problems
        points = sum(map(drawing_size, made))
        if is_full or len(self._found) + len(made) > MOST_DRAWINGS or self._points + points > MOST_POINTS:
            problems = [f"expected at most {MOST_DRAWINGS:,} drawings of {MOST_POINTS:,} points, got more"]
        if problems:
            self._lost[noun] += 1
            self._reason = self._reason or problems[0]
        else:
            self._found += made
            self._points += points
            self._kept[noun] += bool(made)

    def lose(self, noun: str) -> None:
        """Count something that cannot be kept."""
        self._lost[noun] += 1

    def drawings(self) -> tuple[Drawing, ...]:
        """Return what is kept, the lowest first."""
        return in_drawing_order(self._found)

    def loss_warnings(self) -> Iterator[str]:
        """Yield the warning about drawings that are not read, if there are any."""
        if self._lost:
            yield f"drawings are not read: {_counted(self._lost)}{f' ({self._reason:.200})' if self._reason else ''}"

    def meaning_warnings(self) -> Iterator[str]:
        """Yield the warning about drawings that are kept, if there are any, for a format that has no other way to state rules."""
        if kept := _counted(self._kept):
            yield f"the meaning of {kept}, which the drawing does not show"


def _counted(counts: Counter[str]) -> str:
    return ", ".join(f"{count} {noun}{'s' * (count > 1)}" for noun, count in counts.items() if count)
