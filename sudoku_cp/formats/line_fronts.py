"""What stands around the cells of a text and is no part of it: marks of quotation, bullets, labels, codes, brackets, line breaks.

Quotation marks are taken off wherever most lines have them. Bullets and labels might be cells, so they are taken off a whole text
only, and only if as many rows of as many cells (or boards of a line) are left; labels become spaces, so that columns stay.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import partial
from itertools import islice
from typing import NamedTuple, TypeAlias

from sudoku_cp.formats.base import HEAD, LONGEST_LINE
from sudoku_cp.formats.board_roles import meaning_of
from sudoku_cp.formats.board_text.rows import UPRIGHTS
from sudoku_cp.formats.table_rows import join_fields, split_fields
from sudoku_cp.puzzle import square_side
from sudoku_cp.symbols import BLANKS, DIGITS, LOWERCASE, NULLS, UPPERCASE

# Tables whose cells or rows stand in columns of their own, as boards of a line: what names or numbers them is taken off.
#
# A table of one board may have names above its columns and numbers before its rows. A table of many boards may have a column
# for each cell (81, and 81 more for the solution) or for each row, behind a number or a name.


_TakeOff: TypeAlias = Callable[[Iterable[str]], Iterator[str]]

_DELIMITERS = ",;\t"
_LEAST, _MOST = 4, 36
_SIDE, _CELLS = 9, 81
_SAMPLE = 50
_SIGNS = frozenset(DIGITS + BLANKS + ".")
_COUNTED = re.compile(r"[A-Za-z_. ]*(\d+)")
_ROW_NAME = re.compile(r"(?:r|row|line|zeile|ligne|fila|riga)[ _.]?(\d+)", re.IGNORECASE)
_NAMES_BEFORE = frozenset({"", "id", "index", "nr", "no", "number", "name", "title", "puzzle_id", "puzzleid", "unnamed: 0"})
"""Names of a column before those of cells that is none of them."""
_CELL_NAME = re.compile(r"[Rr](?:ow)?[ _]?(\d+)[ _]?[Cc](?:ol)?[ _]?(\d+)")


def _split(line: str, delimiter: str) -> list[str]:
    try:
        return [field.strip() for field in split_fields(line.rstrip("\r"), delimiter)]
    except csv.Error:
        return []


# --- one board --------------------------------------------------------------------------------------------------


def find_numbered_rows(head: str) -> _TakeOff | None:
    """Find one board with names above its columns, and numbers or letters in order before its rows."""
    lines = [(at, line) for at, line in enumerate(head.split("\n")) if line.strip()]
    side = len(lines) - 1
    if not _LEAST <= side <= _MOST or any(len(line) > LONGEST_LINE for _, line in lines):
        return None
    for delimiter in _DELIMITERS:
        header, *rows = (_split(line, delimiter) for _, line in lines)
        if {*map(len, rows)} == {side + 1} and _are_labels([row[0] for row in rows]) and _are_names(header, side):
            return partial(_without_numbers, lines[0][0], delimiter)
    return None


def _are_labels(words: Sequence[str]) -> bool:
    """Return whether words count the rows: from 0, from 1 or from A."""
    counts = [[*map(str, range(first, first + len(words)))] for first in (0, 1)]
    return [*words] in (*counts, [*UPPERCASE[: len(words)]])


def _are_names(header: Sequence[str], side: int) -> bool:
    """Return whether a first line names so many columns: letters in order, or words with numbers in order."""
    corner, names = header[:-side], header[-side:]
    if len(corner) > 1 or (corner and corner[0] in DIGITS and corner[0]) or len(names) < side:
        return False
    numbers = [int(found[1]) for name in names if (found := _COUNTED.fullmatch(name)) and not name.isdecimal()]
    in_order = len(numbers) == side and numbers == [*range(numbers[0], numbers[0] + side)]
    return in_order or "".join(names).upper() == UPPERCASE[:side]


def _without_numbers(header: int, delimiter: str, lines: Iterable[str]) -> Iterator[str]:
    for at, line in enumerate(lines):
        if at == header or not line.strip():
            yield ""
        else:
            yield join_fields(_split(line, delimiter)[1:], delimiter).removesuffix("\n")


# --- many boards ------------------------------------------------------------------------------------------------


class _BoardColumns(NamedTuple):
    """The delimiter of a table, its fields in a row, those before the boards, and the number of boards; rows of their own."""

    delimiter: str
    width: int
    before: int
    boards: int
    rows: bool

    def join(self, fields: Sequence[str]) -> list[str] | None:
        """Return the fields before the boards and each board in one word; None if the fields are none."""
        cells = fields[self.before :]
        if len(fields) != self.width or not all(map(self.is_part, cells)):
            return None
        each = len(cells) // self.boards
        parts = [_cell(field) if not self.rows else field for field in cells]
        return [*fields[: self.before], *("".join(parts[at : at + each]) for at in range(0, len(parts), each))]

    def is_part(self, field: str) -> bool:
        """Return whether a field may be a cell, or a row."""
        if self.rows:
            return len(field) == _SIDE and _SIGNS.issuperset(field)
        return _cell(field) in _SIGNS


def _cell(field: str) -> str:
    """Return the sign of a cell: ``.`` for what programs write for no value."""
    return "." if not field or field.lower() in NULLS else field.removesuffix(".0")


def find_board_columns(head: str) -> _TakeOff | None:
    """Find a table with a column for each cell or row of 9x9 boards, with others before them or several boards in a row."""
    lines = [*islice((line for line in head.split("\n") if line.strip() and len(line) <= LONGEST_LINE), _SAMPLE)]
    for delimiter in _DELIMITERS:
        if not lines or lines[0].count(delimiter) < _SIDE:
            continue
        rows = [_split(line, delimiter) for line in lines]
        found = _columns_of(delimiter, len(rows[0]))
        good = [row for row in rows if found and found.join(row)]
        if not found or len(rows) == 1 or 2 * len(good) < len(rows):
            continue
        named = rows[0] not in good
        if _names_in_order(rows[0], found) if named else _is_clear(good, found):
            return partial(_join_boards, found, rows[0] if named else [])
    return None


def _columns_of(delimiter: str, width: int) -> _BoardColumns | None:
    """Return what a row of so many fields may be."""
    before = 1 if width in {_CELLS + 1, 2 * _CELLS + 1, _SIDE + 1} else 0
    if width == _SIDE + 1:
        return _BoardColumns(delimiter, width, before, 1, rows=True)
    boards = (width - before) // _CELLS
    return _BoardColumns(delimiter, width, before, boards, rows=False) if width in {82, 162, 163} else None


def _is_clear(rows: Sequence[Sequence[str]], found: _BoardColumns) -> bool:
    """Return whether the first field cannot be a cell, so that a board is in the others."""
    return not found.before or not all(found.is_part(row[0]) for row in rows)


def _names_in_order(header: Sequence[str], found: _BoardColumns) -> bool:
    """Return whether the names of columns are no cells and name rows, or cells row by row if they have places."""
    names = header[found.before :]
    if found.before and not found.rows and header[0].lower() not in _NAMES_BEFORE:
        return False
    if found.rows:
        numbers = [int(one[1]) for name in names if (one := _ROW_NAME.fullmatch(name))]
        return len(numbers) == _SIDE and numbers == [*range(numbers[0], numbers[0] + _SIDE)]
    places = [(int(one[1]), int(one[2])) for name in names[:_CELLS] if (one := _CELL_NAME.fullmatch(name))]
    return all(any(map(str.isalpha, name)) for name in names) and places == sorted(places)


def _join_boards(found: _BoardColumns, header: Sequence[str], lines: Iterable[str]) -> Iterator[str]:
    """Yield each row as a row of boards of a line, and nothing for the header; rows in which something is wrong as they are."""
    for line in lines:
        fields = _split(line, found.delimiter) if len(line) <= LONGEST_LINE else []
        joined = found.join(fields)
        if joined:
            yield join_fields(joined, found.delimiter).removesuffix("\n")
        else:
            yield "" if header and fields == header else line


TakeOff: TypeAlias = Callable[[Iterable[str]], Iterator[str]]
"""Takes what stands around them off lines; their number stays."""

_QUOTE = re.compile(r" {0,3}(?:> ?)*>(?: |$)")
_CODES = re.compile("\x1b\\[[0-9;]*m|[\u200b\u2060\ufeff\ufe0f\u20e3]|<br ?/?>[ \\t\r]*$", re.MULTILINE)
_NUMBER = re.compile(r"\s*#\d+[.):]?\s+(?=\S{16})")
_BULLETS = "-*+•‣"
_BULLET = re.compile(rf"\s*([{_BULLETS}]) +(?=\S)")
_LABEL = re.compile(rf"(\s*(?:[Rr](?:ow)?|[Ll]ine)?\s?#?(\d{{1,2}}|[A-Za-z])[.):]?)(?:\s+|(?=[{UPRIGHTS}]))(?=\S)")
_CELL = re.compile(rf"[^\s{UPRIGHTS}]")
_WORD = re.compile(rf"[^\s{UPRIGHTS}]+")
_BAR = re.compile(f"[{UPRIGHTS}]")
_LEAST_BOARD = 16
_LEAST_CUT = 20
_DIGITS = re.compile(r"[\d.*_?-]+")
_BOX = re.compile(r"\[([^\[\]]{0,4})\]")
_BOXES = re.compile(r"\s*(?:\[(?:\s{0,3}|\s?[\w.*?-]{1,2}\s?)\]\s?)+\s*")
_NAME = re.compile(r"\s*[\w ]+:\s*")
_DRESSED = re.compile(r"(?P<first>)\s*(?P<quote>[\"'`]?)(?P<row>[\w.*?-]+)(?P=quote)\s?(?P<end>[;\\+&]?|\\\\)\s*")
_LISTED = re.compile(r"(?P<first>\s*-\s+)(?P<quote>[\"']?)(?P<row>[\w.*?-]+)(?P=quote)(?P<end>)\s*")
"""A row in quotation marks or before a sign at the end of its line, and one of a list."""
_VALUES = "123456789"
_TAGS = re.compile(r"\[/?(?:code|quote|spoiler|pre|tt|font|size|color|b|i)(?:=[^\]]*)?\]", re.IGNORECASE)
_BREAK = re.compile(r"<br ?/?>|(?:\\r)?\\n")
_ROLE = re.compile(r"\s*([A-Za-z]+)\s*(?:[:=]|->)\s*['\"]?(?=[\w.*-]{16})")
_SOLUTION = re.compile(r"sol|answer|result|output", re.IGNORECASE)
_NUMBERS = [*map(str, range(_MOST + 1))]
_SEQUENCES = {"0": _NUMBERS, "1": _NUMBERS[1:], "A": [*UPPERCASE], "a": [*LOWERCASE]}
"""Labels of rows and columns in their order, by the first."""


def find_front(head: str) -> TakeOff | None:
    """Return what takes marks off the lines of a text that begins with ``head``, None if there are none."""
    steps: list[TakeOff] = []
    whole = len(head) < HEAD
    for find in (*_FINDERS, *_OF_WHOLE_TEXTS * whole):
        if step := find(head):
            steps.append(step)
            head = "\n".join(step(head.split("\n")))
    return partial(_in_turn, steps) if steps else None


def _in_turn(steps: Sequence[TakeOff], lines: Iterable[str]) -> Iterator[str]:
    for step in steps:
        lines = step(lines)
    return iter(lines)


def _substitute(pattern: re.Pattern[str], lines: Iterable[str]) -> Iterator[str]:
    return (pattern.sub("", line) for line in lines)


def _take_off_front(pattern: re.Pattern[str], lines: Iterable[str]) -> Iterator[str]:
    return (line[found.end() :] if (found := pattern.match(line)) else line for line in lines)


def _find_codes(head: str) -> TakeOff | None:
    """Find codes of terminals, signs without width, and breaks of HTML at the ends of lines."""
    marked = "\x1b[" in head or not head.isascii() or ("<br" in head and not head.lstrip().startswith(("<", "{", "[")))
    return partial(_substitute, _CODES) if marked and _CODES.search(head) else None


def _find_quotes(head: str) -> TakeOff | None:
    if ">" not in head:
        return None
    lines = [line for line in head.split("\n") if line.strip()]
    quoted = sum(_QUOTE.match(line) is not None for line in lines)
    return partial(_take_off_front, _QUOTE) if quoted > 1 and 2 * quoted > len(lines) else None


def _find_numbers(head: str) -> TakeOff | None:
    """Find numbers such as ``#1`` in front of boards of a line, which would be comments."""
    lines = [line for line in head.split("\n") if line.strip()] if head.lstrip().startswith("#") else []
    found = sum(_NUMBER.match(line) is not None for line in lines)
    return partial(_take_off_front, _NUMBER) if lines and 2 * found > len(lines) else None


def _find_bullets(head: str) -> TakeOff | None:
    """Find the same bullet in front of all lines with cells."""
    full = [line for line in head.split("\n") if line.strip()] if head.lstrip()[:1] in _BULLETS else []
    found = [_BULLET.match(line) for line in full[:_MOST]]
    if not full or not all(found) or len({one[1] for one in found if one}) > 1:
        return None
    rest = [*_take_off_front(_BULLET, full)]
    return partial(_take_off_front, _BULLET) if _are_board(rest) or _are_lines(rest) else None


def _find_labels(head: str) -> TakeOff | None:
    """Find labels in order in front of the rows of boards, perhaps with a line of labels above the columns or below them."""
    lines = head.split("\n")
    first = next((found[2] for line in lines[:_MOST] if (found := _LABEL.match(line)) and not _is_sequence(line)), "")
    if first not in _SEQUENCES or any(line.count("\t") > 1 for line in lines):
        return None  # rows of a table may be numbered, too: its reader knows
    columns = {at for at, line in enumerate(lines) if _is_sequence(line)}
    rows = {at: found for at, line in enumerate(lines) if at not in columns and (found := _LABEL.match(line))}
    labels = [found[2] for found in rows.values()]
    side = next((at for at, label in enumerate(labels) if at and label == first), len(labels))
    if side < _LEAST or len(labels) % side or labels != _SEQUENCES[first][:side] * (len(labels) // side):
        return None
    widths = {at: found.end(1) for at, found in rows.items()}
    rest = [lines[at][width:] for at, width in widths.items()]
    boards = all(_are_board(rest[at : at + side], drawn=bool(columns)) for at in range(0, len(rest), side))
    return partial(_blank_labels, widths, columns) if boards else None


def _find_wraps(head: str) -> TakeOff | None:
    """Find lines of 81 cells that have been cut after as many signs each, no more than a few times; or a sign a line."""
    lines = [line.strip() for line in head.split("\n") if line.strip()]
    width = len(lines[0]) if lines else 0
    if {*map(len, lines)} == {1} and _LEAST_BOARD <= len(lines) <= _CELLS and square_side(len(lines)):
        return partial(_join_wraps, len(lines)) if all(map(_DIGITS.fullmatch, lines)) else None
    lengths = [*map(len, lines)]
    if sum(lengths) == _CELLS and min(lengths) >= _LEAST_CUT and len(lines) > 1 and not any(map(square_side, lengths)):
        return partial(_join_wraps, len(lines)) if all(map(_DIGITS.fullmatch, lines)) else None
    if not _LEAST_CUT <= width < _CELLS or square_side(width) or len(lines) % width == 0:
        return None
    number = -(-_CELLS // width)
    cut = [width] * (number - 1) + [_CELLS - width * (number - 1)]
    same = lengths == cut * (len(lines) // number)
    return partial(_join_wraps, number) if same and all(map(_DIGITS.fullmatch, lines)) else None


def _find_boxed(head: str) -> TakeOff | None:
    """Find rows in which each cell stands between brackets of its own, such as ``[5][ ][3]``."""
    if "][" not in head.replace(" ", ""):
        return None
    lines = [line for line in head.split("\n") if line.strip()]
    counts = [len(_BOX.findall(line)) for line in lines if _BOXES.fullmatch(line)]
    same = len({*counts}) == 1 and len(counts) % counts[0] == 0
    return _without_boxes if same and counts[0] >= _LEAST and 2 * len(counts) > len(lines) else None


def _without_boxes(lines: Iterable[str]) -> Iterator[str]:
    """Yield rows with spaces between their cells, and a dot for each empty one."""
    for line in lines:
        yield " ".join(text.strip() or "." for text in _BOX.findall(line)) if _BOXES.fullmatch(line) else line


def _join_wraps(number: int, lines: Iterable[str]) -> Iterator[str]:
    """Yield each board on the line of its first part, and nothing on those of the others."""
    held: list[str] = []
    for line in lines:
        if text := line.strip():
            held.append(text)
        if len(held) < number:
            continue
        yield "".join(held)
        yield from [""] * (number - 1)
        held = []


def _is_sequence(line: str) -> bool:
    """Return whether a line is the labels of columns: numbers or letters in order, from the first."""
    words = _BAR.sub(" ", line).split()
    return len(words) >= _LEAST and words == _SEQUENCES.get(words[0], [])[: len(words)]


def _blank_labels(widths: Mapping[int, int], columns: AbstractSet[int], lines: Iterable[str]) -> Iterator[str]:
    for at, line in enumerate(lines):
        yield "" if at in columns else " " * widths.get(at, 0) + line[widths.get(at, 0) :]


def _are_board(rows: Sequence[str], *, drawn: bool = False) -> bool:
    """Return whether rows have as many cells as there are rows; where it is ``drawn``, and between bars, spaces may be cells."""
    signs, words = ([len(found.findall(row)) for row in rows] for found in (_CELL, _WORD))
    if len(rows) < _LEAST:
        return False
    spaces = max(signs) <= len(rows) and (drawn or all(map(_BAR.search, rows)))
    return spaces or any({*counts} == {len(rows)} for counts in (signs, words))


def _are_lines(rows: Sequence[str]) -> bool:
    """Return whether each row begins with a board of a line."""
    first = [len(row.split(None, 1)[0]) for row in rows]
    return all(length >= _LEAST_BOARD and square_side(length) for length in first)


def _find_dressed_rows(head: str) -> TakeOff | None:
    """Find rows that all stand between quotation marks, before a sign that ends lines, or as a list below a name (YAML)."""
    lines = head.split("\n")
    full = [at for at, line in enumerate(lines) if line.strip()]
    name = full[0] if full and _NAME.fullmatch(lines[full[0]]) else -1
    form = _DRESSED if name < 0 and not head.lstrip().startswith("- ") else _LISTED
    found = [form.fullmatch(lines[at]) for at in full if at != name]
    rows = [one["row"] for one in found if one]
    same = len({one.group("first", "quote", "end") for one in found[:-1] if one}) == 1
    if len(rows) < len(found) or not same or rows == [lines[at].strip() for at in full]:
        return None
    square = len(rows) >= _LEAST and {*map(len, rows)} == {len(rows)}
    dressed = dict(zip((at for at in full if at != name), rows, strict=True))
    title = {} if name < 0 or meaning_of(lines[name].strip()[:-1]) in {"puzzle", "start", "board"} else {name: lines[name]}
    return partial(_undress, {**title, **dressed}) if square else None


def _undress(rows: Mapping[int, str], lines: Iterable[str]) -> Iterator[str]:
    return (rows.get(at, "") for at, _ in enumerate(lines))


def _find_strange_blanks(head: str) -> TakeOff | None:
    """Find rows of digits and one other sign, which is in more cells than a value can be, and so marks empty cells."""
    rows = [[*"".join(line.split())] for line in head.split("\n") if line.strip()]
    side = len(rows)
    if not _LEAST <= side <= len(_VALUES) or {*map(len, rows)} != {side}:
        return None
    signs = [sign for row in rows for sign in row]
    others = {*signs} - {*_VALUES[:side]}
    blank = others.pop() if len(others) == 1 else "."
    mark = blank not in BLANKS + "." and signs.count(blank) > side
    return partial(_replace_sign, blank) if mark else None


def _replace_sign(blank: str, lines: Iterable[str]) -> Iterator[str]:
    return (line.replace(blank, ".") for line in lines)


def _find_tags(head: str) -> TakeOff | None:
    """Find the tags of forums."""
    return partial(_substitute, _TAGS) if "[/" in head and _TAGS.search(head) else None


def _find_signature(head: str) -> TakeOff | None:
    """Find the signature of a mail: words below a line of two dashes."""
    lines = head.split("\n")
    at = next((at for at in range(len(lines) - 1, 0, -1) if lines[at].rstrip("\r") in {"--", "-- "}), 0)
    below = [line.strip() for line in lines[at + 1 :] if line.strip()]
    signed = at and below and all(sum(map(str.isalpha, line)) > 1 for line in below)
    return partial(_take_off_signature, at) if signed else None


def _take_off_signature(at: int, lines: Iterable[str]) -> Iterator[str]:
    return (line if number < at else "" for number, line in enumerate(lines))


def _find_breaks(head: str) -> TakeOff | None:
    """Find rows of a board on one line, between breaks of HTML or escaped line ends."""
    lines = [line.strip() for line in head.split("\n") if line.strip()] if "<br" in head or "\\n" in head else []
    rows = [_BREAK.split(line.removesuffix("\\n")) for line in lines]
    square = all(len(row) >= _LEAST and {*map(len, row)} == {len(row)} for row in rows)
    return partial(_join_rows) if rows and square else None


def _join_rows(lines: Iterable[str]) -> Iterator[str]:
    return ("".join(_BREAK.split(line.strip().removesuffix("\\n"))) for line in lines)


def _find_roles(head: str) -> TakeOff | None:
    """Find a word that says what the board of a line is, in front of each line, if every second one is a solution."""
    found = [_ROLE.match(line) for line in head.split("\n") if line.strip()]
    words = [bool(_SOLUTION.match(one[1])) for one in found if one]
    in_turn = words == [False, True] * (len(words) // 2)
    return partial(_take_off_front, _ROLE) if words and len(words) == len(found) and in_turn else None


_FINDERS = (_find_codes, _find_tags, _find_quotes, _find_numbers, find_board_columns)
_OF_WHOLE_TEXTS = (
    _find_signature,
    _find_breaks,
    _find_roles,
    _find_bullets,
    _find_labels,
    find_numbered_rows,
    _find_boxed,
    _find_dressed_rows,
    _find_strange_blanks,
    _find_wraps,
)
"""What may be found in texts that are known to their end."""
