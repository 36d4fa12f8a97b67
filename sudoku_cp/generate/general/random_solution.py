"""Random full grids of any rules, of any size.

A grid is approximately random, not exactly. Values are wished for in random cells, and of wishes that contradict each other
(the solver names some) the last goes; what is left open is filled by a search that prefers random values. Then parts of the
grid (the cells of some values, or random ones) are opened and filled anew, again and again. On 4x4 the frequencies of
the 288 grids are then what chance alone makes of equal ones; with a single search from nothing they are fifty times as uneven.

Large boards are sown first: a part of the cells gets random values that do not clash plainly, so that the formula is over few
candidates. Seed that leads nowhere is sown anew, and thinner. Budgets are conflicts, so the same chance makes the same grid.
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

WISHED = 0.5
"""So many of the open cells of a small board have a value wished for."""
PRESET = (0.25, 0.25, 0.12, 0.06, 0.0)
"""So many of the cells of a large board are sown, in one try after the other; nothing is wished for there."""
PATIENCE = 1000
"""Conflicts after which wishes are too much: half of them go, or the board is sown anew."""
MOVES = 6
"""So many times at least a part of the grid is filled anew, on large boards once for each value."""
VALUES = 3
"""Values whose cells are opened together."""
OPENED = 0.65
"""So many of the cells are opened where they are drawn one by one, on small boards."""


def random_solution(puzzle: Puzzle, random: Random, limits: Limits = UNLIMITED) -> Solution:
    """Return a solution of a puzzle, drawn approximately at random, the same for the same chance.

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
    """Return a random grid in which each cell holds a value of its domain, None where there is none."""
    if not all(domains):
        return None
    return (_fill_small if rules.is_small else _fill_large)(rules, domains, random, clock)


# --- small boards: one solver for all questions -----------------------------------------------------------------


def _fill_small(rules: RuleEncoding, domains: Sequence[Domain], random: Random, clock: Clock) -> Solution | None:
    """Return a grid with random values in random cells, as far as they can be together, moved."""
    asked = _make_solver(rules, domains, random, clock)
    if asked is None:
        return None
    cells = [cell for cell, domain in enumerate(asked.formula.domains[: len(domains)]) if domain & (domain - 1)]
    wishes = [
        asked.formula.variables[cell, random.choice(members(asked.formula.domains[cell]))]
        for cell in random.sample(cells, round(WISHED * len(cells)))
    ]
    found = _solve_with_wishes(asked, wishes)
    if found is None:
        return None
    for number in range(MOVES):
        part = _cells_of_random_values(domains, found, random) if number % 2 else random.sample(cells, round(OPENED * len(cells)))
        found = _refill(asked, found, part, random)
    return found


def _solve_with_wishes(asked: RuleSolver, wishes: list[int]) -> Solution | None:
    """Return a solution in which many of the wishes are granted, None where there is none at all."""
    while True:
        answer = asked.ask(wishes, PATIENCE if wishes else None)
        if answer:
            return asked.solution()
        if answer is None:
            del wishes[len(wishes) // 2 :]
        else:
            core = asked.core()
            if not core:
                return None
            wishes.remove(next(wish for wish in reversed(wishes) if wish in core))


def _refill(asked: RuleSolver, found: Solution, part: Collection[Cell], random: Random) -> Solution:
    """Return the grid with a part filled anew; as it was where that takes too long."""
    asked.prefer(random_phases(asked.formula, random))
    opened = set(part)
    kept = asked.literals((cell, value) for cell, value in enumerate(found) if cell not in opened)
    return asked.solution() if asked.ask(kept, PATIENCE) else found


# --- large boards: a formula for each question, over what is open -----------------------------------------------


def _fill_large(rules: RuleEncoding, domains: Sequence[Domain], random: Random, clock: Clock) -> Solution | None:
    """Return a grid grown from random values in random cells, moved."""
    found = _grow_grid(rules, domains, random, clock)
    if found is None:
        return None
    for _ in range(max(MOVES, len(set(found)))):
        found = resample_values(rules, domains, found, random, clock)
    return found


def resample_values(rules: RuleEncoding, domains: Sequence[Domain], found: Solution, random: Random, clock: Clock) -> Solution:
    """Return the grid with the cells of some values filled anew; as it was where that takes too long."""
    part = set(_cells_of_random_values(domains, found, random))
    opened = [domains[cell] if cell in part else 1 << value for cell, value in enumerate(found)]
    asked = _make_solver(rules, opened, random, clock)
    return asked.solution() if asked and asked.ask([], PATIENCE) else found


def _grow_grid(rules: RuleEncoding, domains: Sequence[Domain], random: Random, clock: Clock) -> Solution | None:
    for share in PRESET:
        seed = preset_values(rules, domains, share, random)
        asked = _make_solver(rules, seed, random, clock) if seed else None
        if asked and asked.ask([], PATIENCE if share else None):
            return asked.solution()
    return None


def preset_values(rules: RuleEncoding, domains: Sequence[Domain], share: float, random: Random) -> list[Domain] | None:
    """Return the domains with random values in a share of the cells, None where a cell has nothing left."""
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
    """Return a new solver that prefers random values; None where a cell plainly has none."""
    formula = rules.formula(domains, clock)
    if formula is None:
        return None
    asked = RuleSolver(formula, clock)
    asked.prefer(random_phases(formula, random))
    return asked


def _cells_of_random_values(domains: Sequence[Domain], found: Solution, random: Random) -> list[Cell]:
    """Return the cells of some values."""
    held = sorted(set(found))
    drawn = set(random.sample(held, min(VALUES, len(held))))
    return [cell for cell, value in enumerate(found) if value in drawn and domains[cell] & (domains[cell] - 1)]
