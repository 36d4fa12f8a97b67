"""Groups for singles on arrays: which cells of a puzzle must differ, and what each may hold, where rules say nothing else.

Glossary of this package: a **group** is cells that all differ; a **house** is a group with as many cells as there are values, so
that each value has a place in it; a **candidate** is a value that an open cell may still take.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING

from sudoku_cp.errors import Unsupported
from sudoku_cp.logic.layout import layout_of

if TYPE_CHECKING:
    from sudoku_cp.grid import Cell
    from sudoku_cp.logic.layout import Layout
    from sudoku_cp.model import Domain
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


def groups_of(puzzle: Puzzle) -> CellGroups:
    """Return the groups of a puzzle; raise `Unsupported` if its rules say more than that cells differ."""
    found = _groups(layout_of(puzzle))
    if not puzzle.candidates:
        return found
    return replace(found, domains=tuple(own & puzzle.candidates.get(cell, own) for cell, own in enumerate(found.domains)))


@lru_cache(maxsize=64)
def _groups(layout: Layout) -> CellGroups:
    if layout.parts:
        kinds = dict.fromkeys(part.rule.kind for part in layout.parts)
        raise Unsupported(
            f"expected rules that only require cells to differ, for singles on arrays of boards; got {', '.join(kinds)}"
        )
    names, cells = (tuple(getattr(group, field) for group in layout.groups) for field in ("name", "cells"))
    return CellGroups(names, cells, layout.houses, layout.domains)
