"""The command line: parse, call, show. No logic of sudoku lives here."""

from sudoku_cp.cli.app import main

__all__ = ["main"]
