"""What a person could deduce: for now the singles, by which the words for difficulty are defined."""

from typing import TYPE_CHECKING

from sudoku_cp.lazy_exports import lazy_exports

if TYPE_CHECKING:
    from sudoku_cp.logic.groups import Groups, groups_of
    from sudoku_cp.logic.ladder import steps
    from sudoku_cp.logic.singles import Left, Level, left_of, level_of, parse_level
    from sudoku_cp.logic.step import Step, Technique

__all__ = ["Groups", "Left", "Level", "Step", "Technique", "groups_of", "left_of", "level_of", "parse_level", "steps"]

EXPORTS = {
    "groups": "Groups groups_of",
    "ladder": "steps",
    "singles": "Left Level left_of level_of parse_level",
    "step": "Step Technique",
}

if not TYPE_CHECKING:  # type checkers report a name that is not there
    __getattr__ = lazy_exports(__name__, EXPORTS)
