"""Generates puzzles under any rules of the whole board on any grid, one at a time, by SAT.

A full grid is drawn and dug. Where the puzzle does not fulfil the request, some removed givens are put back and others removed
instead (ruin and recreate), a number of times; then another grid is drawn.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import count
from typing import TYPE_CHECKING

import numpy as np

from sudoku_cp.errors import InvalidInput, LimitReached, Reason, Unsupported
from sudoku_cp.generate.base import GeneratedPuzzle, GenerateRequest, PuzzleArray, random_stream
from sudoku_cp.generate.general.dig_with_cores import dig_with_cores
from sudoku_cp.generate.general.random_solution import (
    RuleEncoding,
    RuleSolver,
    encode_rules,
    random_phases,
    random_solution_within,
    resample_values,
)
from sudoku_cp.generate.random_regions import random_regions, straight_regions, swap_regions
from sudoku_cp.generate.targets import make_target, with_limits
from sudoku_cp.grid import Board, Cell, Grid, default_boxes
from sudoku_cp.puzzle import Puzzle
from sudoku_cp.puzzle.pattern_symmetry import orbits

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from random import Random

    from sudoku_cp.backends import Clock, Limits, Solution


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


# How far a puzzle is from the request, under any rules, also with values from 0.


SLACK = (-2, 4)
"""Where a puzzle need not be minimal, the next one is dug to this many fewer or more givens."""


class PuzzleJudge:
    """Measures puzzles by the difficulty, the number of givens and the minimality of a request."""

    def __init__(self, request: GenerateRequest) -> None:
        """Check that the difficulty requested is defined under the rules."""
        self._request = request
        self._target = make_target(request)
        # Units larger than a cell, and patterns, can leave givens that are not needed.
        self._checks_minimal = request.minimal and (request.symmetry != "none" or request.pattern is not None)
        self._shift = int(request.grid.values.start == 0)
        if self._shift and request.has_difficulty and not Puzzle(request.grid, request.rules).model().is_houses:
            raise Unsupported("expected values from 1 for the difficulty of puzzles of such rules, got values from 0")

    def aim(self, random: Random, before: int | None) -> int:
        """Return the number of givens at which to stop digging; ``before`` is the last puzzle's, None at first."""
        request = self._request
        if request.minimal:
            return 0
        least, most = request.givens or (0, None)
        if before is None or not request.has_difficulty:
            return least if most is None else random.randint(least, most)
        aim = max(least, before + random.randint(*SLACK))
        return aim if most is None else min(aim, most)

    def miss(self, base: Puzzle, solution: Solution, givens: Mapping[Cell, int], clock: Clock) -> tuple[float, str]:
        """Return the distance of a puzzle from the request, 0 where it is fulfilled, and in words what is missing."""
        clock.check()
        missing: list[str] = []
        miss = 0.0
        if self._request.has_difficulty or self._request.givens:
            row = np.zeros((1, len(base.grid.cells)), np.uint8)
            for cell, value in givens.items():
                row[0, cell] = value + self._shift
            miss = float(with_limits(self._target, clock.left()).miss(self._as_rated(base), row)[0])
            missing += [f"{len(givens)} givens, {self._request.unmet_words()}"] * (miss > 0)
        if self._checks_minimal:
            spare = len(givens) - len(dig_with_cores(base, solution, [(cell,) for cell in givens], limits=clock.left()).givens)
            miss += spare
            missing += [f"{spare} of {len(givens)} givens can be left out"] * (spare > 0)
        return miss, "; ".join(missing)

    def _as_rated(self, base: Puzzle) -> Puzzle:
        """Return the board with values from 1, since targets take 0 for blank cells."""
        if not self._shift:
            return base
        values = base.grid.values
        return Puzzle(Grid.of(base.grid.boards, range(1, values.stop + 1)), base.rules)


# A board together with a full grid of it; a jigsaw gets its own irregular regions.
#
# On small boards random regions are drawn first and then filled. Of large random layouts hardly any has a full grid that can be
# found. There a board with boxes is filled, and cells with the same value are swapped across borders, which keeps the grid
# valid. In between the grid is resampled under the current regions, so that other swaps become possible. Such regions are less
# irregular.


LAYOUTS = 100
"""After this number of layouts without a full grid the rules are assumed to allow none."""
CONFLICTS = 20_000
"""Conflicts after which a layout is given up for another: some have no full grid, which is hard to prove."""
GRID_ROUNDS = 24
"""How often the grid of a large board is resampled between swaps: twice as many make regions no more irregular."""


def draw_board_and_grid(request: GenerateRequest, random: Random, clock: Clock) -> tuple[Puzzle, Solution]:
    """Return a board without givens and a full grid of it.

    Raises `InvalidInput` where there seems to be no grid, and `LimitReached`.
    """
    if not request.jigsaw:
        base = Puzzle(request.grid, request.rules)
        rules = encode_rules(base.model(clock.check))
        solution = random_solution_within(rules, rules.domains, random, clock)
        if solution is None:
            raise InvalidInput(f"expected rules that have a solution, got some that have none on {request.grid}")
        return base, solution
    refused = 0
    while refused < LAYOUTS:
        patient = replace(clock.left(), nodes=CONFLICTS).started()
        try:
            found = _draw_jigsaw(request, random, patient)
        except LimitReached as reached:
            if reached.reason != "nodes":
                raise
            continue
        if found is not None:
            return found
        refused += 1
    raise InvalidInput(f"expected rules that have a solution, got some that have none on {LAYOUTS} layouts of irregular regions")


def _draw_jigsaw(request: GenerateRequest, random: Random, clock: Clock) -> tuple[Puzzle, Solution] | None:
    """Return a board with irregular regions and a grid of it, None where that layout has none."""
    board = request.grid.boards[0]
    size = board.rows, board.columns
    base = _with_regions(request, straight_regions(*size))
    if encode_rules(base.model(clock.check)).is_small or default_boxes(board.rows) is None:
        base = _with_regions(request, random_regions(random, *size))
        rules = encode_rules(base.model(clock.check))
        solution = random_solution_within(rules, rules.domains, random, clock)
        return None if solution is None else (base, solution)
    return _loosen_regions(request, base, random, clock)


def _loosen_regions(request: GenerateRequest, base: Puzzle, random: Random, clock: Clock) -> tuple[Puzzle, Solution] | None:
    """Return a board and a grid, after swaps across borders and resampling in turn, starting from boxes."""
    board = request.grid.boards[0]
    labels = straight_regions(board.rows, board.columns)
    rules = encode_rules(base.model(clock.check))
    solution = random_solution_within(rules, rules.domains, random, clock)
    if solution is None:
        return None
    for _ in range(GRID_ROUNDS):
        labels = swap_regions(random, board.rows, board.columns, labels, solution)
        base = _with_regions(request, labels)
        rules = encode_rules(base.model(clock.check))
        solution = resample_values(rules, rules.domains, solution, random, clock)
    return base, solution


def _with_regions(request: GenerateRequest, labels: tuple[int, ...]) -> Puzzle:
    board = request.grid.boards[0]
    grid = Grid.of((Board(board.rows, board.columns, None, labels, board.at),), request.grid.values)
    return Puzzle(grid, request.rules)


# Puzzles with givens in prescribed cells, under any rules: local search over their values.
#
# The search minimises the number of solutions: a few givens are dropped, one of the solutions that this allows is drawn, and
# its values are given instead if they leave no more solutions than before.


COUNTED = 30
"""Solutions are counted up to this number."""
DRAWN = 12
"""One of at most this number of solutions is drawn."""
DROPPED = 3
"""The most givens dropped at a time."""
STEPS = 150
"""Changes tried before the search is given up for a new grid."""
PATIENCE = 1000
"""Conflicts after which a puzzle counts as one with many solutions."""


def find_values_for_pattern(
    rules: RuleEncoding, start: Solution, cells: Sequence[Cell], random: Random, clock: Clock
) -> Solution | None:
    """Return a solution that its values in ``cells`` determine uniquely, None where none was found in `STEPS` changes."""
    formula = rules.formula(rules.domains, clock)
    if formula is None:
        return None
    climb = _Climb(RuleSolver(formula, clock), cells, random)
    number, found = climb.count(start), start
    for _ in range(STEPS):
        if number <= 1:
            return found
        other = climb.neighbour(found)
        fewer = climb.count(other) if other else number + 1
        if fewer <= number:
            number, found = fewer, other or found
    return found if number <= 1 else None


class _Climb:
    """A solver and the cells that are given."""

    def __init__(self, solver: RuleSolver, cells: Sequence[Cell], random: Random) -> None:
        self.solver, self.cells, self.random = solver, cells, random

    def count(self, grid: Solution) -> int:
        """Return how many solutions the givens taken from the grid leave, counted up to a limit."""
        return len(self._several({cell: grid[cell] for cell in self.cells}, COUNTED))

    def neighbour(self, grid: Solution) -> Solution | None:
        """Return a random solution that agrees with the grid in most of the cells given."""
        dropped = set(self.random.sample(self.cells, min(len(self.cells), self.random.randint(1, DROPPED))))
        self.solver.prefer(random_phases(self.solver.formula, self.random))
        found = self._several({cell: grid[cell] for cell in self.cells if cell not in dropped}, self.random.randint(1, DRAWN))
        return found[-1] if found else None

    def _several(self, givens: dict[Cell, int], most: int) -> list[Solution]:
        """Return up to ``most`` solutions, padded to ``most`` where the search takes long."""
        selector = self.solver.fresh()
        assumed = [*self.solver.literals(givens.items()), selector]
        found: list[Solution] = []
        while len(found) < most:
            answer = self.solver.ask(assumed, PATIENCE)
            if answer is None:
                found += found[-1:] * (most - len(found))
            if not answer:
                break
            found.append(self.solver.solution())
            self.solver.add([-selector, *(-literal for literal in self.solver.literals(enumerate(found[-1])))])
        self.solver.add([-selector])
        return found
