"""Generates puzzles under any rules of the whole board on any grid, one at a time, by SAT.

A full grid is drawn and dug. Where the puzzle does not fulfil the request, some removed givens are put back and others removed
instead (ruin and recreate), a number of times; then another grid is drawn.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import count
from typing import TYPE_CHECKING

from sudoku_cp.errors import LimitReached, Reason, Unsupported
from sudoku_cp.generate.base import GeneratedPuzzle, GenerateRequest, PuzzleArray
from sudoku_cp.generate.general.board_and_grid import draw_board_and_grid
from sudoku_cp.generate.general.dig_with_cores import dig_with_cores
from sudoku_cp.generate.general.puzzle_judge import PuzzleJudge
from sudoku_cp.generate.general.rule_solver import encode_rules
from sudoku_cp.generate.general.values_for_pattern import find_values_for_pattern
from sudoku_cp.generate.random_streams import random_stream
from sudoku_cp.puzzle import Puzzle
from sudoku_cp.puzzle.pattern_symmetry import orbits

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from random import Random

    from sudoku_cp.backends import Clock, Limits, Solution
    from sudoku_cp.grid import Cell

ROUNDS = 40
"""How often a puzzle is ruined and dug again before another grid is drawn."""
RUINED = 8
"""The most units put back at a time."""


@dataclass
class _Attempt:
    """A puzzle with one solution, and how far it is from the request, as a number and in words."""

    puzzle: Puzzle
    miss: float
    missed: str
    reason: Reason | None = None


class GeneralGenerator:
    """Generates puzzles under any rules of the whole board."""

    engine = "sat"
    chunk_size = 1

    def __init__(self, request: GenerateRequest, seed: int) -> None:
        """Check the request; raises `InvalidInput`."""
        self._request, self._seed = request, seed
        if request.families:
            raise Unsupported(f"expected rules of the whole board, got clues: {', '.join(request.families)}")
        if request.jigsaw and len(request.grid.boards) > 1:
            raise Unsupported(f"expected one board for a jigsaw, got {request.grid}")
        self._base = Puzzle(request.grid, request.rules)
        self._orbits = orbits(request.grid, request.symmetry)
        self._judge = PuzzleJudge(request)
        if request.pattern is not None:
            self._base.with_givens(dict.fromkeys(request.pattern, request.grid.values[0]))

    def make(self, numbers: Sequence[int], limits: Limits) -> Iterator[PuzzleArray | GeneratedPuzzle]:
        """Yield the puzzle of each number, in order."""
        for number in numbers:
            yield self._generate(number, replace(limits, nodes=None).started())

    def _generate(self, number: int, clock: Clock) -> GeneratedPuzzle:
        """Return the first puzzle that fulfils the request, or at a limit the best so far."""
        best: _Attempt | None = None
        attempt = 0
        try:
            for attempt in count(1):
                for found in self._iter_attempts(random_stream(self._seed, number, "general", attempt), clock):
                    if best is None or found.miss < best.miss:
                        best = found
                    if not found.miss:
                        return _make_result(number, attempt, found)
        except LimitReached as reached:
            if best is None:
                raise
            best.reason = reached.reason
        return _make_result(number, attempt, best)  # type: ignore[arg-type]  # the loop ends by one of the two

    def _iter_attempts(self, random: Random, clock: Clock) -> Iterator[_Attempt]:
        """Yield a puzzle, and then puzzles changed from it that are no farther from the request."""
        base, solution = draw_board_and_grid(self._request, random, clock)
        if self._request.pattern is not None:
            yield from self._fit_pattern(base, solution, self._request.pattern, random, clock)
            return
        found = self._dig(base, solution, {}, random, clock)
        yield found
        again = found
        for _ in range(ROUNDS):
            if again.reason:
                raise LimitReached(again.reason, "while digging")
            again = self._dig(base, solution, found.puzzle.givens, random, clock)
            if again.miss <= found.miss:
                found = again
                yield found

    def _dig(self, base: Puzzle, solution: Solution, before: Mapping[Cell, int], random: Random, clock: Clock) -> _Attempt:
        """Return a puzzle dug from the full grid, or from the givens ``before`` with some units put back."""
        units = self._order(base, random, clock)
        least = self._judge.aim(random, len(before) or None)
        if before:
            back = [unit for unit in units if unit[0] not in before][: random.randint(1, RUINED)]
            units = [*(unit for unit in units if unit[0] in before), *back]
        found = dig_with_cores(base, solution, units, least=least, minimal=self._request.minimal, limits=clock.left())
        return self._judge_attempt(base, solution, found.givens, found.reason, clock)

    def _order(self, base: Puzzle, random: Random, clock: Clock) -> list[Sequence[Cell]]:
        """Return the units in a random order, roughly row by row on a large board that must be minimal.

        Dug evenly, it would reach a state in which hardly any question has a quick answer.
        """
        units: list[Sequence[Cell]] = random.sample(self._orbits, len(self._orbits))
        if not self._request.minimal or encode_rules(base.model(clock.check)).is_small:
            return units
        rows = sorted({row for row, _ in base.grid.places})
        late = {row: rank / len(rows) for rank, row in enumerate(random.sample(rows, len(rows)))}
        return sorted(units, key=lambda unit: late[base.grid.places[unit[0]][0]] + random.random())

    def _judge_attempt(
        self, base: Puzzle, solution: Solution, givens: Mapping[Cell, int], reason: Reason | None, clock: Clock
    ) -> _Attempt:
        """Return a puzzle with its distance from the request."""
        puzzle = replace(base, givens=givens, solution=solution)
        if reason is not None:
            return _Attempt(puzzle, 1e9, f"{len(givens)} givens, dug until time ran out", reason)
        miss, missed = self._judge.miss(base, solution, givens, clock)
        return _Attempt(puzzle, miss, missed)

    def _fit_pattern(
        self, base: Puzzle, solution: Solution, pattern: Sequence[Cell], random: Random, clock: Clock
    ) -> Iterator[_Attempt]:
        """Yield a puzzle with its givens in the pattern, if one is found."""
        rules = encode_rules(base.model(clock.check))
        found = find_values_for_pattern(rules, solution, pattern, random, clock)
        if found is not None:
            yield self._judge_attempt(base, found, {cell: found[cell] for cell in pattern}, None, clock)


def _make_result(number: int, attempt: int, found: _Attempt) -> GeneratedPuzzle:
    return GeneratedPuzzle(number, found.puzzle, attempt, found.reason, found.missed if found.reason else "")
