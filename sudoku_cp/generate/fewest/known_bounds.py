"""Known without search: numbers of givens, and patterns, that never leave one solution."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

from sudoku_cp.generate.rule_symmetries import can_rename_values
from sudoku_cp.grid import Grid
from sudoku_cp.model import AllDifferent
from sudoku_cp.puzzle.puzzle import CLASSIC

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from sudoku_cp.backends import Solution
    from sudoku_cp.grid import Cell
    from sudoku_cp.puzzle import Puzzle

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
