"""The questions that solve nothing: convert, picture, and the listings of what there is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sudoku_cp.answer_json.listings import backends_to_json, formats_to_json, rules_to_json
from sudoku_cp.paper.qr_codes import qr_svg
from sudoku_cp.puzzle.rules_in_words import ruleset_text
from sudoku_cp.render import svg
from sudoku_cp.render.page_layers import layers
from sudoku_cp.render.svg_picture import CELL
from sudoku_cp.service.questions.asked import Asked
from sudoku_cp.service.sizes import SIZES

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sudoku_cp.service.pool.tasks import Control


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
