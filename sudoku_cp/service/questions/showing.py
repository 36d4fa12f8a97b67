"""The questions that solve nothing: convert, picture, and the listings of what there is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sudoku_cp.answer_json.listings import backends_to_json, formats_to_json, rules_to_json
from sudoku_cp.formats import format_puzzles
from sudoku_cp.formats.registry import format_to_write
from sudoku_cp.paper.qr_codes import qr_svg
from sudoku_cp.puzzle.rules_in_words import ruleset_text
from sudoku_cp.render import svg
from sudoku_cp.render.page_layers import layers
from sudoku_cp.render.svg_picture import CELL
from sudoku_cp.service.questions.asked import Asked
from sudoku_cp.service.sizes import MOST_CONVERTED, SIZES

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sudoku_cp.service.pool.tasks import Control


def convert(body: Mapping[str, Any], control: Control) -> dict[str, Any]:
    """Write the puzzles in another format, or say why that cannot express them."""
    asked = Asked(body, control)
    records, to = asked.records(MOST_CONVERTED), asked.get("to", "")
    asked.read(lambda: format_to_write(to), None, "to")
    asked.end()
    warnings = [warning for record in records for warning in record.warnings]
    asked.warnings = tuple(dict.fromkeys(warnings))
    pieces = list(format_puzzles([record.position().puzzle for record in records], to, strict=bool(asked.get("strict"))))
    if refused := next((one for one in pieces if one.error), None):
        return {"status": "refused", "error": str(refused.error)} | asked.remarks()
    left_out = list(dict.fromkeys(one for piece in pieces for one in piece.left_out))
    return {"status": "written", "left_out": left_out} | asked.remarks() | {"text": "".join(one.text for one in pieces)}


def picture(body: Mapping[str, Any], control: Control) -> dict[str, Any]:
    """Draw the puzzle or position as SVG, with ``layers`` as what a page needs to draw it; or a ``link`` to it as QR code."""
    asked = Asked(body, control)
    position = asked.position()
    asked.end()
    puzzle = position.puzzle
    if link := asked.get("link"):
        return {"svg": qr_svg(link)} | asked.remarks()
    if asked.get("layers"):
        return {"layers": layers(puzzle)} | asked.remarks()
    below = ruleset_text(puzzle) if asked.get("words") else None
    return {"svg": svg(position, cell=asked.get("cell", CELL), words=below)} | asked.remarks()


def rules(body: Mapping[str, Any], control: Control) -> dict[str, Any]:
    """List the rules that a puzzle can have, each with its meaning, fields and an example."""
    del body, control
    return {"rules": rules_to_json()}


def formats(body: Mapping[str, Any], control: Control) -> dict[str, Any]:
    """List the formats that puzzles are read from and written in."""
    del body, control
    return {"formats": formats_to_json()}


def backends(body: Mapping[str, Any], control: Control) -> dict[str, Any]:
    """List the engines, and say which are installed."""
    del body, control
    return {"backends": backends_to_json()}


def limits(body: Mapping[str, Any], control: Control) -> dict[str, Any]:
    """Tell how large a question may be; the server adds its own limits."""
    del body, control
    return {"limits": dict(SIZES)}
