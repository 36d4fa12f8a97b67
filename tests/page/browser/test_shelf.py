"""The shelf: examples with pictures, empty boards, and today's puzzle."""

from __future__ import annotations

import re

EASY = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"


def open_tile(page, name):
    """Press the tile of this name, and return the puzzle that it opens."""
    page.locator(".tile", has=page.locator("b", has_text=re.compile(f"^{name}$"))).first.click()
    page.wait_for_selector("body[data-view=board]")
    return page.evaluate("app.puzzle.json")


def test_examples_have_pictures_and_open(page):
    """A tile shows its puzzle with rules and givens, says what kind it is, and opens it for play."""
    tile = page.locator(".tile", has=page.locator("b", has_text=re.compile("^Killer$")))
    tile.scroll_into_view_if_needed()
    tile.locator(".thumbnail svg .given").first.wait_for()
    assert tile.locator(".thumbnail .pic.under *").count() > 0
    assert tile.locator(".soft").inner_text().endswith(" · killer cage")
    assert open_tile(page, "Killer")["rules"][1]["total"] == 19
    assert page.evaluate("app.mode.name") == "play"


def test_an_empty_board_opens_for_design(page):
    """Boards that overlap are offered too, and have neither givens nor rules of their own."""
    grid = open_tile(page, "Samurai")["grid"]
    page.wait_for_selector("body[data-mode=design]")
    assert len(grid["boards"]) == 5
    assert page.evaluate("app.picture.givens") == {}


def test_todays_puzzle_has_the_date_as_its_seed(page):
    """It is asked for once a day: whoever comes back gets the one that the browser has kept."""
    asked = []
    answer = {"puzzles": [{"puzzle": EASY}], "count": 1, "wanted": 1, "seed": 1, "tries": 1, "seconds": 0.0}
    page.route("**/v1/generate", lambda route: asked.append(route.request.post_data_json) or route.fulfill(json=answer))
    page.click(".tiles.one .tile")
    page.wait_for_selector("body[data-view=board]")
    page.click(".brand")
    page.click(".tiles.one .tile")
    page.wait_for_selector("body[data-view=board]")
    assert [one["seed"] for one in asked] == [page.evaluate("Number(new Date().toLocaleDateString('sv').replaceAll('-', ''))")]
    assert page.locator("#title").inner_text() == page.evaluate("app.puzzle.json.title") != ""
