"""Links of f-puzzles and SudokuPad, and the plain data of the documents compressed in them.

The link contains the whole document: no server is contacted. Links with only the ID of a puzzle on a server are refused, and the
error says why.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from itertools import combinations, islice, pairwise
from typing import Any
from urllib.parse import unquote

from sudoku_cp.errors import ParseError, Unsupported
from sudoku_cp.formats.lzstring import compress, decompress, decompress_beginning
from sudoku_cp.formats.project_json import parse_json
from sudoku_cp.formats.sudokupad.short_forms import document_from_word, short_to_json

LONGEST_PAYLOAD = 1 << 20
"""The longest link that is read: the largest known puzzles take some ten thousand characters."""

_HOSTS = r"(?:https?://)?(?:www\.|app\.|beta\.|alpha\.|test\.)*"
_F_PUZZLES = re.compile(rf"{_HOSTS}f-puzzles\.com/?(?P<rest>.*)", re.IGNORECASE | re.DOTALL)
_SUDOKUPAD = re.compile(
    rf"{_HOSTS}(?:sudokupad\.app|sudokupad\.svencodes\.com|crackingthecryptic\.com)/(?:(?:puzzle|sudoku)/)?(?P<rest>.*)",
    re.IGNORECASE | re.DOTALL,
)
_LINK_IN_PROSE = re.compile(r"https?://\S*(?:f-puzzles|sudokupad|crackingthecryptic)\S*", re.IGNORECASE)
_QUERY = re.compile(r"(?:.*[?&])?(?:load|puzzleid)=(?P<rest>.*)", re.DOTALL)
_PREFIX = re.compile(r"(?P<name>fpuzzles|fpuz|scl|ctc|scf)(?P<rest>.*)", re.DOTALL)
_PACKED_TEXT = re.compile(r"[A-Za-z0-9+/-]{40,}[=$]*")
_REST_OF_ADDRESS = re.compile(r"[?&#]")
_PACKED_OBJECT = "N4I"
"""How a compressed JSON object begins: an f-puzzles or SudokuPad document."""
_GIVENS_WORD = re.compile(r"[0-9A-Za-z]{14,83}(?:\.scf)?")
_SHORTEST_PAYLOAD = 40
"""Shorter than any compressed puzzle, longer than any ID of a puzzle on a server."""
_MOST_TRIES = 2_000_000
_BASE64_GROUP = 4


# --- packing and unpacking --------------------------------------------------------------------------------------


def link_line(link: str, document: Any) -> str:
    """Return the line of a link: its beginning ``link``, and the document, packed."""
    return f"{link}{compress(json.dumps(document, ensure_ascii=False, separators=(',', ':')))}\n"


def document_from_link(line: str) -> Any:
    """Return the plain data of the document in a link or packed text."""
    name, payload = split_link(_strip_prose(line))
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


def _strip_prose(line: str) -> str:
    """Return a link without the words, brackets, quotes and full stops that people write around it."""
    line = line.strip()
    found = _LINK_IN_PROSE.search(line)
    if found and found.start():
        line = found[0]
    return line.strip("\"'<>").rstrip(".,;)]>\"'")


def _unescape(payload: str) -> str:
    """Return a compressed text without URL escapes and without the rest of the address after it."""
    packed = _REST_OF_ADDRESS.split(payload, maxsplit=1)[0]
    return (unquote(packed) if "%" in packed else packed).strip().replace(" ", "+")


def split_link(line: str) -> tuple[str, str]:
    """Return the prefix that names the kind of document (``fpuzzles``, ``scl``, ``scf`` or nothing), and the compressed text."""
    host = next((found for pattern in (_F_PUZZLES, _SUDOKUPAD) if (found := pattern.fullmatch(line))), None)
    rest = host["rest"] if host else line
    if query := _QUERY.fullmatch(rest):
        rest = query["rest"]
    elif host and re.match(r"\?id=", rest):
        raise _only_on_server(rest)
    prefix = _PREFIX.fullmatch(rest)
    if prefix and (host or not prefix["rest"][:1].isspace()):
        name, rest = prefix["name"], prefix["rest"].lstrip("/")
    else:
        name = ""
    if host and name != "scf" and len(rest) < _SHORTEST_PAYLOAD:
        raise _only_on_server(rest)
    if host and not name and host.re is _SUDOKUPAD and not rest.startswith(_PACKED_OBJECT[:1]):
        raise _only_on_server(rest)
    return name, rest


def _only_on_server(rest: str) -> Unsupported:
    what = "a link that holds the whole puzzle (?load=..., fpuzzles..., scl...)"
    return Unsupported(f"expected {what}, got {rest[:40]!r}, which only the server of that site can look up")


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
    """Say whether a text begins as a JSON document, or as an array of documents."""
    return text.lstrip("\ufeff \t\r\n").startswith(("{", "["))


def looks_like(head: str, *, pad: bool) -> bool:
    """Say whether a text begins with a link, a packed text or a document of f-puzzles, or with ``pad`` of SudokuPad."""
    text = head.lstrip("\ufeff \t\r\n")
    if is_json(text):
        return _is_document(text, pad=pad)
    line = _strip_prose(next((line for line in text.split("\n") if line.strip() and not line.startswith("#")), ""))
    on_pad = _SUDOKUPAD.fullmatch(line) is not None
    if on_pad or _F_PUZZLES.fullmatch(line):
        name = _link_kind(line) if on_pad else "fpuzzles"
        return (name not in {"fpuzzles", "fpuz"}) == pad
    prefix = _PREFIX.fullmatch(line)
    packed = prefix["rest"] if prefix else line
    if prefix and prefix["name"] == "scf":
        return pad and _GIVENS_WORD.fullmatch(prefix["rest"]) is not None
    packed = _unescape(packed)
    if not packed.startswith("N") or not _PACKED_TEXT.fullmatch(packed[: 1 << 12]):
        return False
    if prefix:
        return (prefix["name"] in {"scl", "ctc"}) == pad
    return _is_document(decompress_beginning(packed), pad=pad)


def _link_kind(line: str) -> str:
    try:
        return split_link(line)[0]
    except Unsupported:
        return ""


_GRID = re.compile(r'["\']?grid["\']?\s*:\s*\[')
_CELLS = re.compile(r'["\']?(?:cells|ce)["\']?\s*:\s*\[\s*\[\s*[{,\]]|["\']?(?:cellSize|cs)["\']?\s*:\s*[0-9]|"wayPoints"\s*:')


def _is_document(text: str, *, pad: bool) -> bool:
    if re.match(r'\[?\s*\{\s*"format"\s*:', text):
        return False  # the project's own
    grid = '"grid"' in text and _GRID.search(text) is not None
    return not grid and _CELLS.search(text) is not None if pad else grid
