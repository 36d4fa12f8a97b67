"""The questions about solutions: solve, count, check, validate, candidates, compare."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from sudoku_cp import queries
from sudoku_cp.answer_json.comparisons import comparison_to_json
from sudoku_cp.answer_json.fields import answer_to_json, with_values
from sudoku_cp.compare import CrossCheck
from sudoku_cp.service.questions.asked import Asked, check_engine
from sudoku_cp.service.sizes import MOST_PUZZLES, MOST_SOLUTIONS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sudoku_cp.service.pool.tasks import Control

PAUSE = 0.2
"""Seconds between two reports of progress, at least."""
ERROR = 0.05
"""The relative half-width of the interval at which an estimate stops."""
DEFAULT_ENGINES = "native,sat,cpsat"


def solve(body: Mapping[str, Any], control: Control) -> dict[str, Any]:
    """Find the solution, and whether it is the only one."""
    asked = Asked(body, control)
    puzzle, engine = asked.puzzle(), asked.engine()
    every, first, random, limit = (asked.get(name) for name in ("all", "first", "random", "limit"))
    seed = asked.get("seed")
    asked.refuse(
        {
            "only one of 'all', 'first', 'random' and 'limit', got several": (
                sum(map(bool, (every, first, random, limit))) > 1,
                "all" if every else "first" if first else "random",
            ),
            "'seed' with 'random', got it alone": (seed is not None and not random, "seed"),
        }
    )
    asked.end()
    limits = asked.limits()
    if random:
        found = queries.random_solution(puzzle, seed=seed, backend=engine, limits=limits)
        return answer_to_json(puzzle, found) | asked.remarks()
    wanted = None if every else 1 if first else limit or 2
    told: list[Any] = []
    fields: dict[str, Any] = {}
    for part in queries.solve_stream(puzzle, backend=engine, limits=limits, solution_limit=wanted):
        fields = answer_to_json(puzzle, part)
        told += fields["solutions"][: MOST_SOLUTIONS - len(told)]
        if part.partial:
            control.emit({"count": part.count})
    fields["solutions"] = told
    return fields | with_values(truncated=len(told) < fields["count"]) | asked.remarks()


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
