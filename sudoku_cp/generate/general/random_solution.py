"""Random full grids under any rules, of any size.

Grids are approximately uniform. On small boards random values in random cells are assumed (preferences); of those in an
unsatisfiable core the last is dropped, and a search that prefers random values fills the rest. Then parts of the grid (the cells
of some values, or random ones) are reopened and filled again, several times. On 4x4 the frequencies of the 288 grids then look
like those of a uniform sample; after a single search from nothing they are fifty times as uneven.

On large boards random values are preset in a part of the cells, so that the formula has few candidates; if that fails, fewer
cells are preset. Budgets are conflicts, not seconds, so the same random stream gives the same grid.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sudoku_cp.backends import UNLIMITED, Limits, Solution
from sudoku_cp.errors import InvalidInput, WrongAnswer
from sudoku_cp.generate.general.rule_solver import RuleEncoding, RuleSolver, encode_rules, random_phases
from sudoku_cp.model import members

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence
    from random import Random

    from sudoku_cp.backends import Clock
    from sudoku_cp.grid import Cell
    from sudoku_cp.model import Domain
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
