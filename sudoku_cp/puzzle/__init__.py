"""Puzzles and positions, their text and JSON, symmetries and canonical forms."""

from typing import TYPE_CHECKING

from sudoku_cp.late import late
from sudoku_cp.puzzle.puzzle import Puzzle, forget_models
from sudoku_cp.puzzle.text import detect_symbols, parse_line, side_of

if TYPE_CHECKING:
    from sudoku_cp.puzzle.identity.keys import automorphism_count, canonical, canonical_key, canonical_keys, scrambled
    from sudoku_cp.puzzle.json_document import from_json, puzzle_told, solution_told, to_json
    from sudoku_cp.puzzle.position import Origin, Position

__all__ = [
    "Origin",
    "Position",
    "Puzzle",
    "automorphism_count",
    "canonical",
    "canonical_key",
    "canonical_keys",
    "detect_symbols",
    "forget_models",
    "from_json",
    "parse_line",
    "puzzle_told",
    "scrambled",
    "side_of",
    "solution_told",
    "to_json",
]

HOMES = {
    "identity.keys": "automorphism_count canonical canonical_key canonical_keys scrambled",
    "json_document": "from_json puzzle_told solution_told to_json",
    "position": "Origin Position",
}

__getattr__ = late(__name__, HOMES)
