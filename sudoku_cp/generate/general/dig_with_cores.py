"""Leaving givens out under any rules: what a proof that there is no other solution did not need goes at once.

The solver is told that the solution is wrong, and the givens as assumptions; it answers that they contradict each other, and
names some that do (a core). All others go. Then one after the other is left out of what is assumed: another solution shows that
it is needed. What is needed once stays so, since there are only ever fewer givens.

On large boards hundreds of assumptions would slow the solver down. There a formula takes all givens but those of a block as
settled, and is over few candidates; blocks come one after the other. Proofs get few conflicts first: that leaves out nearly
all that can be left out, in the time of a few hard proofs.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from sudoku_cp.backends import UNLIMITED, Limits, Solution
from sudoku_cp.errors import InvalidInput, LimitReached, Reason
from sudoku_cp.generate.general.rule_solver import RuleEncoding, RuleSolver, encode_rules

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sudoku_cp.backends import Clock
    from sudoku_cp.grid import Cell
    from sudoku_cp.puzzle import Puzzle


class DigEffort(NamedTuple):
    """How digging goes over the givens once: so many ``cells`` in a block, so many ``conflicts`` (None: any) a question.

    Where it is ``near``, values of the solution are preferred: another one is found sooner, a proof later.
    """

    cells: int
    conflicts: int | None
    near: bool = True


EASY = 2_000
"""To so many candidates (12x12 has 1,728) nearly all questions are answered at once, and Glucose is asked: it hears of deadlines.
CaDiCaL needs a seventh of the time for 16x16, and leaves no more givens, as hard questions are asked last, about few of them."""
SMALL = (DigEffort(10_000, 2_000),)
SMALL_MINIMAL = (DigEffort(10_000, None),)
MIDDLE = (DigEffort(10_000, 100), DigEffort(10_000, 500))
MIDDLE_MINIMAL = (DigEffort(10_000, 100), DigEffort(10_000, None))
LARGE = (DigEffort(100, 10, near=False),)
LARGE_MINIMAL = (*LARGE, DigEffort(25, 100), DigEffort(10, 2_000), DigEffort(10, None))
"""What was the quickest of several for boards of 25x25 and 36x36."""


@dataclass(frozen=True)
class CoreDigResult:
    """The givens that are left; with them there is one solution.

    None of the units left can be left out as a whole, but for so many ``unsettled``: there the conflicts allowed did not tell. A
    ``reason`` says that a limit came first.
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
    """Leave out the cells of ``units``, each as a whole, as many as can be; the first are tried first.

    To begin with they are all given, beside the givens of ``puzzle``, which stay. At least so many givens as ``least`` are left.
    Where the result need not be ``minimal``, a proof that takes long is given up. Raises `InvalidInput` where the
    solution is none, or not the only one.
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
    """Units that are given, and which of them are left."""

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
        """Go over the units that may still be left out, with more and more effort."""
        rules = encode_rules(self.puzzle.model(clock.check))
        for effort in _efforts(rules, minimal=minimal):
            for block in _blocks(self.units, self.unsettled, effort.cells):
                self._dig(rules, block, effort, clock)

    def _dig(self, rules: RuleEncoding, block: Sequence[int], effort: DigEffort, clock: Clock) -> None:
        """Leave out what can be of the units of a block."""
        asked, most = self._asked(rules, block, clock, near=effort.near), effort.conflicts
        literals = {number: asked.literals((cell, self.solution[cell]) for cell in self.units[number]) for number in block}
        needed: list[int] = []
        # With all of them assumed the answer is no; its core is what is looked through.
        waiting = self._without(asked, [], needed, list(block), literals, most)
        if waiting is None:
            raise InvalidInput("expected givens that leave one solution, got some that leave several")
        while waiting:
            trial = waiting.pop(0)
            left = self._without(asked, [trial], needed, waiting, literals, most) if self._may_go(trial) else None
            if left is None:
                needed += literals[trial]
            else:
                waiting = left

    def _without(
        self,
        asked: RuleSolver,
        trial: list[int],
        needed: Sequence[int],
        waiting: list[int],
        literals: Mapping[int, list[int]],
        most: int | None,
    ) -> list[int] | None:
        """Return which of those waiting are left once ``trial`` and what no proof needs went; None where it cannot go."""
        answer = asked.ask([*needed, *(literal for number in reversed(waiting) for literal in literals[number])], most)
        if answer is None and not trial:
            return waiting
        if answer is not False:
            if answer:
                self.unsettled = [number for number in self.unsettled if number not in trial]
            return None
        core = asked.core()
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

    def _asked(self, rules: RuleEncoding, block: Sequence[int], clock: Clock, *, near: bool) -> RuleSolver:
        """Return a new solver that is told the givens outside the block, and that the solution is wrong."""
        allowed = self.puzzle.assume()
        settled = set(self.given) - {cell for number in block for cell in self.units[number]}
        domains = [domain & allowed.get(cell, -1) for cell, domain in enumerate(rules.domains)]
        formula = rules.formula([1 << self.solution[c] if c in settled else d for c, d in enumerate(domains)], clock)
        if formula is None:
            raise InvalidInput("expected a solution of the rules, got one that they do not allow")
        asked = RuleSolver(formula, clock, "glucose4" if rules.candidates <= EASY else "cadical153")
        right = asked.literals(enumerate(self.solution))
        if near:
            asked.prefer(right if rules.is_small else [*range(-formula.size, 0), *right])
        asked.add([-literal for literal in right])
        return asked


def _efforts(rules: RuleEncoding, *, minimal: bool) -> Sequence[DigEffort]:
    """Return with how much effort to go over the givens, time after time."""
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
