"""Tables of web pages as matrices: a row for each ``tr``, a cell for each ``td`` or ``th``, or the ``input`` in it.

Tags are found by one expression that looks at each sign once: `html.parser` takes minutes over pages made to slow it down.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape

from sudoku_cp.formats.matrices.brackets import EMPTY, BracketGroup, LabelledGroup, Scalar

_TAG = re.compile(r"<(?P<end>/?)(?P<name>table|tr|t[dh]|input)\b(?P<rest>[^<>]*)>", re.IGNORECASE)
_OTHER_TAG = re.compile(r"<[^<>]*>")
_LONGEST_CELL = 1000
_VALUE = re.compile(r"""\bvalue\s*=\s*["']?([^"'\s]*)""", re.IGNORECASE)


def has_html_table(text: str) -> bool:
    """Return whether a text has a row and a cell of a table as web pages have them."""
    names = {found["name"].lower() for found in _TAG.finditer(text)} if "<" in text else set()
    return "tr" in names and not names.isdisjoint({"td", "th"})


def parse_html_tables(lines: Iterator[tuple[int, str]]) -> Iterator[LabelledGroup]:
    """Yield the rows of each table as a group; what stands outside of tables is left out, as a page has much else."""
    text = "\n".join(line for _, line in lines)
    rows: list[BracketGroup] = []
    cell: str | None = None
    line = 1
    at = 0
    for found in _TAG.finditer(text):
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
