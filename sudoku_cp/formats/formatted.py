"""Format puzzles one by one, and report the outcome of each.

A puzzle is refused if the format cannot express something that matters for its solutions (grid, rules, givens). What the format
just has no place for (titles and the like) is left out and reported.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from sudoku_cp.errors import InvalidInput, Unsupported
from sudoku_cp.formats.base import limit_problems
from sudoku_cp.formats.encoder import texts_left_out

if TYPE_CHECKING:
    from sudoku_cp.formats.base import Format
    from sudoku_cp.formats.encoder import Encoder
    from sudoku_cp.puzzle import Puzzle


_SHOWN = 5
"""How many puzzles are named for each text that was left out."""


@dataclass(frozen=True)
class FormattedPuzzle:
    """The text of one puzzle, or the error in its place; ``left_out`` names what the format has no place for.

    ``index`` counts the puzzles from 0; it is None for the end of the file.
    """

    index: int | None
    text: str
    error: InvalidInput | None = None
    left_out: tuple[str, ...] = ()


class LeftOutTexts:
    """Counts what was left out of the puzzles of a file, and remembers the first puzzles."""

    def __init__(self) -> None:
        """Begin with nothing."""
        self._counts: Counter[str] = Counter()
        self._first: dict[str, list[str]] = {}

    def __bool__(self) -> bool:
        """Return whether anything was left out."""
        return bool(self._counts)

    def add(self, index: int | None, texts: Iterable[str]) -> None:
        """Remember what was left out of a puzzle."""
        for text in texts:
            self._counts[text] += 1
            if len(numbers := self._first.setdefault(text, [])) < _SHOWN:
                numbers.append(str(index))

    def describe(self, name: str) -> str:
        """Return a sentence: ``left out, because the format 'sdm' has no place for it: the title (puzzles 0 and 2)``."""
        words = []
        for text, numbers in self._first.items():
            more = self._counts[text] - len(numbers)
            listed = ", ".join(numbers) + f" and {more:,} more" * bool(more)
            words.append(f"the {text} (puzzle{'s' * (self._counts[text] > 1)} {listed})")
        return f"left out, as the format {name!r} has no place for it: {', '.join(words)}"


def iter_formatted(puzzles: Iterable[Puzzle], found: Format, *, strict: bool = False) -> Iterator[FormattedPuzzle]:
    """Yield each puzzle formatted; the first text includes the opening of the file, and the closing follows the last.

    A refused puzzle does not end the file. With ``strict``, a puzzle is also refused if anything would be left out.
    """
    if found.write is None:
        raise Unsupported(f"expected a format that can be written, got {found.name!r}, which is only read")
    encoder = found.write()
    opening: str | None = encoder.opening
    refused = False
    for index, puzzle in enumerate(puzzles):
        one = _format_one(index, puzzle, encoder, found, strict=strict)
        refused |= one.error is not None
        if one.error is None and opening is not None:
            one, opening = replace(one, text=opening + one.text), None
        yield one
    if opening is None or not refused:
        yield FormattedPuzzle(None, (opening or "") + encoder.closing())


def _format_one(index: int, puzzle: Puzzle, encoder: Encoder, found: Format, *, strict: bool) -> FormattedPuzzle:
    lost = tuple(texts_left_out(puzzle, found.keeps))
    try:
        if lost and strict:
            raise Unsupported(f"expected a format with a place for its {', '.join(lost)}, got {found.name!r}")
        return FormattedPuzzle(index, encoder.encode(puzzle), None, lost)
    except InvalidInput as error:
        return FormattedPuzzle(index, "", Unsupported(limit_problems(error.problems)))
