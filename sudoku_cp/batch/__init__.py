"""Millions of puzzles from file to file: in bounded memory, on every core, and never lost once answered."""

from typing import TYPE_CHECKING

from sudoku_cp.lazy_exports import lazy_exports

if TYPE_CHECKING:
    from sudoku_cp.batch.files import solve_files
    from sudoku_cp.batch.generating import Listening, Outcome
    from sudoku_cp.batch.journal import is_unfinished
    from sudoku_cp.batch.made_files import generate_files
    from sudoku_cp.batch.reading import Input
    from sudoku_cp.batch.running import Hearing, Progress, Summary
    from sudoku_cp.batch.tasks import Tally, Trouble
    from sudoku_cp.batch.writing import waiting_for

__all__ = [
    "Hearing",
    "Input",
    "Listening",
    "Outcome",
    "Progress",
    "Summary",
    "Tally",
    "Trouble",
    "generate_files",
    "is_unfinished",
    "solve_files",
    "waiting_for",
]

EXPORTS = {
    "files": "solve_files",
    "generating": "Listening Outcome",
    "journal": "is_unfinished",
    "made_files": "generate_files",
    "reading": "Input",
    "running": "Hearing Progress Summary",
    "tasks": "Tally Trouble",
    "writing": "waiting_for",
}

if not TYPE_CHECKING:  # type checkers report a name that is not there
    __getattr__ = lazy_exports(__name__, EXPORTS)
