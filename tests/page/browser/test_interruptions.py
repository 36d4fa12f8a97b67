"""What comes between: a reload, a second tab on the same game, a service that goes away and comes back."""

from __future__ import annotations

import pytest

from tests.page.browser.conftest import running_service
from tests.page.browser.test_play import EASY, until, values


def enter(page, cell, value):
    """Enter a value into a cell."""
    page.evaluate("([cell, value]) => { app.selection.only(cell); app.act('enter', value); }", [cell, value])


def test_a_reload_right_after_an_entry_loses_nothing(open_page):
    """What was entered a moment ago, and not saved yet, is there after a reload, with its undo."""
    page = open_page(EASY)
    page.wait_for_selector(".hints")  # what comes after the first board
    enter(page, 2, 4)
    page.reload()
    page.wait_for_selector("html[data-ready]")
    assert values(page)[2] == "4"
    page.keyboard.press("Control+z")
    assert values(page) == EASY


def test_two_tabs_show_one_game(open_page):
    """An entry in one tab shows in the other, which goes on from there; neither overwrites what the other saved."""
    page = open_page(EASY)
    other = page.context.new_page()
    other.goto(page.url)
    other.wait_for_selector("html[data-ready]")
    enter(page, 2, 4)
    until(other, "app.game.value(2) === 4")
    enter(other, 3, 6)
    until(page, "app.game.value(3) === 6")
    page.evaluate("app.act('undo')")
    until(other, "app.game.value(3) === null")
    assert values(other)[2] == "4"


@pytest.mark.slow
def test_the_service_is_killed_and_comes_back(browser, tmp_path):
    """Play, marks, undo and other modes go on without it, one quiet line says so, and another that it is there again."""
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    page = context.new_page()
    with running_service(tmp_path) as (address, process):
        page.goto(address)
        page.wait_for_selector("html[data-ready]")
        page.evaluate("puzzle => app.open(puzzle)", EASY)
        page.wait_for_timeout(3500)  # the other modes are there
        process.kill()
        process.wait()
    enter(page, 2, 4)
    page.keyboard.press("f")
    page.keyboard.press("Control+z")
    assert values(page)[2] == "4"
    page.keyboard.press("h")
    page.locator(".toast", has_text="The solver is not reachable; play goes on.").wait_for()
    page.get_by_role("tab", name="Replay").click()
    page.wait_for_selector("body[data-mode=replay]")
    page.get_by_role("tab", name="Play", exact=True).click()
    page.wait_for_selector("body[data-mode=play]")
    assert values(page)[2] == "4"
    with running_service(tmp_path, address.rsplit(":", 1)[1].strip("/")):
        page.locator(".toast", has_text="The solver is reachable again.").wait_for()
        page.keyboard.press("h")
        page.wait_for_selector(".step.on")
    context.close()
