"""Where things are at each size: hints in sight, whole boards, digits in reach, nothing that moves by itself."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.page.browser.test_play import EASY, until

VARIANTS = Path(__file__).parents[3] / "examples/variants"
KILLER = json.loads((VARIANTS / "killer.jsonl").read_text(encoding="utf-8").splitlines()[0])
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
ON_ITS_SIDE = {"viewport": {"width": 844, "height": 390}, "has_touch": True, "is_mobile": True}
DESKS = [(1440, 900), (1024, 768)]
SCREENS = [(1920, 1080), (1440, 900), (1366, 768), (1024, 768)]
MOST_SHIFT = 0.05
WATCH = """window.shifts = []; new PerformanceObserver((seen) => seen.getEntries().filter((one) => !one.hadRecentInput)
    .forEach(({ value }) => shifts.push(value))).observe({ type: "layout-shift", buffered: true })"""


def in_sight(page, element):
    """Return whether all of an element is on the screen, with nothing above it, as the page is scrolled."""
    script = """(element) => {
        const { left, right, top, bottom } = element.getBoundingClientRect();
        const [x, y] = [(left + right) / 2, (top + bottom) / 2];
        const whole = left >= 0 && top >= 0 && right <= innerWidth + 0.5 && bottom <= innerHeight + 0.5;
        return whole && element.contains(document.elementFromPoint(x, y));
    }"""
    return element.evaluate(script)


def hint(page, levels):
    """Ask for a hint, level by level, as the key does."""
    page.wait_for_selector(".hints")
    for level in range(1, levels + 1):
        page.keyboard.press("h")
        page.wait_for_selector(f".hints .step.on >> nth={level - 1}")


@pytest.mark.parametrize(("width", "height"), [*DESKS, (820, 1180), (390, 844), (844, 390)])
def test_every_level_of_a_hint_is_in_sight(open_page, width, height):
    """At each size a hint stands on the screen with its buttons, beside the whole board, and the page is not scrolled for it."""
    page = open_page(json.dumps(KILLER), viewport={"width": width, "height": height})
    hint(page, 4)
    for name in ("Not this one", "Close"):
        assert in_sight(page, page.get_by_role("button", name=name))
    assert in_sight(page, page.locator(".hints .step.next"))
    board = page.locator("#board").bounding_box()
    assert board["y"] >= 0
    assert board["y"] + board["height"] <= height
    assert page.evaluate("scrollY") == 0


@pytest.mark.parametrize(("width", "height"), DESKS)
def test_hints_wait_in_sight_without_hiding_the_keys(open_page, width, height):
    """On a desk the first level can be pressed at once, below the keys, however long the rules are."""
    puzzle = {**KILLER, "ruleset": "A rule that needs many words. " * 60}
    page = open_page(json.dumps(puzzle), viewport={"width": width, "height": height})
    page.wait_for_selector(".hints")
    for element in [*page.locator(".padcard .key:visible").all(), page.locator(".hints .step.next")]:
        assert in_sight(page, element)


@pytest.mark.parametrize("mode", ["play", "design", "replay"])
@pytest.mark.parametrize(("width", "height"), SCREENS)
def test_200_percent_enlarges_the_board(open_page, width, height, mode):
    """At 200 % each cell is larger on the glass than at 100 %, and the whole board can be brought onto the screen."""
    page = open_page(EASY, mode=mode, viewport={"width": width, "height": height})
    page.wait_for_selector(f"body[data-mode={mode}]")
    until(page, "app.board.unit > 0")
    before = page.evaluate("app.board.unit")
    page.set_viewport_size({"width": width // 2, "height": height // 2})
    until(page, f"app.board.unit !== {before} && 2 * app.board.unit > {before}")
    page.evaluate("document.getElementById('board').scrollIntoView({ block: 'center' })")
    board = page.locator("#board").bounding_box()
    assert board["y"] >= 0
    assert board["y"] + board["height"] <= height // 2
    assert page.evaluate("document.documentElement.scrollWidth") <= width // 2


def test_a_phone_on_its_side_keeps_board_and_digits_together(open_page):
    """At 844x390 the whole board, every digit, clear, undo and the first hint are on the screen at once."""
    page = open_page(EASY, **ON_ITS_SIDE)
    page.wait_for_selector(".hints")
    for element in [page.locator("#board"), page.locator(".hints .step.next"), *page.locator(".padcard .key").all()]:
        assert in_sight(page, element)
    assert page.locator(".padcard .key").count() == 12


def test_a_phone_has_the_title_above_and_undo_below(open_page):
    """Title and author stand above the board; undo is a key beside the digits, where the thumb is, for boards of any size."""
    page = open_page(json.dumps({**KILLER, "title": "Five corners", "author": "Ada"}), **PHONE)
    page.wait_for_selector(".hints")
    for name in ("Five corners", "Ada"):
        assert in_sight(page, page.locator(".heading > *", has_text=name))
    for puzzle in (None, "." * 256):
        if puzzle:
            page.evaluate("puzzle => app.open(puzzle)", puzzle)
            until(page, "app.picture.signs.length === 16")
        undo = page.locator(".padcard [data-act=undo]")
        undo.scroll_into_view_if_needed()
        assert undo.bounding_box()["height"] >= 44
        assert undo.bounding_box()["width"] >= 44


@pytest.mark.parametrize(("width", "height"), [*DESKS, (390, 844)])
def test_nothing_moves_by_itself(open_page, browser, address, width, height):
    """Opening a link, opening an example and asking for hints shift the layout by 0.05 at most, as the browser counts it."""
    context = browser.new_context(viewport={"width": width, "height": height})
    context.add_init_script(WATCH)
    page = context.new_page()

    def shifted():
        """Return how much has moved since the last time."""
        page.evaluate("new Promise((done) => requestAnimationFrame(() => setTimeout(done)))")
        return sum(page.evaluate("shifts.splice(0)"))

    page.goto(address)
    page.wait_for_selector("html[data-ready]")
    tile = page.locator(".tile", has=page.locator("b", has_text=re.compile("^Killer$"))).first
    tile.scroll_into_view_if_needed()
    shifted()
    tile.click()
    page.wait_for_selector(".history")
    assert shifted() <= MOST_SHIFT
    # What moves within half a second of a press is taken for its answer.
    page.route("**/v1/hint", lambda route: (page.wait_for_timeout(700), route.continue_()))
    hint(page, 4)
    assert shifted() <= MOST_SHIFT
    page.reload()
    page.wait_for_selector(".history")
    assert shifted() <= MOST_SHIFT
    context.close()


@pytest.mark.parametrize("width", [1440, 1024, 820, 390])
def test_the_count_of_solutions_lives_in_the_bar(open_page, width):
    """In design the number of solutions stands in the bar, wherever the panels are; other modes have none."""
    page = open_page(EASY, mode="design", viewport={"width": width, "height": 900})
    pill = page.locator(".bar .pill.ok", has_text="exactly one solution")
    pill.wait_for()
    assert in_sight(page, pill)
    assert page.locator("h1").evaluate("(title) => title.scrollWidth <= title.clientWidth")
    page.evaluate("app.setMode('play')")
    pill.wait_for(state="detached")


def test_buttons_of_a_card_have_one_height(open_page):
    """The buttons of the solver are as high as each other, however many lines their words need."""
    page = open_page(EASY, mode="design")
    page.wait_for_selector(".solver .wide")
    assert len(set(page.locator(".solver .wide").evaluate_all("all => all.map((one) => one.offsetHeight)"))) == 1
    assert re.fullmatch(r"Search \d+ tools", page.locator(".find").get_attribute("placeholder"))
