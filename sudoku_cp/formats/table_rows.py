"""Rows of tables as text: fields between delimiters, and cells that a spreadsheet would take for formulas.

A spreadsheet runs a cell that begins with one of ``= + - @``, a tab or a line break. Such a cell is written with an apostrophe
before it, and so is one that begins with apostrophes before such a sign: so reading can undo it for every text. Numbers stay.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable
from io import StringIO

WHITE_SPACE = " "
"""The delimiter of fields that are separated by any number of spaces and tabs."""

_STARTS = r"[=+\-@\t\r\n＝＋－＠]"  # noqa: RUF001  # spreadsheets take the wide signs for the others
FORMULA = rf"^'*{_STARTS}"
"""The beginning of a cell that is written with an apostrophe before it, unless it is a number."""
NUMBER = r"^[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?$"
"""A number, whatever its sign."""
_FORMULA, _ESCAPED, _NUMBER = re.compile(FORMULA), re.compile(rf"'+{_STARTS}"), re.compile(NUMBER)


def is_number(text: str) -> bool:
    """Return whether a cell is a number."""
    return _NUMBER.match(text) is not None


def escape_cell(text: str) -> str:
    """Return a cell as a spreadsheet shows it and does not run it."""
    return f"'{text}" if _FORMULA.match(text) and not _NUMBER.fullmatch(text) else text


def unescape_cell(text: str) -> str:
    """Return what `escape_cell` was given."""
    return text[1:] if _ESCAPED.match(text) else text


def format_row(fields: Iterable[object], delimiter: str = ",") -> str:
    """Return a line of CSV with cells of ours: texts among them are no formulas for a spreadsheet."""
    return join_fields((escape_cell(field) if isinstance(field, str) else field for field in fields), delimiter)


def join_fields(fields: Iterable[object], delimiter: str = ",") -> str:
    """Return a line of CSV with the fields as they are."""
    text = StringIO()
    csv.writer(text, delimiter=delimiter, lineterminator="\n").writerow(fields)
    return text.getvalue()


def split_fields(line: str, delimiter: str, width: int = 0) -> list[str]:
    """Return the fields of a line; between blanks, the last of ``width`` fields (0: any number) has the rest of the line.

    Each line is parsed by itself, so that an open quote affects only one line. Raises `csv.Error`.
    """
    if delimiter == WHITE_SPACE:
        return line.rstrip().split(None, width - 1)
    return next(csv.reader([line], delimiter=delimiter, strict=True), [])
