"""Text broken into lines of a width."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sudoku_cp.render.pieces import printable

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sudoku_cp.paper.typefaces import Typefaces

_ELLIPSIS = "…"


def wrap_text(text: str, width: float, size: float, typefaces: Typefaces, *, bold: bool = False) -> tuple[str, ...]:
    """Return the lines of a text, a paragraph on each of its own lines, none wider than ``width`` points."""
    most = max(width / size, 1)
    return tuple(line for paragraph in text.splitlines() for line in _wrap_paragraph(printable(paragraph), most, typefaces, bold))


def _wrap_paragraph(text: str, most: float, typefaces: Typefaces, bold: bool) -> Iterator[str]:  # noqa: FBT001
    """Yield the lines of a paragraph, at most so many sizes of the font wide; longer words are broken."""
    line, wide, space = list[str](), 0.0, typefaces.width(" ", bold=bold)
    for word in text.split():
        for part in _break_word(word, most, typefaces, bold):
            length = typefaces.width(part, bold=bold)
            if line and wide + space + length > most:
                yield " ".join(line)
                line, wide = [], 0.0
            wide += length + space * bool(line)
            line.append(part)
    if line:
        yield " ".join(line)


def _break_word(word: str, most: float, typefaces: Typefaces, bold: bool) -> Iterator[str]:  # noqa: FBT001
    """Yield a word, in several parts if it is wider than a line."""
    if typefaces.width(word, bold=bold) <= most:
        yield word
        return
    part, wide = "", 0.0
    for sign in word:
        length = typefaces.width(sign, bold=bold)
        if part and wide + length > most:
            yield part
            part, wide = "", 0.0
        part, wide = part + sign, wide + length
    yield part


def shortened_lines(lines: tuple[str, ...], most: int) -> tuple[str, ...]:
    """Return the first lines, with an ellipsis if there are more."""
    return lines if len(lines) <= most else (*lines[: most - 1], f"{lines[most - 1][:-2].rstrip()}{_ELLIPSIS}")
