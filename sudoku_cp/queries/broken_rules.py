"""Which rules does a position break already, each by itself?"""

from __future__ import annotations

from dataclasses import dataclass, replace

from sudoku_cp.arguments import checked
from sudoku_cp.backends import UNLIMITED, Limits
from sudoku_cp.puzzle import Position, Puzzle
from sudoku_cp.puzzle.puzzle import CLASSIC
from sudoku_cp.queries.solution_search import solve

NODES = 1000
"""Guesses for a rule, at most: alone it hardly needs any, and a player is waiting."""
SECONDS = 0.25
"""The same as time; a few kinds, such as unknown regions, are as hard alone as a puzzle."""


@dataclass(frozen=True)
class BrokenRules:
    """The indices of the rules that no filling of the open cells obeys, and of those ``undecided`` at a limit."""

    broken: tuple[int, ...] = ()
    undecided: tuple[int, ...] = ()


@checked
def broken_rules(position: Position, *, limits: Limits = UNLIMITED) -> BrokenRules:
    """Return the rules that the values of a position break, each looked at without the others; houses are not looked at.

    A cage whose cells are full and have another sum is broken, and so is one whose rest cannot reach it; a cage that only the
    houses around it make impossible is not.
    """
    puzzle, clock = position.puzzle, limits.started()
    filled = {cell: value for cell, value in enumerate(position.values) if value is not None}
    found: dict[str, list[int]] = {}
    for index, rule in enumerate(puzzle.rules):
        if rule in CLASSIC:
            continue
        left = clock.left()
        short = replace(left, nodes=NODES, seconds=SECONDS if left.seconds is None else min(SECONDS, left.seconds))
        alone = Puzzle(puzzle.grid, (rule,), filled, symbols=puzzle.symbols)
        found.setdefault(solve(alone, limits=short, solution_limit=1).status, []).append(index)
    return BrokenRules(tuple(found.get("none", ())), tuple(found.get("unknown", ())))
