"""Text between brackets as trees, whatever language wrote it: Python, NumPy, JSON, C, MATLAB, MiniZinc, ...

`parse_brackets` takes lines and yields a tree for each outermost pair of brackets, and the lines of words between them. All
brackets are alike: ``[]``, ``()``, ``{}`` and MiniZinc's ``[| |]``. Commas and spaces separate scalars; ``;`` and ``|`` inside
brackets separate rows. A word before ``=`` or ``:`` is the label of what follows.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from html import unescape
from typing import NamedTuple, TypeAlias

from sudoku_cp.errors import ParseError
from sudoku_cp.formats.stated_rules import named_rule
from sudoku_cp.symbols import NULLS

_TOKEN = re.compile(
    r"""(?P<string>"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')
    |(?P<comment>//.*|/\*.*?\*/|\#.*|%.*)
    |(?P<open>\[\||[\[({])
    |(?P<close>\|\]|[\])}])
    |(?P<rest>\.\.\.+|…)
    |(?P<range>\d+\.\.\d+)
    |(?P<number>[+-]?\d+(?:\.\d*)?(?:[eE][+-]?\d+)?(?![\w.]))
    |(?P<word>[^\W\d][\w.]*|<NA>)
    |(?P<comma>,)
    |(?P<row>[;|])
    |(?P<label>[=:]+)
    |(?P<sign>\S)""",
    re.VERBOSE,
)
_TEXT_LINE = re.compile(
    r"""\s*(?:\w+\s+)*?(?:(?P<name>[^\W\d]\w*)\s*(?:\[\])?\s*(?::\s*\w+\s*)?(?::?=|:)\s*)?"""
    r"""(?P<quote>["'`])(?P<text>[0-9A-Za-z.*_?-]{16,1296})(?P=quote)\s*[;,]?\s*(?:(?:\#|//).*)?"""
)
"""A line that is a text of as many signs as a board has cells, perhaps with the variable that it is assigned to."""
_QUOTES = frozenset("\"'`")
_WORDS = re.compile(r"[^\W_]|\.{4}")
_NAME_ALONE = re.compile(r"\s*[\w-]+\s*[:=]\s*")
"""A name whose value begins in the next line, as in YAML."""
_DEEPEST = 12
_MOST_DIMENSIONS = 3
"""Brackets with no more than this many numbers, in ``int grid[9][9] =``, do not end a statement."""
EMPTY = "."
"""The text of an empty cell."""


class Scalar(NamedTuple):
    """A number, a sign or a string with its place (from 1)."""

    line: int
    column: int
    text: str
    quoted: bool = False


@dataclass
class BracketGroup:
    """What stands between two brackets: its items, each with its label or an empty one; rows are groups too."""

    line: int
    column: int
    opened: str
    items: list[tuple[str, Node]] = field(default_factory=list)

    @property
    def nodes(self) -> list[Node]:
        """The items without their labels."""
        return [node for _, node in self.items]

    @property
    def scalars(self) -> list[Scalar]:
        """The items that are scalars."""
        return [node for node in self.nodes if isinstance(node, Scalar)]

    @property
    def groups(self) -> list[BracketGroup]:
        """The items that are groups."""
        return [node for node in self.nodes if isinstance(node, BracketGroup)]

    @property
    def is_labelled(self) -> bool:
        """Whether any item has a label."""
        return any(label for label, _ in self.items)


Node: TypeAlias = "BracketGroup | Scalar"


class LabelledGroup(NamedTuple):
    """An outermost group with the word before it, which may be empty."""

    label: str
    group: BracketGroup


class Words(NamedTuple):
    """A line outside all brackets."""

    line: int
    text: str


@dataclass
class _OpenGroup:
    """A group whose end has not been seen: its rows so far, and the label of its next item."""

    group: BracketGroup
    rows: list[BracketGroup] = field(default_factory=list)
    label: str = ""
    after_comma: bool = True
    scalars: int = 0
    """How many scalars there are in the row that has begun."""

    def add(self, node: Node) -> None:
        self.group.items.append((self.label, node))
        self.label, self.after_comma = "", False
        self.scalars += isinstance(node, Scalar)

    def take_scalar(self) -> Scalar | None:
        """Take the last item out, if it is a scalar."""
        if not self.group.items or not isinstance(last := self.group.items[-1][1], Scalar):
            return None
        self.group.items.pop()
        self.scalars -= 1
        return last

    def end_row(self) -> None:
        """Make a row of the items since the last one."""
        if self.group.items:
            row = BracketGroup(self.group.items[0][1].line, self.group.items[0][1].column, self.group.opened, self.group.items)
            self.rows.append(row)
            self.group.items = []
        self.after_comma, self.scalars = True, 0

    def finish(self) -> BracketGroup:
        """Return the group, with its rows as groups if it has any."""
        if self.rows:
            self.end_row()
            self.group.items = [("", row) for row in self.rows]
        return self.group


def parse_brackets(lines: Iterator[tuple[int, str]], *, complete: bool = True) -> Iterator[LabelledGroup | Words]:
    """Yield what stands in each outermost pair of brackets, and the lines between them.

    Unless the text is ``complete``, brackets that are open at its end are closed there. Raises `ParseError` for brackets that
    do not match.
    """
    parser = _Parser()
    for number, line in lines:
        yield from parser.parse_line(number, line)
    yield from parser.finish(complete=complete)


class _Parser:
    """The brackets that are open, from the outermost; ``_word`` is the last word outside all of them."""

    def __init__(self) -> None:
        self._open: list[_OpenGroup] = []
        self._word = self._label = ""
        self._called: Scalar | None = None
        """The word that the last token was, which may name a function."""

    def parse_line(self, number: int, line: str) -> Iterator[LabelledGroup | Words]:
        outside = not self._open
        if outside and not _QUOTES.isdisjoint(line) and (found := _TEXT_LINE.fullmatch(line)):
            text = Scalar(number, found.start("text") + 1, found["text"], quoted=True)
            yield LabelledGroup(found["name"] or "", BracketGroup(number, found.start("text"), '"', [("", text)]))
            return
        for found in _TOKEN.finditer(line):
            kind, token = str(found.lastgroup), Scalar(number, found.start() + 1, found.group())
            before, self._called = self._called, None
            if kind == "open":
                outside = False
                self._begin(token, before)
            elif kind == "close" and self._open:
                yield from self._end(token)
            elif kind != "comment":
                self._take(kind, token)
        if outside and _WORDS.search(line) and not _NAME_ALONE.fullmatch(line):
            yield Words(number, line.strip())

    def _begin(self, token: Scalar, called: Scalar | None) -> None:
        if len(self._open) >= _DEEPEST:
            words = f"expected a matrix, got brackets nested more than {_DEEPEST} deep"
            raise ParseError(words, line=token.line, column=token.column)
        if called and self._open and self._open[-1].group.items[-1:] == [("", called)]:
            self._open[-1].take_scalar()
        self._open.append(_OpenGroup(BracketGroup(token.line, token.column, token.text)))

    def _end(self, token: Scalar) -> Iterator[LabelledGroup]:
        closed = self._open.pop()
        expected = {"[": "]", "(": ")", "{": "}", "[|": "|]"}[closed.group.opened]
        if token.text != expected:
            words = f"expected {expected!r} to close the {closed.group.opened!r} of line {closed.group.line}, got {token.text!r}"
            raise ParseError(words, line=token.line, column=token.column)
        yield from self._close(closed)

    def _close(self, closed: _OpenGroup) -> Iterator[LabelledGroup]:
        group = closed.finish()
        if not self._open:
            yield LabelledGroup(self._label or self._word, group)
            if group.groups or len(group.items) > _MOST_DIMENSIONS:
                self._word = self._label = ""
            return
        lone = group.opened == "(" and len(group.items) == 1 and isinstance(group.items[0][1], Scalar)
        self._open[-1].add(group.items[0][1] if lone else group)

    def _take(self, kind: str, token: Scalar) -> None:
        """Take a token that is neither a bracket nor a comment."""
        if not self._open:
            self._take_outside(kind, token)
            return
        inner = self._open[-1]
        if kind == "comma":
            if inner.after_comma:
                inner.add(token._replace(text=EMPTY))
            inner.after_comma = True
        elif kind == "row":
            if inner.scalars:
                inner.end_row()
        elif kind == "label":
            if name := inner.take_scalar():
                inner.label = name.text
        else:
            scalar = _parse_scalar(kind, token)
            inner.add(scalar)
            self._called = scalar if kind == "word" else None

    def _take_outside(self, kind: str, token: Scalar) -> None:
        if kind in {"word", "string"}:
            self._word = token.text.strip("\"'")
        elif kind == "label":
            self._label = self._word or self._label
        elif token.text == ";":
            self._word = self._label = ""

    def finish(self, *, complete: bool) -> Iterator[LabelledGroup]:
        if complete and self._open:
            first = self._open[0].group
            words = f"expected brackets that are closed, got {first.opened!r} without its end"
            raise ParseError(words, line=first.line, column=first.column)
        while self._open:
            yield from self._close(self._open.pop())


def _parse_scalar(kind: str, token: Scalar) -> Scalar:
    """Return the token as the text of a cell: numbers without sign or fraction where they have none, ``.`` for nothing."""
    text = token.text
    if kind == "string":
        inner = text[1:-1]
        return token._replace(text=inner or EMPTY, quoted=True)
    if kind == "number":
        return token._replace(text=plain_number(text))
    return token._replace(text=EMPTY if text.lower() in NULLS else text)


def plain_number(text: str) -> str:
    """Return a whole number as its digits, whatever notation it came in; other numbers as they are."""
    whole, _, fraction = text.partition(".")
    if not fraction.strip("0") and whole.lstrip("+-").isdecimal():
        digits = whole.lstrip("+-").lstrip("0") or "0"
        return f"-{digits}" if whole.startswith("-") and digits != "0" else digits
    return text


# Tables of web pages as matrices: a row for each ``tr``, a cell for each ``td`` or ``th``, or the ``input`` in it.
#
# Tags are found by one expression that looks at each sign once: `html.parser` takes minutes over pages made to slow it down.


_TAG = re.compile(r"<(?P<end>/?)(?P<name>table|tr|t[dh]|input)\b(?P<rest>[^<>]*)>", re.IGNORECASE)
_OTHER_TAG = re.compile(r"<[^<>]*>")
_LONGEST_CELL = 1000
_VALUE = re.compile(r"""\bvalue\s*=\s*["']?([^"'\s]*)""", re.IGNORECASE)


_HEADING = re.compile(r"<(?:h[1-6]|caption|title)\b[^<>]*>([^<>]{1,200})<", re.IGNORECASE)


def has_html_table(text: str) -> bool:
    """Return whether a text has a row and a cell of a table as web pages have them."""
    names = {found["name"].lower() for found in _TAG.finditer(text)} if "<" in text else set()
    return "tr" in names and not names.isdisjoint({"td", "th"})


def parse_html_tables(lines: Iterator[tuple[int, str]]) -> Iterator[LabelledGroup | Words]:
    """Yield the rows of each table as a group, and before it the headings that name a rule.

    What else stands outside of tables is left out, as a page has much of it.
    """
    text = "\n".join(line for _, line in lines)
    headings = deque(found for found in _HEADING.finditer(text) if named_rule(found[1]))
    rows: list[BracketGroup] = []
    cell: str | None = None
    line = 1
    at = 0
    for found in _TAG.finditer(text):
        while headings and headings[0].start() < found.start():
            yield Words(line, unescape(headings.popleft()[1]).strip())
        between, name = text[at : found.start()], found["name"].lower()
        line += between.count("\n")
        if cell is not None and len(cell) < _LONGEST_CELL:
            value = _VALUE.search(found["rest"]) if name == "input" else None
            cell += between + (value[1] if value else "")
        if name != "input":
            if cell is not None and rows:
                rows[-1].items.append(("", Scalar(line, 1, _text_of(cell), quoted=True)))
            cell = "" if name in {"td", "th"} and not found["end"] else None
        if name == "tr" and not found["end"]:
            rows.append(BracketGroup(line, 1, "["))
        if name == "table":
            yield from _table_of(rows)
            rows = []
        line, at = line + found[0].count("\n"), found.end()
    yield from _table_of(rows)


def _text_of(cell: str) -> str:
    return unescape(_OTHER_TAG.sub("", cell)).strip() or EMPTY


def _table_of(rows: list[BracketGroup]) -> Iterator[LabelledGroup]:
    if rows:
        yield LabelledGroup("", BracketGroup(rows[0].line, 1, "[", [("", row) for row in rows]))
