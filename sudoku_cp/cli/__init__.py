"""The command line: parse, call, show. No sudoku logic lives here."""

from sudoku_cp.cli.app import main

__all__ = ["main"]
