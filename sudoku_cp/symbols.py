"""How values are written: digits, letters, 0-based hexadecimal, or a custom alphabet."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache
from types import MappingProxyType
from typing import TYPE_CHECKING, ClassVar

from sudoku_cp.arguments import CheckedFields, checked
from sudoku_cp.errors import InvalidInput, UnknownName

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

BLANKS = "0.Xx*_?- "
"""Signs that stand for an empty cell, unless the alphabet in use has them for a value (Sudopedia's list)."""

NULLS = frozenset(
    {"none", "null", "nil", "nan", "na", "<na>", "nothing", "undefined", "_", "np.nan", "numpy.nan", "float.nan", "math.nan"}
)
"""What programs write for no value."""
DIGITS = "0123456789"
UPPERCASE = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
LOWERCASE = UPPERCASE.lower()
"""These are in the module ``string`` too, but that compiles a regular expression: 1 ms of a cold call."""

PLAIN_SIGNS = frozenset(DIGITS + BLANKS)
"""Digits, and marks for empty cells."""
_WIDE_FIRST, _WIDE_LAST, _WIDE_SPACE = 0xFF01, 0xFF5E, 0x3000
"""Code points of the full-width forms of ASCII, and of the space as wide as they are."""


def is_mostly_plain(text: Iterable[str]) -> bool:
    """Return whether at least half of a text consists of digits and marks for empty cells, unlike the words of a language."""
    plain = [sign in PLAIN_SIGNS for sign in text]
    return 2 * sum(plain) >= len(plain)


_PICTURED = {"l": "1", "I": "1", "O": "0", "o": "0", "S": "5", "B": "8", "Z": "2"}


def pictured_digit(sign: str) -> str:
    """Return what a sign that is no value may be if it was read from a picture, in words behind it; empty for other signs."""
    return f" (which pictures often give for {_PICTURED[sign]})" if sign in _PICTURED else ""


class _AsciiForms(dict[int, str]):
    """The ASCII form of decimal digits of any script, and of full-width signs; other signs are their own."""

    def __missing__(self, code: int) -> str:
        sign = chr(code)
        wide = chr(code - _WIDE_FIRST + ord("!")) if _WIDE_FIRST <= code <= _WIDE_LAST else sign
        return " " if code == _WIDE_SPACE else str(int(sign)) if sign.isdecimal() else wide


_ASCII_FORMS = _AsciiForms()


def ascii_forms(text: str) -> str:
    """Return a text with decimal digits of any script as 0 to 9, and full-width signs as ASCII."""
    return text if text.isascii() else text.translate(_ASCII_FORMS)


_NUMERALS = DIGITS + UPPERCASE + LOWERCASE


@dataclass(frozen=True)
class Symbols(CheckedFields):
    """An alphabet: the value ``first`` is written ``signs[0]``, the next ``signs[1]``, and so on."""

    such_as: ClassVar[str] = "Symbols('ABCD')"
    signs: str
    first: int = 1

    def __post_init__(self) -> None:
        """Refuse an alphabet that could not be read back."""
        super().__post_init__()
        repeated = sorted({sign for sign in self.signs if self.signs.count(sign) > 1})
        problems = [f"expected different signs, got {sign!r} more than once" for sign in repeated]
        problems += [f"expected visible signs, got {sign!r}" for sign in self.signs if not sign.isprintable() or sign == " "]
        if "." in self.signs:
            problems.append("expected signs for values, got '.', which is written for an empty cell")
        if not self.signs:
            problems.append("expected at least one sign, got none")
        if problems:
            raise InvalidInput(problems)

    @cached_property
    def _value_of(self) -> Mapping[str, int]:
        exact = {sign: value for value, sign in enumerate(self.signs, self.first)}
        # A letter may be read in the other case, unless the alphabet uses both.
        folded = {sign.swapcase(): value for sign, value in exact.items() if len(sign.swapcase()) == 1}
        return folded | exact

    @cached_property
    def _sign_of(self) -> Mapping[int, str]:
        return dict(enumerate(self.signs, self.first))

    def sign(self, value: int) -> str:
        """Return how ``value`` is written."""
        # Not `checked`, which would take longer than the method itself: it is called for every cell.
        try:
            return self._sign_of[value]
        except (KeyError, TypeError):
            last = self.first + len(self.signs) - 1
            raise InvalidInput(f"sign, value: expected a value from {self.first} to {last}, got {value!r:.80}") from None

    def parse(self, sign: str) -> int | None:
        """Return the value written ``sign``, None where the alphabet has no such sign."""
        return self._value_of.get(sign)

    @checked
    def covers(self, values: range) -> bool:
        """Return whether every one of ``values`` has a sign."""
        return self.first <= values.start and values.stop <= self.first + len(self.signs)


@lru_cache(maxsize=256)
def numerals(values: range) -> Symbols:
    """Return the alphabet in which each value is its own numeral: 1-9, then A for 10 and so on (0 if 0 is a value)."""
    return Symbols(_NUMERALS[values.start : values.stop], values.start)


def letters(values: range) -> Symbols:
    """Return the alphabet with A for the first value, B for the second, and so on."""
    return Symbols((UPPERCASE + LOWERCASE + DIGITS)[: len(values)], values.start)


def hexadecimal(values: range) -> Symbols:
    """Return the alphabet with 0 for the first value, 1 for the second, A for the eleventh, and so on."""
    return Symbols(_NUMERALS[: len(values)], values.start)


ALPHABETS: Mapping[str, Callable[[range], Symbols]] = MappingProxyType(
    {"digits": numerals, "letters": letters, "hex": hexadecimal}
)
"""The named alphabets."""


@lru_cache(maxsize=256)
def alphabet(name: str, values: range) -> Symbols:
    """Return the alphabet for ``values`` that is called ``name``, or else consists of the signs in ``name``."""
    if name in ALPHABETS:
        return ALPHABETS[name](values)
    if len(name) != len(values):
        raise UnknownName(f"name of an alphabet or {len(values)} signs of your own", name, ALPHABETS)
    return Symbols(name, values.start)
