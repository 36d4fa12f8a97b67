"""What a person could deduce: boards of candidates, techniques, and the ladder on which they are tried."""

from typing import TYPE_CHECKING

from sudoku_cp.lazy_exports import lazy_exports

if TYPE_CHECKING:
    from sudoku_cp.logic.array_singles import CellGroups, groups_of
    from sudoku_cp.logic.candidate_board import CandidateBoard, make_board
    from sudoku_cp.logic.difficulty_level import Level, OpenCells, level_of, open_cells_of, parse_level
    from sudoku_cp.logic.explanations import Explanation, explain
    from sudoku_cp.logic.hints import Hint, HintLevel, hint
    from sudoku_cp.logic.ladder import all_steps
    from sudoku_cp.logic.paths import SolvePath, steps
    from sudoku_cp.logic.step import Step, Technique, parse_technique

__all__ = [
    "CandidateBoard",
    "CellGroups",
    "Explanation",
    "Hint",
    "HintLevel",
    "Level",
    "OpenCells",
    "SolvePath",
    "Step",
    "Technique",
    "all_steps",
    "explain",
    "groups_of",
    "hint",
    "level_of",
    "make_board",
    "open_cells_of",
    "parse_level",
    "parse_technique",
    "steps",
]

EXPORTS = {
    "candidate_board": "CandidateBoard make_board",
    "array_singles": "CellGroups groups_of",
    "difficulty_level": "Level OpenCells level_of open_cells_of parse_level",
    "explanations": "Explanation explain",
    "hints": "Hint HintLevel hint",
    "ladder": "all_steps",
    "paths": "SolvePath steps",
    "step": "Step Technique parse_technique",
}

if not TYPE_CHECKING:  # type checkers report a name that is not there
    __getattr__ = lazy_exports(__name__, EXPORTS)
