"""SVG as PNG, drawn by resvg with the package's own fonts, so that every machine makes the same bytes."""

from __future__ import annotations

from sudoku_cp.errors import BackendMissing
from sudoku_cp.render.font_files import BOLD, FAMILY, REGULAR


def require_resvg() -> None:
    """Raise `BackendMissing` if resvg, which the extra ``png`` installs, is not there."""
    try:
        import resvg_py  # noqa: F401, PLC0415  # only PNG needs it
    except ModuleNotFoundError as error:
        raise BackendMissing("PNG needs resvg-py: pip install 'sudoku-cp[png]'") from error


def svg_to_png(text: str, *, zoom: float = 1.0) -> bytes:
    """Return an SVG as a PNG on a white ground, ``zoom`` pixels for each of its own; signs that DejaVu Sans lacks stay blank."""
    require_resvg()
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
