"""The list of what is on the board: givens, regions and rules, each with what can be done with it."""

from __future__ import annotations

import json

from tests.page.browser.gestures import rules
from tests.page.browser.test_design import begin

CAGE = {"kind": "killer-cage", "cells": ["r1c1", "r1c2"], "total": 3}
LINE = {"kind": "thermometer", "cells": ["r3c3", "r3c4", "r4c4"]}
BOARD = {"grid": {"rows": 4, "columns": 4, "boxes": [2, 2]}, "givens": {"r2c3": 1}, "rules": ["houses", CAGE, LINE]}
SHOWN = "#layer-under > :not([hidden])"


def test_the_eye_hides_what_one_rule_draws(open_page):
    """Hidden, a rule stays on the board without its picture, through edits of others and undo; play shows all of it."""
    page = begin(open_page, json.dumps(BOARD))
    cage, line = (page.evaluate("rule => app.picture.parts[rule].under.split('<').length - 1", index) for index in (1, 2))
    assert page.locator(SHOWN).count() == cage + line
    page.get_by_role("button", name="Hide: Killer cage").click()
    assert page.locator(SHOWN).count() == line
    assert page.locator("#layer-over text:not([hidden])").count() == 0
    page.get_by_role("button", name="Remove: Thermometer").click()
    page.wait_for_function("() => app.picture.parts[2] === undefined")
    assert page.locator(SHOWN).count() == 0
    page.keyboard.press("Control+z")
    page.wait_for_function("() => app.picture.parts[2] !== undefined")
    assert page.locator(SHOWN).count() == line
    page.get_by_role("tab", name="Play", exact=True).click()
    page.wait_for_selector("body[data-mode=play]")
    assert page.locator(SHOWN).count() == cage + line
    page.get_by_role("tab", name="Design").click()
    page.get_by_role("button", name="Show: Killer cage").click()
    assert page.locator(SHOWN).count() == cage + line
    assert rules(page) == [CAGE, LINE]


def test_a_rule_that_draws_nothing_has_no_eye(open_page):
    """There is nothing to hide of rows and columns."""
    page = begin(open_page, json.dumps(BOARD))
    page.get_by_role("button", name="Hide: Thermometer").wait_for()
    assert page.get_by_role("button", name="Hide: Houses").count() == 0


def test_regions_are_listed_outlined_and_removed(open_page):
    """One line tells how many regions there are, outlines each, leads to where they are painted, and takes them away."""
    page = begin(open_page, json.dumps(BOARD))
    line = page.locator(".list .regions .item", has_text="4 regions")
    line.hover()
    assert page.locator("#layer-hint .hint-cells").count() == 4
    line.click()
    assert page.evaluate("app.designer.paintsRegions") is True
    page.get_by_role("button", name="Remove: Regions").click()
    page.locator(".list .regions").wait_for(state="detached")
    assert not page.evaluate("app.puzzle.json.grid").keys() & {"boxes", "regions"}
    page.keyboard.press("Control+z")
    line.wait_for()


def test_an_edit_keeps_the_focus_in_the_list(open_page):
    """A rule that stays keeps its line: whoever walks through the list by keyboard is not thrown out by an edit."""
    page = begin(open_page, json.dumps(BOARD))
    page.locator(".list .item", has_text="Thermometer").focus()
    page.evaluate("app.designer.edit((json) => ({ ...json, givens: {} }))")
    page.locator(".list .givens").wait_for(state="detached")
    assert page.evaluate("document.activeElement.textContent").startswith("Thermometer")
    page.keyboard.press("Delete")
    page.wait_for_function("() => app.picture.parts[2] === undefined")
    assert rules(page) == [CAGE]
