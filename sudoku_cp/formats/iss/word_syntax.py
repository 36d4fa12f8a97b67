"""The constraint string of the Interactive Sudoku Solver as a tree of words: ``.Name~argument~argument``, ``.Or ... .End``."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from urllib.parse import unquote

from sudoku_cp.errors import ParseError

COMPOSITES = frozenset({"Or", "And", "Replicate"})
"""The words that contain others, up to ``.End``."""
DEEPEST = 8
"""How deep such words may be nested."""
LONGEST_STRING = 1 << 20
"""The longest string: automata of thousands of states take a hundred thousand letters."""
GIVEN = "Given"
"""The name of the empty word."""

_LINK = re.compile(r"[?&#]q=([^&#\s]*)")
_WORD = re.compile(r"[^.]+")
_SPACE = re.compile(r"\s+")


@dataclass(frozen=True)
class Word:
    """A word of a string with its arguments, and the words inside it; columns count from 1."""

    name: str
    arguments: tuple[str, ...]
    column: int
    inside: tuple[Word, ...] = ()


def find_string(line: str) -> tuple[str, int]:
    """Return the constraint string of a line, which may be a link to it, and the column it begins in."""
    link = _LINK.search(line)
    if link:
        return unquote(link[1]), link.start(1) + 1
    text = line.strip()
    return text, line.index(text) + 1 if text else 1


def parse_words(text: str, column: int = 1) -> tuple[Word, ...]:
    """Return the words of a constraint string that begins in ``column``, or raise `ParseError`."""
    if text[:1] != ".":
        raise ParseError(f"expected a constraint string that begins with '.', got {text[:20]!r}", column=column)
    open_words: list[tuple[Word, list[Word]]] = [(Word("", (), column), [])]
    for found in _parts(text):
        name, *arguments = _SPACE.sub("", found.group()).split("~")
        word = Word(name or GIVEN, tuple(arguments), column + found.start())
        if name == "End":
            if len(open_words) == 1:
                expected = f"an Or, And or Replicate before '.End' at column {word.column}"
                raise ParseError(f"expected {expected}, got none that is open", column=word.column)
            closed, inside = open_words.pop()
            open_words[-1][1].append(Word(closed.name, closed.arguments, closed.column, tuple(inside)))
        elif name in COMPOSITES:
            if len(open_words) > DEEPEST:
                raise ParseError(f"expected at most {DEEPEST} words inside each other, got more", column=word.column)
            open_words.append((word, []))
        else:
            open_words[-1][1].append(word)
    if len(open_words) > 1:
        last = open_words[-1][0]
        raise ParseError(f"expected '.End' after {last.name!r} at column {last.column}, got the end", column=last.column)
    return tuple(open_words[0][1])


def _parts(text: str) -> Iterator[re.Match[str]]:
    """Yield the text after each dot; a dot without text, as at the end of many strings, is ignored."""
    return _WORD.finditer(text)


def word_text(name: str, *arguments: object) -> str:
    """Return a word of a string."""
    return ".".join(["", "~".join(["" if name == GIVEN else name, *map(str, arguments)])])


def composite_text(name: str, inside: Iterable[str], *arguments: object) -> str:
    """Return a word that contains others."""
    return "".join([word_text(name, *arguments), *inside, ".End"])
