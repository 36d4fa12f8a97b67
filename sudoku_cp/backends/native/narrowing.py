"""What the propagators of the readable tier share: the domains that they narrow."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from sudoku_cp.grid import Cell
from sudoku_cp.model import Domain

Domains: TypeAlias = list[Domain]
Propagator: TypeAlias = Callable[[Domains, list[Cell]], bool]


def narrow(cell: Cell, kept: Domain, domains: Domains, changed: list[Cell]) -> bool:
    """Keep only the values in ``kept``; return False when none is left."""
    before = domains[cell]
    after = before & kept
    if after != before:
        domains[cell] = after
        changed.append(cell)
    return after != 0
