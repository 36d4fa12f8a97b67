"""LZ-string (pieroxy/lz-string, version 1.4): compressed text in base64, as f-puzzles and SudokuPad put puzzles into links.

An LZ78 scheme. The bits are codes, each written from its lowest bit: 0 (a new character of 8 bits follows), 1 (one of 16 bits),
2 (the end) or the number of a phrase. Each code but the first also defines a phrase: the previous phrase and one more character.
A code has as many bits as the number of phrases so far. Characters are UTF-16 code units, so a rare character takes two.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from itertools import islice

from sudoku_cp.errors import ParseError

LONGEST = 1 << 21
"""The longest decompressed text: no puzzle needs more, and a few thousand bytes can expand to millions of characters."""

_BITS = 6
_WORD = 4
_SIGNS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
_VALUE = {sign: format(number, f"0{_BITS}b") for number, sign in enumerate(_SIGNS)}
_VALUE["-"] = _VALUE["/"]  # as compressToEncodedURIComponent writes it; there "$" fills up, not "="
_END = 2
_FIRST = 3
"""The number of the first phrase."""
_NARROW = 256


class _PackedBits:
    """Bits read in order; a number is written from its lowest bit."""

    def __init__(self, packed: str) -> None:
        found = packed.rstrip("=$")
        strange = next((sign for sign in found if sign not in _VALUE), None)
        if strange is not None:
            raise ParseError(f"expected base64 (letters, digits, + and /), got {strange!r}", column=found.index(strange) + 1)
        self._bits = "".join(map(_VALUE.__getitem__, found))
        self._at = 0

    def number(self, width: int) -> int:
        bits = self._bits[self._at : self._at + width]
        if len(bits) < width:
            raise ParseError("expected a whole packed text, got one that breaks off")
        self._at += width
        return int(bits[::-1], 2)


def _decode_phrases(packed: str) -> Iterator[str]:
    """Yield the phrases of a compressed text in order."""
    bits = _PackedBits(packed)
    phrases = [""] * _FIRST
    before = ""
    while (code := bits.number(len(phrases).bit_length())) != _END:
        if code < _END:
            phrases.append(chr(bits.number(16 if code else 8)))
            code = len(phrases) - 1
        if code > len(phrases) or (code == len(phrases) and not before):
            raise ParseError(f"expected a phrase that is known (up to {len(phrases)}), got number {code} in a damaged text")
        phrase = phrases[code] if code < len(phrases) else before + before[0]
        yield phrase
        if before:
            phrases.append(before + phrase[0])
        before = phrase


def decompress(packed: str, longest: int = LONGEST) -> str:
    """Decompress a text in base64 of either alphabet; raise `ParseError` if it is damaged or too long."""
    parts, size = [], 0
    for phrase in _decode_phrases(packed):
        parts.append(phrase)
        size += len(phrase)
        if size > longest:
            raise ParseError(f"expected a packed text of at most {longest} signs, got a longer one")
    return _from_utf16_units("".join(parts))


def decompress_beginning(packed: str, phrases: int = 4000) -> str:
    """Return the part of a compressed text, from its beginning, that can be decompressed."""
    parts: list[str] = []
    with suppress(ParseError):
        parts.extend(islice(_decode_phrases(packed), phrases))
    return _from_utf16_units("".join(parts))


def _from_utf16_units(units: str) -> str:
    """Return the text of these UTF-16 code units; a lone half of a pair stays what it is."""
    return units if units.isascii() else units.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")


# --- packing ----------------------------------------------------------------------------------------------------


def compress(text: str) -> str:
    """Compress a text to base64, with the same result as lz-string's compressToBase64."""
    bits = "".join(_encode_bits(_to_utf16_units(text)))
    # As lz-string does, there is always a bit after the end.
    bits += "0" * (_BITS - len(bits) % _BITS)
    packed = "".join(_SIGNS[int(bits[at : at + _BITS], 2)] for at in range(0, len(bits), _BITS))
    return packed + "=" * (-len(packed) % _WORD)


def _to_utf16_units(text: str) -> str:
    """Return the UTF-16 code units of a text, each as a character."""
    if text.isascii():
        return text
    data = text.encode("utf-16-le", "surrogatepass")
    return "".join(chr(data[at] | data[at + 1] << 8) for at in range(0, len(data), 2))


def _bits_of_number(number: int, width: int) -> str:
    return format(number, f"0{width}b")[::-1]


def _encode_bits(units: str) -> Iterator[str]:
    """Yield the bits of each code."""
    phrases: dict[str, int] = {}
    new: set[str] = set()
    defined, before = _FIRST - 1, ""

    def code(phrase: str) -> Iterator[str]:
        nonlocal defined
        if phrase in new:
            new.discard(phrase)
            wide = ord(phrase) >= _NARROW
            yield _bits_of_number(int(wide), defined.bit_length()) + _bits_of_number(ord(phrase), 16 if wide else 8)
            defined += 1
        else:
            yield _bits_of_number(phrases[phrase], defined.bit_length())
        defined += 1

    for unit in units:
        if unit not in phrases:
            phrases[unit] = len(phrases) + _FIRST
            new.add(unit)
        if before + unit in phrases:
            before += unit
            continue
        yield from code(before)
        phrases[before + unit] = len(phrases) + _FIRST
        before = unit
    if before:
        yield from code(before)
    yield _bits_of_number(_END, defined.bit_length())
