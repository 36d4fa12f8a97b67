"""What the browser loads, and when."""

from __future__ import annotations

FIRST = 140_000
"""The most bytes of scripts and styles, unpacked, before the first board is there."""


def test_design_and_replay_are_loaded_after_the_first_board(open_page):
    """Playing needs no code of the other modes; that comes a little later, so that it is there when the service has gone."""
    link = open_page("." * 81).evaluate("location.hash")
    page = open_page(path=f"/{link}")
    first = loaded(page)
    assert "/static/play.js" in first
    assert first.keys().isdisjoint({"/static/design.js", "/static/replay.js"})
    assert sum(first.values()) < FIRST
    while not {"/static/design.js", "/static/replay.js"} <= loaded(page).keys():
        page.wait_for_timeout(100)
    page.evaluate("Promise.all([...app.modes.values()].map((load) => load()))")  # what they import is there too
    page.route("**/static/**", lambda route: route.abort())
    page.evaluate("app.setMode('design')")
    page.wait_for_selector("body[data-mode=design]")


def loaded(page) -> dict[str, int]:
    """Return the size of each static file that the browser has loaded, by its path."""
    script = """performance.getEntriesByType('resource').filter((one) => one.name.includes('/static/'))
        .map((one) => [new URL(one.name).pathname, one.decodedBodySize])"""
    return dict(page.evaluate(script))
