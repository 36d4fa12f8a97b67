"""Clashes in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sudoku_cp.puzzle import Puzzle
    from sudoku_cp.queries.conflicts import Conflict

_MOST_NAMES = 12
"""Names in a sentence at most; JSON and tables have all."""
_TOGETHER = {1: "", 2: " both"}


def clash_words(puzzle: Puzzle, conflict: Conflict) -> str:
    """Return ``r1c1=1 and r1c2=1 cannot both stand in row 1``: the givens of the puzzle, or entries, that clash."""
    name, sign = puzzle.grid.cell_name, puzzle.symbols.sign
    givens = [f"{name(cell)}={sign(puzzle.givens[cell])}" for cell in conflict.givens]
    givens += [f"the candidates of {name(cell)}" for cell in conflict.candidates]
    rules = [rule.removesuffix(" (houses)") for rule in conflict.rules]
    if not givens:
        return f"the rules by themselves: {_join_names(rules)}"
    clash = f"{_join_names(givens)} cannot{_TOGETHER.get(len(givens), ' all')} stand"
    if len(rules) == 1 and rules[0] != conflict.rules[0]:
        return f"{clash} in {rules[0]}"
    return f"{clash}: {_join_names(rules)} {'forbids' if len(rules) == 1 else 'forbid'} it" if rules else clash


def _join_names(names: Sequence[str]) -> str:
    """Return ``a, b and c``."""
    if len(names) > _MOST_NAMES:
        names = [*names[: _MOST_NAMES - 1], f"{len(names) - _MOST_NAMES + 1} more"]
    return " and ".join(part for part in (", ".join(names[:-1]), names[-1]) if part)
