"""Links and packed texts of f-puzzles and SudokuPad, one a line, to the plain data of the documents in them.

What stands behind a link's prefix is the document itself, packed: no server is asked. Links that hold only a number of a
puzzle on a server are refused with these words. A document says what it is: f-puzzles' have ``grid``, SudokuPad's ``cells``.
"""

from __future__ import annotations

import json
import re
from importlib import import_module
from itertools import combinations, islice, pairwise
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

from sudoku_cp.errors import ParseError, Unsupported
from sudoku_cp.formats.base import attempt, failed, peeked
from sudoku_cp.formats.documents import read_json, value_of
from sudoku_cp.formats.lzstring import beginning, compress, decompress

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sudoku_cp.formats.base import Options, Record
    from sudoku_cp.puzzle import Puzzle

LONGEST_PAYLOAD = 1 << 20
"""The longest packed text that is looked at: the largest puzzles known take some ten thousand signs."""

_HOSTS = r"(?:https?://)?(?:www\.|app\.|beta\.|alpha\.|test\.)*"
_F_PUZZLES = re.compile(rf"{_HOSTS}f-puzzles\.com/?(?P<rest>.*)", re.IGNORECASE | re.DOTALL)
_SUDOKUPAD = re.compile(
    rf"{_HOSTS}(?:sudokupad\.app|sudokupad\.svencodes\.com|crackingthecryptic\.com)/(?:(?:puzzle|sudoku)/)?(?P<rest>.*)",
    re.IGNORECASE | re.DOTALL,
)
_WITHIN = re.compile(r"https?://\S*(?:f-puzzles|sudokupad|crackingthecryptic)\S*", re.IGNORECASE)
_QUERY = re.compile(r"(?:.*[?&])?(?:load|puzzleid)=(?P<rest>.*)", re.DOTALL)
_PREFIX = re.compile(r"(?P<name>fpuzzles|fpuz|scl|ctc|scf)(?P<rest>.*)", re.DOTALL)
_BARE = re.compile(r"[A-Za-z0-9+/-]{40,}[=$]*")
_BEHIND = re.compile(r"[?&#]")
_PACKED_OBJECT = "N4I"
"""What a packed text begins with when it begins with an object: an f-puzzles or SudokuPad document."""
_CODOKU = re.compile(r"[0-9A-Za-z]{14,83}(?:\.scf)?")
_LEAST = 40
"""Shorter than any packed puzzle, longer than any number of a puzzle on a server."""
_TRIES = 2_000_000
_WORD = 4


# --- reading ----------------------------------------------------------------------------------------------------


def read_links(lines: Iterator[str]) -> Iterator[Record]:
    """Yield the puzzle of each link or packed text, or of a JSON document or several."""
    head, lines = peeked(lines)
    first = next((line.lstrip("\ufeff \t") for line in head if line.strip()), "")
    if first.startswith(("{", "[")):
        return read_json(lines, told)
    return _of_lines(lines)


def read(lines: Iterator[str], _options: Options) -> Iterator[Record]:
    """Read links as a format does, which has no options for them."""
    return read_links(lines)


def packed(link: str, document: Any) -> str:
    """Return the line of a link: its beginning ``link``, and the document, packed."""
    return f"{link}{compress(json.dumps(document, ensure_ascii=False, separators=(',', ':')))}\n"


def _of_lines(lines: Iterator[str]) -> Iterator[Record]:
    for number, line in enumerate(lines, 1):
        body = line.strip()
        if not body or body.startswith("#"):
            continue
        if len(body) > LONGEST_PAYLOAD:
            yield failed(number, f"expected a link of at most {LONGEST_PAYLOAD} characters, got {len(body)}")
            continue
        warnings: list[str] = []
        yield attempt(number, lambda body=body, warnings=warnings: told(unpacked(body), warnings), warnings)  # type: ignore[misc]


def told(data: Any, warnings: list[str]) -> Puzzle:
    """Return the puzzle of a document of either tool."""
    pad = isinstance(data, dict) and "grid" not in data and not {"cells", "regions", "cages", "cellSize"}.isdisjoint(data)
    module = import_module(f"sudoku_cp.formats.{'sudokupad' if pad else 'fpuzzles'}_document")
    found: Puzzle = module.puzzle_of(data, warnings)
    return found


def unpacked(line: str) -> Any:
    """Return the plain data of the document in a link or packed text."""
    name, payload = payload_of(_bare(line))
    if name == "scf":
        return import_module("sudoku_cp.formats.sudokupad_short").codoku(payload)
    payload = _plain(payload)
    error: ParseError | None = None
    for candidate in (payload, *_with_slashes(payload)):
        try:
            return _data(candidate)
        except ParseError as found:
            error = error or ParseError(found.problems)
    raise error or ParseError("expected a packed puzzle, got nothing")


def _bare(line: str) -> str:
    """Return a link without the words, brackets, quotes and stops that people write around it."""
    line = line.strip()
    found = _WITHIN.search(line)
    if found and found.start():
        line = found[0]
    return line.strip("\"'<>").rstrip(".,;)]>\"'")


def _plain(payload: str) -> str:
    """Return a packed text as it was before it was escaped for an address, without what else the address says behind it."""
    packed = _BEHIND.split(payload, maxsplit=1)[0]
    return (unquote(packed) if "%" in packed else packed).strip().replace(" ", "+")


def payload_of(line: str) -> tuple[str, str]:
    """Return the prefix that says what is packed (``fpuzzles``, ``scl``, ``scf``, or nothing), and the packed text."""
    host = next((found for pattern in (_F_PUZZLES, _SUDOKUPAD) if (found := pattern.fullmatch(line))), None)
    rest = host["rest"] if host else line
    if query := _QUERY.fullmatch(rest):
        rest = query["rest"]
    elif host and re.match(r"\?id=", rest):
        raise _on_a_server(rest)
    prefix = _PREFIX.fullmatch(rest)
    if prefix and (host or not prefix["rest"][:1].isspace()):
        name, rest = prefix["name"], prefix["rest"].lstrip("/")
    else:
        name = ""
    if host and name != "scf" and len(rest) < _LEAST:
        raise _on_a_server(rest)
    if host and not name and host.re is _SUDOKUPAD and not rest.startswith(_PACKED_OBJECT[:1]):
        raise _on_a_server(rest)
    return name, rest


def _on_a_server(rest: str) -> Unsupported:
    what = "a link that holds the whole puzzle (?load=..., fpuzzles..., scl...)"
    return Unsupported(f"expected {what}, got {rest[:40]!r}, which only the server of that site can look up")


def _data(payload: str) -> Any:
    """Return the data of a packed text: JSON, or the short form of SudokuPad."""
    text = decompress(payload)
    if not text:
        raise ParseError("expected a packed puzzle, got nothing")
    try:
        return value_of(text)
    except ParseError:
        if text[:1] != "{" or text[1:2] == '"':
            raise
        return value_of(import_module("sudoku_cp.formats.sudokupad_short").as_json(text))


def _with_slashes(payload: str) -> Iterator[str]:
    """Yield what a link may have been before a server made one slash of two: its length tells how many are missing."""
    missing = -len(payload) % _WORD
    slashes = [index for index, sign in enumerate(payload) if sign == "/"] if missing else []
    for doubled in islice(combinations(slashes, missing), _TRIES // max(1, 10 * len(payload))):
        cuts = [0, *doubled, len(payload)]
        yield "/".join(payload[start:end] for start, end in pairwise(cuts))


# --- recognising ------------------------------------------------------------------------------------------------


def looks_like(head: str, *, pad: bool) -> bool:
    """Say whether a text begins with a link, a packed text or a document of f-puzzles, or with ``pad`` of SudokuPad."""
    text = head.lstrip("\ufeff \t\r\n")
    if text.startswith(("{", "[")):
        return _is_document(text, pad=pad)
    line = _bare(next((line for line in text.split("\n") if line.strip() and not line.startswith("#")), ""))
    on_pad = _SUDOKUPAD.fullmatch(line) is not None
    if on_pad or _F_PUZZLES.fullmatch(line):
        name = _named(line) if on_pad else "fpuzzles"
        return (name not in {"fpuzzles", "fpuz"}) == pad
    prefix = _PREFIX.fullmatch(line)
    packed = prefix["rest"] if prefix else line
    if prefix and prefix["name"] == "scf":
        return pad and _CODOKU.fullmatch(prefix["rest"]) is not None
    packed = _plain(packed)
    if not packed.startswith("N") or not _BARE.fullmatch(packed[: 1 << 12]):
        return False
    if prefix:
        return (prefix["name"] in {"scl", "ctc"}) == pad
    return _is_document(beginning(packed), pad=pad)


def _named(line: str) -> str:
    try:
        return payload_of(line)[0]
    except Unsupported:
        return ""


_GRID = re.compile(r'["\']?grid["\']?\s*:\s*\[')
_CELLS = re.compile(r'["\']?(?:cells|ce)["\']?\s*:\s*\[\s*\[\s*[{,\]]|["\']?(?:cellSize|cs)["\']?\s*:\s*[0-9]|"wayPoints"\s*:')


def _is_document(text: str, *, pad: bool) -> bool:
    if re.match(r'\[?\s*\{\s*"format"\s*:', text):
        return False  # the project's own
    grid = '"grid"' in text and _GRID.search(text) is not None
    return not grid and _CELLS.search(text) is not None if pad else grid
