"""What the browser loads, and when."""

from __future__ import annotations

import base64
import json
import zlib

FIRST = 120_000
"""The most bytes of scripts and styles, unpacked, that the first board needs."""
LATER = {f"/static/{name}" for name in ("design.js", "replay.js", "later.css", "hint.js", "shelf.js", "dense_marks.js")}


def test_the_first_board_needs_little(open_page):
    """A link to a puzzle loads what playing needs; the rest comes a little later, for when the service has gone."""
    page = open_page(path="/#play/p=" + packed({"grid": {"rows": 9, "columns": 9, "boxes": [3, 3]}}))
    first = loaded(page, "board.startTime")
    assert "/static/play.js" in first
    assert first.keys().isdisjoint(LATER)
    assert sum(first.values()) < FIRST
    while not LATER - {"/static/shelf.js"} <= loaded(page).keys():
        page.wait_for_timeout(100)
    page.evaluate("Promise.all([...app.modes.values()].map((load) => load()))")  # what they import is there too
    page.route("**/static/**", lambda route: route.abort())
    page.evaluate("app.setMode('design')")
    page.wait_for_selector("body[data-mode=design]")


def packed(puzzle: dict) -> str:
    """Return a puzzle as the page's own links hold it."""
    writer = zlib.compressobj(wbits=-15)
    return base64.urlsafe_b64encode(writer.compress(json.dumps(puzzle).encode()) + writer.flush()).decode().rstrip("=")


def loaded(page, until: str = "Infinity") -> dict[str, int]:
    """Return the size of each static file that the browser began to load until then, by its path."""
    script = f"""const [board] = performance.getEntriesByName('board');
        return performance.getEntriesByType('resource')
            .filter((one) => one.name.includes('/static/') && one.startTime <= {until})
            .map((one) => [new URL(one.name).pathname, one.decodedBodySize])"""
    return dict(page.evaluate(f"() => {{ {script} }}"))
