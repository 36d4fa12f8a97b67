"""Which alphabet a text uses: one for each board size, the same from the first line to the last.

If a reader would guess another alphabet (a few letters A to G and no digit, for example), a writer puts a comment before the
puzzle that our readers understand: ``# signs: 123456789ABCDEFG``. It holds for all boards with that many values.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from math import isqrt
from typing import TYPE_CHECKING, TypeAlias

from sudoku_cp.errors import InvalidInput, OptionProblem, ParseError, Unsupported
from sudoku_cp.puzzle import detect_symbols
from sudoku_cp.symbols import BLANKS, DIGITS, Symbols, alphabet, hexadecimal, letters, numerals

if TYPE_CHECKING:
    from sudoku_cp.formats.base import Options
    from sudoku_cp.puzzle import Puzzle

KnownAlphabets: TypeAlias = dict[int, Symbols]
"""The known alphabets, by the number of values."""

_COMMENT = "# signs: "
_DIGITS = 9
_RESERVED = frozenset(".#|:+-=,;\"'│║┃┆┊╎·")


def announced_signs(line: str) -> str | None:
    """Return the alphabet that a comment announces, None for any other line."""
    return line.removeprefix(_COMMENT).strip() if line.startswith(_COMMENT) else None


def learn_alphabet(known: KnownAlphabets, signs: str, options: Options) -> None:
    """Remember an announced alphabet; what cannot be one was just a comment."""
    if options.alphabet is None:
        try:
            known[len(signs)] = Symbols(signs, options.grid.values.start if options.grid else 1)
        except InvalidInput:
            return


def symbols_for(known: KnownAlphabets, values: range, signs: Iterable[str], options: Options) -> Symbols:
    """Return the alphabet for boards of these values: as the options say, as known, or detected from ``signs`` and then known."""
    if options.alphabet is not None:
        return alphabet(options.alphabet, values)
    found = known.get(len(values))
    if found is None:
        if may_have_value_0(used := {*signs}, values):
            refuse_two_blanks(used, values[-1], None)
        found = known[len(values)] = detect_symbols(used, values)
    return found


def may_have_value_0(signs: Iterable[str], values: range) -> bool:
    """Return whether 0 may be one of these values, up to 9, as `refuse_two_blanks` does."""
    small = values.start == 1 and values.stop <= len(DIGITS)
    return small and _other_blank({*signs}, values[-1], is_blank) is not None


def is_blank(text: str) -> bool:
    """Return whether a token is nothing but the same blank, once or more often, or nothing at all."""
    return not text or (len({*text}) == 1 and text[0] in BLANKS)


def refuse_two_blanks(texts: Iterable[str], last: int, line: int | None, is_empty: Callable[[str], bool] = is_blank) -> None:
    """Refuse cells of which 0 may be one, because something else stands for empty cells and the last value is missing."""
    other = _other_blank({text.strip() for text in texts}, last, is_empty)
    if other is not None:
        shown = "none (or '.')" if other in {"", "."} else repr(other)
        words = f"expected one mark for empty cells, got 0 and {shown}"
        readings = f"either 0 is empty too, or the values are 0 to {last - 1}: write 1 to {last}, and 0 for empty cells alone"
        raise ParseError(f"{words}: {readings}", line=line)


def _other_blank(used: set[str], last: int, is_empty: Callable[[str], bool]) -> str | None:
    """Return the mark of empty cells other than 0 where 0 may be a value, None if it cannot."""
    if "0" not in used or str(last) in used or not all(one.isdecimal() or is_empty(one) for one in used):
        return None
    return min((one for one in used if one != "0" and is_empty(one)), default=None)


def can_be_board(text: str, values: range) -> bool:
    """Return whether a text can be the cells of a board of these values in one of the usual alphabets."""
    used = {*text} - {*BLANKS}
    blanks = {*text} & {*BLANKS}
    own = any(used <= {*signs, *signs.lower()} for signs in (make(values).signs for make in (numerals, letters, hexadecimal)))
    return own and (" " not in blanks or len(blanks) == 1)


def wrong_size_error(text: str, usual: int | None, known: KnownAlphabets) -> ParseError | None:
    """Return the error for a board of the file's usual size with missing or extra cells, None if the text is not one.

    A 9x9 board cut down to 64 characters is as long as an 8x8 board, in which every 9 would be wrong.
    """
    symbols = known.get(isqrt(usual)) if usual and usual != len(text) else None
    if symbols is None or not set(text) <= {*symbols.signs, *symbols.signs.swapcase(), *BLANKS}:
        return None
    return ParseError(f"expected {usual} cells, got {len(text)}")


def own_letters_error(signs: Iterable[str], values: range, options: Options) -> ParseError | None:
    """Return the error for a board in letters of its own without its alphabet (a wordoku), None for any other."""
    written = {*signs} - {*BLANKS}
    letters = "".join(sorted({sign.upper() for sign in written}))
    if options.alphabet is not None or not written or not letters.isalpha() or not 1 < len(letters) <= len(values):
        return None
    missing = len(values) - len(letters)
    others = "one that is" if missing == 1 else f"{missing} that are"
    more = f", with the {others} not written in place of {'?' * missing}" * (missing > 0)
    name = f"`alphabet` {letters}" + "?" * missing
    words = f"expected the signs of the values, got only the letters {letters}: state them with {name}{more}"
    return ParseError(OptionProblem(words))


def announce_signs(name: str, puzzle: Puzzle, used: Iterable[str], known: KnownAlphabets) -> str:
    """Return the comment needed before a puzzle written with the symbols ``used``, empty if a reader would guess right."""
    values, own = puzzle.grid.values, own_signs(name, puzzle)
    usual = known.get(len(values)) or _guess_alphabet(set(used), values)
    known[len(values)] = Symbols(own, values.start)
    return "" if usual and _writes_as(usual, own, values) else f"{_COMMENT}{own}\n"


def _guess_alphabet(used: set[str], values: range) -> Symbols | None:
    """Return the alphabet a reader would guess whatever puzzles follow, None if it depends on those."""
    telling = used - set(BLANKS) or len(values) <= _DIGITS
    return detect_symbols(used, values) if telling else None


def unusual_signs(name: str, puzzle: Puzzle, used: Iterable[str]) -> str:
    """Return the puzzle's symbols, empty if they are the numerals and would be recognised as such."""
    values, own = puzzle.grid.values, own_signs(name, puzzle)
    return "" if _writes_as(numerals(values), own, values) and _writes_as(detect_symbols(used, values), own, values) else own


def own_signs(name: str, puzzle: Puzzle) -> str:
    """Return the symbol of each value, or refuse symbols that plain texts use for something else."""
    own = "".join(map(puzzle.symbols.sign, puzzle.grid.values))
    if set(own) & _RESERVED:
        raise Unsupported(f"expected signs other than blanks, borders and '#' for the format {name!r}, got {own!r}")
    return own


def _writes_as(symbols: Symbols, own: str, values: range) -> bool:
    return symbols.covers(values) and "".join(map(symbols.sign, values)) == own
