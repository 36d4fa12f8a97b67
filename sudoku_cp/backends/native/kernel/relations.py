"""Relations of two cells, and clauses."""

from __future__ import annotations

from typing import TYPE_CHECKING

from numba import uint64

from sudoku_cp.backends.native.kernel.bits import NONE, compiled, inlined
from sudoku_cp.backends.native.kernel.memory import NOBODY, narrow, offset

if TYPE_CHECKING:
    from sudoku_cp.backends.native.kernel.bits import Mask
    from sudoku_cp.backends.native.kernel.memory import LiveDomains, Pointer, Scope

BYTE, VALUES = 8, 256
"""The bits of a byte, and how many values it can have."""


@inlined
def partners(table: Pointer, size: int, domain: Mask) -> Mask:
    """Return the values compatible with some value of the domain; the table has them for each byte of a domain."""
    found = NONE
    for place in range(size):
        found |= table[place * VALUES + (domain >> uint64(BYTE * place) & uint64(VALUES - 1))]
    return found


@compiled
def relation(live: LiveDomains, scope: Scope, tables: Pointer) -> bool:
    """Keep in each cell the values compatible with the other. The parameters are the table's place and the bytes of a domain."""
    one, other, size = scope.cells[0], scope.cells[1], scope.parameters[1]
    table = offset(tables, scope.parameters[0])
    if not narrow(live, other, partners(table, size, live.domains[one])):
        return False
    return narrow(live, one, partners(offset(table, size * VALUES), size, live.domains[other]))


@compiled
def clause(live: LiveDomains, scope: Scope) -> bool:
    """If only one cell can still make the clause true, narrow it. The parameters are each cell's values that make it true."""
    last = NOBODY
    for index in range(scope.size):
        domain, wanted = live.domains[scope.cells[index]], uint64(scope.parameters[index])
        if domain & wanted:
            if domain & ~wanted == NONE:
                return True
            if last != NOBODY:
                return True
            last = index
    return last != NOBODY and narrow(live, scope.cells[last], uint64(scope.parameters[last]))
