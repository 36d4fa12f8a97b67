"""Twelve common jobs, done with as many presses, drags and keys as docs/page.md says."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.page.browser.gestures import at, middle
from tests.page.browser.test_play import EASY, until

PAGE = (Path(__file__).parents[3] / "docs/page.md").read_text(encoding="utf-8")
BOARD = json.dumps({"grid": {"rows": 9, "columns": 9, "boxes": [3, 3]}})
FIVES = [cell for cell, sign in enumerate(EASY) if sign == "5"]
EIGHTS = [cell for cell, sign in enumerate(EASY) if sign == "8"]


class Hand:
    """Does what a person does, and counts it."""

    def __init__(self, page):
        """Begin with nothing done."""
        self.page, self.count = page, 0

    def key(self, *chords):
        """Press keys or chords, one after another."""
        for chord in chords:
            self.page.keyboard.press(chord)
        self.count += len(chords)

    def press(self, selector, *, within=None):
        """Press an element."""
        (self.page.locator(within) if within else self.page).locator(selector).first.click()
        self.count += 1

    def drag(self, *cells):
        """Press the first cell, go over the others and let go; one cell is a press."""
        first, *rest = middle(*cells)
        self.page.mouse.move(*at(self.page, *first))
        self.page.mouse.down()
        for place in rest:
            self.page.mouse.move(*at(self.page, *place), steps=4)
        self.page.mouse.up()
        self.count += 1

    def twice(self, cell, *held):
        """Press a cell twice, with keys held."""
        for key in held:
            self.page.keyboard.down(key)
        self.page.mouse.dblclick(*at(self.page, *middle((cell // 9 + 1, cell % 9 + 1))[0]))
        for key in held:
            self.page.keyboard.up(key)
        self.count += 1


def _states(page, field, cells):
    return page.evaluate(f"{cells}.map((cell) => app.game.states[cell].{field})")


def _digit_in_five(hand):
    hand.drag(*((5, column) for column in range(5, 10)))
    hand.key("7")
    assert _states(hand.page, "value", list(range(40, 45))) == [7] * 5


def _corner_in_four(hand):
    hand.drag(*((5, column) for column in range(5, 9)))
    hand.key("Shift+7")
    assert _states(hand.page, "corner", list(range(40, 44))) == [[7]] * 4


def _three_centre_marks(hand):
    hand.drag((5, 5))
    hand.key("Control+2", "Control+5", "Control+8")
    assert _states(hand.page, "centre", [40]) == [[2, 5, 8]]


def _a_colour(hand):
    hand.drag((5, 5))
    hand.key("Alt+3")
    assert _states(hand.page, "colours", [40]) == [[3]]


def _all_with_a_digit(hand):
    hand.twice(FIVES[0])
    until(hand.page, f"String(app.selection.list()) === '{','.join(map(str, FIVES))}'")


def _all_with_two_digits(hand):
    hand.twice(FIVES[0])
    until(hand.page, f"app.selection.cells.size === {len(FIVES)}")
    hand.twice(EIGHTS[0], "Control")
    until(hand.page, f"app.selection.cells.size === {len(FIVES + EIGHTS)}")


def _a_line(hand):
    hand.key("b")
    hand.drag((5, 5), (5, 8))
    assert hand.page.evaluate("app.game.pen.size") == 3


def _again(hand):
    hand.page.evaluate("app.act('changed', app.game.enter('digit', 7, [40]).changed)")
    hand.press("[data-act=restart]", within="#toolbar")
    assert hand.page.evaluate("app.game.value(40)") is None


def _two_cages(hand):
    hand.press('.tool[data-tool="killer-cage"]')
    hand.drag((1, 1), (1, 2))
    hand.key("1", "4")
    hand.drag((3, 3), (3, 4))
    hand.key("1", "1")
    hand.page.focus("#board")  # whatever comes next ends what is typed
    until(hand.page, "String(app.designer.rules.slice(1).map(({ total }) => total)) === '14,11'")


def _a_thermometer(hand):
    hand.press('.tool[data-tool="thermometer"]')
    hand.drag((5, 5), (5, 8))
    until(hand.page, "app.designer.rules.at(-1).cells?.length === 4")


def _a_region(hand):
    hand.press(".button:text-is('Regions')", within="#left")
    hand.drag((1, 1), (1, 9))
    hand.key("1")
    until(hand.page, "app.puzzle.json.grid.regions?.[0].every((label) => label === 0)")


def _open_in_sudokupad(hand):
    hand.press("[data-act=share]", within="#toolbar")
    there = hand.page.locator(".link[data-format=sudokupad] a")
    there.wait_for()
    hand.page.context.route("https://sudokupad.app/**", lambda route: route.fulfill(body=""))  # nothing leaves this machine
    with hand.page.context.expect_page() as opened:
        hand.press(".link[data-format=sudokupad] a")
    opened.value.wait_for_url("https://sudokupad.app/**")
    opened.value.close()
    hand.page.context.unroute_all()


JOBS = {
    "one digit into five cells of a row": ("play", BOARD, _digit_in_five),
    "a corner mark in four cells": ("play", BOARD, _corner_in_four),
    "three centre marks in a cell": ("play", BOARD, _three_centre_marks),
    "a colour in a cell": ("play", BOARD, _a_colour),
    "select all cells with a digit": ("play", EASY, _all_with_a_digit),
    "select all cells with either of two digits": ("play", EASY, _all_with_two_digits),
    "a line through four cells": ("play", BOARD, _a_line),
    "start the puzzle again": ("play", BOARD, _again),
    "two killer cages with their totals": ("design", BOARD, _two_cages),
    "a thermometer of four cells": ("design", BOARD, _a_thermometer),
    "a jigsaw region of nine cells": ("design", BOARD, _a_region),
    "open the puzzle in SudokuPad": ("play", EASY, _open_in_sudokupad),
}
ROWS = {row[0]: row[1:] for row in re.findall(r"^\| ([^|]+?) \| (\d*) ?\| (\d*) ?\| (\d+) \|$", PAGE, re.MULTILINE)}


def test_the_page_of_the_documentation_has_these_jobs():
    """Twelve jobs, none of which takes more here than in either of the others."""
    assert ROWS.keys() == JOBS.keys()
    assert len(JOBS) == 12
    assert all(int(here) <= int(other) for *others, here in ROWS.values() for other in others if other)


@pytest.mark.parametrize("job", JOBS)
def test_a_job_takes_as_many_presses_as_the_documentation_says(open_page, job):
    """The job is done, with presses, drags and keys counted."""
    mode, puzzle, do = JOBS[job]
    page = open_page(puzzle, mode=mode)
    page.wait_for_selector(".hints" if mode == "play" else ".tool")
    hand = Hand(page)
    do(hand)
    assert hand.count == int(ROWS[job][-1])


def test_the_keys_of_the_table_are_those_of_the_page(open_page):
    """Every letter and chord that the documentation names for this page is in its table of keys."""
    rows = [line.split("|")[1:-1] for line in PAGE.splitlines() if line.count("|") == 5]
    named = {key for *_, row in rows for key in re.findall(r"\bCtrl \+ [A-Z]\b|\b[A-Z]\b|Space|Enter|Delete|Backspace", row)}
    assert len(named) > 10
    page = open_page(EASY)
    known = page.evaluate("import('/static/keys.js').then(({ KEYS }) => KEYS.flatMap(({ keys }) => keys))")
    assert {key.replace(" ", "") for key in named} <= set(known)
