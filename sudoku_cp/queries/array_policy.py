"""Which puzzles go to the array engine, and how long each may take there; what needs NumPy is in `array_solver`.

The array engine (``fast:lanes``) answers plain puzzles by the thousand and learns nothing from its conflicts: a puzzle that
spends its budget of nodes goes to an engine that does. The budgets stand here, once for everybody who asks.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from sudoku_cp.backends import Limits, choose

if TYPE_CHECKING:
    from sudoku_cp.model import Model
    from sudoku_cp.queries.session_pool import Engine

ENGINE = "fast:lanes"
ENGINE_NAMES = frozenset({"fast", ENGINE})
"""What the array engine is called when it is asked for by name."""
NODE_BUDGET, NODES_PER_SOLUTION = 100_000, 10
"""Nodes for each puzzle (about 50 ms), and for each solution to count, where nobody limits them."""
GIVEN_BUDGET = 10_000
"""Nodes for the question whether one given is needed."""
CANDIDATE_BUDGET = 500
"""Nodes for the question whether one candidate is in a solution, for each solution to count."""


def array_engine_serves(backend: Engine, model: Model, expected_count: int) -> bool:
    """Return whether so many plain puzzles of this model go to the array engine if ``backend`` is asked for."""
    if backend == "auto":
        return choose(model, expected_count) in ENGINE_NAMES
    return isinstance(backend, str) and backend in ENGINE_NAMES


def with_node_budget(limits: Limits, solution_limit: int) -> Limits:
    """Return the limits with the usual budget of nodes, where they have none of their own."""
    return limits if limits.nodes is not None else replace(limits, nodes=NODE_BUDGET + NODES_PER_SOLUTION * solution_limit)


def with_nodes_at_most(limits: Limits, nodes: int) -> Limits:
    """Return the limits with no more than so many nodes."""
    return replace(limits, nodes=nodes if limits.nodes is None else min(limits.nodes, nodes))


def limits_for_all(limits: Limits, number: int) -> Limits:
    """Return limits for so many puzzles at once, each of which has the time limit for itself."""
    return replace(limits, seconds=None if limits.seconds is None else limits.seconds * number)
