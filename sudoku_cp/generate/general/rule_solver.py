"""Rules as a formula in a SAT solver that reports cores and prefers given literals.

A solver serves one puzzle: clauses learnt from others would change which solution it finds, and so the puzzle. Budgets are
conflicts, which do not depend on time.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

from sudoku_cp.backends.sat import strengthen_for_sat
from sudoku_cp.backends.sat_oracle import COUNTERS, SatOracle
from sudoku_cp.errors import LimitReached
from sudoku_cp.model import AllDifferent, DigitSet, different_cells, members, strengthen_model
from sudoku_cp.model.cnf import cnf
from sudoku_cp.model.rewrite import propagate_decided

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence
    from random import Random

    from sudoku_cp.backends import Clock, Solution
    from sudoku_cp.grid import Cell
    from sudoku_cp.model import Domain, Model
    from sudoku_cp.model.cliques import CellSet
    from sudoku_cp.model.cnf import Cnf

WHOLE = 5000
"""Up to this number of candidates (16x16: 4,096) givens are assumptions in one formula; above, formulas have only open cells."""


@dataclass(frozen=True, eq=False)
class RuleEncoding:
    """The rules of a puzzle, without its givens, ready to be encoded for a solver; ``differ`` are cells that all differ."""

    model: Model
    differ: Sequence[CellSet]

    @property
    def candidates(self) -> int:
        """How many candidates the board has without givens."""
        return sum(domain.bit_count() for domain in self.domains)

    @property
    def is_small(self) -> bool:
        """Whether one formula of the whole board serves all questions."""
        return self.candidates <= WHOLE

    @property
    def domains(self) -> tuple[Domain, ...]:
        """The domain of each cell of the board."""
        return self.model.domains[: self.model.board]

    def formula(self, domains: Sequence[Domain], clock: Clock) -> Cnf | None:
        """Return the formula over the candidates that ``domains`` leave, None where propagation leaves a cell none."""
        live = propagate_decided(self.model, domains)
        if not all(live):
            return None
        return self._whole(clock) if live == self._open else cnf(self.model, live, clock.check, self.differ)

    @cached_property
    def peers(self) -> Sequence[Collection[Cell]]:
        """The cells that must differ from each cell by a single constraint, and the cell itself."""
        found: list[set[Cell]] = [{cell} for cell in range(self.model.board)]
        for constraint in self.model.constraints:
            if isinstance(constraint, AllDifferent | DigitSet):
                together = [cell for cell in constraint.cells if cell < self.model.board]
                for cell in together:
                    found[cell].update(together)
        return found

    @cached_property
    def _open(self) -> list[Domain]:
        return propagate_decided(self.model, self.domains)

    def _whole(self, clock: Clock) -> Cnf:
        """Return the formula of the board without givens, cached where the board is small."""
        found = self.__dict__.get("_kept") or cnf(self.model, self._open, clock.check, self.differ)
        if self.is_small:
            self.__dict__["_kept"] = found
        return found


@lru_cache(maxsize=16)
def encode_rules(model: Model) -> RuleEncoding:
    """Return the encoding of a model; the same object for the same model."""
    return RuleEncoding(strengthen_for_sat(model), different_cells(strengthen_model(model)))


class RuleSolver(SatOracle):
    """A SAT solver loaded with a formula."""

    def __init__(self, formula: Cnf, clock: Clock, solver: str = "glucose4") -> None:
        """Load ``formula`` into the PySAT ``solver``; questions end at the limits of ``clock``."""
        super().__init__(solver, [formula.cells, *(block for _, block in formula.blocks)], clock)
        self.formula = formula
        self._clock = clock
        self._last = formula.size

    def fresh(self) -> int:
        """Return a new variable."""
        self._last += 1
        return self._last

    def literals(self, values: Iterable[tuple[Cell, int]]) -> list[int]:
        """Return the literals of those (cell, value) pairs that are not fixed."""
        return [literal for candidate in values if (literal := self.formula.variables.get(candidate))]

    def ask(self, assumed: Sequence[int], most: int | None = None) -> bool | None:
        """Return whether the formula is satisfiable under assumptions; None after ``most`` conflicts. Raises `LimitReached`."""
        clock = self._clock
        limits = clock.left()
        hurried = most is not None and (limits.nodes is None or most < limits.nodes)
        own = replace(limits, nodes=most if hurried else limits.nodes).started()
        try:
            return self.solve(assumed, own, dict.fromkeys(COUNTERS, 0))
        except LimitReached as reached:
            if hurried and reached.reason == "nodes":
                return None
            raise
        finally:
            clock.nodes += own.nodes

    def prefer(self, literals: Sequence[int]) -> None:
        """Try these literals before their negations."""
        self._idle().set_phases(list(literals))

    def solution(self) -> Solution:
        """Return the grid just found."""
        return self.formula.values(self.model())


def random_phases(formula: Cnf, random: Random) -> list[int]:
    """Return literals to prefer: for each open cell one random value, and the negations of the others."""
    literals: list[int] = []
    for cell, domain in enumerate(formula.domains[: formula.board]):
        if domain & (domain - 1):
            values = members(domain)
            drawn = random.choice(values)
            literals += [formula.variables[cell, value] * (1 if value == drawn else -1) for value in values]
    return literals
