"""The questions about solutions: solve, count, check, validate, candidates, compare."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from sudoku_cp.answer_json.comparisons import comparison_to_json
from sudoku_cp.answer_json.fields import with_values
from sudoku_cp.compare import CrossCheck
from sudoku_cp.service.questions.asked import Asked, check_engine
from sudoku_cp.service.sizes import MOST_PUZZLES

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sudoku_cp.service.pool.tasks import Control

PAUSE = 0.2
"""Seconds between two reports of progress, at least."""
ERROR = 0.05
"""The relative half-width of the interval at which an estimate stops."""
DEFAULT_ENGINES = "native,sat,cpsat"


def compare(body: Mapping[str, Any], control: Control) -> dict[str, Any]:
    """Answer the same puzzles with several engines: do they agree, and how fast is each?

    If the time runs out, the puzzles compared until then are told, with the ``reason``.
    """
    asked = Asked(body, control)
    records = asked.records(most=MOST_PUZZLES)
    names = [name.strip() for name in asked.get("backends", DEFAULT_ENGINES).split(",") if name.strip()]
    known = [asked.read(partial(check_engine, name), "", "backends") for name in names]
    if len(names) < 2:  # noqa: PLR2004
        asked.refuse({f"at least two engines to compare, got {len(names)}": (True, "backends")})
    asked.end()
    cross = CrossCheck(known, solution_limit=asked.get("limit", 2))
    reason = None
    for record in records:
        assert record.puzzle is not None  # noqa: S101  # as above
        limits = asked.limits()
        if limits.seconds is not None and limits.seconds <= 0:
            reason = "deadline"
            break
        cross.limits = limits
        cross.add(record.puzzle)
        control.emit({"puzzles": cross.compared.puzzles, "disagreed": cross.compared.disagreed})
    return comparison_to_json(cross.compared) | with_values(reason=reason)
