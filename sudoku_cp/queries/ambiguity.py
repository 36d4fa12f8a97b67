"""A puzzle with several solutions: which cells are the same in all of them, and which further givens would make it unique?"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from sudoku_cp.backends import UNLIMITED, Clock, Limits, Solution
from sudoku_cp.errors import LimitReached, Reason, WrongAnswer
from sudoku_cp.load_time import loading
from sudoku_cp.model import Clause, Literal, Model, Statement
from sudoku_cp.queries.delta_debugging import step_limits
from sudoku_cp.queries.minimal_cores import Core, minimal_core, smallest_core
from sudoku_cp.queries.session_pool import is_solution
from sudoku_cp.queries.solution_search import solve

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from sudoku_cp.backends.assumption_cores import AssumptionSolver
    from sudoku_cp.grid import Cell
    from sudoku_cp.puzzle import Puzzle


SURE = 1.0
"""Seconds that another engine gets to confirm that the additions leave one solution."""


@dataclass(frozen=True)
class Ambiguity:
    """The cells that are the same in all solutions, and further givens that would leave only one.

    The ``frozen`` cells, givens aside, hold one value in every solution; if not ``whole``, a limit came first, and they do so in
    all solutions seen. The ``additions``, cells of further givens, would leave only the first solution: the ``fewest``
    that do so, or some that suffice, or None if a limit came before any were found.
    """

    frozen: tuple[Cell, ...] = ()
    whole: bool = False
    additions: tuple[Cell, ...] | None = None
    fewest: bool = False
    reason: Reason | None = None


def ambiguity(puzzle: Puzzle, solutions: Sequence[Solution], *, limits: Limits = UNLIMITED) -> Ambiguity:
    """Return what all solutions have in common, and which givens would leave only the first of the two known ``solutions``."""
    clock = limits.started()
    first = solutions[0]
    open_ = [cell for cell in puzzle.grid.cells if cell not in puzzle.givens]
    same = {cell: first[cell] for cell in open_ if all(other[cell] == first[cell] for other in solutions)}
    try:
        question = _AdditionOracle(puzzle, first, open_, clock)
    except LimitReached as reached:
        return Ambiguity(tuple(same), reason=reached.reason)
    same, whole = _drop_unfrozen(question, same, _half_clock(clock))
    chosen = _fewest_additions(question, len(open_), clock)
    if chosen is None:
        return Ambiguity(tuple(same), whole, reason=clock.reached())
    additions = tuple(open_[number] for number in sorted(chosen.parts))
    _confirm(puzzle.with_givens({**puzzle.givens, **{cell: first[cell] for cell in additions}}), clock)
    sure = whole and chosen.smallest
    return Ambiguity(tuple(same), whole, additions, chosen.smallest, None if sure else clock.reached() or "deadline")


class _AdditionOracle:
    """Answers which open cells can keep the values of the first solution in another one."""

    def __init__(self, puzzle: Puzzle, first: Solution, cells: Sequence[Cell], clock: Clock) -> None:
        with loading():
            from sudoku_cp.backends.assumption_cores import AssumptionSolver  # noqa: PLC0415  # imports a solver library

        model = puzzle.model(clock.check)
        assume = puzzle.assume()
        domains = tuple(domain & assume.get(cell, -1) for cell, domain in enumerate(model.domains))
        held = [[Statement(Clause((Literal(cell, first[cell]),)), "added", "added")] for cell in cells]
        self._parts: AssumptionSolver = AssumptionSolver(Model(domains, model.statements, model.board), held, limits=clock.left())
        self._puzzle, self._first, self._cells = puzzle, first, cells
        self._whole = dict(enumerate(first))

    def ask(self, held: Collection[int], *, clock: Clock) -> Solution | frozenset[int]:
        """Return another solution with the first one's values in the cells ``held``, or some of these that exclude any other."""
        return self._checked(self._parts.ask(held, self._whole, clock=clock))

    def obeyed(self, solution: Solution) -> Iterator[int]:
        """Return the cells that have the value of the first solution."""
        return (number for number, cell in enumerate(self._cells) if solution[cell] == self._first[cell])

    def other(self, same: Mapping[Cell, int], clock: Clock) -> Solution | None:
        """Return a solution that differs from ``same`` in some cell, None if there is none."""
        found = self._checked(self._parts.ask((), same, clock=clock))
        return None if isinstance(found, frozenset) else found

    def _checked(self, found: Solution | frozenset[int]) -> Solution | frozenset[int]:
        if not isinstance(found, frozenset) and not is_solution(self._puzzle, found):
            raise WrongAnswer(f"expected a solution of {self._puzzle!r}, got {found!r}")
        return found


def _half_clock(clock: Clock) -> Clock:
    """Return a clock with half of the remaining time."""
    left = clock.left()
    return replace(left, seconds=None if left.seconds is None else left.seconds / 2).started()


def _drop_unfrozen(question: _AdditionOracle, same: dict[Cell, int], clock: Clock) -> tuple[dict[Cell, int], bool]:
    """Drop the cells that differ in another solution; return the rest, and whether no such solution remains."""
    try:
        while same and (other := question.other(same, clock)):
            same = {cell: value for cell, value in same.items() if other[cell] == value}
    except LimitReached:
        return same, False
    return same, True


def _fewest_additions(question: _AdditionOracle, number: int, clock: Clock) -> Core | None:
    """Return the fewest cells whose values exclude all other solutions; a few that do so, or None, if a limit comes first."""
    try:
        core = question.ask(range(number), clock=clock)
    except LimitReached:
        return None
    assert isinstance(core, frozenset)  # noqa: S101  # another solution differs somewhere
    found = minimal_core(question, core, clock)
    return smallest_core(question, number, found, clock) if found.minimal else found


def _confirm(puzzle: Puzzle, clock: Clock) -> None:
    """Have another engine look briefly for a second solution; it must find none."""
    answer = solve(puzzle, limits=step_limits(clock.left(), SURE))
    if answer.status not in {"unique", "unknown"}:
        raise WrongAnswer(f"expected one solution of {puzzle!r}, got {answer.status}")
