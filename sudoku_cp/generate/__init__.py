"""New puzzles of any size under any rules: proved to have one solution, as difficult as requested, reproducible by seed."""

from typing import TYPE_CHECKING

from sudoku_cp.lazy_exports import lazy_exports

if TYPE_CHECKING:
    from sudoku_cp.generate.base import Made, Maker, Sheet, Span, Target, Wishes
    from sudoku_cp.generate.making import generate, maker_of
    from sudoku_cp.generate.wishing import wishes_of

__all__ = ["Made", "Maker", "Sheet", "Span", "Target", "Wishes", "generate", "maker_of", "wishes_of"]

EXPORTS = {"base": "Made Maker Sheet Span Target Wishes", "making": "generate maker_of", "wishing": "wishes_of"}

if not TYPE_CHECKING:  # type checkers report a name that is not there
    __getattr__ = lazy_exports(__name__, EXPORTS)
