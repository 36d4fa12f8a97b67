"""The waist: nine constraints, a model of them, and (in `strengthen`, `rewrite`, `cnf`) stateless rewritings of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sudoku_cp.model.cliques import clique_cover, clique_terms, different_board_cells, different_cells
from sudoku_cp.model.model import (
    AllDifferent,
    Automaton,
    Block,
    Clause,
    Connected,
    Constraint,
    Count,
    DigitSet,
    Domain,
    Linear,
    Literal,
    Model,
    Partition,
    Relation,
    Statement,
    Table,
    Values,
    build_model,
    cells_of,
    join_blocks,
    make_block,
    members,
    pair_table,
    shift_auxiliaries,
    to_mask,
)

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = [
    "AllDifferent",
    "Automaton",
    "Block",
    "Clause",
    "Connected",
    "Constraint",
    "Count",
    "DigitSet",
    "Domain",
    "Linear",
    "Literal",
    "Model",
    "Partition",
    "Relation",
    "Statement",
    "Table",
    "Values",
    "build_model",
    "cells_of",
    "clique_cover",
    "clique_terms",
    "different_board_cells",
    "different_cells",
    "join_blocks",
    "make_block",
    "members",
    "pair_table",
    "shift_auxiliaries",
    "strengthen_model",
    "to_mask",
]


def strengthen_model(model: Model, tick: Callable[[], object] = int) -> Model:
    """Return a model with the same solutions on the board and stronger statements; the same one each time.

    Added statements have the rule "implied", and their part says what they follow from. ``tick`` is called now and then, and may
    raise to stop the work.
    """
    if model.is_houses:
        return model
    from sudoku_cp.model import strengthen  # noqa: PLC0415  # a plain grid in a fresh process does not need it

    return strengthen.strengthen_model(model, tick)
