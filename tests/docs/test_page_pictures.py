"""The pictures of printed pages are those that the program makes now."""

from __future__ import annotations

import io

import pytest
from PIL import Image, ImageChops, ImageStat

from tests.docs.page_pictures import ROOT, pictures

ALIKE = 2.0
"""How much pixels may differ on average, of 255: what another version of a library makes of edges."""


@pytest.mark.slow
def test_the_pictures_are_up_to_date() -> None:
    """Each picture in docs looks like the one that ``make pictures`` makes."""
    for name, made in pictures().items():
        kept, new = Image.open(ROOT / "docs" / name).convert("RGB"), Image.open(io.BytesIO(made)).convert("RGB")
        assert kept.size == new.size, f"{name}: run `make pictures`"
        assert max(ImageStat.Stat(ImageChops.difference(kept, new)).mean) < ALIKE, f"{name}: run `make pictures`"


def test_every_state_of_the_page_has_its_picture() -> None:
    """The pictures of the page in docs, and the sheets of all kinds of rules and of views, are those that are made."""
    made = pytest.importorskip("tests.docs.browser_pictures")
    assert {path.stem for path in (ROOT / "docs" / "page").glob("*.png")} == {*made.STATES, *made.SHEETS}
