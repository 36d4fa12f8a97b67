"""The literals of a clause that the domains leave open."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from sudoku_cp.model.constraints import Domain, Literal


def live_literals(literals: Iterable[Literal], domains: Mapping[int, Domain] | tuple[Domain, ...]) -> list[Literal] | None:
    """Return the literals that can be true; None if one of them certainly is."""
    kept = []
    for literal in literals:
        possible = domains[literal.cell] >> literal.value & 1 if literal.value >= 0 else 0
        if not possible:
            if not literal.equal:
                return None
            continue
        kept.append(literal)
    return kept
