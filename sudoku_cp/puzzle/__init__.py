"""Puzzles and positions, their text and JSON, symmetries and canonical forms."""

from typing import TYPE_CHECKING

from sudoku_cp.lazy_exports import lazy_exports
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

EXPORTS = {
    "identity.keys": "automorphism_count canonical canonical_key canonical_keys scrambled",
    "json_document": "from_json puzzle_told solution_told to_json",
    "position": "Origin Position",
}

if not TYPE_CHECKING:  # type checkers report a name that is not there
    __getattr__ = lazy_exports(__name__, EXPORTS)
