"""Millions of puzzles from file to file: in bounded memory, on every core, and never lost once answered."""

from typing import TYPE_CHECKING

from sudoku_cp.late import late

if TYPE_CHECKING:
    from sudoku_cp.batch.execution.journal import is_unfinished
    from sudoku_cp.batch.files import solve_files
    from sudoku_cp.batch.generate_output import generate_files
    from sudoku_cp.batch.generate_run import Listening, Outcome
    from sudoku_cp.batch.rows.reader import Input
    from sudoku_cp.batch.rows.run_output import waiting_for
    from sudoku_cp.batch.solve_request import Tally, Trouble
    from sudoku_cp.batch.solve_run import Hearing, Progress, Summary

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

HOMES = {
    "files": "solve_files",
    "generate_run": "Listening Outcome",
    "execution.journal": "is_unfinished",
    "generate_output": "generate_files",
    "rows.reader": "Input",
    "solve_run": "Hearing Progress Summary",
    "solve_request": "Tally Trouble",
    "rows.run_output": "waiting_for",
}

__getattr__ = late(__name__, HOMES)
