"""The listings of what there is: what workers run for them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sudoku_cp.answer_json.listings import backends_to_json, formats_to_json, rules_to_json
from sudoku_cp.service.settings import SIZES

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sudoku_cp.service.pool.tasks import Control


def rules(body: Mapping[str, Any], control: Control) -> dict[str, Any]:
    """List the rules that a puzzle can have, each with its meaning, fields and an example."""
    del body, control
    return {"rules": rules_to_json()}


def formats(body: Mapping[str, Any], control: Control) -> dict[str, Any]:
    """List the formats that puzzles are read from and written in."""
    del body, control
    return {"formats": formats_to_json()}


def backends(body: Mapping[str, Any], control: Control) -> dict[str, Any]:
    """List the engines, and which are installed."""
    del body, control
    return {"backends": backends_to_json()}


def limits(body: Mapping[str, Any], control: Control) -> dict[str, Any]:
    """Return how large a question may be; the server adds its own limits."""
    del body, control
    return {"limits": dict(SIZES)}
