"""Files that pictures are written to: their names, and how they are written."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from sudoku_cp.errors import OptionProblem
from sudoku_cp.output_files import numbered_path, open_output, write_text

if TYPE_CHECKING:
    from sudoku_cp.puzzle import Puzzle

PictureSuffix: TypeAlias = Literal[".svg", ".png"]
"""The ending of the name of a picture."""


def picture_name_problems(name: str | Path | None, suffix: PictureSuffix = ".svg") -> tuple[OptionProblem, ...]:
    """Return what is wrong with the name of a picture, if any: another ending than the option is named after."""
    if name is None or Path(name).suffix.lower() == suffix:
        return ()
    return (OptionProblem(f"expected a picture that ends in {suffix}, got {str(name)[:200]!r}", suffix[1:]),)


def write_picture(puzzle: Puzzle, path: Path, index: int, **how: Any) -> None:
    """Write the picture of puzzle ``index`` (from 0), numbered in its name from the second on; ``how`` are options of `svg`.

    The ending of the name says whether it is an SVG or a PNG.
    """
    from sudoku_cp.render.svg_picture import svg  # noqa: PLC0415  # names are checked long before anything is drawn

    text, target = svg(puzzle, **how), numbered_path(path, index)
    if path.suffix.lower() != ".png":
        write_text(target, f"{text}\n")
        return
    from sudoku_cp.render.png_picture import svg_to_png  # noqa: PLC0415  # an extra

    data = svg_to_png(text)
    with open_output(target, keep=False) as file:
        file.write(data)
