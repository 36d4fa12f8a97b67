"""Puzzles and positions, their text and JSON, symmetries and canonical forms."""

from typing import TYPE_CHECKING

from sudoku_cp.lazy_exports import lazy_exports
from sudoku_cp.puzzle.puzzle import Puzzle, detect_symbols, forget_models, parse_line, square_side

if TYPE_CHECKING:
    from sudoku_cp.puzzle.isomorphism.canonical_forms import (
        automorphism_count,
        canonical,
        canonical_key,
        canonical_keys,
        scramble,
    )
    from sudoku_cp.puzzle.json_document import from_json, puzzle_to_short_json, solution_to_short_json, to_json
    from sudoku_cp.puzzle.puzzle import Origin, Position

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
    "puzzle_to_short_json",
    "scramble",
    "solution_to_short_json",
    "square_side",
    "to_json",
]

EXPORTS = {
    "isomorphism.canonical_forms": "automorphism_count canonical canonical_key canonical_keys scramble",
    "json_document": "from_json puzzle_to_short_json solution_to_short_json to_json",
    "puzzle": "Origin Position",
}

if not TYPE_CHECKING:  # type checkers report a name that is not there
    __getattr__ = lazy_exports(__name__, EXPORTS)
