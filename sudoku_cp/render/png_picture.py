"""SVG as PNG, drawn by resvg with the package's own fonts, so that every machine makes the same bytes."""

from __future__ import annotations

import re
from math import ceil
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from sudoku_cp.errors import BackendMissing, OptionProblem, Unsupported
from sudoku_cp.output_files import numbered_path, open_output, write_text

if TYPE_CHECKING:
    from sudoku_cp.puzzle import Puzzle


MOST_PIXELS = 50_000_000
"""The most pixels of a picture: each takes eight bytes while it is drawn. 36x36 cells of 150 pixels have 30 million."""
_SIZE = re.compile(r'<svg [^>]*width="([\d.e+]+)" height="([\d.e+]+)"')


def require_resvg() -> None:
    """Raise `BackendMissing` if resvg, which the extra ``png`` installs, is not there."""
    try:
        import resvg_py  # noqa: F401, PLC0415  # only PNG needs it
    except ModuleNotFoundError as error:
        raise BackendMissing("PNG needs resvg-py: pip install 'sudoku-cp[png]'") from error


def svg_to_png(text: str, *, zoom: float = 1.0) -> bytes:
    """Return an SVG as a PNG on a white ground, ``zoom`` pixels for each of its own; signs that DejaVu Sans lacks stay blank.

    Raises `Unsupported` for a picture of more than `MOST_PIXELS`.
    """
    require_resvg()
    _check_size(text, zoom)
    from resvg_py import svg_to_bytes  # noqa: PLC0415  # only PNG needs it

    return bytes(
        svg_to_bytes(
            svg_string=text,
            zoom=zoom,
            background="#ffffff",
            skip_system_fonts=True,
            font_files=[str(REGULAR), str(BOLD)],
            font_family=FAMILY,
            sans_serif_family=FAMILY,
        )
    )


def _check_size(text: str, zoom: float) -> None:
    """Raise `Unsupported` for a picture with too many pixels, before any memory is taken for them."""
    found = _SIZE.match(text)
    width, height = (ceil(float(length) * zoom) for length in found.groups()) if found else (0, 0)
    if width * height > MOST_PIXELS:
        size = f"{width * height:,} pixels ({width:,} x {height:,})"
        words = f"expected a PNG of at most {MOST_PIXELS:,} pixels, got {size}; choose a smaller `cell`, or `svg`"
        raise Unsupported(OptionProblem(words))


# The fonts that the package carries, because no font is on every machine: DejaVu Sans Condensed, about as wide as Helvetica.


FOLDER = Path(__file__).parent / "fonts"
REGULAR, BOLD = FOLDER / "DejaVuSansCondensed.ttf", FOLDER / "DejaVuSansCondensed-Bold.ttf"
FAMILY = "DejaVu Sans"
"""The name by which both files call themselves."""


# Files that pictures are written to: their names, and how they are written.


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

    data = svg_to_png(text)
    with open_output(target, keep=False) as file:
        file.write(data)
