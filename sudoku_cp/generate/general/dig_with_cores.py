"""Digging under any rules: givens outside the core of a uniqueness proof are removed at once.

A clause forbids the solution, and the givens are assumptions; the SAT solver refutes them and names a subset that it needed (a
core). Givens outside the core go. Then the remaining ones are left out of the assumptions one by one: a given without which
there is another solution is needed, and stays so, since givens are only ever removed.

On large boards hundreds of assumptions would slow the solver down. There a formula fixes all givens but those of one block, so
that it has few candidates; blocks follow one another. Questions have few conflicts at first: that removes nearly all that can go
in the time of a few hard proofs.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from sudoku_cp.backends import UNLIMITED, Clock, Limits, Solution
from sudoku_cp.errors import InvalidInput, LimitReached, Reason
from sudoku_cp.generate.general.random_solution import RuleEncoding, RuleSolver, encode_rules

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sudoku_cp.grid import Cell
    from sudoku_cp.puzzle import Puzzle


class DigEffort(NamedTuple):
    """One pass over the givens: the ``cells`` of a block and the ``conflicts`` of a question (None: unlimited).

    With ``near`` the solver prefers the values of the solution: it finds another solution sooner, a proof later.
    """

    cells: int
    conflicts: int | None
    near: bool = True


EASY = 2_000
"""Up to this number of candidates (12x12 has 1,728) nearly all questions are answered at once, by Glucose, which observes
deadlines. CaDiCaL needs a seventh of the time for 16x16 and leaves no more givens, since hard questions come last, about few."""
SMALL = (DigEffort(10_000, 2_000),)
SMALL_MINIMAL = (DigEffort(10_000, None),)
MIDDLE = (DigEffort(10_000, 100), DigEffort(10_000, 500))
MIDDLE_MINIMAL = (DigEffort(10_000, 100), DigEffort(10_000, None))
LARGE = (DigEffort(100, 10, near=False),)
LARGE_MINIMAL = (*LARGE, DigEffort(25, 100), DigEffort(10, 2_000), DigEffort(10, None))
"""The quickest of several choices for boards of 25x25 and 36x36."""


@dataclass(frozen=True)
class CoreDigResult:
    """The remaining givens, which have one solution.

    No remaining unit can be removed as a whole, except perhaps the ``unsettled`` ones (a number), whose questions ran out of
    conflicts. A ``reason`` names the limit that came first.
    """

    givens: Mapping[Cell, int]
    unsettled: int = 0
    reason: Reason | None = None


def dig_with_cores(
    puzzle: Puzzle,
    solution: Solution,
    units: Sequence[Sequence[Cell]],
    *,
    least: int = 0,
    minimal: bool = True,
    limits: Limits = UNLIMITED,
) -> CoreDigResult:
    """Remove as many ``units`` of cells as possible, each as a whole, trying the first ones first.

    At the start all of them are given, beside the givens of ``puzzle``, which stay. At least ``least`` givens remain. Where the
    result need not be ``minimal``, long proofs are given up. Raises `InvalidInput` where the solution is invalid or not unique.
    """
    if not puzzle.holds(solution):
        raise InvalidInput(f"expected a solution of {puzzle!r}, got {solution!r}")
    digging = _CoreDig(puzzle, solution, units, least)
    reason = None
    try:
        digging.run(limits.started(), minimal=minimal)
    except LimitReached as reached:
        reason = reached.reason
    return CoreDigResult(digging.givens(), len(digging.unsettled), reason)


@dataclass
class _CoreDig:
    """The state of digging: the cells still given, and the numbers of the units that may still go."""

    puzzle: Puzzle
    solution: Solution
    units: Sequence[Sequence[Cell]]
    least: int
    given: dict[Cell, int] = field(init=False)
    unsettled: list[int] = field(init=False)

    def __post_init__(self) -> None:
        self.unsettled = list(range(len(self.units)))
        self.given = dict.fromkeys((*self.puzzle.givens, *(cell for unit in self.units for cell in unit)), 1)

    def givens(self) -> dict[Cell, int]:
        return {cell: self.solution[cell] for cell in sorted(self.given)}

    def run(self, clock: Clock, *, minimal: bool) -> None:
        """Go over the units that may still go, with increasing effort."""
        rules = encode_rules(self.puzzle.model(clock.check))
        for effort in _efforts(rules, minimal=minimal):
            for block in _blocks(self.units, self.unsettled, effort.cells):
                self._dig(rules, block, effort, clock)

    def _dig(self, rules: RuleEncoding, block: Sequence[int], effort: DigEffort, clock: Clock) -> None:
        """Remove the units of a block that can go."""
        solver, most = self._make_solver(rules, block, clock, near=effort.near), effort.conflicts
        literals = {number: solver.literals((cell, self.solution[cell]) for cell in self.units[number]) for number in block}
        needed: list[int] = []
        # With all of them assumed there is no other solution; only the units of that core are tried.
        waiting = self._without(solver, [], needed, list(block), literals, most)
        if waiting is None:
            raise InvalidInput("expected givens that leave one solution, got some that leave several")
        while waiting:
            trial = waiting.pop(0)
            left = self._without(solver, [trial], needed, waiting, literals, most) if self._may_go(trial) else None
            if left is None:
                needed += literals[trial]
            else:
                waiting = left

    def _without(
        self,
        solver: RuleSolver,
        trial: list[int],
        needed: Sequence[int],
        waiting: list[int],
        literals: Mapping[int, list[int]],
        most: int | None,
    ) -> list[int] | None:
        """Remove ``trial`` and every unit outside the core; return those still waiting, None where ``trial`` cannot go."""
        answer = solver.ask([*needed, *(literal for number in reversed(waiting) for literal in literals[number])], most)
        if answer is None and not trial:
            return waiting
        if answer is not False:
            if answer:
                self.unsettled = [number for number in self.unsettled if number not in trial]
            return None
        core = solver.core()
        for number in [*trial, *waiting]:
            if core.isdisjoint(literals[number]) and self._may_go(number):
                self._drop(number)
        return [number for number in waiting if self.units[number][0] in self.given]

    def _may_go(self, number: int) -> bool:
        return len(self.given) - len(self.units[number]) >= self.least

    def _drop(self, number: int) -> None:
        self.unsettled.remove(number)
        for cell in self.units[number]:
            del self.given[cell]

    def _make_solver(self, rules: RuleEncoding, block: Sequence[int], clock: Clock, *, near: bool) -> RuleSolver:
        """Return a new solver in which the givens outside the block are fixed and the solution is forbidden."""
        allowed = self.puzzle.assume()
        settled = set(self.given) - {cell for number in block for cell in self.units[number]}
        domains = [domain & allowed.get(cell, -1) for cell, domain in enumerate(rules.domains)]
        formula = rules.formula([1 << self.solution[c] if c in settled else d for c, d in enumerate(domains)], clock)
        if formula is None:
            raise InvalidInput("expected a solution of the rules, got one that they do not allow")
        solver = RuleSolver(formula, clock, "glucose4" if rules.candidates <= EASY else "cadical153")
        right = solver.literals(enumerate(self.solution))
        if near:
            solver.prefer(right if rules.is_small else [*range(-formula.size, 0), *right])
        solver.add([-literal for literal in right])
        return solver


def _efforts(rules: RuleEncoding, *, minimal: bool) -> Sequence[DigEffort]:
    """Return the passes over the givens, in order."""
    if rules.candidates <= EASY:
        return SMALL_MINIMAL if minimal else SMALL
    if rules.is_small:
        return MIDDLE_MINIMAL if minimal else MIDDLE
    return LARGE_MINIMAL if minimal else LARGE


def _blocks(units: Sequence[Sequence[Cell]], numbers: Sequence[int], cells: int) -> list[list[int]]:
    """Return the numbers of units in blocks of about so many cells."""
    blocks: list[list[int]] = [[]]
    size = 0
    for number in numbers:
        if size >= cells:
            blocks.append([])
            size = 0
        blocks[-1].append(number)
        size += len(units[number])
    return blocks
