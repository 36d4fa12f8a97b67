"""Files that pictures are written to: their names, and how they are written."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from sudoku_cp.output_files import numbered_path, write_text

if TYPE_CHECKING:
    from sudoku_cp.puzzle import Puzzle

PICTURE_SUFFIXES = (".svg",)
"""The endings of names of pictures."""


def picture_name_problems(name: str | Path | None) -> tuple[str, ...]:
    """Return what is wrong with the name of a picture, if any: an ending of another kind of file."""
    if name is None or Path(name).suffix.lower() in PICTURE_SUFFIXES:
        return ()
    return (f"expected a picture that ends in {', '.join(PICTURE_SUFFIXES)}, got {str(name)[:200]!r}",)


def write_picture(puzzle: Puzzle, path: Path, index: int, **how: Any) -> None:
    """Write the picture of puzzle ``index`` (from 0), numbered in its name from the second on; ``how`` are options of `svg`."""
    from sudoku_cp.render.svg_picture import svg  # noqa: PLC0415  # names are checked long before anything is drawn

    write_text(numbered_path(path, index), f"{svg(puzzle, **how)}\n")
