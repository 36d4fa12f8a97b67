"""A model as a formula in conjunctive normal form, with a number for every candidate that is not yet decided.

The exact-cover CNF of a puzzle: one Boolean for each candidate (cell = value), each cell exactly one, and a block of
clauses for each statement of the model. Literals are DIMACS integers: +k is variable k true, -k false.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import TYPE_CHECKING

from sudoku_cp.model.clause_templates import numbered_clauses
from sudoku_cp.model.model import AUXILIARY, Domain, Model, Statement, members
from sudoku_cp.time_limits import ticked, ticking

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from sudoku_cp.grid import Cell
    from sudoku_cp.model.cliques import CellSet

CELLS_A_TICK = 8
"""Cells between two ticks: one of 36 values has 630 clauses."""


@dataclass(frozen=True, eq=False)
class Cnf:
    """The formula: ``cells`` gives each cell exactly one value, then comes a block for each statement.

    ``domains`` are those of the board's first ``board`` cells and, after them, of all auxiliaries.

    ``variables`` gives the literal of (cell, value) for every live candidate; a candidate of a decided cell has none.
    An auxiliary has one variable: true is 1.
    """

    domains: Sequence[Domain]
    board: int
    variables: Mapping[tuple[Cell, int], int]
    cells: Sequence[Sequence[int]]
    blocks: Sequence[tuple[Statement, Sequence[Sequence[int]]]]

    @cached_property
    def clauses(self) -> list[Sequence[int]]:
        """All clauses, block by block."""
        return [*self.cells, *(clause for _, block in self.blocks for clause in block)]

    @cached_property
    def size(self) -> int:
        """The number of variables."""
        return max((abs(literal) for literal in self.variables.values()), default=0)

    @cached_property
    def candidates(self) -> list[tuple[Cell, int] | None]:
        """The board's candidate of each variable (index 0 unused); None for an auxiliary."""
        found: list[tuple[Cell, int] | None] = [None] * (self.size + 1)
        for candidate, literal in self.variables.items():
            if candidate[0] < self.board:
                found[literal] = candidate
        return found

    def values(self, literals: Sequence[int]) -> tuple[int, ...]:
        """Return the values of the board's cells in a model, whose literals stand in the order of their variables."""
        values = [domain.bit_length() - 1 for domain in self.domains[: self.board]]
        candidates = self.candidates
        for literal in literals[: len(candidates) - 1]:
            if literal > 0 and (candidate := candidates[literal]):
                values[candidate[0]] = candidate[1]
        return tuple(values)


def cnf(
    model: Model,
    domains: Sequence[Domain] | None = None,
    tick: Callable[[], object] = int,
    different: Sequence[CellSet] = (),
) -> Cnf:
    """Return the formula of ``model``, over only the candidates in ``domains`` if these are given.

    ``domains`` narrows the model's own (for the board's cells, or for all of them). ``tick`` is called now and then, and
    may raise to stop the work: a large board has a million clauses. If ``different`` says which cells differ, sums
    are encoded in terms of what such cells add together, which is stronger and harder to read.
    """
    live = [*(domains or ()), *model.domains[len(domains or ()) :]]
    with ticking(tick):
        variables = _numbered(live, model.board)
        values = _exactly_one(live, model.board, variables)
    number = max(map(abs, variables.values()), default=0)

    def fresh() -> int:
        nonlocal number
        number += 1
        variables[len(live), 1], variables[len(live), 0] = number, -number
        live.append(AUXILIARY)
        return number

    with ticking(tick):
        blocks = [
            (statement, numbered_clauses(statement.constraint, live, variables, different, fresh))
            for statement in ticked(model.statements, every=1)
        ]
    return Cnf(tuple(live), model.board, variables, values, blocks)


def _numbered(domains: Sequence[Domain], board: int) -> dict[tuple[Cell, int], int]:
    variables: dict[tuple[Cell, int], int] = {}
    number = 0
    for cell, domain in enumerate(ticked(domains, CELLS_A_TICK)):
        if cell >= board and domain == AUXILIARY:
            number += 1
            variables[cell, 1] = number
            variables[cell, 0] = -number
        elif domain & (domain - 1):
            for value in members(domain):
                number += 1
                variables[cell, value] = number
    return variables


def _exactly_one(domains: Sequence[Domain], board: int, variables: Mapping[tuple[Cell, int], int]) -> list[list[int]]:
    clauses: list[list[int]] = []
    for cell, domain in enumerate(ticked(domains, CELLS_A_TICK)):
        if not domain:
            clauses.append([])
        elif domain & (domain - 1) and (cell < board or domain != AUXILIARY):
            literals = [variables[cell, value] for value in members(domain)]
            clauses.append(literals)
            clauses += [[-one, -other] for one, other in combinations(literals, 2)]
    return clauses
