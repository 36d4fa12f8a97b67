"""How large a question may be, and how much an answer lists."""

from __future__ import annotations

from sudoku_cp.grid import MAX_SIDE

MOST_SIDE = MAX_SIDE
"""Rows and columns of a board."""
MOST_CELLS = MOST_SIDE**2
"""Cells of all boards of a puzzle together."""
MOST_RULES = 2_000
"""Rules of a puzzle."""
MOST_NAMES = 100
"""Names in a list of techniques or scales."""
MOST_MARKS = 100
"""Candidates of a cell."""
MOST_FIELDS = 64
"""Fields of a body, known and unknown ones; puzzles and rules may have more."""
MOST_PUZZLES = 1_000
"""Puzzles of a call: made, or compared."""
MOST_SOLUTIONS = 1_000
"""Solutions that an answer lists; others are counted."""
MOST_NODES = 100_000
"""Guesses of a path tree."""
MOST_DEPTH = 64
"""Levels of arrays and objects of a body within each other."""
MOST_CERTIFICATE_FILES = 16
"""Files of a certificate."""
MOST_CERTIFICATE_BYTES = 64 << 20
"""Bytes of all files of a certificate together."""
MOST_CERTIFICATE_TEXT = 4_900_000
"""Characters of a certificate as it is sent, in base64: what ``prove`` answers fits into a body for ``verify``."""

SIZES: dict[str, int] = {
    "side": MOST_SIDE,
    "cells": MOST_CELLS,
    "rules": MOST_RULES,
    "puzzles": MOST_PUZZLES,
    "solutions": MOST_SOLUTIONS,
    "nodes": MOST_NODES,
    "depth": MOST_DEPTH,
    "certificate_files": MOST_CERTIFICATE_FILES,
    "certificate_bytes": MOST_CERTIFICATE_BYTES,
    "certificate_text": MOST_CERTIFICATE_TEXT,
}
"""The same by name, as ``GET /v1/limits`` lists them."""
