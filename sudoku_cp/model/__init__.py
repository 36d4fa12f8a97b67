"""The waist: seven constraints, a model of them, and (in `strengthen`, `rewrite`, `cnf`) stateless rewritings of it."""

from sudoku_cp.model.cliques import clique_cover, clique_terms, different_board_cells, different_cells
from sudoku_cp.model.constraints import (
    AllDifferent,
    Automaton,
    Clause,
    Constraint,
    Count,
    DigitSet,
    Domain,
    Linear,
    Literal,
    Relation,
    Table,
    Values,
    cells_of,
    members,
    pair_table,
    to_mask,
)
from sudoku_cp.model.model import Block, Model, Statement, build_model, join_blocks, make_block, shift_auxiliaries
from sudoku_cp.model.strengthen_lazily import strengthen_model

__all__ = [
    "AllDifferent",
    "Automaton",
    "Block",
    "Clause",
    "Constraint",
    "Count",
    "DigitSet",
    "Domain",
    "Linear",
    "Literal",
    "Model",
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
