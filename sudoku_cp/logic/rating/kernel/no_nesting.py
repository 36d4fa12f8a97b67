"""What takes the place of nested chains in code that is compiled without them: most puzzles never need them."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sudoku_cp.logic.rating.kernel.grid import RatedGrid
    from sudoku_cp.logic.rating.kernel.runs import Store


def use_nothing(grid: RatedGrid, work: RatedGrid, store: Store, slot: int, mode: int) -> bool:  # noqa: ARG001
    """Find nothing."""
    return False
