"""Notebooks as tests: each runs to its end, with fewer puzzles than a reader would take."""

import os

os.environ.setdefault("SUDOKU_CP_NOTEBOOK_PUZZLES", "200")
