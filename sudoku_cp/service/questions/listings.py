"""The listings of what there is: the functions that workers run for them, each with the class of its answer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sudoku_cp.questions.listings import (
    BackendsAnswer,
    FormatsAnswer,
    RulesAnswer,
    backends_to_json,
    formats_to_json,
    rules_to_json,
)
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


@dataclass(frozen=True, kw_only=True)
class LimitsAnswer:
    """How much may be asked: sizes, seconds, and how often."""

    limits: dict[str, float]


def limits(body: Mapping[str, Any], control: Control) -> dict[str, Any]:
    """Return how large a question may be; the server adds its own limits."""
    del body, control
    return {"limits": dict(SIZES)}


ANSWERS: dict[str, type] = {
    "rules": RulesAnswer,
    "formats": FormatsAnswer,
    "backends": BackendsAnswer,
    "limits": LimitsAnswer,
}
"""The class of the answer of each listing."""
