"""What a person could deduce: for now the singles, by which the words for difficulty are defined."""

from typing import TYPE_CHECKING

from sudoku_cp.lazy_exports import lazy_exports

if TYPE_CHECKING:
    from sudoku_cp.logic.cell_groups import CellGroups, groups_of
    from sudoku_cp.logic.difficulty_level import Level, OpenCells, level_of, open_cells_of, parse_level
    from sudoku_cp.logic.ladder import steps
    from sudoku_cp.logic.step import Step, Technique

__all__ = [
    "CellGroups",
    "Level",
    "OpenCells",
    "Step",
    "Technique",
    "groups_of",
    "level_of",
    "open_cells_of",
    "parse_level",
    "steps",
]

EXPORTS = {
    "cell_groups": "CellGroups groups_of",
    "ladder": "steps",
    "difficulty_level": "OpenCells Level open_cells_of level_of parse_level",
    "step": "Step Technique",
}

if not TYPE_CHECKING:  # type checkers report a name that is not there
    __getattr__ = lazy_exports(__name__, EXPORTS)
