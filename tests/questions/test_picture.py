"""The question ``picture`` by the plain call: a puzzle as SVG, PNG, text, or what a page needs."""

from __future__ import annotations

from base64 import b64decode
from typing import Any

import pytest

from sudoku_cp.errors import Unsupported
from sudoku_cp.questions import ask

CAGED: dict[str, Any] = {
    "grid": {"rows": 4, "columns": 4, "boxes": [2, 2]},
    "rules": ["houses", {"kind": "killer-cage", "cells": ["r1c1", "r1c2"], "total": 3}],
    "givens": {"r4c4": 1},
    "title": "Four\x1b by four",
}


def test_text_has_title_board_and_rules() -> None:
    """Signs that would steer a terminal are replaced; rules are JSON or, with `words`, sentences; `ascii` draws in ASCII."""
    text = ask("picture", {"puzzle": CAGED, "to": "text"})["text"]
    title, first, *_, rule = text.splitlines()
    assert (title, "3" in first) == ("Four\N{REPLACEMENT CHARACTER} by four", True)
    assert rule == 'killer-cage {"cells": ["r1c1", "r1c2"], "total": 3}'
    assert "{" not in ask("picture", {"puzzle": CAGED, "to": "text", "words": True})["text"]
    assert ask("picture", {"puzzle": CAGED | {"title": ""}, "to": "text", "ascii": True})["text"].isascii()


def test_what_is_filled_in_is_drawn() -> None:
    """Values of a position are in the text as they are in the picture."""
    position = {"values": {"r1c1": 2}}
    assert "2" in ask("picture", {"puzzle": "1" + "." * 14 + "1", "position": {"values": {"r1c2": 2}}, "to": "text"})["text"]
    drawn = ask("picture", {"puzzle": CAGED, "position": position})["svg"]
    assert drawn.count("<text") == ask("picture", {"puzzle": CAGED})["svg"].count("<text") + 1


def test_a_png_is_as_large_as_its_cells() -> None:
    """The side of a cell in pixels is that of the SVG; one with too many pixels is refused before it is drawn."""
    pytest.importorskip("resvg_py")
    widths = []
    for cell in (20, 40):
        png = b64decode(ask("picture", {"puzzle": "." * 16, "to": "png", "cell": cell})["png"])
        assert png.startswith(b"\x89PNG\r\n\x1a\n")
        widths.append(int.from_bytes(png[16:20]))
    assert widths[1] == pytest.approx(2 * widths[0], abs=2)
    with pytest.raises(Unsupported, match="at most 50,000,000 pixels"):
        ask("picture", {"puzzle": "." * 1296, "to": "png", "cell": 500})
