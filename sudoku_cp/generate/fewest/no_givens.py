"""Do rules need no givens at all, because they alone leave one solution?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sudoku_cp.backends import UNLIMITED
from sudoku_cp.errors import LimitReached, WrongAnswer
from sudoku_cp.generate.rule_symmetries import can_mirror_values, can_rename_values
from sudoku_cp.puzzle import Puzzle
from sudoku_cp.queries import solve

if TYPE_CHECKING:
    from sudoku_cp.backends import Clock, Limits, Solution
    from sudoku_cp.errors import Reason
    from sudoku_cp.grid import Grid
    from sudoku_cp.rules.base import Rule


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
