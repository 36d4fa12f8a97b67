"""Which puzzles go to the array engine, and how long each may take there; the code that needs NumPy is in `array_solver`.

The array engine (``fast:lanes``) answers plain puzzles by the thousand and learns nothing from its conflicts, so a puzzle that
exceeds its node budget goes to an engine that does. The budgets of all packages are here.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from sudoku_cp.backends import Limits, choose

if TYPE_CHECKING:
    from sudoku_cp.model import Model
    from sudoku_cp.queries.session_pool import Engine

ENGINE = "fast:lanes"
LEARNING_ENGINE = "sat"
"""The engine for puzzles that exceed the array engine's budget: it learns from its conflicts."""
ENGINE_NAMES = frozenset({"fast", ENGINE})
"""The names that select the array engine."""
NODE_BUDGET, NODES_PER_SOLUTION = 100_000, 10
"""Nodes for each puzzle (about 50 ms), and for each solution to count, if the caller sets no limit."""
GIVEN_BUDGET = 10_000
"""Nodes to find out whether one given is needed."""
CANDIDATE_BUDGET = 500
"""Nodes to find out whether a candidate occurs in a solution, for each solution to count."""


def array_engine_serves(backend: Engine, model: Model, expected_count: int) -> bool:
    """Return whether ``expected_count`` plain puzzles of this model go to the array engine if ``backend`` is requested."""
    if backend == "auto":
        return choose(model, expected_count) in ENGINE_NAMES
    return isinstance(backend, str) and backend in ENGINE_NAMES


def with_node_budget(limits: Limits, solution_limit: int) -> Limits:
    """Return the limits with the usual node budget, unless they have their own."""
    return limits if limits.nodes is not None else replace(limits, nodes=NODE_BUDGET + NODES_PER_SOLUTION * solution_limit)


def with_nodes_at_most(limits: Limits, nodes: int) -> Limits:
    """Return the limits with at most ``nodes`` nodes."""
    return replace(limits, nodes=nodes if limits.nodes is None else min(limits.nodes, nodes))


def limits_for_all(limits: Limits, number: int) -> Limits:
    """Return limits for ``number`` puzzles at once, with the sum of their time limits."""
    return replace(limits, seconds=None if limits.seconds is None else limits.seconds * number)
