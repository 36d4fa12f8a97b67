"""Rules that a puzzle's source names: in a column or a field called ``variant``, ``rules`` or ``type``.

A name that says all about a rule adds it to the puzzle, with a remark. One that needs clues which are not there is an error,
and so is an unknown variant; only types may have any name, and an unknown one is named in a remark.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING

from sudoku_cp.errors import InvalidInput, ParseError
from sudoku_cp.name_table import fold_name
from sudoku_cp.rules.base import RULES, kind_names, needed_fields, rule_from_json

if TYPE_CHECKING:
    from sudoku_cp.puzzle import Puzzle

_PARTS = re.compile(r"[,;+&/|\[\]'\"]|\band\b")
_WORD = re.compile(r"[A-Za-z][A-Za-z-]+")
_SIZE = re.compile(r"[0-9.%\s]+|[0-9]+\s*[xX*]\s*[0-9]+")
_CLASSIC = (
    "classic classical standard normal regular plain vanilla basic sudoku none no default ordinary traditional false null nan na "
    "beginner simple gentle easy easiest medium intermediate moderate hard harder hardest difficult tough tricky expert advanced "
    "extreme evil fiendish diabolical insane master very minimal symmetric symmetrical rule rules apply applies only the"
)
_PLAIN = frozenset(_CLASSIC.split())
"""Words for a sudoku without further rules, and for its difficulty."""
_ORDINARY = frozenset(
    [
        *("between", "chess", "clone", "comparison", "difference", "fortress", "houses", "indexing", "inequality", "knight"),
        *(
            "lockout",
            "lunchbox",
            "maximum",
            "minimum",
            "modular",
            "negative",
            "ratio",
            "regex",
            "repeated",
            "replicate",
            "towers",
        ),
        *("whisper", "whispers", "windows"),
    ]
)
"""Names of rules that are ordinary words in a sentence."""
_YES = frozenset({"yes", "y", "true", "t", "1", "1.0", "x", "on"})
_NO = frozenset({"", "no", "n", "false", "f", "0", "0.0", "off", "none", "null", "nan", "na", "-"})
"""What a cell says of the rule that its column is named after."""
_SHORTEST_NAME = 5
_MOST_WORDS = 4
"""Words of a text that is names, where one of these is unknown."""
_ALIASES = {"x": "diagonals"}
_IN_THE_GRID = frozenset({"jigsaw", "irregular", "nonomino", "samurai", "kropki", "evenodd"})
"""Variants that are no single rule: regions, several boards, clues of several kinds."""


def add_stated_rules(puzzle: Puzzle, where: str, stated: str, warnings: list[str], *, is_type: bool) -> Puzzle:
    """Return the puzzle with the rules named in ``stated`` added; ``where`` names the column or the field.

    Raises `ParseError` for a rule that needs more than its name, and for a name that is none, unless it is just a type.
    """
    names = names_in(stated)
    known = {rule.kind for rule in puzzle.rules} if names else set()
    kinds: list[str] = []
    for name in names:
        kind = kind_of(name)
        if kind in known or (kind is None and fold_name(name) in _IN_THE_GRID and not puzzle.grid.is_plain):
            continue
        if kind is not None and not needed_fields(kind):
            kinds.append(kind)
        elif kind is not None or fold_name(name) in _IN_THE_GRID:
            needed = ", ".join(needed_fields(kind)) if kind else "regions, boards or clues"
            raise ParseError(f"expected a puzzle with all its rules, got {name!r} in {where}, whose {needed} are missing")
        elif _is_prose(stated):
            warnings.append(f"not read: the rules in words in {where}: {stated[:60]!r}")
        elif is_type:
            warnings.append(f"not read: {name!r} in {where}, which is the name of no rule")
        else:
            near = ", ".join(kind_names().nearest(name))
            nearest = f" (the nearest: {near})" if near else ""
            raise ParseError(f"expected the name of a rule in {where}, got {name[:60]!r}{nearest}: 'sudoku-cp rules' lists them")
    if not kinds:
        return puzzle
    try:
        found = replace(puzzle, rules=(*puzzle.rules, *(rule_from_json(kind, puzzle.grid) for kind in dict.fromkeys(kinds))))
    except InvalidInput as error:
        raise ParseError([f"{where}: {problem}" for problem in error.problems]) from error
    warnings.append(f"added the rule{'s' * (len(kinds) > 1)} {', '.join(dict.fromkeys(kinds))}, stated in {where}")
    return found


@lru_cache(maxsize=256)
def names_in(stated: str) -> tuple[str, ...]:
    """Return the names in a text, without words for plain sudokus and their difficulty."""
    return tuple(name for part in _PARTS.split(stated) if (name := part.strip()) and not _is_plain(name))


def named_rule(words: str) -> str:
    """Return the first of some words that are the name of a rule or variant, an empty text if none are."""
    found = _WORD.findall(words)
    pairs = [" ".join(pair) for pair in pairwise(found)]
    names = (name for name in (*pairs, *found) if len(name) >= _SHORTEST_NAME and name.lower() not in _ORDINARY)
    return next((name for name in names if name.lower() in _IN_THE_GRID or kind_of(name)), "")


def unread_rule_warnings(words: str) -> list[str]:
    """Return the warning about a rule that is named in words next to plain cells, if there is one."""
    name = named_rule(words)
    return [f"not read: {name!r}, which may be the name of a rule of the puzzle"] if name else []


def flag_kind(name: str) -> str:
    """Return the kind of rule that the name of a column means, whose cells are yes or no; empty for other names."""
    words = name.replace("_", " ").strip()
    return kind_of(words) or "" if len(words) >= _SHORTEST_NAME and words.lower() not in _ORDINARY else ""


def add_flagged_rule(puzzle: Puzzle, where: str, name: str, value: str, warnings: list[str]) -> Puzzle:
    """Return the puzzle with the rule that the column ``where`` is named after, if its cell says yes; warn about other cells."""
    if value.lower() in _NO:
        return puzzle
    if value.lower() in _YES and not needed_fields(flag_kind(name)):
        return add_stated_rules(puzzle, where, name.replace("_", " "), warnings, is_type=True)
    warnings.append(f"not read: {value[:60]!r} in {where}, which may be a rule of the puzzle")
    return puzzle


def split_names(stated: str) -> Iterator[str]:
    """Yield the names between commas."""
    return (name for part in stated.split(",") if (name := part.strip()))


def are_kinds(stated: str) -> bool:
    """Return whether a text is nothing but kinds of rules between commas."""
    return all(name in RULES or kind_names().find(name) for name in split_names(stated))


def _is_prose(stated: str) -> bool:
    """Return whether a text is sentences rather than names."""
    return len(stated.split()) > _MOST_WORDS


def _is_plain(name: str) -> bool:
    """Return whether a name says nothing but size and difficulty."""
    return all(word in _PLAIN or _SIZE.fullmatch(word) for word in re.split(r"[\s_.!-]+", name.lower()) if word)


@lru_cache(maxsize=256)
def kind_of(name: str) -> str | None:
    """Return the kind of rule that a name means."""
    word = name.lower()
    return word if word in RULES else _ALIASES.get(fold_name(word)) or kind_names().find(word)
