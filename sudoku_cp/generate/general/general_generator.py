"""Makes puzzles of any rules of the whole board on any grid, one after the other, by SAT.

A full grid is drawn and dug. Where the puzzle is not as wished, some of what was left out is given back and others are left out
instead (ruin and recreate), a number of times; then another grid is begun with.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import count
from typing import TYPE_CHECKING

from sudoku_cp.errors import LimitReached, Reason, Unsupported
from sudoku_cp.generate.base import Made, Sheet, Wishes
from sudoku_cp.generate.general.board_and_grid import draw_board_and_grid
from sudoku_cp.generate.general.dig_with_cores import dig_with_cores
from sudoku_cp.generate.general.puzzle_judge import PuzzleJudge
from sudoku_cp.generate.general.rule_solver import encode_rules
from sudoku_cp.generate.general.values_for_pattern import find_values_for_pattern
from sudoku_cp.generate.random_streams import random_stream
from sudoku_cp.puzzle import Puzzle
from sudoku_cp.puzzle.symmetry import orbits

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from random import Random

    from sudoku_cp.backends import Clock, Limits, Solution
    from sudoku_cp.generate.general.board_and_grid import Regions
    from sudoku_cp.grid import Cell

ROUNDS = 40
"""So many times a puzzle is ruined and dug again before another grid is begun with."""
RUINED = 8
"""So many units at most are given back at a time."""


@dataclass
class _Attempt:
    """A puzzle with one solution, as it is on the way: how far it is from what is wished, in number and in words."""

    base: Puzzle
    solution: Solution
    givens: Mapping[Cell, int]
    miss: float
    missed: str
    reason: Reason | None = None


class GeneralGenerator:
    """Makes puzzles as wished, of any rules of the whole board."""

    engine = "sat"
    portion = 1

    def __init__(self, wishes: Wishes, seed: int, regions: Regions | None = None) -> None:
        """Check the wishes; irregular regions are drawn by ``regions``. Raises `InvalidInput`."""
        self._wishes, self._seed, self._regions = wishes, seed, regions
        if wishes.families:
            raise Unsupported(f"expected rules of the whole board, got clues: {', '.join(wishes.families)}")
        if wishes.jigsaw and (len(wishes.grid.boards) > 1 or regions is None):
            raise Unsupported(f"expected one board, and a way to draw its regions, for a jigsaw, got {wishes.grid}")
        self._base = Puzzle(wishes.grid, wishes.rules)
        self._orbits = orbits(wishes.grid, wishes.symmetry)
        self._judge = PuzzleJudge(wishes)
        if wishes.pattern is not None:
            self._base.with_givens(dict.fromkeys(wishes.pattern, wishes.grid.values[0]))

    def make(self, numbers: Sequence[int], limits: Limits) -> Iterator[Sheet | Made]:
        """Yield the puzzle of each number, in order."""
        for number in numbers:
            yield self._made(number, replace(limits, nodes=None).started())

    def _made(self, number: int, clock: Clock) -> Made:
        """Return the first try that is as wished, or at a limit the best there was."""
        best: _Attempt | None = None
        attempt = 0
        try:
            for attempt in count(1):
                for found in self._tries(random_stream(self._seed, number, "general", attempt), clock):
                    if best is None or found.miss < best.miss:
                        best = found
                    if not found.miss:
                        return self._told(number, attempt, found)
        except LimitReached as reached:
            if best is None:
                raise
            best.reason = reached.reason
        return self._told(number, attempt, best)  # type: ignore[arg-type]  # the loop ends by one of the two

    def _told(self, number: int, attempt: int, found: _Attempt) -> Made:
        puzzle = replace(found.base, givens=found.givens, solution=found.solution)
        return Made(number, puzzle, attempt, found.reason, found.missed if found.reason else "")

    def _tries(self, random: Random, clock: Clock) -> Iterator[_Attempt]:
        """Yield a puzzle, and then others changed from it that are no farther from the wishes."""
        base, solution = draw_board_and_grid(self._wishes, self._regions, random, clock)
        if self._wishes.pattern is not None:
            yield from self._masked(base, solution, self._wishes.pattern, random, clock)
            return
        found = self._dug(base, solution, {}, random, clock)
        yield found
        again = found
        for _ in range(ROUNDS):
            if again.reason:
                raise LimitReached(again.reason, "while digging")
            again = self._dug(base, solution, found.givens, random, clock)
            if again.miss <= found.miss:
                found = again
                yield found

    def _dug(self, base: Puzzle, solution: Solution, before: Mapping[Cell, int], random: Random, clock: Clock) -> _Attempt:
        """Return a puzzle dug from the full grid, or from one ``before`` with some more given."""
        units = self._order(base, random, clock)
        least = self._judge.aim(random, len(before) or None)
        if before:
            back = [unit for unit in units if unit[0] not in before][: random.randint(1, RUINED)]
            units = [*(unit for unit in units if unit[0] in before), *back]
        found = dig_with_cores(base, solution, units, least=least, minimal=self._wishes.minimal, limits=clock.left())
        return self._judged(base, solution, found.givens, found.reason, clock)

    def _order(self, base: Puzzle, random: Random, clock: Clock) -> list[Sequence[Cell]]:
        """Return the units in a random order; on a large board that is to be minimal, rather row by row.

        Dug all over, it would come to where nearly no question about it has a quick answer.
        """
        units: list[Sequence[Cell]] = random.sample(self._orbits, len(self._orbits))
        if not self._wishes.minimal or encode_rules(base.model(clock.check)).is_small:
            return units
        rows = sorted({row for row, _ in base.grid.places})
        late = {row: rank / len(rows) for rank, row in enumerate(random.sample(rows, len(rows)))}
        return sorted(units, key=lambda unit: late[base.grid.places[unit[0]][0]] + random.random())

    def _judged(
        self, base: Puzzle, solution: Solution, givens: Mapping[Cell, int], reason: Reason | None, clock: Clock
    ) -> _Attempt:
        """Return a puzzle with what is said of it."""
        if reason is not None:
            return _Attempt(base, solution, givens, 1e9, f"{len(givens)} givens, dug as far as time allowed", reason)
        miss, missed = self._judge.miss(base, solution, givens, clock)
        return _Attempt(base, solution, givens, miss, missed)

    def _masked(
        self, base: Puzzle, solution: Solution, pattern: Sequence[Cell], random: Random, clock: Clock
    ) -> Iterator[_Attempt]:
        """Yield a puzzle whose givens stand in the pattern, where one is found."""
        rules = encode_rules(base.model(clock.check))
        found = find_values_for_pattern(rules, rules.domains, solution, pattern, random, clock)
        if found is not None:
            yield self._judged(base, found, {cell: found[cell] for cell in pattern}, None, clock)
