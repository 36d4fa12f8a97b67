"""Millions of puzzles, solved, rated or generated, into a file: in bounded memory, on every core, and resumable at any point."""

from typing import TYPE_CHECKING

from sudoku_cp.lazy_exports import lazy_exports

if TYPE_CHECKING:
    from sudoku_cp.batch.file_run import Callbacks, Progress, RunSummary
    from sudoku_cp.batch.generate_run import generate_files
    from sudoku_cp.batch.journal import is_unfinished
    from sudoku_cp.batch.rate_run import rate_files
    from sudoku_cp.batch.rows.reader import Input
    from sudoku_cp.batch.rows.run_output import partial_output
    from sudoku_cp.batch.solve_request import FailedRecord
    from sudoku_cp.batch.solve_run import solve_files

__all__ = [
    "Callbacks",
    "FailedRecord",
    "Input",
    "Progress",
    "RunSummary",
    "generate_files",
    "is_unfinished",
    "partial_output",
    "rate_files",
    "solve_files",
]

EXPORTS = {
    "journal": "is_unfinished",
    "file_run": "Callbacks Progress RunSummary",
    "generate_run": "generate_files",
    "rate_run": "rate_files",
    "rows.reader": "Input",
    "rows.run_output": "partial_output",
    "solve_request": "FailedRecord",
    "solve_run": "solve_files",
}

if not TYPE_CHECKING:  # type checkers report a name that is not there
    __getattr__ = lazy_exports(__name__, EXPORTS)
