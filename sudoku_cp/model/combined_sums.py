"""Combined sums: two known sums that share cells, one added to or taken away from the other, where few cells are left.

Two diagonals that cross, or two arrows with a common circle, say more about their other cells than either does.

Rules of this file: an equation is cells whose sum is taken, cells whose sum is taken away, and the total, as in `innies`.
"""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING, TypeAlias

from sudoku_cp.model.constraints import Linear, members
from sudoku_cp.model.model import IMPLIED, Statement

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sudoku_cp.model.cliques import CellSet

Equation: TypeAlias = tuple["CellSet", "CellSet", int]
MOST_CELLS = 6
"""A sum of more cells than these bounds each of them too little."""
MOST_SUMS = 100
"""Of more sums only these are combined: their pairs take a few milliseconds."""


def combined_sums(statements: Sequence[Statement]) -> Iterator[Statement]:
    """Yield the sums of few cells that follow from two sums with a common cell."""
    known = [(one, statement) for statement in statements for one in _equation(statement)][:MOST_SUMS]
    seen = {one for one, _ in known}
    for (one, first), (other, second) in combinations(known, 2):
        if not (one[0] | one[1]) & (other[0] | other[1]):
            continue
        for sign, again in (("plus", other), ("minus", _negated(other))):
            found = _add(one, again)
            if found is not None and found not in seen and _negated(found) not in seen:
                seen.add(found)
                inside, outside, total = found
                terms = (*((cell, 1) for cell in members(inside)), *((cell, -1) for cell in members(outside)))
                yield Statement(Linear(terms, "==", total), IMPLIED, f"{first} {sign} {second}")


def _equation(statement: Statement) -> Iterator[Equation]:
    """Yield the equation that a statement is, if it is one in which each cell counts once."""
    match statement.constraint:
        case Linear(terms, "==", total) if {factor for _, factor in terms} <= {1, -1}:
            inside, outside = (sum({1 << cell for cell, factor in terms if factor == sign}) for sign in (1, -1))
            if inside.bit_count() + outside.bit_count() == len(terms) and not inside & outside:
                yield inside, outside, total
        case _:
            pass


def _negated(equation: Equation) -> Equation:
    inside, outside, total = equation
    return outside, inside, -total


def _add(one: Equation, other: Equation) -> Equation | None:
    """Return the sum of two equations, if cells cancel, none of them counts twice, and few are left."""
    common = (one[0] & other[1]) | (one[1] & other[0])
    inside, outside = (one[0] | other[0]) & ~common, (one[1] | other[1]) & ~common
    if not common or one[0] & other[0] or one[1] & other[1] or (inside | outside).bit_count() > MOST_CELLS:
        return None
    return inside, outside, one[2] + other[2]
