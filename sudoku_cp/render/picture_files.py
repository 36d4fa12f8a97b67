"""Files that pictures are written to: their names, and how they are written."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from sudoku_cp.output_files import numbered, write_text

if TYPE_CHECKING:
    from sudoku_cp.puzzle import Puzzle

PICTURE_SUFFIXES = (".svg",)
"""How such names end; nothing else is drawn, so a name that ends otherwise would say what the file is not."""


def name_problems(name: str | Path | None) -> tuple[str, ...]:
    """Return what is wrong with the name of a picture, where one is wanted: that it says another kind of file."""
    if name is None or Path(name).suffix.lower() in PICTURE_SUFFIXES:
        return ()
    return (f"expected a picture that ends in {', '.join(PICTURE_SUFFIXES)}, got {str(name)[:200]!r}",)


def write_picture(puzzle: Puzzle, path: Path, index: int, **how: Any) -> None:
    """Write the picture of puzzle ``index`` (from 0), ``how`` as `svg` takes it; from the second on its number is in the name."""
    from sudoku_cp.render.svg_picture import svg  # noqa: PLC0415  # names are looked at long before anything is drawn

    write_text(numbered(path, index), f"{svg(puzzle, **how)}\n")
