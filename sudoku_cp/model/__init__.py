"""The waist: seven constraints, a model of them, and (in `layers`, `rewrite`, `cnf`) stateless rewritings between them."""

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
    relation,
    to_mask,
)
from sudoku_cp.model.model import Model, Statement, build

__all__ = [
    "AllDifferent",
    "Automaton",
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
    "build",
    "cells_of",
    "members",
    "relation",
    "to_mask",
]
