"""XML as a stream of elements, safe against hostile files: no entities, no deep nesting, no huge texts.

The parser gets the file in pieces, so that a file of many puzzles is never held whole.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple
from xml.parsers import expat  # declared entities, which alone can blow up, are refused below

from sudoku_cp.errors import ParseError

DEEPEST = 32
"""How deep elements may be nested; puzzles need six."""
LONGEST_TEXT = 1 << 16
"""The longest text of an element, and the longest value of an attribute."""
LONGEST_LINE = 1 << 20
"""The longest line: thousands of games that someone has written without line breaks."""
_PIECE = 1 << 16
_LONGEST_TAG = 1 << 17
"""The longest tag: expat parses an unfinished tag again with each piece."""
_UNDECODED = re.compile("[\ud800-\udfff]")
_ESCAPES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "\n": "&#10;", "\t": "&#9;", "\r": "&#13;"})
_FORBIDDEN = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


class XmlEvent(NamedTuple):
    """An element that begins (``text`` None) or ends (its own text, without that of elements inside), and where it began."""

    name: str
    attributes: Mapping[str, str]
    text: str | None
    line: int


class _XmlParser:
    """Turns what expat reports into events."""

    def __init__(self, roots: Sequence[str]) -> None:
        self._roots = roots
        self.fed = 0
        self.events: list[XmlEvent] = []
        self._open: list[tuple[XmlEvent, list[str]]] = []
        self.parser = parser = expat.ParserCreate("UTF-8")
        parser.buffer_text = True
        parser.buffer_size = _PIECE
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._text
        parser.EntityDeclHandler = self._entity

    def waiting(self) -> int:
        """Return how many bytes of an unfinished tag the parser holds."""
        return self.fed - self.parser.CurrentByteIndex

    def _error(self, problem: str) -> ParseError:
        return ParseError(problem, line=self.parser.CurrentLineNumber, column=self.parser.CurrentColumnNumber + 1)

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        if not self._open and name not in self._roots:
            raise self._error(f"expected the element {' or '.join(map(repr, self._roots))}, got {name[:40]!r}")
        if len(self._open) >= DEEPEST:
            raise self._error(f"expected elements at most {DEEPEST} deep, got deeper ones")
        for key, value in attributes.items():
            if len(value) > LONGEST_TEXT:
                got = f"{len(value)} in {key[:40]!r}"
                raise self._error(f"expected attributes of at most {LONGEST_TEXT} characters, got {got}")
        event = XmlEvent(name, attributes, None, self.parser.CurrentLineNumber)
        self._open.append((event, []))
        self.events.append(event)

    def _end(self, _name: str) -> None:
        event, parts = self._open.pop()
        self.events.append(event._replace(text="".join(parts)))

    def _text(self, text: str) -> None:
        parts = self._open[-1][1]
        parts.append(text)
        if sum(map(len, parts)) > LONGEST_TEXT:
            raise self._error(f"expected texts of at most {LONGEST_TEXT} characters, got a longer one")

    def _entity(self, name: str, *_: object) -> None:
        raise self._error(f"expected XML without entities of its own, got the entity {name[:40]!r}")


def iter_events(lines: Iterator[str], roots: Sequence[str]) -> Iterator[XmlEvent]:
    """Yield every element that begins or ends, the outermost of which is one of ``roots``.

    Raises `ParseError` with the place where the text stops being such XML.
    """
    reader = _XmlParser(roots)
    for piece in _pieces(lines):
        if reader.waiting() > _LONGEST_TAG:
            line = reader.parser.CurrentLineNumber
            raise ParseError(f"expected tags of at most {_LONGEST_TAG} bytes, got a longer one", line=line)
        _feed(reader, piece)
        yield from reader.events
        reader.events.clear()
    _feed(reader, "", last=True)
    yield from reader.events


def _pieces(lines: Iterator[str]) -> Iterator[str]:
    """Yield the text in pieces of a good size for the parser; the lines before a bad line are a piece."""
    buffered: list[str] = []
    size = 0
    try:
        for number, line in enumerate(lines, 1):
            _check_line(line, number)
            buffered.append(f"{line}\n")
            size += len(line) + 1
            if size >= _PIECE:
                whole = "".join(buffered)
                buffered, size = [], 0
                yield from (whole[start : start + _PIECE] for start in range(0, len(whole), _PIECE))
    except ParseError:
        yield "".join(buffered)
        raise
    yield "".join(buffered)


def _check_line(line: str, number: int) -> None:
    if len(line) > LONGEST_LINE:
        raise ParseError(f"expected lines of at most {LONGEST_LINE} characters in XML, got {len(line)}", line=number)
    broken = None if line.isascii() else _UNDECODED.search(line)
    if broken:
        raise ParseError(f"expected UTF-8 text, got {broken.group()!r}", line=number, column=broken.start() + 1)


def _feed(reader: _XmlParser, text: str, *, last: bool = False) -> None:
    data = text.encode()
    reader.fed += len(data)
    try:
        reader.parser.Parse(data, last)
    except expat.ExpatError as error:
        problem = expat.ErrorString(error.code)
        raise ParseError(f"expected XML, got an error in it: {problem}", line=error.lineno, column=error.offset + 1) from error


def escape_attribute(text: str) -> str:
    """Return a text as it stands between the quotes of an attribute; what XML cannot hold becomes a question mark."""
    escaped = _FORBIDDEN.sub("?", text).translate(_ESCAPES)
    # References say every sign in ASCII, so that no encoding of a stream can lose one.
    return escaped.encode("ascii", "xmlcharrefreplace").decode()
