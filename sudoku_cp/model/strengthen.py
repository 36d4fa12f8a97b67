"""Strengthening: the same solutions, said so that every engine sees more of them at once.

The passes stand in files of their own, each without state: `innies` (sums that follow from houses and cages), `implied_counts`
(counts that follow from counts), `sums` (sums and counts over cells that all differ), `relations` (one table a pair, sets of
values of cells related alike), and `narrowing` (values that a statement rules out by itself).
"""

from __future__ import annotations

from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from sudoku_cp.model.cliques import PAIR, different, remember
from sudoku_cp.model.constraints import AllDifferent, Clause, Count, Linear, Table
from sudoku_cp.model.domain_reduction import is_unary, reduce_domains
from sudoku_cp.model.implied_counts import implied_counts
from sudoku_cp.model.innies import innies
from sudoku_cp.model.model import IMPLIED, Model, Statement
from sudoku_cp.model.pair_tables import merge_pair_tables, related_digit_sets
from sudoku_cp.model.tightened_sums import tighten_count, tighten_sum

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from sudoku_cp.model.cliques import CellSet
    from sudoku_cp.model.constraints import Constraint, Domain

CONTRADICTION = Statement(Clause(()), IMPLIED, "a cell without values")

_strengthened_models: WeakKeyDictionary[Model, Model | None] = WeakKeyDictionary()
"""What a model was strengthened to; None for itself, which would otherwise never be let go."""


def strengthened(model: Model) -> Model:
    """Return a model with the same solutions on the board and stronger statements; the same one each time.

    Statements that were added are the rule "implied", and their part says what they follow from.
    """
    if model.is_houses:
        return model
    try:
        return _strengthened_models[model] or model
    except KeyError:
        found = _strengthened_models[model] = _strengthen(model)
        _strengthened_models[found] = None
        return found


def _strengthen(model: Model) -> Model:
    differ = different(model)
    statements = (*model.statements, *innies(model, differ), *implied_counts(model.constraints))
    told, related = _tighten(statements, differ, model.domains)
    if related:
        related = merge_pair_tables(related, differ)
        told = _without_pairs(told, related)
        related += related_digit_sets(related, model.domains)
    domains = list(model.domains)
    reduce_domains((*told, *related), differ, domains)
    if not all(domains):
        return Model(model.domains, (*model.statements, CONTRADICTION), model.board)
    said = tuple([statement for statement in (*told, *related) if not is_unary(statement.constraint)])
    found = Model(tuple(domains), said, model.board)
    remember(found, differ)
    return found


def _tighten(
    statements: Iterable[Statement], differ: Sequence[CellSet], domains: Sequence[Domain]
) -> tuple[list[Statement], list[Statement]]:
    """Return the statements, sums and counts as what they come to where cells differ: tables of two cells apart."""
    told: list[Statement] = []
    related: list[Statement] = []
    for statement in statements:
        constraint = statement.constraint
        if isinstance(constraint, Linear):
            told += _restate(statement, tighten_sum(constraint, differ, domains))
        elif isinstance(constraint, Count):
            told += _restate(statement, tighten_count(constraint, differ, domains))
        else:
            told.append(statement)
    others: list[Statement] = []
    for statement in told:
        constraint = statement.constraint
        is_relation = isinstance(constraint, Table) and len(constraint.cells) == PAIR
        (related if is_relation else others).append(statement)
    return others, related


def _restate(statement: Statement, told: Iterable[Constraint]) -> Iterator[Statement]:
    """Yield the statement with each constraint that it is told as; itself where that is its own."""
    for constraint in told:
        yield statement if constraint is statement.constraint else statement._replace(constraint=constraint)


def _without_pairs(told: list[Statement], related: list[Statement]) -> list[Statement]:
    """Return what is told but for the pairs of cells that differ as a table says too."""
    pairs = {statement.constraint.cells for statement in related if isinstance(statement.constraint, Table)}
    return [
        statement
        for statement in told
        if not (
            isinstance(statement.constraint, AllDifferent)
            and len(statement.constraint.cells) == PAIR
            and tuple(sorted(statement.constraint.cells)) in pairs
        )
    ]
