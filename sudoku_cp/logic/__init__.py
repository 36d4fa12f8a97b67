"""Human solving: for now the singles, by which the difficulty levels are defined."""

from sudoku_cp.logic.cell_groups import CellGroups, groups_of
from sudoku_cp.logic.difficulty_level import Level, OpenCells, level_of, open_cells_of, parse_level
from sudoku_cp.logic.techniques import Step, Technique, steps

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
