"""SudokuPad's two short forms: JSON with most punctuation left out, and plain 9x9 givens in a word.

In the short JSON, the commonest names are one or two letters, names have no quotes, texts have single ones, true and false
are ``t`` and ``f``, colours have neither quotes nor ``#``, and empty objects are left out.
"""

from __future__ import annotations

import json
import re
from types import MappingProxyType
from typing import Any

from sudoku_cp.errors import ParseError

_NAMES = MappingProxyType(
    {
        "c": "color",
        "ca": "cages",
        "ct": "center",
        "c1": "borderColor",
        "c2": "backgroundColor",
        "ce": "cells",
        "cs": "cellSize",
        "a": "arrows",
        "o": "overlays",
        "u": "underlays",
        "w": "width",
        "h": "height",
        "v": "value",
        "vd": "videos",
        "l": "lines",
        "r": "rounded",
        "re": "regions",
        "fs": "fontSize",
        "th": "thickness",
        "hl": "headLength",
        "wp": "wayPoints",
        "t": "title",
        "te": "text",
        "d": "duration",
    }
)
_TOKEN = re.compile(
    r"""\s*(?:(?P<mark>[][{},:])|'(?P<text>(?:[^'\\]|\\.)*)'|"(?P<usual>(?:[^"\\]|\\.)*)"|(?P<bare>[^][{},:'"\s]+))"""
)
_LONGEST = 1 << 19
_COLOUR = re.compile(r"[0-9a-fA-F]{6}")
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")
_WORDS = MappingProxyType({"t": "true", "f": "false", "true": "true", "false": "false", "null": "null"})
_COLOURS = MappingProxyType({"#0": '"#000000"', "#F": '"#FFFFFF"'})


def short_to_json(text: str) -> str:
    """Return the JSON of the short form, or raise `ParseError` with the column of the first error."""
    if len(text) > _LONGEST:
        raise ParseError(f"expected a short JSON of at most {_LONGEST} signs, got {len(text)}")
    out: list[str] = []
    last, at = "", 0
    end = len(text.rstrip())
    while at < end:
        found = _TOKEN.match(text, at)
        if not found:
            raise ParseError(f"expected the short JSON of SudokuPad, got {text[at : at + 20]!r} in it", column=at + 1)
        at = found.end()
        if mark := found["mark"]:
            if last in {"{", "[", ","} and mark in {",", "]", "}"} and not (last == "{" and mark == "}"):
                out.append("{}")
            out.append(mark)
            last = mark
            continue
        named = text[at : at + 1] == ":" and last in {"{", ","}
        out.append(_value_to_json(found, named=named, behind=last))
        last = "value"
    return "".join(out)


def _value_to_json(found: re.Match[str], *, named: bool, behind: str) -> str:
    """Return a name or a value as JSON writes it."""
    inside = found["text"] if found["text"] is not None else found["usual"]
    if inside is not None:
        inside = re.sub(r"\\'", "'", inside)
        return json.dumps(_NAMES.get(inside, inside)) if named else f'"{_escape_quotes(inside)}"'
    bare = found["bare"]
    if named:
        return json.dumps(_NAMES.get(bare, bare))
    if behind == ":" and _COLOUR.fullmatch(bare):
        return f'"#{bare}"'
    if bare in _COLOURS:
        return _COLOURS[bare]
    if bare in _WORDS:
        return _WORDS[bare]
    return bare if _NUMBER.fullmatch(bare) else json.dumps(bare)


def _escape_quotes(inside: str) -> str:
    """Return the inside of a text with its double quotes escaped, unless they already are."""
    return re.sub(r'\\.|"', lambda found: '\\"' if found[0] == '"' else found[0], inside, flags=re.DOTALL)


_DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwx"
_CELLS = 81
_SIDE = 9
RULES_OF_WORD = MappingProxyType({"w": "windoku", "x": "diagonals"})
"""The meaning of the letters after the cells of a word."""


def document_from_word(word: str) -> dict[str, Any]:
    """Return the document of a word in which each character is a digit (0: blank) with up to five blanks after it."""
    word = word.removesuffix(".scf")
    digits: list[int] = []
    at = 0
    while at < len(word) and len(digits) < _CELLS:
        number = _DIGITS.find(word[at])
        if number < 0:
            raise ParseError(f"expected digits and letters up to x, got {word[at]!r}", column=at + 1)
        digits += [number % 10, *[0] * (number // 10)]
        at += 1
    if len(digits) != _CELLS:
        raise ParseError(f"expected {_CELLS} cells, got {len(digits)}")
    strange = sorted(set(word[at:]) - RULES_OF_WORD.keys())
    if strange:
        raise ParseError(f"expected only w (windoku) or x (diagonals) after the cells, got {strange[0]!r}")
    cells = [[{"value": digit} if digit else {} for digit in digits[at : at + _SIDE]] for at in range(0, _CELLS, _SIDE)]
    boxes = [[[3 * (box // 3) + k // 3, 3 * (box % 3) + k % 3] for k in range(_SIDE)] for box in range(_SIDE)]
    return {"cells": cells, "regions": boxes, "rules of the word": [RULES_OF_WORD[sign] for sign in sorted(set(word[at:]))]}
