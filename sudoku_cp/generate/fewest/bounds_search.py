"""The fewest givens that leave a solution alone.

Two solutions differ in an **unavoidable set** of cells: a puzzle with one of the two as its only solution has a given in it.
So givens that leave one solution hit all unavoidable sets, and as many cells as it takes to hit some of these are a lower bound
on them: an implicit hitting set problem (Moreno-Centeno and Karp, 2013). From above come puzzles that are dug, ruined and
dug again.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import combinations
from typing import TYPE_CHECKING

from sudoku_cp.backends import UNLIMITED
from sudoku_cp.errors import InvalidInput, LimitReached, WrongAnswer
from sudoku_cp.generate.fewest.known_bounds import known_lower_bound
from sudoku_cp.generate.random_streams import random_stream
from sudoku_cp.queries import solve

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable
    from random import Random

    from sudoku_cp.backends import Clock, Limits, Solution
    from sudoku_cp.errors import Reason
    from sudoku_cp.generate.fewest.puzzle_formula import OtherSolutions
    from sudoku_cp.grid import Cell
    from sudoku_cp.puzzle import Puzzle

MOVES, COVERS = 40, 20
"""Puzzles are ruined and dug again so many times, then so many covers are looked for, and so on in turn."""
CONFLICTS = 2_000
"""A cover is looked for with so many conflicts at first, twice as many each time that they are too few."""
SURE = 1.0
"""Seconds that another engine gets, past the limits, to see that the puzzle found has one solution."""


@dataclass(frozen=True)
class Fewest:
    """How many givens it takes at least to leave a solution alone, and at most, with such ``givens``.

    ``most`` and ``givens`` are None where none among the cells allowed would do, since the ``other`` solution has the same values
    in them. ``why`` says who proved the lower bound, where that is not the search itself. A ``reason`` says that a limit came
    first.
    """

    solution: Solution
    givens: tuple[Cell, ...] | None
    least: int
    most: int | None
    other: Solution | None = None
    why: str = ""
    reason: Reason | None = None

    @property
    def exact(self) -> bool:
        """Whether the bounds meet: no fewer givens would do."""
        return self.least == self.most


def fewest_givens(puzzle: Puzzle, *, among: Collection[Cell] | None = None, seed: int = 0, limits: Limits = UNLIMITED) -> Fewest:
    """Return the fewest cells whose values leave the solution of ``puzzle`` alone, or bounds where a limit comes first.

    The puzzle is a full grid, or has one solution. Its rules and candidates stay, its givens do not count; only cells ``among``
    those told are chosen, where some are. Raises `LimitReached` where a limit comes before any bound is known.
    """
    clock = limits.started()
    cells = _check_cells(puzzle, among)
    solution = only_solution(puzzle, clock)
    bare = puzzle.with_givens({})
    search = _BoundsSearch(bare, solution, cells, seed, clock)
    found = search.run(clock)
    if found.givens is not None:
        confirm_unique(puzzle.with_givens({cell: solution[cell] for cell in found.givens}), clock)
    return found


def only_solution(puzzle: Puzzle, clock: Clock) -> Solution:
    """Return the only solution of a puzzle; raises `InvalidInput` where there is none or another, `LimitReached`."""
    answer = solve(puzzle, limits=clock.left())
    if answer.status == "unique" and answer.solution is not None:
        return answer.solution
    if answer.reason:
        raise LimitReached(answer.reason, f"{answer.seconds:.3g} s")
    raise InvalidInput(
        f"expected a full grid or a puzzle with one solution, got one with {'none' if answer.exact else 'several'}"
    )


def _check_cells(puzzle: Puzzle, among: Collection[Cell] | None) -> list[Cell]:
    strange = sorted(set(among or ()) - set(puzzle.grid.cells))
    if strange:
        raise InvalidInput(f"expected cells of {puzzle.grid} (0 to {len(puzzle.grid.cells) - 1}), got {strange}")
    return sorted(puzzle.grid.cells if among is None else set(among))


class _BoundsSearch:
    """The best givens found so far, and the unavoidable sets that say how far they may be from the fewest."""

    def __init__(self, bare: Puzzle, solution: Solution, cells: list[Cell], seed: int, clock: Clock) -> None:
        from sudoku_cp.generate.fewest.hitting_set_search import HittingSetSearch  # noqa: PLC0415  # imports a solver library
        from sudoku_cp.generate.fewest.puzzle_formula import OtherSolutions, PuzzleFormula  # noqa: PLC0415

        self._others: OtherSolutions = OtherSolutions(PuzzleFormula(bare, clock), solution, cells)
        self._covers = HittingSetSearch(cells, clock)
        self._sets: list[int] = []
        self._cells, self._solution = cells, solution
        self._random: Random = random_stream(seed, 0, "fewest")
        self._conflicts = CONFLICTS
        self._best: frozenset[Cell] = frozenset(cells)
        self._least, self._why = known_lower_bound(bare, solution)

    def run(self, clock: Clock) -> Fewest:
        """Return the answer, or what is known of it when a limit comes."""
        found = self._others.ask(self._cells, clock)
        if not isinstance(found, frozenset):
            return Fewest(self._solution, None, self._least, None, other=found, why=self._why)
        reason: Reason | None = None
        try:
            self._begin(found, clock)
            while self._least < len(self._best):
                for _ in range(MOVES):
                    self._move(clock)
                for _ in range(COVERS):
                    if self._least < len(self._best):
                        self._climb(clock)
        except LimitReached as reached:
            reason = reached.reason
        return Fewest(self._solution, tuple(sorted(self._best)), self._least, len(self._best), why=self._why, reason=reason)

    def _begin(self, core: frozenset[Cell], clock: Clock) -> None:
        """Dig a first puzzle, and find the unavoidable sets of any two values."""
        self._best = core
        self._best = self._dug(core, clock)
        values = sorted(set(self._solution))
        for pair in combinations(values, 2):
            self._part((cell for cell in self._cells if self._solution[cell] not in pair), clock)

    # --- from above -------------------------------------------------------------------------------------------------

    def _move(self, clock: Clock) -> None:
        """Give some cells back, dig again, and keep that if it has no more givens."""
        blank = [cell for cell in self._cells if cell not in self._best]
        number = min(len(blank), self._random.randint(2, max(3, len(self._cells) // 12)))
        dug = self._dug(self._best | set(self._random.sample(blank, number)), clock)
        if len(dug) <= len(self._best):
            self._best = dug

    def _dug(self, cells: frozenset[Cell], clock: Clock) -> frozenset[Cell]:
        """Return some of ``cells``, which leave one solution, none of which can be left out."""
        order = sorted(cells)
        self._random.shuffle(order)
        for cell in order:
            if cell in cells and not self._misses(fewer := cells - {cell}):
                found = self._others.ask(sorted(fewer), clock)
                if isinstance(found, frozenset):
                    cells = found
                else:
                    self._learn(self._others.differing(found))
        return cells

    def _misses(self, cells: Iterable[Cell]) -> bool:
        """Say whether a known unavoidable set has none of ``cells``; it is tried first the next time."""
        chosen = _bit_set(cells)
        for place, one in enumerate(self._sets):
            if not one & chosen:
                self._sets.insert(0, self._sets.pop(place))
                return True
        return False

    # --- from below -------------------------------------------------------------------------------------------------

    def _climb(self, clock: Clock) -> None:
        """Raise the lower bound, or reach it, or find more unavoidable sets."""
        try:
            cover = self._covers.cover(self._least, self._conflicts, clock)
        except LimitReached:
            clock.check()
            self._conflicts *= 2
            return
        if cover is None:
            self._least, self._why = self._least + 1, ""
        else:
            core = self._part(cover, clock)
            if len(core) <= len(self._best) + 1:
                dug = self._dug(core, clock)
                self._best = min(self._best, dug, key=len)

    def _part(self, held: Iterable[Cell], clock: Clock) -> frozenset[Cell]:
        """Find unavoidable sets that have none of the cells ``held``, nor any in common; return cells that leave one solution."""
        taken = set(held)
        while True:
            found = self._others.ask(sorted(taken), clock)
            if isinstance(found, frozenset):
                return found
            missed = self._others.differing(self._others.nearest(found, clock))
            self._covers.add(missed)
            self._learn(missed)
            taken |= missed

    def _learn(self, cells: Collection[Cell]) -> None:
        self._sets.insert(0, _bit_set(cells))


def _bit_set(cells: Iterable[Cell]) -> int:
    chosen = 0
    for cell in cells:
        chosen |= 1 << cell
    return chosen


def confirm_unique(puzzle: Puzzle, clock: Clock) -> None:
    """Have another engine look for a second solution; it must find none."""
    answer = solve(puzzle, limits=replace(clock.limits, seconds=SURE, nodes=None))
    if answer.status not in {"unique", "unknown"}:
        raise WrongAnswer(f"expected one solution of {puzzle!r}, got {answer.status}")
