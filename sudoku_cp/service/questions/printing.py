"""The question about paper: print, which sends a PDF in base64."""

from __future__ import annotations

from base64 import b64encode
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from sudoku_cp.paper import SheetOptions, make_pdf, parse_numbering, prepare_puzzles, preview_pages
from sudoku_cp.puzzle.json_document import position_from_json
from sudoku_cp.service.questions.asked import Asked
from sudoku_cp.service.sizes import MOST_PUZZLES
from sudoku_cp.symbols import alphabet

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from sudoku_cp.formats import Record
    from sudoku_cp.puzzle import Position
    from sudoku_cp.service.pool.tasks import Control

_OPTIONS = (
    "per_page",
    "paper",
    "landscape",
    "solutions",
    "title",
    "author",
    "rules_in_words",
    "margin",
    "bleed",
    "booklet",
)
"""Options of a body that `SheetOptions` calls by the same name."""


def print_sheets(body: Mapping[str, Any], control: Control) -> dict[str, Any]:
    """Print the puzzles as sheets or as a booklet: a PDF, or its first page to look at."""
    asked = Asked(body, control)
    records = asked.records(MOST_PUZZLES, "puzzles")
    options = asked.read(lambda: _sheet_options(body), SheetOptions())
    first_number = asked.read(lambda: parse_numbering(body.get("numbering", "1")), None)
    _check_symbols(asked, records)
    positions = _positions(asked, records)
    asked.end()
    options = replace(options, first_number=first_number)
    printed = prepare_puzzles(
        positions,
        options,
        marks=bool(asked.get("marks")),
        symbols=asked.get("symbols"),
        links=bool(asked.get("qr")),
        limits=asked.limits_of(None),
    )
    warnings = [warning for record in records for warning in record.warnings]
    asked.warnings = tuple(dict.fromkeys(warnings))
    if asked.get("preview"):
        return preview_pages(printed, options)._asdict() | asked.remarks()
    return {"pdf": b64encode(make_pdf(printed, options)).decode()} | asked.remarks()


def _positions(asked: Asked, records: list[Record]) -> list[Position]:
    """Return what is printed of each puzzle: the position that is sent with it, or the one in its text."""
    found = [record.position() for record in records]
    for index, (position, sent) in enumerate(zip(found, asked.get("positions", []), strict=False)):
        if sent is not None:
            found[index] = asked.read(partial(position_from_json, position.puzzle, sent), position, "positions", index)
    return found


def _check_symbols(asked: Asked, records: Iterable[Record]) -> None:
    """Note what is wrong with the signs in which values are to be printed, for each range of values."""
    if (symbols := asked.get("symbols")) is not None:
        for values in dict.fromkeys(record.position().puzzle.grid.values for record in records):
            asked.read(partial(alphabet, symbols, values), None, "symbols")


def _sheet_options(body: Mapping[str, Any]) -> SheetOptions:
    return SheetOptions(**{name: body[name] for name in _OPTIONS if name in body})
