"""What the browser loads, and when."""

from __future__ import annotations

import json

import pytest

EMPTY = json.dumps({"grid": {"rows": 9, "columns": 9, "boxes": [3, 3]}})
FIRST = 108_000
"""The most bytes of scripts and styles, unpacked, that the first board needs."""
LATER = {
    f"/static/{name}"
    for name in ("design.js", "replay.js", "later.css", "hint.js", "autosave.js", "page_input.js", "shelf.js", "dense_marks.js")
}
OFFLINE = ("help", "settings", "looks", "share", "print", "open")


def test_the_first_board_needs_little(open_page):
    """A link to a puzzle loads what playing needs; the rest comes a little later."""
    page = open_page(EMPTY)
    first = loaded(page, "board.startTime")
    assert "/static/play.js" in first
    assert first.keys().isdisjoint(LATER)
    assert sum(first.values()) < FIRST


def test_all_of_the_page_is_there_when_the_service_goes(open_page):
    """A moment after the first board, modes, dialogs and the shelf open without another file, but for the list of examples."""
    page = open_page(EMPTY)
    while not loaded(page).keys() >= LATER:
        page.wait_for_timeout(100)
    page.evaluate("app.loadRest()")
    before = loaded(page).keys()
    for mode in ("design", "replay", "play"):
        page.evaluate("mode => app.setMode(mode)", mode)
        page.wait_for_selector(f"body[data-mode={mode}]")
    for name in OFFLINE:
        page.evaluate("name => app.act(name)", name)
        page.wait_for_selector("dialog[open] h2")
        page.keyboard.press("Escape")
        page.wait_for_selector("dialog:not([open])", state="attached")
    page.click(".brand")
    page.wait_for_selector("#shelf textarea")
    assert loaded(page).keys() - before <= {"/static/examples.json"}


@pytest.mark.parametrize("damaged", ["garbage!!!", "AAAA", "q1YqUrIyMtI"])
def test_a_damaged_link_is_told(open_page, damaged):
    """What cannot be read of a link is told in words, and the shelf is there."""
    page = open_page(path=f"/#play/p={damaged}")
    assert page.locator(".toast.bad").inner_text() == "This link is damaged: no puzzle can be read from it."
    assert page.locator("#shelf").is_visible()


def loaded(page, until: str = "Infinity") -> dict[str, int]:
    """Return the size of each static file that the browser began to load until then, by its path."""
    script = f"""const [board] = performance.getEntriesByName('board');
        return performance.getEntriesByType('resource')
            .filter((one) => one.name.includes('/static/') && one.startTime <= {until})
            .map((one) => [new URL(one.name).pathname.replace(/static\\/[0-9a-f]{{16}}/, "static"), one.decodedBodySize])"""
    return dict(page.evaluate(f"() => {{ {script} }}"))
