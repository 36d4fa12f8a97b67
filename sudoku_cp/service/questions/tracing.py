"""The question ``trace``: the answer with the path tree of the search that found it, as columns."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sudoku_cp import queries
from sudoku_cp.answer_json.fields import answer_to_json, with_values
from sudoku_cp.answer_json.path_trees import tree_to_json
from sudoku_cp.questions.body_reader import of_option
from sudoku_cp.questions.options import AUTO
from sudoku_cp.service.questions.asked import Asked
from sudoku_cp.service.sizes import MOST_NODES

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sudoku_cp.service.pool.tasks import Control


def trace(body: Mapping[str, Any], control: Control) -> dict[str, Any]:
    """Return the answer of ``solve`` and the path tree; a tree that grew too large is cut (``truncated``)."""
    asked = Asked(body, control)
    puzzle, engine = asked.puzzle(), asked.engine()
    asked.end()
    wanted = asked.get("nodes")
    most = min(wanted or MOST_NODES, MOST_NODES)
    limits = asked.limits_of(most)
    with of_option("backend"):  # only some engines record their search
        answer, tree = queries.solve_traced(
            puzzle, backend="native" if engine == AUTO else engine, limits=limits, solution_limit=asked.get("limit", 2)
        )
    truncated = tree.stopped == "nodes" and most != wanted
    fields = answer_to_json(puzzle, answer) | {"tree": tree_to_json(puzzle, tree)}
    return fields | with_values(truncated=truncated) | asked.remarks()
