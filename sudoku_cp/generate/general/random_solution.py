"""Random full grids under any rules, of any size.

Grids are approximately uniform. On small boards random values in random cells are assumed (preferences); of those in an
unsatisfiable core the last is dropped, and a search that prefers random values fills the rest. Then parts of the grid (the cells
of some values, or random ones) are reopened and filled again, several times. On 4x4 the frequencies of the 288 grids then look
like those of a uniform sample; after a single search from nothing they are fifty times as uneven.

On large boards random values are preset in a part of the cells, so that the formula has few candidates; if that fails, fewer
cells are preset. Budgets are conflicts, not seconds, so the same random stream gives the same grid.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

from sudoku_cp.backends import UNLIMITED, Clock, Limits, Solution
from sudoku_cp.backends.sat import strengthen_for_sat
from sudoku_cp.backends.sat_oracle import COUNTERS, SatOracle
from sudoku_cp.errors import InvalidInput, LimitReached, WrongAnswer
from sudoku_cp.model import AllDifferent, DigitSet, Domain, Model, different_cells, members, strengthen_model
from sudoku_cp.model.cnf import Cnf, cnf
from sudoku_cp.model.rewrite import propagate_decided

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence
    from random import Random

    from sudoku_cp.grid import Cell
    from sudoku_cp.model.cliques import CellSet
    from sudoku_cp.puzzle import Puzzle


PREFERRED = 0.5
"""The share of the open cells of a small board with a preferred value."""
PRESET = (0.25, 0.25, 0.12, 0.06, 0.0)
"""The share of the cells of a large board that are preset, attempt by attempt."""
PATIENCE = 1000
"""Conflicts after which half of the preferences are dropped, or the next share of cells is preset."""
MOVES = 6
"""How often at least a part of the grid is refilled; on large boards once for each value."""
VALUES = 3
"""Values whose cells are reopened together."""
OPENED = 0.65
"""The share of cells reopened where they are drawn one by one, on small boards."""


def random_solution(puzzle: Puzzle, random: Random, limits: Limits = UNLIMITED) -> Solution:
    """Return an approximately uniform solution of a puzzle, reproducible by ``random``.

    Raises `InvalidInput` where there is none, and `LimitReached`.
    """
    clock = limits.started()
    rules = encode_rules(puzzle.model(clock.check))
    allowed = puzzle.assume()
    domains = [domain & allowed.get(cell, -1) for cell, domain in enumerate(rules.domains)]
    found = random_solution_within(rules, domains, random, clock)
    if found is None:
        raise InvalidInput(f"expected rules and givens that have a solution, got some that have none, on {puzzle.grid}")
    if not puzzle.holds(found):
        raise WrongAnswer(f"expected a solution of {puzzle!r}, got {found!r}")
    return found


def random_solution_within(rules: RuleEncoding, domains: Sequence[Domain], random: Random, clock: Clock) -> Solution | None:
    """Return a random solution in which each cell holds a value of its domain, None where there is none."""
    if not all(domains):
        return None
    return (_fill_small if rules.is_small else _fill_large)(rules, domains, random, clock)


# --- small boards: one solver for all questions -----------------------------------------------------------------


def _fill_small(rules: RuleEncoding, domains: Sequence[Domain], random: Random, clock: Clock) -> Solution | None:
    """Return a solution with compatible random values in random cells, partly refilled several times."""
    solver = _make_solver(rules, domains, random, clock)
    if solver is None:
        return None
    cells = [cell for cell, domain in enumerate(solver.formula.domains[: len(domains)]) if domain & (domain - 1)]
    preferred = [
        solver.formula.variables[cell, random.choice(members(solver.formula.domains[cell]))]
        for cell in random.sample(cells, round(PREFERRED * len(cells)))
    ]
    found = _solve_with_preferences(solver, preferred)
    if found is None:
        return None
    for number in range(MOVES):
        part = _cells_of_random_values(domains, found, random) if number % 2 else random.sample(cells, round(OPENED * len(cells)))
        found = _refill(solver, found, part, random)
    return found


def _solve_with_preferences(solver: RuleSolver, preferred: list[int]) -> Solution | None:
    """Return a solution in which many of the preferences hold, None where there is no solution at all."""
    while True:
        answer = solver.ask(preferred, PATIENCE if preferred else None)
        if answer:
            return solver.solution()
        if answer is None:
            del preferred[len(preferred) // 2 :]
        else:
            core = solver.core()
            if not core:
                return None
            preferred.remove(next(one for one in reversed(preferred) if one in core))


def _refill(solver: RuleSolver, found: Solution, part: Collection[Cell], random: Random) -> Solution:
    """Return the grid with a part refilled, or unchanged where that takes too long."""
    solver.prefer(random_phases(solver.formula, random))
    opened = set(part)
    kept = solver.literals((cell, value) for cell, value in enumerate(found) if cell not in opened)
    return solver.solution() if solver.ask(kept, PATIENCE) else found


# --- large boards: a formula for each question, over what is open -----------------------------------------------


def _fill_large(rules: RuleEncoding, domains: Sequence[Domain], random: Random, clock: Clock) -> Solution | None:
    """Return a solution completed from preset random values, with the cells of random values refilled several times."""
    found = _grow_grid(rules, domains, random, clock)
    if found is None:
        return None
    for _ in range(max(MOVES, len(set(found)))):
        found = resample_values(rules, domains, found, random, clock)
    return found


def resample_values(rules: RuleEncoding, domains: Sequence[Domain], found: Solution, random: Random, clock: Clock) -> Solution:
    """Return the grid with the cells of some random values refilled, or unchanged where that takes too long."""
    part = set(_cells_of_random_values(domains, found, random))
    opened = [domains[cell] if cell in part else 1 << value for cell, value in enumerate(found)]
    solver = _make_solver(rules, opened, random, clock)
    return solver.solution() if solver and solver.ask([], PATIENCE) else found


def _grow_grid(rules: RuleEncoding, domains: Sequence[Domain], random: Random, clock: Clock) -> Solution | None:
    for share in PRESET:
        seed = preset_values(rules, domains, share, random)
        solver = _make_solver(rules, seed, random, clock) if seed else None
        if solver and solver.ask([], PATIENCE if share else None):
            return solver.solution()
    return None


def preset_values(rules: RuleEncoding, domains: Sequence[Domain], share: float, random: Random) -> list[Domain] | None:
    """Return the domains with random values preset in a share of the cells, None where a cell has no value left."""
    live = list(domains)
    for cell in random.sample(range(len(live)), int(share * len(live))):
        values = members(live[cell])
        if not values:
            return None
        value = random.choice(values)
        for peer in rules.peers[cell]:
            live[peer] &= ~(1 << value)
        live[cell] = 1 << value
    return live if all(live) else None


# --- both -------------------------------------------------------------------------------------------------------


def _make_solver(rules: RuleEncoding, domains: Sequence[Domain], random: Random, clock: Clock) -> RuleSolver | None:
    """Return a new solver that prefers random values; None where propagation leaves a cell no value."""
    formula = rules.formula(domains, clock)
    if formula is None:
        return None
    solver = RuleSolver(formula, clock)
    solver.prefer(random_phases(formula, random))
    return solver


def _cells_of_random_values(domains: Sequence[Domain], found: Solution, random: Random) -> list[Cell]:
    """Return the open cells of some random values."""
    held = sorted(set(found))
    drawn = set(random.sample(held, min(VALUES, len(held))))
    return [cell for cell, value in enumerate(found) if value in drawn and domains[cell] & (domains[cell] - 1)]


# Rules as a formula in a SAT solver that reports cores and prefers given literals.
#
# A solver serves one puzzle: clauses learnt from others would change which solution it finds, and so the puzzle. Budgets are
# conflicts, which do not depend on time.


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
