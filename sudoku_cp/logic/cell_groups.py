"""Groups: which cells of a puzzle must differ, and what each may hold. Techniques need to know nothing else of it.

Glossary of this package: a **group** is cells that all differ; a **house** is a group with as many cells as there are values, so
that each value has a place in it; a **candidate** is a value that an open cell may still take.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING

from sudoku_cp.errors import Unsupported
from sudoku_cp.model import AllDifferent, Constraint, Domain, Model, cells_of, members, to_mask

if TYPE_CHECKING:
    from sudoku_cp.grid import Cell
    from sudoku_cp.puzzle import Puzzle


@dataclass(frozen=True)
class CellGroups:
    """The groups of a puzzle with their names, the first ``houses`` of which are houses, and the ``domains`` of its cells.

    Pencil marks narrow the domains; givens do not.
    """

    names: tuple[str, ...]
    cells: tuple[tuple[Cell, ...], ...]
    houses: int
    domains: tuple[Domain, ...]

    def hold(self, values: list[int]) -> bool:
        """Say whether every cell holds a value of its domain, and the cells of every group different ones."""
        return all(domain >> value & 1 for domain, value in zip(self.domains, values, strict=True)) and all(
            len({values[cell] for cell in group}) == len(group) for group in self.cells
        )


def groups_of(puzzle: Puzzle) -> CellGroups:
    """Return the groups of a puzzle; raise `Unsupported` if its rules say more than that cells differ."""
    found = _groups(puzzle.model(), len(puzzle.grid.values))
    if not puzzle.candidates:
        return found
    return replace(found, domains=tuple(own & puzzle.candidates.get(cell, own) for cell, own in enumerate(found.domains)))


@lru_cache(maxsize=64)
def _groups(model: Model, values: int) -> CellGroups:
    named: dict[tuple[Cell, ...], str] = {}
    domains = list(model.domains[: model.board])
    beyond: dict[str, None] = {}
    for constraint, rule, part in model.statements:
        cells = cells_of(constraint)
        if isinstance(constraint, AllDifferent):
            named.setdefault(constraint.cells, part)
        elif len(cells) == 1 and cells[0] < model.board:
            domains[cells[0]] &= _allowed(constraint, cells[0], domains[cells[0]])
        else:
            beyond[rule] = None
    if beyond:
        raise Unsupported(
            f"expected rules that only say which cells differ, for singles and the words easy, medium and hard; got "
            f"{', '.join(beyond)}: ask for search effort (--guesses) instead"
        )
    named = dict(sorted(named.items(), key=lambda group: len(group[0]) != values))  # sorting keeps the order of equals
    houses = sum(len(group) == values for group in named)
    return CellGroups(tuple(named.values()), tuple(named), houses, tuple(domains))


def _allowed(constraint: Constraint, cell: Cell, domain: Domain) -> Domain:
    """Return the values of a domain with which a constraint on one cell alone holds."""
    return to_mask(value for value in members(domain) if constraint.holds([value] * (cell + 1)))
