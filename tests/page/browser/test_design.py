"""Design in a browser: puzzles made by gestures alone, their solver, and undo."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.page.browser.gestures import at, draw, middle, rules, take

EMPTY = '{"grid": {"rows": 9, "columns": 9, "boxes": [3, 3]}}'
FOUR = '{"grid": {"rows": 4, "columns": 4, "boxes": [2, 2]}}'
SHOTS = os.environ.get("SHOTS")


def begin(open_page, puzzle=EMPTY, **options):
    """Open a puzzle for design, and wait for the tools."""
    page = open_page(puzzle, **options)
    page.evaluate("app.setMode('design')")
    page.wait_for_selector(".tool")
    return page


def shot(page, name):
    """Keep a picture where SHOTS says, for people to look at."""
    if SHOTS:
        page.wait_for_timeout(700)
        page.screenshot(path=str(Path(SHOTS) / f"{name}.png"))


def test_rules_are_drawn_typed_turned_and_undone(open_page):
    """A cage with its total, a thermometer, an arrow, a dot that is turned, a clue outside; undo takes all of them back."""
    page = begin(open_page)
    take(page, "killer-cage")
    draw(page, *middle((1, 1), (1, 2)))
    page.keyboard.type("12")
    page.keyboard.press("Enter")
    page.wait_for_function("() => app.designer.rules.at(-1).total === 12")
    take(page, "thermometer")
    draw(page, *middle((5, 5), (5, 6), (6, 7)))
    take(page, "arrow")
    draw(page, *middle((9, 1), (8, 1), (7, 1)))
    draw(page, *middle((9, 1), (9, 2)))
    take(page, "inequality")
    draw(page, (2.5, 4))
    draw(page, (2.5, 4))
    take(page, "sandwich")
    draw(page, (-0.4, 6.5))
    shot(page, "drawn")
    assert rules(page) == [
        {"kind": "killer-cage", "cells": ["r1c1", "r1c2"], "total": 12},
        {"kind": "thermometer", "cells": ["r5c5", "r5c6", "r6c7"]},
        {"kind": "arrow", "bulb": "r9c1", "shafts": [["r8c1", "r7c1"], ["r9c2"]]},
        {"kind": "inequality", "cells": ["r3c5", "r3c4"]},
        {"kind": "sandwich", "cells": [f"r{row}c7" for row in range(1, 10)], "total": 2},
    ]
    while not page.evaluate("document.querySelector('[data-act=undo]').disabled"):
        page.keyboard.press("Control+z")
        page.evaluate("app.designer.busy")
    assert rules(page) == []


def test_switches_joins_and_the_list(open_page):
    """A rule of the whole board is put on and taken away; two rules are joined into one; what is wrong is told in words."""
    page = begin(open_page)
    take(page, "anti-knight")
    page.get_by_role("button", name="Put on the board").click()
    page.wait_for_function("() => app.designer.rules.length === 2")
    take(page, "odd")
    draw(page, *middle((1, 1)))
    take(page, "even")
    draw(page, *middle((1, 3)))
    take(page, "any-of")
    page.locator(".list .item", has_text="Odd").click()
    page.locator(".list .item", has_text="Even").click()
    page.get_by_role("button", name="Join the pressed rules").click()
    page.wait_for_function("() => app.designer.rules.length === 3")
    assert [one["kind"] for one in rules(page)] == ["anti-knight", "any-of"]
    page.locator(".list .strike-out").nth(1).click()
    page.wait_for_function("() => app.designer.rules.length === 2")
    take(page, "taxicab")
    page.fill('[data-field="distance"]', "x")
    page.keyboard.press("Enter")
    page.locator("#left .problem", has_text="expected a whole number").wait_for()


def test_the_pill_follows_the_givens(open_page):
    """Givens are typed, the pill counts solutions, candidates and differences are shown, and a clash says why."""
    page = begin(open_page, FOUR)
    page.wait_for_selector(".pill.warn >> text=/or more|solutions/")
    page.check('input[value="candidates"]')
    page.wait_for_selector("#board .candidate")
    shot(page, "candidates")
    page.check('input[value="two"]')
    page.wait_for_selector("#board .pair")
    shot(page, "two")
    page.get_by_role("button", name="Add givens until there is one").click()
    page.wait_for_selector(".pill.ok")
    page.mouse.click(*at(page, 0.5, 0.5))
    page.evaluate("app.designer.edit((json) => ({ ...json, givens: { r1c1: 1, r1c2: 1 } }))")
    page.wait_for_selector(".pill.bad")
    page.get_by_role("button", name="Why is there none?").click()
    page.wait_for_selector(".told .pill.bad >> text=r1c1=1")
    shot(page, "none")
    page.fill('[aria-label="Why not?"]', "2")
    page.get_by_role("button", name="Ask").click()


@pytest.mark.slow
def test_every_kind_of_rule_can_be_put_on_the_board(open_page):
    """Every kind of the registry is taken in hand by its button, edited as its example, shown in the list and taken away."""
    page = begin(open_page)
    failed = page.evaluate(
        """async () => {
            const failed = [];
            for (const tool of app.tools.filter((tool) => tool.values[0] === 1 && tool.kind !== "houses")) {
                document.querySelector(`.tool[data-tool="${tool.kind}"]`).click();
                const added = await app.designer.edit((json) => ({ ...json, rules: ["houses", tool.example] }));
                if (!added) {
                    failed.push(`${tool.kind}: ${document.querySelector(".problem").textContent}`);
                    continue;
                }
                app.designer.choose(1);
                const item = document.querySelectorAll(".list .item")[1];
                const removed = added && (await app.designer.remove(1));
                if (!item || !removed || app.designer.rules.length !== 1)
                    failed.push(`${tool.kind}: listed ${Boolean(item)}, removed ${removed}, ${app.designer.rules.length} rules`);
            }
            return failed;
        }"""
    )
    assert failed == []


@pytest.mark.skipif(not SHOTS, reason="pictures are made for people who look at them: SHOTS names their folder")
@pytest.mark.parametrize(("width", "height", "theme"), [(1440, 900, "dark"), (820, 1180, "light"), (390, 844, "light")])
def test_pictures(open_page, width, height, theme):
    """Design on a desktop, a tablet and a phone."""
    page = begin(open_page, viewport={"width": width, "height": height}, color_scheme=theme)
    examples = "app.tools.filter((tool) => ['stem', 'edge'].includes(tool.gesture)).map((tool) => tool.example)"
    page.evaluate(f"app.designer.edit((json) => ({{ ...json, rules: ['houses', ...{examples}] }}))")
    # X'houses', ...app.tools.filter((t) => ['stem', 'edge'].includes(t.gesture)).map((t) => t.example)] }))")
    shot(page, f"{width}-{theme}")


def test_what_a_limit_left_open_is_not_told_as_impossible(open_page):
    """Candidates that are undecided stay in sight, faint, and are said to be undecided."""
    page = open_page("." * 81)
    late = {"candidates": {"r1c1": [1]}, "undecided": {"r1c1": [2, 3]}, "counts": {"r1c1": {"1": 1}}, "complete": False}
    page.route("**/v1/candidates", lambda route: route.fulfill(json=late))
    page.get_by_role("tab", name="Design").click()
    page.check('input[value="candidates"]')
    page.wait_for_selector(".candidate.undecided")
    assert page.locator(".candidate.undecided").all_text_contents() == ["2", "3"]
    assert page.locator(".candidate.single, .candidate.forced").count() == 0
    assert "not decided" in page.locator("#right").inner_text()
