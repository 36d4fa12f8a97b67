"""The fonts that are embedded: those that the package carries, and perhaps others; each PDF holds only the signs that it uses."""

from __future__ import annotations

from functools import cache, lru_cache
from itertools import groupby
from typing import TYPE_CHECKING, Any, NamedTuple
from unicodedata import name as unicode_name

from sudoku_cp.errors import BackendMissing, InvalidInput
from sudoku_cp.render.geometry import printable
from sudoku_cp.render.png_picture import BOLD, REGULAR

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path


class TextRun(NamedTuple):
    """A part of a text that one font has."""

    font: Any
    """reportlab's ``TTFont``."""
    text: str


def require_reportlab() -> None:
    """Raise `BackendMissing` if reportlab, which the extra ``pdf`` installs, is not there."""
    try:
        import reportlab  # noqa: F401, PLC0415  # only who prints needs it
    except ModuleNotFoundError as error:
        raise BackendMissing("printing needs reportlab: pip install 'sudoku-cp[pdf]'") from error


@cache
def _load(path: Path) -> Any:
    """Return a font of reportlab; it may be used for one document after another."""
    from reportlab.pdfbase.ttfonts import TTFError, TTFont  # noqa: PLC0415  # only who prints needs it

    try:
        return TTFont(path.stem, str(path), asciiReadable=0, shapable=False)
    except (TTFError, OSError, AssertionError) as error:
        raise InvalidInput(f"expected a TrueType font, got {path}: {error}") from error


class Typefaces:
    """Fonts in the order in which they are asked for a sign: ours, then any others."""

    def __init__(self, others: Iterable[Path] = ()) -> None:
        """Load the fonts; ``others`` are TrueType files, used for signs that ours lack."""
        require_reportlab()
        loaded = tuple(map(_load, others))
        self._fonts = {False: (_load(REGULAR), *loaded), True: (_load(BOLD), _load(REGULAR), *loaded)}
        self.width = lru_cache(maxsize=1 << 14)(self._width)
        """Returns the width of a text, bold or not, in sizes of the font."""

    def _font_of(self, sign: str, *, bold: bool) -> Any:
        code, fonts = ord(sign), self._fonts[bold]
        return next((font for font in fonts if code in font.face.charToGlyph), fonts[0])

    def runs(self, text: str, *, bold: bool) -> Iterator[TextRun]:
        """Yield the parts of a text, each with a font that has its signs."""
        first = self._fonts[bold][0]
        if first.face.charToGlyph.keys() >= {*map(ord, text)}:
            yield TextRun(first, text)
            return
        for font, signs in groupby(text, lambda sign: self._font_of(sign, bold=bold)):
            yield TextRun(font, "".join(signs))

    def _width(self, text: str, *, bold: bool = False) -> float:
        widths = (run.font.face.getCharWidth(ord(sign)) for run in self.runs(text, bold=bold) for sign in run.text)
        return float(sum(widths)) / 1000

    def missing(self, text: str) -> list[str]:
        """Return the names of the signs in a text that no font has, each once."""
        regular = self._fonts[False]
        signs = [
            sign for sign in dict.fromkeys(printable(text)) if not any(ord(sign) in font.face.charToGlyph for font in regular)
        ]
        return [f"{sign!r} (U+{ord(sign):04X} {unicode_name(sign, 'without a name')})" for sign in signs if not sign.isspace()]
