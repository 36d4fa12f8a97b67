"""A model as a CP-SAT model, and givens as edits of its variables' domains."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias, assert_never

from ortools.sat.python import cp_model

from sudoku_cp.grid import MAX_VALUE
from sudoku_cp.model import (
    AllDifferent,
    Automaton,
    Clause,
    Connected,
    Constraint,
    Count,
    DigitSet,
    Domain,
    Linear,
    Model,
    Partition,
    Table,
    members,
)
from sudoku_cp.model.constraints import COMPARE
from sudoku_cp.model.model import AUXILIARY

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from sudoku_cp.backends.base import Assumed, Solution
    from sudoku_cp.grid import Cell

Edits: TypeAlias = "Mapping[int, Sequence[int]]"
"""New domains of variables, by index: intervals as lowest, highest, lowest, highest, ..."""

Boolean: TypeAlias = Any
"""A Boolean variable or its negation; no type of ortools has the methods of both."""


def apply(model: cp_model.CpModel, edits: Edits) -> None:
    """Set the domains of variables in ``model``."""
    variables = model.proto.variables
    for index, domain in edits.items():
        own = variables[index].domain
        own.clear()
        own.extend(domain)


class Encoding:
    """A model as a CP-SAT model: a Boolean for each candidate, integers where a constraint needs them, or both."""

    def __init__(self, model: Model, *, cover: bool, check: Callable[[], object] = int) -> None:
        """Declare the variables and state every constraint; ``check`` is called in between, and may raise at a limit."""
        self._source = model
        self._cover = self.has_literals = cover
        self._literals: dict[tuple[Cell, int], Boolean] = {}
        self._integers: dict[Cell, cp_model.IntVar] = {}
        self.model = cp_model.CpModel()
        for cell in range(len(model.domains)):
            check()
            self._declare(cell)
        for constraint in model.constraints:
            check()
            self._post(constraint)
        self.is_cover = cover and all(isinstance(one, AllDifferent | Clause) for one in model.constraints)
        # Reading a variable's index is slow, so it is done once: of each candidate, or of each cell.
        seen = range(model.board)
        self._index = {key: literal.index for key, literal in self._literals.items() if cover and key[0] in seen}
        self._spelling = [(index, value) for (_, value), index in self._index.items()]
        self._places = [] if cover else [self._integers[cell].index for cell in seen]

    # --- variables ----------------------------------------------------------------------------------------------

    def _declare(self, cell: Cell) -> None:
        domain, model = self._source.domains[cell], self.model
        if cell >= self._source.board and domain == AUXILIARY:
            self._literals[cell, 1] = one = model.new_bool_var("")
            self._literals[cell, 0] = one.negated()
        elif self._cover:
            for value in members(domain):
                self._literals[cell, value] = model.new_bool_var("")
            model.add_exactly_one(self._literals[cell, value] for value in members(domain))
        else:
            self._integer(cell)

    def _integer(self, cell: Cell) -> cp_model.IntVar:
        """Return the cell as an integer variable, created and linked to its literals on first use."""
        if cell not in self._integers:
            values = members(self._source.domains[cell])
            self._integers[cell] = number = self.model.new_int_var_from_domain(cp_model.Domain.from_values(values), "")
            for value in values:
                if (cell, value) in self._literals:
                    self.model.add(number == value).only_enforce_if(self._literals[cell, value])
        return self._integers[cell]

    def _copy(self, cell: Cell) -> cp_model.IntVar:
        """Return a second integer variable, constrained to equal the cell's."""
        values = cp_model.Domain.from_values(members(self._source.domains[cell]))
        copy = self.model.new_int_var_from_domain(values, "")
        self.model.add(copy == self._integer(cell))
        return copy

    def _literal(self, cell: Cell, value: int) -> Boolean:
        """Return the Boolean "cell = value", created and linked to the cell's integer on first use."""
        if not 0 <= value <= MAX_VALUE or not self._source.domains[cell] >> value & 1:
            return self.model.new_constant(0)
        if (cell, value) not in self._literals:
            self._literals[cell, value] = literal = self.model.new_bool_var("")
            self.model.add(self._integer(cell) == value).only_enforce_if(literal)
            self.model.add(self._integer(cell) != value).only_enforce_if(literal.negated())
        return self._literals[cell, value]

    # --- constraints --------------------------------------------------------------------------------------------

    def _post(self, constraint: Constraint) -> None:
        model = self.model
        match constraint:
            case AllDifferent(cells) if self._cover:
                self._cover_all(cells)
            case AllDifferent(cells):
                model.add_all_different([self._integer(cell) for cell in cells])
            case Linear(terms, relation, total):
                whole: Any = cp_model.LinearExpr.weighted_sum(
                    [self._integer(cell) for cell, _ in terms], [factor for _, factor in terms]
                )
                model.add(COMPARE[relation](whole, total))
            case Count(cells, values, relation, number):
                inside = [self._literal(cell, value) for cell in cells for value in sorted(values)]
                amount: Any = cp_model.LinearExpr.sum(inside)
                model.add(COMPARE[relation](amount, number))
            case Table(cells, tuples):
                model.add_allowed_assignments([self._integer(cell) for cell in cells], sorted(tuples))
            case Automaton():
                self._accept(constraint)
            case Clause(literals):
                own = [(self._literal(cell, value), equal) for cell, value, equal in literals]
                model.add_bool_or([literal if equal else literal.negated() for literal, equal in own])
            case DigitSet() | Connected() | Partition():
                raise TypeError(f"a {type(constraint).__name__} is rewritten before it comes here")
            case _:
                assert_never(constraint)

    def _cover_all(self, cells: tuple[Cell, ...]) -> None:
        """Post "every value at most once", or "exactly once" if there are as many values as cells."""
        union = 0
        for cell in cells:
            union |= self._source.domains[cell]
        if union.bit_count() < len(cells):
            self.model.add_bool_or([])
        for value in members(union):
            places = [self._literals[cell, value] for cell in cells if (cell, value) in self._literals]
            if union.bit_count() == len(cells):
                self.model.add_exactly_one(places)
            else:
                self.model.add_at_most_one(places)

    def _accept(self, automaton: Automaton) -> None:
        if not automaton.edges or not automaton.accepting:
            self.model.add_bool_or([])
            return
        cells: list[cp_model.IntVar] = []
        for place, cell in enumerate(automaton.cells):
            # Without presolve CP-SAT errs on an automaton that reads a variable twice, and its own check aborts the process.
            cells.append(self._copy(cell) if cell in automaton.cells[:place] else self._integer(cell))
        self.model.add_automaton(cells, automaton.start, sorted(automaton.accepting), sorted(automaton.edges))

    # --- questions ----------------------------------------------------------------------------------------------

    def edits(self, assume: Assumed) -> Edits | None:
        """Return the domains that state ``assume``; None where a cell has no value left."""
        found: dict[int, Sequence[int]] = {}
        for cell, allowed in assume.items():
            domain = self._source.domains[cell]
            kept = domain & allowed
            if not kept:
                return None
            if not self._cover:
                found[self._places[cell]] = _intervals(kept)
            elif not kept & (kept - 1):
                found[self._index[cell, kept.bit_length() - 1]] = (1, 1)
            else:
                found |= {self._index[cell, value]: (0, 0) for value in members(domain & ~kept)}
        return found

    def free(self, edits: Edits) -> Edits:
        """Return the original domains of the variables in ``edits``."""
        if self._cover:
            return dict.fromkeys(edits, (0, 1))
        own = dict(zip(self._places, self._source.domains, strict=False))
        return {index: _intervals(own[index]) for index in edits}

    def solution(self, values: Sequence[int]) -> Solution:
        """Return the grid that the values of all variables represent."""
        if self._cover:
            return tuple([value for index, value in self._spelling if values[index]])
        return tuple([values[index] for index in self._places])

    def forbid(self, model: cp_model.CpModel, grid: Solution) -> None:
        """State in ``model``, a copy of our own, that the solution is not ``grid``."""
        different = []
        for cell, value in enumerate(grid):
            if self._cover:
                literal = model.get_bool_var_from_proto_index(self._literals[cell, value].index)
                different.append(literal.negated())
            else:
                other = model.new_bool_var("")
                number = model.get_int_var_from_proto_index(self._integers[cell].index)
                model.add(number != value).only_enforce_if(other)
                different.append(other)
        model.add_bool_or(different)


def _intervals(domain: Domain) -> list[int]:
    found: list[int] = cp_model.Domain.from_values(members(domain)).flattened_intervals()
    return found
