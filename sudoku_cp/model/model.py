"""A model: the input of a backend. It knows cells, domains and constraints, and neither rules nor geometry."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from sudoku_cp.model.constraints import (
    AllDifferent,
    Clause,
    Constraint,
    Domain,
    Literal,
    Table,
    Values,
    cells_of,
    rename_cells,
)
from sudoku_cp.time_limits import ticked, ticking

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from sudoku_cp.grid import Cell

AUXILIARY: Domain = 0b11
"""The domain of an auxiliary: 0 or 1."""
IMPLIED = "implied"
"""The rule of a statement that follows from others, named by its part."""


class Statement(NamedTuple):
    """A constraint with the rule it came from and the part of that rule it states (``houses``, ``row 1``)."""

    constraint: Constraint
    rule: str
    part: str

    def __str__(self) -> str:
        """Return the part and its rule in words."""
        return f"{self.part} ({self.rule})" if self.part != self.rule else self.rule


@dataclass(frozen=True, eq=False)
class Model:
    """Cells with domains, and the statements about them.

    The first ``board`` cells are those that people see; the rest are auxiliaries. A solution is the values of the board's
    cells for which the auxiliaries can be chosen so that every statement holds. Models are compared by identity, so
    that looking one up is fast.
    """

    domains: tuple[Domain, ...]
    statements: tuple[Statement, ...]
    board: int

    @property
    def constraints(self) -> list[Constraint]:
        """The constraints alone."""
        return [statement.constraint for statement in self.statements]

    def holds(self, values: Values) -> bool:
        """Return whether ``values`` (of all cells, auxiliaries included) lie in the domains and obey every constraint."""
        return all(domain >> value & 1 for domain, value in zip(self.domains, values, strict=True)) and all(
            constraint.holds(values) for constraint in self.constraints
        )

    @cached_property
    def is_houses(self) -> bool:
        """Whether the model states only that some cells are different."""
        return all(isinstance(constraint, AllDifferent) for constraint in self.constraints)


class Block(NamedTuple):
    """What one rule lowers to, each constraint once, and the number of its ``auxiliaries``, which are still negative cells."""

    statements: Mapping[Constraint, Statement]
    auxiliaries: int


def make_block(rule: str, parts: Iterable[tuple[str, Constraint]], tick: Callable[[], object] = int) -> Block:
    """Return the constraints of a rule as a block, which can be cached and shared by many models.

    A constraint stated twice is kept once, and one without cells only if it is false, as the empty clause. ``tick`` is called
    now and then, by what yields the ``parts`` too, and may raise to stop the work: some rules of a large grid are a million
    clauses.
    """
    with ticking(tick):
        return _collect_statements(rule, parts)


def _collect_statements(rule: str, parts: Iterable[tuple[str, Constraint]]) -> Block:
    statements: dict[Constraint, Statement] = {}
    auxiliaries = 0
    for part, own in ticked(parts):
        constraint, cells = own, cells_of(own)
        if not cells:
            if own.holds(()):
                continue
            constraint = Clause(())
        elif min(cells) < 0:
            auxiliaries = max(auxiliaries, -min(cells))
        if isinstance(constraint, Table) and len(cells) < len(constraint.cells):
            constraint = _with_distinct_cells(constraint, cells)
        statements.setdefault(constraint, Statement(constraint, rule, part))
    return Block(statements, auxiliaries)


def join_blocks(board: Iterable[Domain], blocks: Iterable[Block], tick: Callable[[], object] = int) -> Model:
    """Return the model of ``blocks`` over the domains of the board's cells.

    Each block's auxiliaries become cells after the board's; if two blocks state the same constraint, the first one is kept.
    ``tick`` is as in `make_block`.
    """
    domains = list(board)
    size = len(domains)
    parts = []
    for statements, auxiliaries in blocks:
        with ticking(tick):
            parts.append(_place_auxiliaries(len(domains), statements) if auxiliaries else statements)
        domains += [AUXILIARY] * auxiliaries
    # A mapping updated from another keeps its order and reads no constraint again: hashing them takes longer than all this.
    together: dict[Constraint, Statement] = {}
    for statements in parts:
        together.update(statements)
    if len(together) < sum(map(len, parts)):
        for statements in reversed(parts):
            together.update(statements)
    return Model(tuple(domains), tuple(together.values()), size)


def build_model(board: Iterable[Domain], lowered: Iterable[tuple[str, Iterable[tuple[str, Constraint]]]]) -> Model:
    """Return the model of rules lowered to (rule, its (part, constraint)s) over the domains of the board's cells."""
    return join_blocks(board, [make_block(rule, parts) for rule, parts in lowered])


def _place_auxiliaries(base: int, statements: Mapping[Constraint, Statement]) -> dict[Constraint, Statement]:
    """Return the statements with their auxiliaries counted from ``base``; each literal is made once for all clauses."""

    def place(cell: Cell) -> Cell:
        return cell if cell >= 0 else base - 1 - cell

    def place_literal(literal: Literal) -> Literal:
        return literal._replace(cell=place(literal.cell))

    moved: dict[Constraint, Statement] = {}
    literals: dict[Literal, Literal] = {}
    for constraint, statement in ticked(statements.items()):
        if isinstance(constraint, Clause):
            own = [literals.get(one) or literals.setdefault(one, place_literal(one)) for one in constraint.literals]
            placed: Constraint = Clause(tuple(own))
        elif min(cells_of(constraint), default=0) < 0:
            placed = rename_cells(constraint, place)
        else:
            placed = constraint
        moved[placed] = statement if placed is constraint else Statement(placed, statement.rule, statement.part)
    return moved


def shift_auxiliaries(model: Model, by: int) -> Iterator[Statement]:
    """Yield the statements of a model with its auxiliaries moved ``by`` cells further back."""
    for statement in model.statements:
        if by and max(cells_of(statement.constraint), default=0) >= model.board:
            constraint = rename_cells(statement.constraint, lambda cell: cell + by if cell >= model.board else cell)
            yield statement._replace(constraint=constraint)
        else:
            yield statement


def _with_distinct_cells(table: Table, cells: tuple[Cell, ...]) -> Table:
    """Return a table that names each of its cells once, without the tuples that give one of them two values."""
    places = [table.cells.index(cell) for cell in table.cells]
    alike = (row for row in table.tuples if all(row[place] == value for place, value in zip(places, row, strict=True)))
    return Table(cells, frozenset(tuple(row[table.cells.index(cell)] for cell in cells) for row in alike))
