"""Distinguishable colours: of two kinds of things drawn in nearly the same colour, one gets another colour.

This depends only on how things are drawn (a broad line, a thin one, a ground, an outline) and on the name of their kind.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations
from math import dist
from types import MappingProxyType
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

Form: TypeAlias = Literal["circle", "square", "diamond", "broad", "ground", "thin", "outline"]
"""How something is drawn: three shapes within a cell, a broad line, a whole cell's ground, a thin line, an outline."""


class ColourUse(NamedTuple):
    """One use of a colour: a form, by things of one name. ``group`` distinguishes things of the same name."""

    form: Form
    name: str
    group: tuple[int | str, ...]
    colour: str


_TINTS = tuple(
    "#D8D8D8 #C9E4F9 #F9E4C9 #D4F0C9 #E9C9F9 #F9C9C9 #FFF3A8 #BFEDE6 #D9CDB8 #C7CBEE #F4C6E0 #CFE3A0".split()  # noqa: SIM905
)
_LINES = tuple("#E6A65A #7FB2E5 #8CCB7A #D58BC8 #E58A8A #6FC7BE #B9A06A #A79BE0 #D9C84A #93A3B3".split())  # noqa: SIM905
_INKS = tuple("#1F5FA8 #A83232 #2F7D32 #7A3C9E #A8610A #0F7C80 #7B4A21 #A02A6E".split())  # noqa: SIM905


class _FormTraits(NamedTuple):
    """What a reader takes a form for (``sort``), its replacement colours, and how far apart two must be to differ (CIELAB)."""

    sort: str
    palette: tuple[str, ...]
    near: float


FORMS: Mapping[Form, _FormTraits] = MappingProxyType(
    {
        "circle": _FormTraits("shade", _TINTS, 10),
        "square": _FormTraits("shade", _TINTS, 10),
        "diamond": _FormTraits("shade", _TINTS, 10),
        "broad": _FormTraits("line", _LINES, 16),
        "ground": _FormTraits("shade", _TINTS, 10),
        "thin": _FormTraits("line", _INKS, 20),
        "outline": _FormTraits("cage", _INKS, 20),
    }
)
"""The thinner the form, the more its colours must differ. Earlier forms keep their colour in preference to later ones."""
_ORDER = tuple(FORMS)
WELL_KNOWN = ("thermometer", "whisper", "renban", "palindrome", "region-sum-line")
"""The kinds whose colours solvers know: they keep them, in this order, where others look alike."""
_SMALL = frozenset({"circle", "square", "diamond"})


def distinct_colours(paints: Iterable[ColourUse]) -> dict[ColourUse, str]:
    """Return a colour for each use: its own, unless an earlier use would look the same.

    The result depends on the set of uses alone. When a palette is used up, its colours are used again.
    """
    uses = sorted(set(paints), key=_precedence)
    found: dict[ColourUse, str] = {}
    for use in uses:
        again = (colour for other, colour in found.items() if other[1:] == use[1:])
        wanted = next(again, use.colour)  # two forms of one thing stay in the same colour
        rivals = ((other.form, colour) for other, colour in found.items() if are_rivals(use, other))
        is_taken = any(_look_alike(use.form, wanted, form, colour) for form, colour in rivals)
        found[use] = _replacement_colour(use, found, uses) if is_taken else wanted
    return found


def _precedence(use: ColourUse) -> tuple[int, int, str, tuple[int | str, ...], str]:
    """Return where a use comes in the choice of colours; the first keeps its own."""
    known = WELL_KNOWN.index(use.name) if use.name in WELL_KNOWN else len(WELL_KNOWN)
    return _ORDER.index(use.form), known, use.name, use.group, use.colour


def are_rivals(one: ColourUse, other: ColourUse) -> bool:
    """Return whether two uses of the same colour would be confused, or one would be invisible on the other."""
    if (one.name, one.group) == (other.name, other.group):
        return False
    forms = {one.form, other.form}
    if forms <= _SMALL:
        return len(forms) == 1
    return len(forms) == 1 or forms <= {*_SMALL, "broad", "ground"}


def confusable_names(paints: Iterable[ColourUse]) -> set[str]:
    """Return the names of things that would be confused with things of another name if each kept its own colour."""
    uses = sorted(set(paints))
    return {
        name
        for one, other in combinations(uses, 2)
        if one.name != other.name and are_rivals(one, other) and _look_alike(one.form, one.colour, other.form, other.colour)
        for name in (one.name, other.name)
    }


def _replacement_colour(use: ColourUse, found: Mapping[ColourUse, str], uses: Collection[ColourUse]) -> str:
    """Return the first colour of the palette that resembles the fewest other uses."""
    seen = [(other.form, found.get(other, other.colour)) for other in uses if other != use and are_rivals(use, other)]
    return min(
        FORMS[use.form].palette, key=lambda colour: sum(_look_alike(use.form, colour, form, other) for form, other in seen)
    )


def _look_alike(form: Form, colour: str, other_form: Form, other: str) -> bool:
    return dist(_lab(colour), _lab(other)) < max(FORMS[form].near, FORMS[other_form].near)


@lru_cache(maxsize=256)
def _lab(colour: str) -> tuple[float, float, float]:
    """Return lightness and the two axes of hue of ``#RRGGBB`` (CIELAB, white D65)."""
    red, green, blue = (_linear(int(colour[start : start + 2], 16) / 255) for start in (1, 3, 5))
    x, y, z = (
        _root((0.4124 * red + 0.3576 * green + 0.1805 * blue) / 0.9505),
        _root(0.2126 * red + 0.7152 * green + 0.0722 * blue),
        _root((0.0193 * red + 0.1192 * green + 0.9505 * blue) / 1.089),
    )
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def _linear(part: float) -> float:
    return part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4  # noqa: PLR2004  # sRGB


def _root(part: float) -> float:
    return part ** (1 / 3) if part > 0.008856 else 7.787 * part + 16 / 116  # noqa: PLR2004  # CIE


def readable_ink(colour: str) -> str:
    """Return the colour for letters: the colour itself, or black if it is too pale to read."""
    return colour if _lab(colour)[0] < 50 else "#000000"  # noqa: PLR2004  # half of white's lightness
