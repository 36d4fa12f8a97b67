"""Strengthening: a model with the same solutions whose constraints let every engine propagate more.

The passes, each stateless and in a file of its own: `innies` (sums that follow from houses and cages), `sum_differences`
(of two sums with a common cell), `implied_counts` (counts that follow from counts), `covered_occurrences` (values that occur
several times or not at all), `region_facts` (cells of one region to be found), `tightened_sums` (sums and counts over cells that
all differ), `pair_tables` (one table a pair, digit sets of cells related alike), and `domain_reduction` (values that a statement
rules out by itself).
"""

from __future__ import annotations

from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from sudoku_cp.model.cliques import PAIR, different_cells, remember
from sudoku_cp.model.combined_sums import combined_sums
from sudoku_cp.model.constraints import AllDifferent, Clause, Count, Linear, Table
from sudoku_cp.model.covered_occurrences import covered_occurrences
from sudoku_cp.model.domain_reduction import is_unary, reduce_domains
from sudoku_cp.model.implied_counts import implied_counts
from sudoku_cp.model.innies import innies
from sudoku_cp.model.model import IMPLIED, Model, Statement
from sudoku_cp.model.pair_tables import merge_pair_tables, related_digit_sets
from sudoku_cp.model.region_facts import region_facts
from sudoku_cp.model.sum_differences import sum_differences
from sudoku_cp.model.tightened_sums import tighten_count, tighten_sum
from sudoku_cp.ticks import ticked, ticking

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from sudoku_cp.model.cliques import CellSet
    from sudoku_cp.model.constraints import Constraint, Domain

CONTRADICTION = Statement(Clause(()), IMPLIED, "a cell without values")

_strengthened_models: WeakKeyDictionary[Model, Model | None] = WeakKeyDictionary()
"""The strengthened model of each model; None stands for the model itself, as a value must not keep its weak key alive."""


def strengthen_model(model: Model, tick: Callable[[], object]) -> Model:
    """Return the strengthened model, as `strengthen_lazily` has it for models that are not houses alone."""
    try:
        return _strengthened_models[model] or model
    except KeyError:
        with ticking(tick):
            found = _strengthened_models[model] = _strengthen(model)
        _strengthened_models[found] = None
        return found


def _strengthen(model: Model) -> Model:
    differ = different_cells(model)
    added = (
        *innies(model, differ),
        *sum_differences(model.statements),
        *implied_counts(model.constraints),
        *combined_sums(model.statements, differ, model.domains),
        *covered_occurrences(model.statements, differ, model.domains, model.board),
        *region_facts(model.constraints),
    )
    statements = (*model.statements, *added)
    tightened, related = _tighten(statements, differ, model.domains)
    if related:
        related = merge_pair_tables(related, differ)
        tightened = _without_pairs(tightened, related)
        related += related_digit_sets(related, model.domains)
    domains = list(model.domains)
    reduce_domains((*tightened, *related), differ, domains)
    if not all(domains):
        return Model(model.domains, (*model.statements, CONTRADICTION), model.board)
    statements_left = tuple([statement for statement in (*tightened, *related) if not is_unary(statement.constraint)])
    found = Model(tuple(domains), statements_left, model.board)
    remember(found, differ)
    return found


def _tighten(
    statements: Iterable[Statement], differ: Sequence[CellSet], domains: Sequence[Domain]
) -> tuple[list[Statement], list[Statement]]:
    """Return the statements with sums and counts tightened where cells differ: first all others, then tables of two cells."""
    tightened: list[Statement] = []
    related: list[Statement] = []
    for statement in ticked(statements):
        constraint = statement.constraint
        if isinstance(constraint, Linear):
            tightened += _restate(statement, tighten_sum(constraint, differ, domains))
        elif isinstance(constraint, Count):
            tightened += _restate(statement, tighten_count(constraint, differ, domains))
        else:
            tightened.append(statement)
    others: list[Statement] = []
    for statement in tightened:
        constraint = statement.constraint
        is_relation = isinstance(constraint, Table) and len(constraint.cells) == PAIR
        (related if is_relation else others).append(statement)
    return others, related


def _restate(statement: Statement, tightened: Iterable[Constraint]) -> Iterator[Statement]:
    """Yield the statement once for each constraint; the same object if the constraint is unchanged."""
    for constraint in tightened:
        yield statement if constraint is statement.constraint else statement._replace(constraint=constraint)


def _without_pairs(tightened: list[Statement], related: list[Statement]) -> list[Statement]:
    """Return the statements without all-different pairs that a table of the same pair implies."""
    pairs = {statement.constraint.cells for statement in related if isinstance(statement.constraint, Table)}
    return [
        statement
        for statement in tightened
        if not (
            isinstance(statement.constraint, AllDifferent)
            and len(statement.constraint.cells) == PAIR
            and tuple(sorted(statement.constraint.cells)) in pairs
        )
    ]
