"""The formats of f-puzzles and SudokuPad: documents as JSON, or packed into links, one a line; SudokuStudio's links too.

One reader serves both formats, as SudokuPad opens the documents of f-puzzles too. Those state rules. SudokuPad only shows
puzzles, and most of its own pieces are drawings without a meaning: a puzzle is written for it as a document of f-puzzles where
that can state it, else with SudokuPad's exact pieces. The format ``sudokupad-drawing`` draws every rule, for people alone.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from itertools import combinations, islice, pairwise
from typing import TYPE_CHECKING, Any, TypeAlias
from urllib.parse import unquote

from sudoku_cp.errors import InvalidInput, ParseError, Unsupported
from sudoku_cp.formats.base import Format, attempt_with_warnings, keep_unchanged, line_too_long, peek_head, write_each
from sudoku_cp.formats.document_fields import short_repr
from sudoku_cp.formats.lzstring import compress, decompress, decompress_beginning
from sudoku_cp.formats.project_json import parse_json, read_json
from sudoku_cp.formats.sudokupad import document_from_word, short_to_json
from sudoku_cp.grid import MAX_SIDE

if TYPE_CHECKING:
    from sudoku_cp.formats.base import Options, Record
    from sudoku_cp.puzzle import Puzzle


# Links with a whole document in them, and the plain data of these documents: f-puzzles', SudokuPad's, SudokuStudio's.
#
# What a link holds decides, not its host: the same documents stand in links of many sites. No server is contacted. Links with
# only the ID of a puzzle on a server are refused, and the error says why.


LONGEST_PAYLOAD = 1 << 20
"""The longest link that is read: the largest known puzzles take some ten thousand characters."""

_HOSTS = r"(?:https?://)?(?:www\.|app\.|beta\.|alpha\.|test\.)*"
_F_PUZZLES = re.compile(rf"{_HOSTS}f-puzzles\.com(?=[/?#]|$)", re.IGNORECASE)
_SUDOKUPAD = re.compile(
    rf"{_HOSTS}(?:sudokupad\.app|sudokupad\.svencodes\.com|crackingthecryptic\.com)(?=[/?#]|$)", re.IGNORECASE
)
_LINK = re.compile(
    r"https?:|www\.|localhost[:/]|[\w-]+(?:\.[\w-]+)*\.[a-z]{2,}(?::[0-9]+)?[/?#]|/?[?#](?:[a-z]\w*=|[\w+/=%-]{14})",
    re.IGNORECASE,
)
"""How a link begins, perhaps without its host; a row of cells may begin with ``?`` too."""
_LINK_IN_PROSE = re.compile(r"https?:(?://|%)\S+", re.IGNORECASE)
_CLOSING = {"(": ")", "[": "]", "<": ">", '"': '"', "'": "'"}
"""What ends a link in prose, by the sign before it: a packed text and an address have none of these."""
_QUOTED_PRINTABLE = re.compile("=3D")
_QUOTED_DOCUMENT = re.compile("=3D(?:fpuzzles|fpuz|scl|ctc)?/*N4I")
"""How mails write an equals sign (quoted-printable), and one before a document, which begins otherwise than ``3D``."""
_MARKDOWN_LINK = re.compile(r"\[[^\[\]{}]*\]\(https?:")
_DOCUMENT = re.compile(r"(?:^|[/?&#=])(?:(?P<name>fpuzzles|fpuz|scl|ctc)/*(?=N)|(?=N4I))(?P<rest>N.*)", re.DOTALL)
"""A compressed JSON object (which begins ``N4I``), or what its prefix says is a document."""
_MEANT = re.compile(
    r"(?:(?:load|puzzleid)=(?P<name>fpuzzles|fpuz|scl|ctc|)|[/=](?P<prefix>fpuzzles|fpuz|scl|ctc))/*(?P<rest>.*)", re.DOTALL
)
"""What stands where links have a document, though it does not begin as one."""
_GIVENS_LINK = re.compile(r"(?:.*[/=])?scf/*(?P<rest>[^/?&#]*).*", re.DOTALL)
_PACKED_TEXT = re.compile(r"[A-Za-z0-9+/-]{40,}[=$]*")
_REST_OF_ADDRESS = re.compile(r"[?&#]")
_GIVENS_WORD = re.compile(r"[0-9A-Za-z]{14,83}(?:\.scf)?")
_SHORTEST_PAYLOAD = 40
"""Shorter than any compressed puzzle, longer than any ID of a puzzle on a server."""
_MOST_TRIES = 2_000_000
_MOST_ESCAPES = 3
"""How often the escapes of a link are escaped again on its way, at most."""
_BASE64_GROUP = 4


# --- packing and unpacking --------------------------------------------------------------------------------------


def link_line(link: str, document: Any) -> str:
    """Return the line of a link: its beginning ``link``, and the document, packed."""
    return f"{link}{compress(json.dumps(document, ensure_ascii=False, separators=(',', ':')))}\n"


def document_from_link(line: str) -> Any:
    """Return the plain data of the document in a link or packed text."""
    name, payload = split_link(clean_link(line))
    if name == "scf":
        return document_from_word(payload)
    payload = _unescape(payload)
    error: ParseError | None = None
    for candidate in (payload, *_with_lost_slashes(payload)):
        try:
            return _unpack(candidate)
        except ParseError as found:
            error = error or ParseError(found.problems)
    raise error or ParseError("expected a packed puzzle, got nothing")


def clean_link(line: str) -> str:
    """Return a link without escapes, and without the words, brackets, quotes and full stops that people write around it."""
    line = line.strip()
    found = _LINK_IN_PROSE.search(line)
    if found and found.start():
        line = found[0].split(_CLOSING.get(line[found.start() - 1], " "))[0]
    line = line.strip("\"'<>").rstrip(".,;)]>\"'")
    for _ in range(_MOST_ESCAPES):
        line = unquote(line) if "%" in line else line
    return _QUOTED_PRINTABLE.sub("=", line) if _QUOTED_DOCUMENT.search(line) else line


def is_link(line: str) -> bool:
    """Return whether a line begins as a link does."""
    return _LINK.match(line) is not None


def _unescape(payload: str) -> str:
    """Return a compressed text without URL escapes and without the rest of the address after it."""
    packed = _REST_OF_ADDRESS.split(payload, maxsplit=1)[0]
    return (unquote(packed) if "%" in packed else packed).strip().replace(" ", "+")


def split_link(line: str) -> tuple[str, str]:
    """Return the prefix that names the kind of document (``fpuzzles``, ``scl``, ``scf`` or nothing), and the compressed text."""
    if found := _find_document(line):
        return found
    if is_link(line):
        raise only_on_server(line)
    return "", line


def _find_document(line: str) -> tuple[str, str] | None:
    """Return the prefix and the compressed text of a document in a link, or after its prefix; None if there is none."""
    found = _DOCUMENT.search(line)
    if found and len(found["rest"]) >= _SHORTEST_PAYLOAD:
        return found["name"] or "", found["rest"]
    word = _GIVENS_LINK.fullmatch(line) if _SUDOKUPAD.match(line) or line.startswith("scf") else None
    if word:
        return "scf", word["rest"]
    meant = _MEANT.search(line) if is_link(line) else _MEANT.match(f"/{line}")
    if meant and (len(meant["rest"]) >= _SHORTEST_PAYLOAD or (not is_link(line) and not meant["rest"][:1].isspace())):
        return meant["name"] or meant["prefix"] or "", meant["rest"]
    return None


def only_on_server(link: str) -> Unsupported:
    """Return the error for a link that holds no puzzle."""
    what = "a link that holds the whole puzzle (?load=..., fpuzzles..., scl..., 81 digits)"
    advice = "open it there, and copy the puzzle itself, or export it to f-puzzles or SudokuPad"
    return Unsupported(f"expected {what}, got {link[:60]!r}, which only the server of that site can look up: {advice}")


def _unpack(payload: str) -> Any:
    """Return the data of a compressed text: JSON, or the short form of SudokuPad."""
    text = decompress(payload)
    if not text:
        raise ParseError("expected a packed puzzle, got nothing")
    try:
        return parse_json(text)
    except ParseError:
        if text[:1] != "{" or text[1:2] == '"':
            raise
        return parse_json(short_to_json(text))


def _with_lost_slashes(payload: str) -> Iterator[str]:
    """Yield what a link may have been before a server merged double slashes; its length shows how many are missing."""
    missing = -len(payload) % _BASE64_GROUP
    slashes = [index for index, sign in enumerate(payload) if sign == "/"] if missing else []
    for doubled in islice(combinations(slashes, missing), _MOST_TRIES // max(1, 10 * len(payload))):
        cuts = [0, *doubled, len(payload)]
        yield "/".join(payload[start:end] for start, end in pairwise(cuts))


# --- recognising ------------------------------------------------------------------------------------------------


def is_json(text: str) -> bool:
    """Return whether a text begins as a JSON document, or as an array of documents."""
    text = text.lstrip("\ufeff \t\r\n")
    return text.startswith(("{", "[")) and not _MARKDOWN_LINK.match(text)


def looks_like(head: str, *, pad: bool) -> bool:
    """Return whether a text begins with a link, a packed text or a document of f-puzzles, or with ``pad`` of SudokuPad."""
    text = head.lstrip("\ufeff \t\r\n")
    if is_json(text):
        return _is_document(text, pad=pad)
    line = clean_link(next((line for line in text.split("\n") if line.strip() and not is_comment(line)), ""))
    found = _find_document(line)
    if found is None and (_SUDOKUPAD.match(line) or _F_PUZZLES.match(line)):
        return (_SUDOKUPAD.match(line) is not None) == pad
    name, packed = found or ("", line)
    if name == "scf":
        return pad and (_SUDOKUPAD.match(line) is not None or _GIVENS_WORD.fullmatch(packed) is not None)
    if name and (is_link(line) or packed.startswith("N")):
        return (name in {"scl", "ctc"}) == pad
    packed = _unescape(packed)
    if not packed.startswith("N") or not _PACKED_TEXT.fullmatch(packed[: 1 << 12]):
        return False
    beginning = decompress_beginning(packed)
    is_other = is_link(line) and not pad and not _is_document(beginning, pad=True)  # the error says what it is
    return is_other or _is_document(beginning, pad=pad)


def is_comment(line: str) -> bool:
    """Return whether a line is a comment and not the fragment of a link."""
    return line.startswith("#") and _find_document(clean_link(line)) is None


_GRID = re.compile(r'["\']?grid["\']?\s*:\s*\[')
_CELLS = re.compile(r'["\']?(?:cells|ce)["\']?\s*:\s*\[\s*\[\s*[{,\]]|["\']?(?:cellSize|cs)["\']?\s*:\s*[0-9]|"wayPoints"\s*:')


def _is_document(text: str, *, pad: bool) -> bool:
    if re.match(r'\[?\s*\{\s*"format"\s*:', text):
        return False  # the project's own
    grid = '"grid"' in text and _GRID.search(text) is not None
    return not grid and _CELLS.search(text) is not None if pad else grid


_PAD_FIELDS = frozenset({"cells", "regions", "cages", "cellSize"})
_FPUZZLES_LINK = "https://f-puzzles.com/?load="
_SUDOKUPAD_LINK = "https://sudokupad.app/scl"
_SUDOKUPAD_LINK_OF_FPUZZLES = "https://sudokupad.app/fpuzzles"


# --- reading ----------------------------------------------------------------------------------------------------


def read(lines: Iterator[str], _options: Options) -> Iterator[Record]:
    """Yield the puzzle of each link or packed text, one a line, or of JSON documents."""
    head, lines = peek_head(lines)
    if is_json(next((line for line in head if line.strip()), "")):
        return read_json(lines, puzzle_from_document)
    return _read_links(lines)


def _read_links(lines: Iterator[str]) -> Iterator[Record]:
    for number, line in enumerate(lines, 1):
        body = line.strip()
        if not body or is_comment(body):
            continue
        if len(body) > LONGEST_PAYLOAD:
            yield line_too_long(number, body, LONGEST_PAYLOAD, "a link")
        else:
            yield attempt_with_warnings(number, partial(_puzzle_from_link, body))


def _puzzle_from_link(link: str, warnings: list[str]) -> Puzzle:
    document = document_from_link(link)
    if not isinstance(document, dict) or _FIELDS.isdisjoint(document):
        what = ", ".join(map(repr, [*document][:5])) if isinstance(document, dict) else type(document).__name__
        raise InvalidInput(f"expected a link with a document of f-puzzles, SudokuPad or SudokuStudio, got one of {what}")
    return puzzle_from_document(document, warnings)


_FIELDS = frozenset({"size", "grid", *_PAD_FIELDS})
"""Fields by which a document in a link is known."""


def puzzle_from_document(data: Any, warnings: list[str]) -> Puzzle:
    """Return the puzzle of a document of either program: f-puzzles' have the key ``grid``, SudokuPad's have others."""
    # Listing and recognising formats does not need the document readers: they are imported lazily, here and below.
    from sudoku_cp.formats.fpuzzles.document import puzzle_from_fpuzzles  # noqa: PLC0415
    from sudoku_cp.formats.sudokupad import puzzle_from_sudokupad  # noqa: PLC0415

    if isinstance(data, dict) and "grid" not in data and not _PAD_FIELDS.isdisjoint(data):
        return puzzle_from_sudokupad(data, warnings)
    if isinstance(data, dict) and isinstance(data.get("grid"), dict) and "elements" in data:
        return puzzle_from_fpuzzles(studio_to_fpuzzles(data, warnings), warnings)
    return puzzle_from_fpuzzles(data, warnings)


# --- writing ----------------------------------------------------------------------------------------------------


def fpuzzles_link(puzzle: Puzzle) -> str:
    """Return a link that holds the f-puzzles document of the puzzle."""
    from sudoku_cp.formats.fpuzzles.document import puzzle_to_fpuzzles  # noqa: PLC0415

    return link_line(_FPUZZLES_LINK, puzzle_to_fpuzzles(puzzle))


def sudokupad_link(puzzle: Puzzle) -> str:
    """Return a link that holds the puzzle as a document of f-puzzles, or else in SudokuPad's own pieces."""
    from sudoku_cp.formats.fpuzzles.document import puzzle_to_fpuzzles  # noqa: PLC0415
    from sudoku_cp.formats.sudokupad import puzzle_to_sudokupad  # noqa: PLC0415

    problems: list[str] = []
    ways = [(_SUDOKUPAD_LINK_OF_FPUZZLES, puzzle_to_fpuzzles), (_SUDOKUPAD_LINK, puzzle_to_sudokupad)]
    if not _fpuzzles_keeps_drawings(puzzle):
        ways.reverse()
    for link, to_document in ways:
        try:
            return link_line(link, to_document(puzzle))
        except Unsupported as error:
            problems += error.problems
    expected = "expected for the format 'sudokupad' a puzzle that f-puzzles or SudokuPad itself can express"
    raise Unsupported([f"{expected} (json can express everything, sudokupad-drawing draws the rest)", *problems])


def drawing_link(puzzle: Puzzle) -> str:
    """Return a link that holds the drawing of the puzzle."""
    from sudoku_cp.formats.sudokupad import draw_document  # noqa: PLC0415

    return link_line(_SUDOKUPAD_LINK, draw_document(puzzle))


def _drawings_in(write: Callable[[Puzzle], str], puzzle: Puzzle) -> object:
    """Return the drawings that a reader finds in a link: those of the puzzle, if just their order has changed."""
    from sudoku_cp.cosmetics import in_drawing_order  # noqa: PLC0415  # few puzzles have drawings

    if not puzzle.drawings:
        return ()
    try:
        kept = puzzle_from_document(document_from_link(write(puzzle)), []).drawings
    except InvalidInput:  # it cannot be written at all, which is another error
        return puzzle.drawings
    return puzzle.drawings if kept == in_drawing_order(puzzle.drawings) else kept


def _fpuzzles_keeps_drawings(puzzle: Puzzle) -> bool:
    return _drawings_in(fpuzzles_link, puzzle) == puzzle.drawings


_KEEPS = keep_unchanged("title", "author", "ruleset", "solution")

FPUZZLES = Format(
    "fpuzzles",
    "f-puzzles.com: JSON documents, packed texts and links of any site (also SudokuStudio's), one a line",
    (".fpuzzles",),
    partial(looks_like, pad=False),
    read,
    write_each(fpuzzles_link),
    {**_KEEPS, "drawings": partial(_drawings_in, fpuzzles_link)},
)

SUDOKUPAD = Format(
    "sudokupad",
    "SudokuPad: JSON documents, packed texts and links, one a line",
    (".scl", ".sudokupad"),
    partial(looks_like, pad=True),
    read,
    write_each(sudokupad_link),
    {**_KEEPS, "drawings": partial(_drawings_in, sudokupad_link)},
)

SUDOKUPAD_DRAWING = Format(
    "sudokupad-drawing",
    "links of SudokuPad that draw the rules and state them in words, for people: programs cannot read them back",
    (),
    lambda _head: False,
    None,
    write_each(drawing_link),
    {**_KEEPS, **keep_unchanged("drawings")},
)


# The documents of SudokuStudio (``?b=`` in its links), converted to those of f-puzzles, which has a key for what they state.
#
# Cells are numbered row by row, and so are their corners. An edge below a cell is twice the cell's number and one, an edge
# right of it twice its number without the last column. A clue outside is four times its row or column, 2 more for a row, 1 more
# at the far side.


_Entries: TypeAlias = "list[dict[str, Any]]"

_FLAGS = {"knight": "antiknight", "king": "antiking", "disjointGroups": "disjointgroups"}
_KINDS_OF_CELLS = {"min": "minimum", "max": "maximum", "odd": "odd", "even": "even"}
_LINES = {
    "thermo": "thermometer",
    "slowThermo": "slowthermometer",
    "between": "betweenline",
    "palindrome": "palindrome",
    "whisper": "whispers",
    "renban": "renban",
}
_EDGES = {"difference": "difference", "ratio": "ratio", "xv": "xv"}
_OUTSIDE = {"sandwich": "sandwichsum", "xsums": "xsum", "skyscraper": "skyscraper"}
_TEXTS = {"title": "title", "author": "author", "description": "ruleset"}
_PLAY = frozenset({"grid", "filled", "corner", "center", "colors"})
"""Elements that say nothing about the puzzle: its lines, and what a player has done."""


def studio_to_fpuzzles(data: Mapping[str, Any], warnings: list[str]) -> dict[str, Any]:
    """Return the f-puzzles document that says the same, or raise `InvalidInput` naming every element that has none."""
    side = data["grid"].get("width")
    if not isinstance(side, int) or side != data["grid"].get("height") or not 1 < side <= MAX_SIDE:
        raise InvalidInput(f"expected a square grid of SudokuStudio, got {short_repr(data['grid'])}")
    document = _Document(side)
    problems: list[str] = []
    elements = data["elements"].values() if isinstance(data["elements"], dict) else ()
    for element in elements:
        kind, value = (element.get("type"), element.get("value")) if isinstance(element, dict) else ("?", element)
        if value in (None, False, {}, []) or kind == "grid":
            continue
        try:
            document.add(str(kind), value)
        except (AttributeError, IndexError, KeyError, TypeError, ValueError):
            problems.append(f"expected an element of SudokuStudio that can be read, got {str(kind)!r}: {short_repr(value)}")
        if kind in _PLAY:
            warnings.append(f"what a player entered is not read: {kind}")
    if problems:
        raise InvalidInput(problems)
    meta = data.get("meta")
    texts = {key: meta[name] for name, key in _TEXTS.items() if meta.get(name)} if isinstance(meta, dict) else {}
    return document.fields | texts


class _Document:
    """An f-puzzles document that grows element by element."""

    def __init__(self, side: int) -> None:
        """Begin with an empty grid of this side."""
        self._side = side
        self._grid: list[list[dict[str, Any]]] = [[{} for _ in range(side)] for _ in range(side)]
        self.fields: dict[str, Any] = {"size": side, "grid": self._grid}

    def add(self, kind: str, value: Any) -> None:
        """Add an element; raises errors of any lookup for one that has no meaning here."""
        if kind in _PLAY:
            return
        if kind == "box":
            self._add_boxes(value["width"], value["height"])
        elif kind == "givens":
            for number, digit in value.items():
                row, column = self._place(number)
                self._grid[row][column] = self._grid[row][column] | {"value": digit, "given": True}
        elif kind in _FLAGS:
            self.fields[_FLAGS[kind]] = {True: True}[value]
        elif kind == "diagonal":
            self.fields |= {"diagonal+": bool(value.get("positive")), "diagonal-": bool(value.get("negative"))}
        elif kind == "consecutive" and not value.get("diag"):
            self.fields["nonconsecutive"] = bool(value.get("orth"))
        else:
            key, entries = self._clues(kind)
            self.fields.setdefault(key, []).extend(entries(value))

    def _clues(self, kind: str) -> tuple[str, Callable[[Any], _Entries]]:
        """Return the key of f-puzzles for clues of a kind, and what makes its entries."""
        others: dict[str, tuple[str, Callable[[Any], _Entries]]] = {
            "killer": ("killercage", self._cages),
            "clone": ("clone", self._clones),
            "quadruple": ("quadruple", self._quadruples),
            "arrow": ("arrow", self._arrows),
        }
        tables: tuple[tuple[Mapping[str, str], Callable[[Any], _Entries]], ...] = (
            (_KINDS_OF_CELLS, lambda value: [{"cell": self._name(number)} for number, on in value.items() if on]),
            (_LINES, lambda value: [{"lines": [self._names(line)]} for line in value.values()]),
            (_EDGES, lambda value: [self._edge(int(number), clue, roman=kind == "xv") for number, clue in value.items()]),
            (_OUTSIDE, lambda value: [self._outside(int(number), clue) for number, clue in value.items()]),
        )
        return next(((names[kind], entries) for names, entries in tables if kind in names), None) or others[kind]

    def _add_boxes(self, width: int, height: int) -> None:
        across = self._side // width
        for row, cells in enumerate(self._grid):
            for column, cell in enumerate(cells):
                cell["region"] = row // height * across + column // width

    def _cages(self, value: Any) -> _Entries:
        return [
            {"cells": [self._name(number) for number, on in cage["cells"].items() if on]} | _stated(cage.get("sum"))
            for cage in value.values()
        ]

    def _clones(self, value: Any) -> _Entries:
        return [{"cells": self._names(one["a"]), "cloneCells": self._names(one["b"])} for one in value.values()]

    def _quadruples(self, value: Any) -> _Entries:
        entries = []
        for number, digits in value.items():
            row, column = divmod(int(number), self._side + 1)
            cells = [self._cell_name(row + down, column + right) for down in (-1, 0) for right in (-1, 0)]
            entries.append({"cells": cells, "values": [] if digits is True else list(_in_order(digits))})
        return entries

    def _arrows(self, value: Any) -> _Entries:
        return [
            {"cells": self._names(one["bulb"]), "lines": [self._names(one["body"])]} for one in value.values() if one.get("body")
        ]

    def _edge(self, number: int, clue: Any, *, roman: bool) -> dict[str, Any]:
        half, below = divmod(number, 2)
        row, column = divmod(half, self._side if below else self._side - 1)
        cells = [self._cell_name(row, column), self._cell_name(row + below, column + 1 - below)]
        return {"cells": cells} | ({"value": {5: "V", 10: "X"}[clue]} if roman else _stated(clue))

    def _outside(self, number: int, clue: Any) -> dict[str, Any]:
        far = (self._side + 1) * (number & 1)
        place = number >> 2
        self._cell_name(place, 0)
        return {"cell": f"R{place + 1}C{far}" if number & 2 else f"R{far}C{place + 1}"} | _stated(clue)

    # --- cells --------------------------------------------------------------------------------------------------

    def _place(self, number: str | int) -> tuple[int, int]:
        row, column = divmod(int(number), self._side)
        self._cell_name(row, column)
        return row, column

    def _name(self, number: str | int) -> str:
        return self._cell_name(*self._place(number))

    def _names(self, cells: Any) -> list[str]:
        return [self._name(number) for number in _in_order(cells)]

    def _cell_name(self, row: int, column: int) -> str:
        if not (0 <= row < self._side and 0 <= column < self._side):
            raise IndexError(row, column)
        return f"R{row + 1}C{column + 1}"


def _in_order(items: Any) -> Iterator[Any]:
    """Yield the items of an array, or of an object with the keys 0, 1, 2, ..."""
    yield from items if isinstance(items, list) else (items[key] for key in sorted(items, key=int))


def _stated(clue: Any) -> dict[str, Any]:
    return {} if clue in (None, True) else {"value": str(clue)}
