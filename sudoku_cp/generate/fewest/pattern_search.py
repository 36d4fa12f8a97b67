"""Does a pattern of givens admit a puzzle with one solution? Either one is found, or all solutions are refuted.

The search is guided by counterexamples (Clarke, Grumberg, Jha, Lu and Veith, 2000). One solver guesses a solution, another one
finds a second solution that agrees with it in all cells of the pattern. Where they differ, outside the pattern, values can be
exchanged, and every solution in which that exchange is possible is refuted. A guess without a second solution is a puzzle; when
no guess is left, there is none.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from sudoku_cp.backends import UNLIMITED, Clock, Limits, Solution
from sudoku_cp.errors import LimitReached, Reason, WrongAnswer
from sudoku_cp.generate.base import can_mirror_values, can_rename_values, symmetry_generators
from sudoku_cp.generate.fewest.bounds_search import OtherSolutions, PuzzleSolver, check_cells, confirm_unique, why_never_unique
from sudoku_cp.model import AllDifferent, Model, cells_of
from sudoku_cp.puzzle import Puzzle
from sudoku_cp.queries import solve

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Sequence

    from sudoku_cp.grid import Cell, Grid
    from sudoku_cp.rules.base import Rule


# Do rules need no givens at all, because they alone leave one solution?


@dataclass(frozen=True)
class NoGivensAnswer:
    """Whether the rules ``alone`` leave one solution; None where a limit came first (the ``reason``).

    ``solutions`` holds the only one, or two of several; ``why`` names the symmetry that maps each solution to another. Where no
    solution was found as an example, the ``reason`` names the limit that ended the search.
    """

    alone: bool | None
    solutions: tuple[Solution, ...] = ()
    why: str = ""
    reason: Reason | None = None


def needs_no_givens(grid: Grid, rules: tuple[Rule, ...], *, limits: Limits = UNLIMITED) -> NoGivensAnswer:
    """Return whether the rules alone have exactly one solution on the grid, and up to two solutions."""
    clock = limits.started()
    bare = Puzzle(grid, rules)
    try:
        bare.model(clock.check)
        symmetry = _value_symmetry(bare, clock)
    except LimitReached as reached:
        return NoGivensAnswer(None, reason=reached.reason)
    answer = solve(bare, limits=clock.left(), solution_limit=1 if symmetry else 2)
    if symmetry is None:
        alone = {"unique": True, "unknown": None}.get(answer.status, False)
        return NoGivensAnswer(alone, answer.solutions, reason=answer.reason if alone is None else None)
    why, renaming = symmetry
    pair = [(one, tuple(renaming.get(value, value) for value in one)) for one in answer.solutions]
    for _, other in pair:
        if not bare.holds(other):
            raise WrongAnswer(f"expected another solution of {bare!r}, got {other!r}")
    known = () if not pair else pair[0]
    return NoGivensAnswer(alone=False, solutions=known, why="" if answer.status == "none" else why, reason=answer.reason)


def make_puzzle_without_givens(grid: Grid, rules: str, *, seed: int = 0, limits: Limits = UNLIMITED) -> Puzzle:
    """Return a puzzle without givens, with clues of the families in ``rules`` and its solution; raise `LimitReached`."""
    from sudoku_cp.generate.api import generate  # noqa: PLC0415  # with numpy, which the other questions do not need

    return next(generate(1, seed=seed, grid=grid, rules=rules, givens=0, limits=limits)).puzzle


def _value_symmetry(bare: Puzzle, clock: Clock) -> tuple[str, dict[int, int]] | None:
    """Return a renaming of values that maps every solution to another one, in words and as a mapping."""
    low, high = bare.grid.values[0], bare.grid.values[-1]
    cells_differ = any(len(house) > 1 for house in bare.grid.houses.values()) and "houses" in {rule.kind for rule in bare.rules}
    if low == high or not cells_differ:
        return None
    if can_rename_values(bare, clock.check):
        full = any(len(house) == len(bare.grid.values) for house in bare.grid.houses.values())
        return (f"{low} and {high} can change places in every solution", {low: high, high: low}) if full else None
    if can_mirror_values(bare, clock.check):
        renaming = {value: low + high - value for value in bare.grid.values}
        return f"every solution has another with {low + high} - v for each value v", renaming
    return None


MOST = 2_000
"""The most images of an exchange that are forbidden."""
FEW = 10
"""For exchanges of more cells no images are forbidden: there are too many, and each refutes little."""


@dataclass(frozen=True)
class PatternAnswer:
    """A ``puzzle`` with its givens in the pattern, or ``why`` there is none, or the limit (``reason``) that came first.

    ``guesses`` solutions were examined.
    """

    puzzle: Puzzle | None = None
    why: str = ""
    guesses: int = 0
    reason: Reason | None = None

    @property
    def possible(self) -> bool | None:
        """Whether the pattern admits a puzzle; None where a limit came first."""
        return None if self.reason else self.puzzle is not None


def pattern_puzzle(
    grid: Grid,
    rules: tuple[Rule, ...],
    cells: Collection[Cell],
    *,
    limits: Limits = UNLIMITED,
    progress: Callable[[int], None] = lambda _guesses: None,
) -> PatternAnswer:
    """Return a puzzle with one solution and givens in these ``cells`` alone, or why there is none; at a limit neither.

    ``progress`` is called with the number of solutions that have been examined.
    """
    clock = limits.started()
    given, bare = check_cells(grid, cells), Puzzle(grid, rules)
    search: _PatternSearch | None = None
    try:
        bare.model(clock.check)
        if why := why_never_unique(bare, given):
            return PatternAnswer(why=why)
        search = _PatternSearch(bare, given, clock)
        found = search.run(progress)
    except LimitReached as reached:
        return PatternAnswer(guesses=search.guesses if search else 0, reason=reached.reason)
    if found.puzzle is not None:
        confirm_unique(found.puzzle, clock)
    return found


class _PatternSearch:
    """A solver that guesses solutions which no known exchange refutes, and one that looks for second solutions."""

    def __init__(self, bare: Puzzle, cells: list[Cell], clock: Clock) -> None:
        from sudoku_cp.generate.fewest.bounds_search import PuzzleSolver  # noqa: PLC0415  # imports a solver library

        self._guess: PuzzleSolver = PuzzleSolver(bare, clock)
        self._check: PuzzleSolver = PuzzleSolver(bare, clock)
        self._bare, self._cells, self._clock = bare, cells, clock
        self._renames = can_rename_values(bare, clock.check)
        self._moves = symmetry_generators(bare, clock.check)
        self._forbidden: set[Swap] = set()
        self._equal: dict[tuple[Cell, Cell], int] = {}
        self.guesses = 0

    def run(self, progress: Callable[[int], None]) -> PatternAnswer:
        """Return a puzzle, or why there is none; raise `LimitReached`."""
        first = self._break_symmetry()
        while True:
            guess = self._guess.solution_or_core(first)
            if isinstance(guess, frozenset):
                return PatternAnswer(why=self._why(), guesses=self.guesses)
            self.guesses += 1
            progress(self.guesses)
            if not self._refute(guess):
                givens = {cell: guess[cell] for cell in self._cells}
                return PatternAnswer(replace(self._bare, givens=givens, solution=guess), guesses=self.guesses)

    def _why(self) -> str:
        if not self.guesses:
            return "the rules have no solution"
        return f"every solution has another that agrees with it in these cells ({self.guesses:,} were looked at)"

    def _break_symmetry(self) -> list[int]:
        """Return literals that fix the values of one house, if values can be renamed."""
        values = self._bare.grid.values
        constraints = self._bare.model().constraints if self._renames else ()
        houses = [one.cells for one in constraints if isinstance(one, AllDifferent) and len(one.cells) == len(values)]
        return self._guess.literals(zip(houses[0], values, strict=True)) if houses else []

    def _refute(self, guess: Solution) -> bool:
        """Return whether a guess has a second solution; if so, forbid all guesses that the same exchanges refute."""
        from sudoku_cp.generate.fewest.bounds_search import OtherSolutions  # noqa: PLC0415

        others: OtherSolutions = OtherSolutions(self._check, guess, self._bare.grid.cells)
        held = set(self._cells)
        try:
            while not isinstance(other := others.ask(sorted(held)), frozenset):
                nearest = others.nearest(other)
                self._forbid(guess, nearest)
                held |= others.differing(nearest)
            return len(held) > len(self._cells)
        finally:
            others.close()

    def _forbid(self, guess: Solution, other: Solution) -> None:
        swap = swap_of(self._bare.model(), guess, other, renames=self._renames)
        if swap is None or sum(len(group) for _, group in swap.groups) > max(len(self._cells), FEW):
            self._guess.add([-literal for literal in self._guess.literals((cell, guess[cell]) for cell in self._cells)])
        elif swap not in self._forbidden:
            for image in images(swap, self._moves, self._cells, MOST if len(swap.moved) <= FEW else 1, self._clock.check):
                if image not in self._forbidden:
                    self._forbidden.add(image)
                    self._guess.add([-literal for literal in self._condition(image)])

    def _condition(self, swap: Swap) -> Iterator[int]:
        """Yield literals that are all true where an exchange is possible."""
        for label, group in sorted(swap.groups, key=lambda one: min(one[1])):
            if label is None:
                yield from (self._same(one, other) for one, other in pairwise(sorted(group)))
            else:
                yield from self._guess.literals((cell, label) for cell in sorted(group))

    def _same(self, one: Cell, other: Cell) -> int:
        """Return a literal that is true if two cells hold the same value."""
        if (one, other) not in self._equal:
            self._equal[one, other] = same = self._guess.fresh()
            for value in self._bare.grid.values:
                literals = self._guess.literals([(one, value), (other, value)])
                self._guess.add([same, *(-literal for literal in literals)])
        return self._equal[one, other]


# Exchanges: some cells of a solution can hold other values, whatever the other cells hold.
#
# An exchange found in one solution refutes all solutions in which it is possible, and so do its images under the symmetries of
# the rules. Where rules only say which cells differ, values can be renamed: an exchange is groups of cells with equal values.
# Otherwise it is cells with their values.


IMAGES = 3_000
"""The most images of an exchange that are generated."""


class Swap(NamedTuple):
    """If each group of cells holds one value (its label, if it has one), the cells ``moved`` can hold other values."""

    groups: frozenset[tuple[int | None, frozenset[Cell]]]
    moved: frozenset[Cell]

    def image(self, move: Sequence[Cell]) -> Swap:
        """Return its image under a permutation of the cells."""
        return Swap(
            frozenset((label, frozenset(move[cell] for cell in group)) for label, group in self.groups),
            frozenset(move[cell] for cell in self.moved),
        )


def swap_of(model: Model, solution: Solution, other: Solution, *, renames: bool) -> Swap | None:
    """Return the exchange that turns one solution into the other, None where its condition involves auxiliaries.

    ``renames`` says that values can be renamed.
    """
    moved = frozenset(cell for cell, (one, two) in enumerate(zip(solution, other, strict=True)) if one != two)
    needed: set[Cell] = set(moved)
    house: set[Cell] = set()
    for constraint in model.constraints:
        cells = cells_of(constraint)
        touched = moved.intersection(cells)
        if not touched:
            continue
        if isinstance(constraint, AllDifferent) and {solution[cell] for cell in touched} == {other[cell] for cell in touched}:
            house |= touched
        else:
            needed.update(cells)
    if max(needed) >= model.board:
        return None
    nameless = renames and needed == moved == house
    values = {solution[cell] for cell in needed}
    groups = ((None if nameless else value, frozenset(cell for cell in needed if solution[cell] == value)) for value in values)
    return Swap(frozenset(groups), moved)


def images(
    swap: Swap, moves: Sequence[Sequence[Cell]], held: Collection[Cell], most: int, tick: Callable[[], object]
) -> Iterator[Swap]:
    """Yield the exchange and its images that move none of the cells ``held``, at most ``most`` of them."""
    seen, waiting = {swap}, deque([swap])
    number = 0
    while waiting:
        tick()
        one = waiting.popleft()
        if one.moved.isdisjoint(held):
            yield one
            number += 1
            if number >= most:
                return
        for move in moves if len(seen) < IMAGES else ():
            image = one.image(move)
            if image not in seen:
                seen.add(image)
                waiting.append(image)
