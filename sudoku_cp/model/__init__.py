"""The waist: seven constraints, a model of them, and (in `layers`, `rewrite`, `cnf`) stateless rewritings between them."""

from sudoku_cp.model.cliques import covers, different, groups
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
from sudoku_cp.model.model import Block, Model, Statement, block, build, joined, shifted
from sudoku_cp.model.strengthen import strengthened

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
    "block",
    "build",
    "cells_of",
    "covers",
    "different",
    "groups",
    "joined",
    "members",
    "pair_table",
    "shifted",
    "strengthened",
    "to_mask",
]
