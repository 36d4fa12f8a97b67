"""Is a puzzle consistent and unique, and if not, what is wrong with it?"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import combinations
from typing import TYPE_CHECKING

from sudoku_cp.backends import UNLIMITED, Limits
from sudoku_cp.model import AllDifferent, DigitSet, cells_of
from sudoku_cp.puzzle.puzzle import CLASSIC
from sudoku_cp.queries.questions import Answer, solve
from sudoku_cp.queries.shrinking import a_step, shrunk

if TYPE_CHECKING:
    from sudoku_cp.grid import Cell
    from sudoku_cp.model import Statement
    from sudoku_cp.puzzle import Puzzle
    from sudoku_cp.queries.sessions import Engine


@dataclass(frozen=True)
class Conflict:
    """Givens that cannot stand together, and the parts of rules they break where those are plain to see.

    If ``minimal``, leaving out any one of ``givens`` lets the others stand; no givens mean that the rules alone (with the
    puzzle's candidates) have no solution.
    """

    givens: tuple[Cell, ...]
    rules: tuple[str, ...] = ()
    minimal: bool = True


@dataclass(frozen=True)
class Check:
    """The answer, what clashes where there is no solution, and the cells in which two solutions differ."""

    answer: Answer
    conflict: Conflict | None = None
    differ: tuple[Cell, ...] = ()


def check(puzzle: Puzzle, *, backend: Engine = "auto", limits: Limits = UNLIMITED) -> Check:
    """Return whether the puzzle has exactly one solution, and if not, why not, all within ``limits``."""
    clock = limits.started()
    answer = solve(puzzle, backend=backend, limits=limits)
    if answer.status == "none":
        clock.nodes += answer.counters.get("nodes", 0)
        return Check(answer, _conflict(puzzle, backend, clock.left()))
    if len(answer.solutions) > 1:
        first, second = answer.solutions[:2]
        return Check(answer, differ=tuple(cell for cell in puzzle.grid.cells if first[cell] != second[cell]))
    return Check(answer)


def _conflict(puzzle: Puzzle, backend: Engine, limits: Limits) -> Conflict:
    clash = _plain_clash(puzzle)
    if clash is None:
        return _least_givens(puzzle, backend, limits)
    if puzzle.grid.is_plain and puzzle.rules == CLASSIC and not puzzle.candidates:
        return clash  # The usual board has a solution with any one given.
    suspects = puzzle.with_givens({cell: puzzle.givens[cell] for cell in clash.givens})
    least = _least_givens(suspects, backend, limits)
    return replace(least, rules=clash.rules) if len(least.givens) == len(clash.givens) else least


def _plain_clash(puzzle: Puzzle) -> Conflict | None:
    """Find a statement that the givens in it break, as two equal values in a row do."""
    for statement in puzzle.model().statements:
        given = {cell: puzzle.givens[cell] for cell in cells_of(statement.constraint) if cell in puzzle.givens}
        for pair in combinations(given, 2) if isinstance(statement.constraint, AllDifferent | DigitSet) else ():
            if given[pair[0]] == given[pair[1]]:
                return Conflict(pair, (str(statement),))
        if _broken(statement, given):
            return Conflict(tuple(given), (str(statement),))
    return None


def _broken(statement: Statement, given: dict[Cell, int]) -> bool:
    cells = cells_of(statement.constraint)
    if not cells or len(given) < len(cells):
        return False
    values = [0] * (max(cells) + 1)
    for cell, value in given.items():
        values[cell] = value
    return not statement.constraint.holds(values)


def _least_givens(puzzle: Puzzle, backend: Engine, limits: Limits) -> Conflict:
    """Leave out givens while there is still no solution; whatever the limits leave undecided stays in."""
    clock = limits.started()
    whole = True

    def still(givens: list[tuple[Cell, int]]) -> bool:
        nonlocal whole
        fewer = puzzle.with_givens(dict(givens))
        answer = solve(fewer, backend=backend, limits=a_step(clock.left()), limit=1, amount=len(puzzle.givens))
        clock.nodes += answer.counters.get("nodes", 0)
        whole = whole and answer.status != "unknown"
        return answer.status == "none"

    left = shrunk(puzzle.givens.items(), still)
    return Conflict(tuple(cell for cell, _ in left), minimal=whole)
