"""What the browser loads, and when."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.docs import page_walk

# --- loading ----------------------------------------------------------------------------------------------------------


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


# --- walk -------------------------------------------------------------------------------------------------------------


PAGE = Path(__file__).parents[3] / "docs/page.md"


@pytest.mark.slow
def test_from_an_empty_board_to_a_printed_killer(page):
    """Five cages are drawn, givens come until there is one solution, and the PDF is saved, by buttons as the page names them."""
    page_walk.design_a_killer(page)
    rules = page.evaluate("app.puzzle.json.rules.filter((rule) => rule.kind === 'killer-cage')")
    assert {rule["total"]: len(rule["cells"]) for rule in rules} == dict.fromkeys(page_walk.CAGES, 3)
    page_walk.ask_for_print(page)
    with page.expect_download() as saved:
        page.locator("dialog").get_by_role("button", name="PDF").click()
    assert Path(saved.value.path()).read_bytes().startswith(b"%PDF")


def test_the_walk_is_told_with_its_numbers():
    """The page tells the cages and the title that the walk uses."""
    told = PAGE.read_text(encoding="utf-8")
    rows = re.findall(r"\| (r\dc\d) (r\dc\d) (r\dc\d) \| (\d+) \|", told)
    assert {int(total): [(int(cell[1]), int(cell[3])) for cell in cells] for *cells, total in rows} == page_walk.CAGES
    assert page_walk.TITLE in told
    assert all((PAGE.parent / picture).is_file() for picture in re.findall(r"\]\((page/[\w-]+\.png)\)", told))


# --- shelf ------------------------------------------------------------------------------------------------------------


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
    page.click('.today .grade:text-is("Medium")')
    page.wait_for_selector("body[data-view=board]")
    page.click(".brand")
    page.click('.today .grade:text-is("Medium")')
    page.wait_for_selector("body[data-view=board]")
    assert [(one["difficulty"], one["seed"]) for one in asked] == [
        ("medium", page.evaluate("Number(new Date().toLocaleDateString('sv').replaceAll('-', ''))"))
    ]
    assert page.locator("#title").inner_text() == page.evaluate("app.puzzle.json.title") != ""
