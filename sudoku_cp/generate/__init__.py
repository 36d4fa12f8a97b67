"""New puzzles of any size under any rules: proved to have one solution, as difficult as requested, reproducible by seed."""

from typing import TYPE_CHECKING

from sudoku_cp.lazy_exports import lazy_exports

if TYPE_CHECKING:
    from sudoku_cp.generate.api import generate, make_generator
    from sudoku_cp.generate.base import GeneratedPuzzle, GenerateRequest, Generator, PuzzleArray, Span, Target
    from sudoku_cp.generate.request_parsing import parse_request

__all__ = [
    "GenerateRequest",
    "GeneratedPuzzle",
    "Generator",
    "PuzzleArray",
    "Span",
    "Target",
    "generate",
    "make_generator",
    "parse_request",
]

EXPORTS = {
    "base": "GeneratedPuzzle Generator PuzzleArray Span Target GenerateRequest",
    "api": "generate make_generator",
    "request_parsing": "parse_request",
}

if not TYPE_CHECKING:  # type checkers report a name that is not there
    __getattr__ = lazy_exports(__name__, EXPORTS)
