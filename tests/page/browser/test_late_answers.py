"""What comes late: answers are held until hands have gone on, and then change nothing of what these have done."""

from __future__ import annotations

import json
from contextlib import contextmanager

from tests.page.browser.gestures import at, middle, rules, take
from tests.page.browser.test_design import EMPTY, begin
from tests.page.browser.test_play import EASY, enter, settle, until

SMALL = "12..3412..434.21"
OTHER = "1..............."


class Held:
    """Questions of a verb that wait for their answers."""

    def __init__(self, page, verb):
        """Hold what `page` asks with `verb` from now on."""
        self.page, self.pattern = page, f"**/v1/{verb}"
        self.asked = []
        self.waiting = []
        page.route(self.pattern, self._hold)
        self.holds = True

    def _hold(self, route):
        self.asked.append(route.request.post_data_json)
        if self.holds:
            self.waiting.append(route)
        else:
            route.continue_()

    def wait_for(self, count=1):
        """Wait until so many questions were asked."""
        while len(self.asked) < count:
            self.page.wait_for_timeout(10)

    def hold_no_more(self):
        """Let the questions that come after this be answered before those that wait."""
        self.holds = False


@contextmanager
def held(page, verb):
    """Hold the questions of a verb until the end of the block."""
    questions = Held(page, verb)
    yield questions
    questions.holds = False
    for route in questions.waiting:
        route.continue_()


def test_a_total_is_typed_before_its_cage_is_there(open_page):
    """Whoever draws a cage and types its total at once keeps what was typed, and the cage gets it."""
    page = begin(open_page)
    take(page, "killer-cage")
    with held(page, "picture") as questions:
        page.mouse.move(*at(page, *middle((1, 1))[0]))
        page.mouse.down()
        page.mouse.move(*at(page, *middle((1, 2))[0]), steps=3)
        page.mouse.up()
        questions.wait_for()
        page.keyboard.type("12")
    page.wait_for_selector(".list .item >> text=Killer cage")
    assert page.input_value('[data-field="total"]') == "12"
    page.keyboard.press("Enter")
    page.wait_for_function("() => app.puzzle.json.rules.at(-1).total === 12")
    assert rules(page) == [{"kind": "killer-cage", "cells": ["r1c1", "r1c2"], "total": 12}]


def test_two_values_of_one_field_before_either_is_there(open_page):
    """The last value of a field is the one that stays, also if the one before it is refused."""
    cage = {"kind": "killer-cage", "cells": ["r1c1", "r1c2"], "total": 3}
    page = begin(open_page, json.dumps({**json.loads(EMPTY), "rules": ["houses", cage]}), refused=True)
    page.evaluate("app.designer.choose(app.designer.rules[1])")
    page.evaluate("Promise.all([app.designer.setField('total', 'x'), app.designer.setField('total', 7)])")
    assert rules(page) == [{**cage, "total": 7}]
    page.evaluate("app.designer.setField('total', 8)")
    assert rules(page) == [{**cage, "total": 8}]


def test_the_rule_that_was_meant_is_removed(open_page):
    """While an edit is awaited the list is as it was; what is pressed in it goes by itself, not by its place."""
    kinds = ["anti-knight", "anti-king", "nonconsecutive"]
    page = begin(open_page, json.dumps({**json.loads(EMPTY), "rules": ["houses", *kinds]}))
    with held(page, "picture") as questions:
        page.get_by_role("button", name="Remove: Anti-knight").click()
        page.get_by_role("button", name="Remove: Anti-king").click()
        questions.wait_for()
    page.wait_for_function("() => app.puzzle.json.rules.length === 2")
    assert [one["kind"] for one in rules(page)] == ["nonconsecutive"]


def test_a_turned_sign_does_not_take_its_tool_in_hand_again(open_page):
    """Whoever presses a sign to turn it and takes another tool keeps that one when the answer comes."""
    page = begin(
        open_page, json.dumps({**json.loads(EMPTY), "rules": ["houses", {"kind": "inequality", "cells": ["r3c4", "r3c5"]}]})
    )
    take(page, "inequality")
    with held(page, "picture") as questions:
        page.mouse.click(*at(page, 2.5, 4))
        questions.wait_for()
        take(page, "thermometer")
    page.wait_for_function("() => app.puzzle.json.rules[1].cells[0] === 'r3c5'")
    assert page.evaluate("app.designer.tool.kind") == "thermometer"


def test_an_edit_stays_with_its_puzzle(open_page):
    """An edit whose answer comes after another puzzle was opened goes with its own: the other is shown, and undo is empty."""
    page = begin(open_page)
    with held(page, "picture") as questions:
        page.evaluate("void app.designer.edit((json) => ({ ...json, title: 'Old' }))")
        questions.wait_for()
        questions.hold_no_more()
        page.evaluate("app.show({ grid: { rows: 4, columns: 4, boxes: [2, 2] }, title: 'New' }, { mode: 'design' })")
    settle(page)
    assert page.locator("#title").inner_text() == "New"
    assert page.evaluate("[app.game.size, app.designer.history.past.length]") == [16, 0]
    page.evaluate("app.designer.edit((json) => ({ ...json, author: 'A' }))")
    assert page.evaluate("app.puzzle.json.title") == "New"


def test_the_last_puzzle_asked_for_is_shown(open_page):
    """Of two puzzles that are opened, the second one stays, whichever answer comes first."""
    page = open_page(EASY)
    with held(page, "picture") as questions:
        page.evaluate("text => void app.open(text).catch(() => {})", SMALL)
        questions.wait_for()
        questions.hold_no_more()
        page.evaluate("text => app.open(text)", OTHER)
    settle(page)
    assert page.evaluate("app.puzzle.json.givens") == {"r1c1": 1}


def test_todays_puzzle_does_not_take_the_place_of_a_game(page):
    """Whoever opens another puzzle while today's is made goes on with that one."""
    with held(page, "generate") as questions:
        page.click('.today .grade:text-is("Medium")')
        questions.wait_for()
        page.evaluate("text => app.open(text)", SMALL)
    settle(page)
    assert page.evaluate("app.game.size") == 16


def test_the_shelf_stays_when_it_was_gone_to(open_page):
    """Whoever leaves for the shelf while a puzzle is opened, or an edit awaited, finds the shelf there."""
    page = begin(open_page)
    with held(page, "picture") as questions:
        page.evaluate("void app.designer.edit((json) => ({ ...json, title: 'Old' }))")
        questions.wait_for()
        page.click(".brand")
        page.wait_for_selector("#shelf textarea")
    page.evaluate("app.designer.busy")
    settle(page)
    assert page.evaluate("[document.body.dataset.view, location.hash]") == ["shelf", ""]


def test_a_check_tells_nothing_of_another_puzzle(open_page):
    """A check that is answered after another puzzle was opened is not told, and fails nowhere."""
    page = open_page(EASY)
    page.wait_for_selector(".hints")
    with held(page, "solve") as questions:
        page.evaluate("app.act('check')")
        questions.wait_for()
        page.evaluate("text => app.open(text)", OTHER)
    settle(page)
    assert not page.locator(".hints .note").is_visible()
    assert page.evaluate("app.unsolved ?? null") is None


def test_a_hint_is_about_the_game_as_it_is(open_page):
    """A hint that is answered after an entry is given up; the next one is asked for the present position."""
    page = open_page(EASY)
    page.wait_for_selector(".hints")
    with held(page, "hint") as questions:
        page.evaluate("app.act('hint')")
        questions.wait_for()
        enter(page, (2, 4))
        page.evaluate("app.act('hint')")
        questions.wait_for(2)
    until(page, "document.querySelectorAll('.step.on').length === 1")
    settle(page)
    assert questions.asked[1]["position"]["values"] == {"r1c3": 4}
    assert page.evaluate("[document.querySelectorAll('.step.on').length, app.hintsUsed]") == [1, 1]


def test_a_dialog_that_was_closed_opens_nothing(page):
    """Escape gives up what was being read: neither is it shown, nor does it close the dialog that came after."""
    with held(page, "convert") as questions:
        page.evaluate("text => app.act('open', text)", SMALL)
        questions.wait_for()
        page.wait_for_selector("dialog[open]")  # since it takes long
        page.keyboard.press("Escape")
        page.wait_for_selector("dialog:not([open])", state="attached")
        page.evaluate("app.act('settings')")
        page.wait_for_selector("dialog[open]")
    settle(page)
    assert page.evaluate("[app.puzzle, document.getElementById('dialog').open]") == [None, True]


def test_why_not_is_told_of_the_last_question(open_page):
    """The answer about one cell does not take the place of that about the next, and goes with an edit, which may change it."""
    page = begin(open_page, SMALL)
    page.evaluate("app.selection.only(2)")
    with held(page, "explain") as questions:
        page.fill('[aria-label="Why not?"]', "1")
        page.keyboard.press("Enter")
        questions.wait_for()
        questions.hold_no_more()
        page.evaluate("app.selection.only(3)")
        page.fill('[aria-label="Why not?"]', "2")
        page.keyboard.press("Enter")
        page.locator(".why", has_text="r1c4").wait_for()
    settle(page)
    assert "r1c3" not in page.locator(".why [role=status]").inner_text()
    page.evaluate("app.designer.edit((json) => ({ ...json, title: 'Another' }))")
    assert page.locator(".why [role=status]").inner_text() == ""


def test_the_last_entry_is_saved_when_another_puzzle_comes(open_page):
    """Who enters a value and goes on to another puzzle at once finds it when coming back."""
    page = open_page(EASY)
    page.wait_for_selector(".hints")
    page.evaluate("app.selection.only(2); app.act('enter', 4); void app.open('1...............')")
    until(page, "app.game.size === 16")
    page.evaluate("puzzle => app.open(puzzle)", EASY)
    assert page.evaluate("app.game.value(2)") == 4


def test_signs_that_come_late_do_not_bring_an_old_puzzle_back(open_page):
    """Other signs are asked for while an edit is made: the edit stays, and has the signs."""
    page = begin(open_page, OTHER)
    with held(page, "picture") as questions:
        page.evaluate("app.setSetting('symbols', '♠♥♦♣'); void app.redraw()")
        questions.wait_for()
        questions.hold_no_more()
        page.evaluate("app.designer.edit((json) => ({ ...json, title: 'Edited' }))")
    until(page, "app.sign(1) === '♠'")
    settle(page)
    assert page.evaluate("app.puzzle.json.title") == "Edited"
