"""The fewest givens that determine a solution: bounds from both sides.

Two solutions differ in an **unavoidable set** of cells: a puzzle with one of the two as its only solution has a given in it.
So the givens of a puzzle hit all unavoidable sets, and the smallest hitting set of those found so far is a lower bound: an
implicit hitting set problem (Moreno-Centeno and Karp, 2013). Upper bounds are puzzles that are dug, ruined and dug again.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import combinations
from typing import TYPE_CHECKING

from pysat.card import ITotalizer

from sudoku_cp.backends import UNLIMITED, Clock, Limits, Solution
from sudoku_cp.backends.sat import strengthen_for_sat
from sudoku_cp.backends.sat_oracle import COUNTERS, SatOracle, handling_interrupts
from sudoku_cp.errors import InvalidInput, LimitReached, Reason, WrongAnswer, require_seed
from sudoku_cp.generate.base import can_rename_values, random_stream
from sudoku_cp.generate.general.random_solution import RuleSolver
from sudoku_cp.grid import Cell, Grid
from sudoku_cp.model import AllDifferent, Model, different_cells
from sudoku_cp.model.cnf import cnf
from sudoku_cp.model.rewrite import propagate_decided
from sudoku_cp.puzzle.puzzle import CLASSIC
from sudoku_cp.queries import solve

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
    from random import Random

    from sudoku_cp.puzzle import Puzzle


# The rules of a puzzle in an incremental SAT solver, and the solutions other than a given one.


class PuzzleSolver(RuleSolver):
    """A SAT solver loaded with a puzzle: its rules, candidates and givens."""

    def __init__(self, puzzle: Puzzle, clock: Clock) -> None:
        """Encode ``puzzle``; questions end at the limits of ``clock``."""
        model, assume = puzzle.model(clock.check), puzzle.assume()
        domains = tuple(domain & assume.get(cell, -1) for cell, domain in enumerate(model.domains))
        hard = strengthen_for_sat(Model(domains, model.statements, model.board))
        live = propagate_decided(hard, hard.domains[: hard.board])
        super().__init__(cnf(hard, live, clock.check, different_cells(hard)), clock)
        self._puzzle = puzzle

    def add(self, clause: Sequence[int]) -> None:
        """Add a clause of these literals."""
        if clause:
            super().add(clause)
        else:  # some solvers do not take an empty clause
            never = self.fresh()
            super().add([never])
            super().add([-never])

    def solution_or_core(self, assumed: Sequence[int]) -> Solution | frozenset[int]:
        """Return a solution in which the literals assumed are true, or a core of them that has no solution."""
        if not self.ask(assumed):
            return self.core()
        found = self.solution()
        if not self._puzzle.holds(found):
            raise WrongAnswer(f"expected a solution of {self._puzzle!r}, got {found!r}")
        return found


class OtherSolutions:
    """The solutions of a puzzle other than a given one, queried by the cells in which they agree with it."""

    def __init__(self, solver: PuzzleSolver, solution: Solution, cells: Iterable[Cell]) -> None:
        """Forbid ``solution`` until `close`. Only ``cells`` can be held."""
        self._solver, self.solution = solver, solution
        self._literals = {cell: solver.literals([(cell, solution[cell])]) for cell in cells}
        self._cells = {literals[0]: cell for cell, literals in self._literals.items() if literals}
        self._guard = solver.fresh()
        solver.add([-self._guard, *(-literal for literal in solver.literals(enumerate(solution)))])

    def close(self) -> None:
        """Allow the solution again; no queries may follow."""
        self._solver.add([-self._guard])

    def ask(self, held: Iterable[Cell]) -> Solution | frozenset[Cell]:
        """Return another solution that agrees in the cells ``held``, or a core of these cells for which there is none."""
        assumed = [self._guard, *(literal for cell in held for literal in self._literals[cell])]
        found = self._solver.solution_or_core(assumed)
        if isinstance(found, frozenset):
            return frozenset(self._cells[literal] for literal in found if literal != self._guard)
        return found

    def nearest(self, other: Solution) -> Solution:
        """Return a solution that differs in a minimal subset of the cells in which ``other`` does.

        These cells are an unavoidable set: a puzzle with the given solution alone has a given in it.
        """
        differing = self.differing(other)
        settled: set[Cell] = set()
        while open_ := differing - settled:
            cell = min(open_)
            found = self.ask(held for held in self._literals if held not in differing or held == cell)
            if isinstance(found, frozenset):
                settled.add(cell)
            else:
                other, differing = found, self.differing(found)
        return other

    def differing(self, other: Solution) -> frozenset[Cell]:
        """Return the cells in which another solution differs."""
        return frozenset(cell for cell in self._literals if self.solution[cell] != other[cell])


MOVES, COVERS = 40, 20
"""Rounds of ruining and digging, and searches for hitting sets, in turn."""
CONFLICTS = 2_000
"""The first budget of a search for a hitting set; doubled each time it does not suffice."""
SURE = 1.0
"""Seconds that another engine gets, beyond the limits, to confirm that the puzzle found has one solution."""


@dataclass(frozen=True)
class GivenBounds:
    """Bounds on the number of givens that determine a ``solution``; ``givens`` are ``most`` cells that do.

    ``most`` and ``givens`` are None where the allowed cells never suffice, since the ``other`` solution has the same values in
    them. ``why`` cites the lower bound where it does not come from the search itself. A ``reason`` names the limit reached.
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
        """Whether the bounds meet."""
        return self.least == self.most


def fewest_givens(
    puzzle: Puzzle,
    *,
    among: Collection[Cell] | None = None,
    seed: int = 0,
    limits: Limits = UNLIMITED,
    progress: Callable[[int, int], None] = lambda _least, _most: None,
) -> GivenBounds:
    """Return the fewest cells whose values determine the solution of ``puzzle``, or bounds where a limit comes first.

    The puzzle is a full grid, or has one solution. Its rules and candidates apply, its givens do not; ``among`` restricts the
    cells to choose from, and ``progress`` is called with the bounds as they come. Raises `LimitReached` where a limit comes
    before any bound is known.
    """
    require_seed(seed)
    clock = limits.started()
    cells = check_cells(puzzle.grid, puzzle.grid.cells if among is None else among)
    solution = only_solution(puzzle, clock)
    bare = puzzle.with_givens({})
    found = _BoundsSearch(bare, solution, cells, seed, clock).run(progress)
    if found.givens is not None:
        confirm_unique(puzzle.with_givens({cell: solution[cell] for cell in found.givens}), clock)
    return found


def only_solution(puzzle: Puzzle, clock: Clock) -> Solution:
    """Return the only solution of a puzzle; raise `InvalidInput` where there is none or several, or `LimitReached`."""
    answer = solve(puzzle, limits=clock.left())
    if answer.status == "unique" and answer.solution is not None:
        return answer.solution
    if answer.reason:
        raise LimitReached(answer.reason, f"{answer.seconds:.3g} s")
    raise InvalidInput(
        f"expected a full grid or a puzzle with one solution, got one with {'none' if answer.exact else 'several'}"
    )


def check_cells(grid: Grid, cells: Collection[Cell]) -> list[Cell]:
    """Return the cells in order, each once; raise `InvalidInput` unless all are cells of the grid."""
    strange = sorted(set(cells) - set(grid.cells))
    if strange:
        raise InvalidInput(f"expected cells of {grid} (0 to {len(grid.cells) - 1}), got {strange}")
    return sorted(set(cells))


class _BoundsSearch:
    """The state of the search: the best givens so far, the lower bound, and the unavoidable sets (as bit sets) found so far."""

    def __init__(self, bare: Puzzle, solution: Solution, cells: list[Cell], seed: int, clock: Clock) -> None:

        self._others: OtherSolutions = OtherSolutions(PuzzleSolver(bare, clock), solution, cells)
        self._covers = HittingSetSearch(cells, clock)
        self._clock = clock
        self._sets: list[int] = []
        self._cells, self._solution = cells, solution
        self._random: Random = random_stream(seed, 0, "fewest")
        self._conflicts = CONFLICTS
        self._best: frozenset[Cell] = frozenset(cells)
        self._least, self._why = known_lower_bound(bare, solution)

    def run(self, progress: Callable[[int, int], None]) -> GivenBounds:
        """Return the answer, or the bounds known when a limit comes."""
        found = self._others.ask(self._cells)
        if not isinstance(found, frozenset):
            return GivenBounds(self._solution, None, self._least, None, other=found, why=self._why)
        reason: Reason | None = None
        try:
            self._begin(found)
            while self._least < len(self._best):
                for _ in range(MOVES):
                    self._ruin_and_dig()
                for _ in range(COVERS):
                    if self._least < len(self._best):
                        progress(self._least, len(self._best))
                        self._raise_bound()
        except LimitReached as reached:
            reason = reached.reason
        return GivenBounds(self._solution, tuple(sorted(self._best)), self._least, len(self._best), why=self._why, reason=reason)

    def _begin(self, core: frozenset[Cell]) -> None:
        """Dig a first puzzle, and find unavoidable sets within the cells of each pair of values."""
        self._best = core
        self._best = self._dig(core)
        for pair in combinations(sorted(set(self._solution)), 2):
            self._disjoint_sets_outside(cell for cell in self._cells if self._solution[cell] not in pair)

    # --- from above -------------------------------------------------------------------------------------------------

    def _ruin_and_dig(self) -> None:
        """Put some cells back, dig again, and keep the result if it has no more givens."""
        blank = [cell for cell in self._cells if cell not in self._best]
        number = min(len(blank), self._random.randint(2, max(3, len(self._cells) // 12)))
        dug = self._dig(self._best | set(self._random.sample(blank, number)))
        if len(dug) <= len(self._best):
            self._best = dug

    def _dig(self, cells: frozenset[Cell]) -> frozenset[Cell]:
        """Return a minimal subset of ``cells`` that determines the solution."""
        order = sorted(cells)
        self._random.shuffle(order)
        for cell in order:
            if cell in cells and not self._leaves_unhit(fewer := cells - {cell}):
                found = self._others.ask(sorted(fewer))
                if isinstance(found, frozenset):
                    cells = found
                else:
                    self._add_unavoidable(self._others.differing(found))
        return cells

    def _leaves_unhit(self, cells: Iterable[Cell]) -> bool:
        """Return whether a known unavoidable set has none of ``cells``; that set is tried first the next time."""
        chosen = _bit_set(cells)
        for place, one in enumerate(self._sets):
            if not one & chosen:
                self._sets.insert(0, self._sets.pop(place))
                return True
        return False

    # --- from below -------------------------------------------------------------------------------------------------

    def _raise_bound(self) -> None:
        """Raise the lower bound, or reach it with a puzzle, or find more unavoidable sets."""
        try:
            cover = self._covers.cover(self._least, self._conflicts)
        except LimitReached:
            self._clock.check()
            self._conflicts *= 2
            return
        if cover is None:
            self._least, self._why = self._least + 1, ""
        else:
            core = self._disjoint_sets_outside(cover)
            if len(core) <= len(self._best) + 1:
                self._best = min(self._best, self._dig(core), key=len)

    def _disjoint_sets_outside(self, held: Iterable[Cell]) -> frozenset[Cell]:
        """Find disjoint unavoidable sets outside the cells ``held``; return cells that determine the solution."""
        taken = set(held)
        while True:
            found = self._others.ask(sorted(taken))
            if isinstance(found, frozenset):
                return found
            missed = self._others.differing(self._others.nearest(found))
            self._covers.add(missed)
            self._add_unavoidable(missed)
            taken |= missed

    def _add_unavoidable(self, cells: Collection[Cell]) -> None:
        self._sets.insert(0, _bit_set(cells))


def _bit_set(cells: Iterable[Cell]) -> int:
    return sum(1 << cell for cell in set(cells))


def confirm_unique(puzzle: Puzzle, clock: Clock) -> None:
    """Have another engine look for a second solution; raise `WrongAnswer` if it finds one."""
    answer = solve(puzzle, limits=replace(clock.limits, seconds=SURE, nodes=None))
    if answer.status not in {"unique", "unknown"}:
        raise WrongAnswer(f"expected one solution of {puzzle!r}, got {answer.status}")


# Small hitting sets of the unavoidable sets, by a SAT solver with a totalizer (Bailleux and Boufkhad, 2003).


class HittingSetSearch:
    """Looks for a bounded number of cells that hit all sets added so far; learnt clauses serve later questions."""

    def __init__(self, cells: Sequence[Cell], clock: Clock) -> None:
        """Begin without sets; only ``cells`` may be chosen; loading and questions end at the limits of ``clock``."""
        self._variables = {cell: number for number, cell in enumerate(cells, 1)}
        with handling_interrupts():
            totals = ITotalizer(list(self._variables.values()), ubound=len(cells))
        self._at_least: Sequence[int] = totals.rhs
        self._oracle = SatOracle("cadical153", [totals.cnf.clauses], clock)
        self._clock = clock

    def add(self, cells: Iterable[Cell]) -> None:
        """Require one of these cells from now on."""
        self._oracle.add([self._variables[cell] for cell in cells if cell in self._variables])

    def cover(self, most: int, conflicts: int) -> Collection[Cell] | None:
        """Return at most ``most`` cells that hit every set, None where there are none.

        Raises `LimitReached`, also after ``conflicts`` conflicts.
        """
        self._clock.check()
        if most >= len(self._variables):
            return list(self._variables)
        budget = Limits(self._clock.seconds_left, conflicts, self._clock.limits.cancel).started()
        if not self._oracle.solve([-self._at_least[most]], budget, dict.fromkeys(COUNTERS, 0)):
            return None
        true = {literal for literal in self._oracle.model() if literal > 0}
        return [cell for cell, variable in self._variables.items() if variable in true]


# Known without search: numbers of givens, and patterns, that never leave one solution.


MCGUIRE = 17
"""The fewest givens of a 9x9 sudoku."""
_MCGUIRE = "no 9x9 sudoku with 16 givens has one solution (McGuire, Tugemann and Civario, 2012)"


def known_lower_bound(puzzle: Puzzle, solution: Solution) -> tuple[int, str]:
    """Return a lower bound on the givens that determine ``solution``, and why."""
    if _is_plain9(puzzle):
        return MCGUIRE, _MCGUIRE
    if can_rename_values(puzzle):
        number = min(len(set(solution)), len(puzzle.grid.values) - 1)
        return number, f"two values that are not given could change places, so {number} different ones are given"
    return 0, ""


def why_never_unique(puzzle: Puzzle, cells: Collection[Cell]) -> str:
    """Return why givens in ``cells`` alone never leave one solution under the rules of a puzzle; "" where that is not known."""
    if _is_plain9(puzzle) and len(cells) < MCGUIRE:
        return _MCGUIRE
    if not can_rename_values(puzzle):
        return ""
    houses = {frozenset(constraint.cells) for constraint in puzzle.model().constraints if isinstance(constraint, AllDifferent)}
    values = len(puzzle.grid.values)
    if len(cells) < values - 1 and any(len(house) == values for house in houses):
        return f"{len(cells)} givens leave two values that can change places: each of the {values} occurs in every solution"
    return next(_empty_lines(puzzle, frozenset(cells), houses), "")


def _is_plain9(puzzle: Puzzle) -> bool:
    return puzzle.grid == Grid.square() and puzzle.rules == CLASSIC and not puzzle.candidates


def _empty_lines(puzzle: Puzzle, cells: frozenset[Cell], houses: set[frozenset[Cell]]) -> Iterator[str]:
    """Yield the reason for each pair of lines without givens that can change places."""
    lines = [(name, house) for name, house in puzzle.grid.houses.items() if name.startswith(("row", "column"))]
    for (name, one), (other_name, other) in combinations(lines, 2):
        if len(one) == len(other) and not {*one, *other} & ({*one} & {*other} | cells):
            swapped = dict([*zip(one, other, strict=True), *zip(other, one, strict=True)])
            if {frozenset(swapped.get(cell, cell) for cell in house) for house in houses} == houses:
                yield f"{name} and {other_name} have no givens and can change places"
