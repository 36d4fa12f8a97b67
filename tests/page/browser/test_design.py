"""Design in a browser: puzzles made by gestures alone, their solver, and undo."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from tests.page.browser.gestures import at, draw, middle, rules, take
from tests.page.browser.test_play import until

EMPTY = '{"grid": {"rows": 9, "columns": 9, "boxes": [3, 3]}}'
FOUR = '{"grid": {"rows": 4, "columns": 4, "boxes": [2, 2]}}'
EASY = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
SHOTS = os.environ.get("SHOTS")


def begin(open_page, puzzle=EMPTY, **options):
    """Open a puzzle for design, and wait for the tools, and for what the solver says at first, which moves what lies below it."""
    page = open_page(puzzle, mode="design", **options)
    page.wait_for_selector(".tool")
    page.locator(".bar .pill", has_text="solution").first.wait_for()
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
    page.keyboard.type("2")
    page.keyboard.press("Enter")
    page.evaluate("app.designer.busy")
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
    page.get_by_role("button", name="Remove: Any of").click()
    page.wait_for_function("() => app.designer.rules.length === 2")
    take(page, "taxicab")
    page.fill('[data-field="distance"]', "x")
    page.keyboard.press("Enter")
    page.locator("#left .problem", has_text="expected a whole number").wait_for()


def test_what_is_typed_while_an_edit_is_awaited_stays(open_page):
    """Whoever goes on to another tool before a rule is gone keeps that tool, and what is typed there, when the answer comes."""
    page = begin(open_page)
    take(page, "anti-knight")
    page.get_by_role("button", name="Put on the board").click()
    page.wait_for_function("() => app.designer.rules.length === 2 && app.designer.rule")
    page.route("**/v1/picture", lambda _: None)
    page.get_by_role("button", name="Remove: Anti-knight").click()
    page.wait_for_function("() => app.designer.rules.length === 1")
    take(page, "taxicab")
    page.fill('[data-field="distance"]', "17")
    page.unroute("**/v1/picture")  # what was held goes on
    page.evaluate("app.designer.busy")
    page.evaluate("new Promise((done) => setTimeout(done))")
    assert page.input_value('[data-field="distance"]') == "17"
    assert page.evaluate("app.designer.tool.kind") == "taxicab"


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
                const { rules } = app.designer;
                app.designer.choose(rules[1]);
                const item = document.querySelectorAll(".list [draggable] .item")[1];
                const removed = added && (await app.designer.remove(rules[1]));
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


KITES = "9..4..5....3..2..8.......1.5.41..6...87.39..41......57...2....18......6..51....3."
"""A puzzle that two strong links solve, which Sudoku Explainer does not know."""


@pytest.mark.slow  # the ladders of both Explainers are compiled
@pytest.mark.parametrize(
    ("puzzle", "scales", "is_double"),
    [
        (EASY, ("It is easy for a person.", "Sudoku Explainer 1.2.1: 1.2", "HoDoKu 2.2: 204"), False),
        (KITES, ("Sudoku Explainer 1.2.1: 4.5", "Sukaku Explainer 1.18.1: 4.1 (Two-String Kite)"), True),
    ],
    ids=["easy", "kites"],
)
def test_a_puzzle_is_rated(open_page, puzzle, scales, is_double):
    """A puzzle that a person can solve is rated on all scales; those of the Explainers are both shown where they differ."""
    page = begin(open_page, puzzle)
    page.get_by_role("button", name="How hard is it?").click()
    page.locator(".solver .told", has_text="HoDoKu").wait_for(timeout=300_000)
    told = page.locator(".solver .told").inner_text()
    assert all(scale in told for scale in scales)
    assert ("Sukaku Explainer" in told) == is_double


def test_a_board_without_givens_is_checked(open_page):
    """Whether the board has solutions at all, with these rules and whatever is given."""
    page = begin(open_page, "1...4...2...3...")
    page.get_by_role("button", name="Is the layout possible?").click()
    page.get_by_text("Without any given, the rules have a solution.").wait_for()


def test_what_cannot_hold_is_told_in_words(open_page):
    """A cage without a sum clashes by itself; no puzzle is made with it, which does not change what the pill says."""
    cage = '{"kind": "killer-cage", "cells": ["r1c1", "r1c2", "r1c3"], "total": 2}'
    page = begin(open_page, f'{EMPTY[:-1]}, "rules": ["houses", {cage}]}}')
    page.locator(".pill.bad", has_text="no solution").wait_for()
    page.get_by_role("button", name="Why is there none?").click()
    page.get_by_text("This cannot hold:").wait_for()
    assert page.locator(".told .pill").all_inner_texts() == ["cage r1c1 r1c2 r1c3"]
    page.get_by_role("button", name="New puzzle with these rules").click()
    page.locator(".told .problem", has_text="expected rules that have a solution").wait_for()
    assert page.locator(".bar .pill").first.inner_text() == "no solution"


def test_a_total_belongs_to_one_cage(open_page):
    """A total that is typed before or after a cage is that cage's alone; a number on an edge is kept for the next one."""
    page = begin(open_page)
    take(page, "killer-cage")
    usual = page.input_value('[data-field="total"]')
    draw(page, *middle((1, 1), (1, 2)))
    page.keyboard.type("12")
    page.keyboard.press("Enter")
    page.wait_for_function("() => app.designer.rules.at(-1).total === 12")
    page.keyboard.press("Enter")
    assert page.input_value('[data-field="total"]') == usual
    draw(page, *middle((4, 4), (4, 5)))
    page.evaluate("app.act('close-shape')")
    page.keyboard.type("9")
    page.keyboard.press("Enter")
    draw(page, *middle((7, 7), (7, 8)))
    assert [str(one.get("total", "")) for one in rules(page)] == ["12", usual, "9"]
    take(page, "difference")
    page.keyboard.type("3")
    page.keyboard.press("Enter")
    draw(page, (2.5, 4))
    draw(page, (2.5, 6))
    assert [one["difference"] for one in rules(page)[3:]] == [3, 3]


def test_a_number_typed_without_enter_is_that_of_the_rule_just_drawn(open_page):
    """Drag, type, drag, type: each cage has its own total, however its typing ends."""
    page = begin(open_page)
    take(page, "killer-cage")
    for cells, total in (([(1, 1), (1, 2)], "14"), ([(4, 4), (4, 5)], "11"), ([(7, 7), (7, 8)], "16")):
        draw(page, *middle(*cells))
        page.keyboard.type(total)
    page.keyboard.press("Enter")
    page.wait_for_function("() => app.designer.rules.at(-1).total === 16")
    assert [one.get("total") for one in rules(page)] == [14, 11, 16]


def test_each_drag_is_a_cage(open_page):
    """Two drags are two cages; with Ctrl held the second joins the first; a painted cell goes out again."""
    page = begin(open_page)
    take(page, "killer-cage")
    draw(page, *middle((1, 1), (1, 2)))
    draw(page, *middle((4, 4), (4, 5)))
    assert [one["cells"] for one in rules(page)] == [["r1c1", "r1c2"], ["r4c4", "r4c5"]]
    page.keyboard.down("Control")
    draw(page, *middle((5, 5), (6, 5)))
    page.keyboard.up("Control")
    assert rules(page)[1]["cells"] == ["r4c4", "r4c5", "r5c5", "r6c5"]
    draw(page, *middle((6, 5)))
    assert rules(page)[1]["cells"] == ["r4c4", "r4c5", "r5c5"]


def test_a_tool_is_found_by_its_name_first(open_page):
    """What is typed into the search takes the tool of that name, not one that only mentions it."""
    page = begin(open_page)
    for typed, kind in (("arrow", "arrow"), ("numbered rooms", "numbered-room"), ("x sum", "x-sum"), ("windows", "windoku")):
        page.locator(".find").fill(typed)
        page.locator(".find").press("Enter")
        assert page.evaluate("app.designer.tool.kind") == kind
    page.locator(".find").fill("jigsaw")
    assert "drag over cells" in page.locator(".toolbox").inner_text()
    page.locator(".find").fill("")
    assert page.locator(".toolbox section .tool").count() == page.evaluate("app.designer.tools.length")


def test_a_rule_is_copied_to_symmetric_places(open_page):
    """The turns and mirrors that the board has are offered, but for those that leave the rule as it is."""
    page = begin(open_page, FOUR)
    take(page, "thermometer")
    draw(page, *middle((1, 1), (1, 2)))
    copies = page.get_by_role("group", name="Copy to the symmetric place").get_by_role("button")
    assert copies.all_inner_texts() == ["Half turn", "Quarter turn", "Left-right", "Up-down", "Diagonal ↘", "Diagonal ↙"]
    shot(page, "copies")
    page.get_by_role("button", name="Left-right").click()
    page.evaluate("app.designer.busy")
    assert [one["cells"] for one in rules(page)] == [["r1c1", "r1c2"], ["r1c4", "r1c3"]]
    page.evaluate("app.designer.edit((json) => ({ grid: { rows: 2, columns: 4, boxes: [2, 2] } }))")
    take(page, "odd")
    draw(page, *middle((1, 4)))
    assert copies.all_inner_texts() == ["Half turn", "Left-right", "Up-down"]
    page.evaluate("app.designer.edit((json) => ({ ...json, grid: { rows: 4, columns: 4, boxes: [2, 2] } }))")
    assert copies.all_inner_texts() == ["Half turn", "Quarter turn", "Left-right", "Up-down", "Diagonal ↘"]


def test_design_by_touch(open_page):
    """On a phone values have keys, a tool brings the board into sight, and a button ends one cage and begins the next."""
    page = begin(open_page, viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    page.touchscreen.tap(*at(page, 0.5, 0.5))
    page.locator("#left .key", has_text="5").tap()
    page.wait_for_function("() => app.puzzle.json.givens?.r1c1 === 5")
    page.locator("#left .key.act").tap()
    page.wait_for_function("() => !app.puzzle.json.givens?.r1c1")
    page.locator('.tool[data-tool="killer-cage"]').tap()
    assert page.locator("#board").bounding_box()["y"] >= 0
    page.touchscreen.tap(*at(page, 2.5, 2.5))
    page.touchscreen.tap(*at(page, 2.5, 3.5))
    page.evaluate("app.designer.busy")
    page.get_by_role("button", name="Next one").tap()
    page.touchscreen.tap(*at(page, 6.5, 6.5))
    page.evaluate("app.designer.busy")
    assert [one["cells"] for one in rules(page)] == [["r3c3", "r3c4"], ["r7c7"]]


def test_givens_are_added_with_progress(open_page):
    """Givens come one by one until there is one solution; meanwhile their number is told, and one undo takes all back."""
    page = begin(open_page)
    page.get_by_role("button", name="Add givens until there is one").click()
    page.locator(".told", has_text="so far").wait_for()
    page.locator(".pill.ok", has_text="exactly one solution").wait_for()
    assert page.evaluate("Object.keys(app.puzzle.json.givens).length") >= 17
    page.get_by_role("button", name="How hard is it?").click()
    page.locator(".told", has_text="for a person").wait_for()
    # By key: the ratings that come meanwhile may move the button just when the mouse is pressed.
    page.get_by_role("button", name="Is the layout possible?").press("Enter")
    page.locator(".told", has_text="the rules have a solution").wait_for()
    page.keyboard.press("Control+z")
    page.wait_for_function("() => !app.puzzle.json.givens")


def test_further_pairs_of_solutions(open_page):
    """One can walk through pairs of solutions, and both have their colour told; candidates leave a cage's total its corner."""
    cage = {"kind": "killer-cage", "cells": ["r1c1", "r1c2"], "total": 3}
    page = begin(open_page, json.dumps(json.loads(FOUR) | {"rules": ["houses", cage]}))
    page.check('input[value="two"]')
    page.wait_for_selector("#board .pair")
    first = page.inner_html("#layer-solutions")
    page.get_by_role("button", name="Next pair").click()
    assert page.inner_html("#layer-solutions") != first
    page.get_by_role("button", name="Previous pair").click()
    assert page.inner_html("#layer-solutions") == first
    assert "the first" in page.inner_text(".told")
    page.check('input[value="candidates"]')
    page.wait_for_selector("#board .candidate")
    first_column = "[...document.querySelectorAll('.candidate')].filter((one) => one.getAttribute('x') < 100)"
    top = f"Math.min(...{first_column}.map((one) => one.getBBox().y))"
    assert page.evaluate(top) > 20


def test_marks_are_exempt_from_rules_about_the_others(open_page):
    """A rule about pairs without a mark begins with the marked pairs as exempt, and a mark that is drawn later is exempt too."""
    page = begin(open_page)
    take(page, "difference")
    draw(page, (2.5, 4))
    take(page, "negative-difference")
    page.get_by_role("button", name="Put on the board").click()
    page.wait_for_function("() => app.designer.rules.length === 3")
    take(page, "difference")
    draw(page, (4.5, 4))
    assert [one.get("exempt") for one in rules(page)] == [None, [["r3c4", "r3c5"], ["r5c4", "r5c5"]], None]


def test_unfinished_regions_and_clashing_givens_are_seen(open_page):
    """Regions that are too large are told with their sizes until they fit; equal givens in one row have a red ground."""
    page = begin(open_page, FOUR)
    page.mouse.click(*at(page, 0.5, 2.5))
    page.get_by_label("Region of the selected cells").fill("1")
    page.get_by_role("button", name="Set", exact=True).click()
    page.locator("#right .problem", has_text="Region 1 has 5 cells and region 2 has 3 cells").wait_for()
    page.evaluate("app.designer.edit((json) => ({ ...json, givens: { r1c1: 1, r1c2: 1 } }))")
    page.wait_for_selector("#layer-wash .clash")
    page.locator(".list .givens", has_text="2 cells").wait_for()


def test_a_press_opens_a_cage_before_it_paints(open_page):
    """The first press on a finished cage shows its fields and changes nothing; the next ones paint."""
    page = begin(open_page)
    take(page, "killer-cage")
    draw(page, *middle((5, 5), (5, 6)))
    page.evaluate("app.act('close-shape')")
    draw(page, *middle((5, 5)))
    assert rules(page)[0]["cells"] == ["r5c5", "r5c6"]
    page.get_by_role("button", name="Remove", exact=True).wait_for()
    draw(page, *middle((5, 7)))
    draw(page, *middle((5, 5)))
    assert rules(page)[0]["cells"] == ["r5c6", "r5c7"]


# --- stumbles of strangers --------------------------------------------------------------------------------------------


def test_a_clue_waits_for_its_number(open_page):
    """No clue is invented: a press outside shows where it looks and asks for the number, with which it is put on the board."""
    page = begin(open_page)
    take(page, "sandwich")
    assert page.input_value('[data-field="total"]') == ""
    draw(page, (-0.4, 6.5))
    assert rules(page) == []
    assert page.locator("#left .problem").inner_text() == "Type the total: with it the clue is put on the board."
    assert page.locator("#board .ghost-line").count() == 1
    page.keyboard.type("12")
    page.keyboard.press("Enter")
    page.wait_for_function("() => app.designer.rules.length === 2")
    until(page, "!document.querySelector('#board .ghost-line') && !document.querySelector('#left .problem').textContent")
    draw(page, (2.5, -0.4))
    assert [one["total"] for one in rules(page)] == [12]
    page.keyboard.type("7")
    page.keyboard.press("Enter")
    page.wait_for_function("() => app.designer.rules.length === 3")
    assert [one["total"] for one in rules(page)] == [12, 7]


def test_a_clue_outside_moves_no_cell(open_page):
    """With the tool in hand, margins for clues are there on every side: what is added changes the size of no cell."""
    page = begin(open_page)
    take(page, "skyscraper")
    unit = page.evaluate("app.board.unit")
    for place, count in (((-0.4, 6.5), 2), ((2.5, -0.4), 3), ((9.4, 3.5), 4), ((4.5, 9.4), 5)):
        draw(page, place)
        page.keyboard.type("3")
        page.keyboard.press("Enter")
        page.wait_for_function(f"() => app.picture && app.designer.rules.length === {count}")
        page.evaluate("app.designer.busy")
        assert page.evaluate("app.board.unit") == unit


def test_a_letter_as_total_is_named(open_page):
    """What is typed with a tool in hand is a number: a letter that is no command is refused in words, not ignored."""
    page = begin(open_page)
    take(page, "killer-cage")
    draw(page, *middle((1, 1), (1, 2)))
    page.keyboard.press("x")
    page.keyboard.press("Enter")
    page.locator("#left .problem", has_text='expected a whole number, got "x"').wait_for()
    assert [one.get("total") for one in rules(page)] == [None]


def test_a_drag_after_a_press_into_a_cage_is_another_cage(open_page):
    """A press opens a cage for its total; the next drag draws one of its own, and with Shift it extends."""
    page = begin(open_page)
    take(page, "killer-cage")
    draw(page, *middle((1, 1), (1, 2)))
    page.evaluate("app.act('close-shape')")
    draw(page, *middle((1, 1)))
    draw(page, *middle((5, 5), (5, 6)))
    assert [one["cells"] for one in rules(page)] == [["r1c1", "r1c2"], ["r5c5", "r5c6"]]


def test_enter_ends_equal_sums_after_drags(open_page):
    """Two drags and one Enter are one rule; what is drawn then is another."""
    page = begin(open_page)
    take(page, "equal-sums")
    for cells in (((1, 1), (1, 2)), ((3, 1), (3, 2)), None, ((5, 1), (5, 2)), ((7, 1), (7, 2))):
        if cells:
            draw(page, *middle(*cells))
        else:
            page.keyboard.press("Enter")
    assert [len(one["groups"]) for one in rules(page)] == [2, 2]


BY_KEYS = {
    "killer-cage": (["r5c5", "r5c6", "r6c6"], "14", {"cells": ["r5c5", "r5c6", "r6c6"], "total": 14}),
    "thermometer": (["r1c1", "r1c2", "r2c3"], "", {"cells": ["r1c1", "r1c2", "r2c3"]}),
    "arrow": (["r9c1", "r8c1", "r7c1"], "", {"bulb": "r9c1", "shafts": [["r8c1", "r7c1"]]}),
    "inequality": (["r3c4", "r3c5"], "", {"cells": ["r3c4", "r3c5"]}),
    "odd": (["r2c2"], "", {"cells": ["r2c2"]}),
    "sandwich": (["r1c7"], "20", {"cells": [f"r{row}c7" for row in range(1, 10)], "total": 20}),
    "little-killer": (["r1c1"], "45", {"cells": [f"r{at}c{at}" for at in range(1, 10)], "total": 45}),
}


@pytest.mark.parametrize("kind", BY_KEYS)
def test_an_element_by_keyboard_alone(open_page, kind):
    """T finds the tool, Shift and arrows select cells, Enter draws over them, and a number is typed: no pointer is needed."""
    page = begin(open_page)
    cells, total, wanted = BY_KEYS[kind]
    page.keyboard.press("t")
    page.keyboard.type(kind)
    page.keyboard.press("Enter")
    until(page, f"app.designer.tool?.kind === '{kind}' && document.activeElement.id === 'board'")
    indices = [9 * (int(cell[1]) - 1) + int(cell[3]) - 1 for cell in cells]
    page.evaluate(f"app.selection.replace({indices[:-1]}); app.selection.add({indices[-1]})")
    page.keyboard.press("Enter")
    page.keyboard.type(total)
    if total:
        page.keyboard.press("Enter")
    page.wait_for_function("() => app.designer.rules.length === 2")
    page.evaluate("app.designer.busy")
    assert rules(page) == [{"kind": kind} | wanted]
    assert page.evaluate("app.selection.cells.size") == 0


def test_cells_that_do_not_fit_a_tool_are_named(open_page):
    """Enter over cells that make no sign says what the tool needs."""
    page = begin(open_page)
    take(page, "inequality")
    page.evaluate("app.selection.replace([0, 2])")
    page.focus("#board")
    page.keyboard.press("Enter")
    page.locator("#left .problem", has_text="signs need two neighbours").wait_for()
    assert rules(page) == []


def test_regions_are_dragged_over_and_typed(open_page):
    """With Regions in hand a drag over a whole region and its number make it one, outlined at once; fewer cells join one."""
    page = begin(open_page, FOUR)
    page.locator("#left").get_by_role("button", name="Regions", exact=True).click()
    draw(page, *middle((1, 1), (1, 4)))
    page.keyboard.press("1")
    page.evaluate("app.designer.busy")
    assert page.evaluate("app.puzzle.json.grid.regions") == [[0, 0, 0, 0], [None, None, 1, 1], [2, 2, 3, 3], [2, 2, 3, 3]]
    draw(page, *middle((2, 1), (2, 2)))
    page.keyboard.press("2")
    page.evaluate("app.designer.busy")
    assert page.evaluate("app.puzzle.json.grid.regions[1]") == [1, 1, 1, 1]
    draw(page, *middle((3, 1)))
    page.keyboard.press("4")
    assert page.locator("#board .draft-region").count() == 4
    page.locator("#left .problem", has_text="Region 4 has 5 cells").wait_for()
    draw(page, *middle((4, 3)))
    page.locator("#left .pad .key", has_text="3").click()
    page.evaluate("app.designer.busy")
    assert page.locator("#board .draft-region").count() == 0
    assert page.evaluate("app.puzzle.json.grid.regions[3]") == [2, 2, 2, 3]


def test_a_new_puzzle_keeps_what_the_setter_wrote(open_page):
    """Givens made for the same rules change neither title nor author, rules in words or drawings."""
    line = {"kind": "line", "points": [[0.5, 0.5], [1.5, 1.5]]}
    written = {"title": "Mine", "author": "Ann", "ruleset": "As usual.", "drawings": [line]}
    page = begin(open_page, json.dumps({"grid": {"rows": 4, "columns": 4, "boxes": [2, 2]}, **written}))
    page.get_by_role("button", name="New puzzle with these rules").click()
    until(page, "Object.keys(app.puzzle.json.givens ?? {}).length > 0")
    shown = page.evaluate("app.puzzle.json")
    assert [shown[name] for name in ("title", "author", "ruleset")] == ["Mine", "Ann", "As usual."]
    assert shown["drawings"][0]["points"] == line["points"]
    assert page.locator("#title").inner_text() == "Mine"


# --- drawings that mean nothing to the puzzle -------------------------------------------------------------------------

DRAWN = {
    "drawn-line": (
        [(1, 1), (1, 2), (2, 3)],
        {},
        [{"kind": "line", "points": [[0.5, 0.5], [0.5, 1.5], [1.5, 2.5]], "colour": "#CFCFCF", "width": 0.25}],
    ),
    "drawn-shape": (
        [(5, 5)],
        {"size": "40"},
        [{"kind": "shape", "at": [4.5, 4.5], "shape": "ellipse", "width": 0.4, "height": 0.4, "fill": "#CFCFCF"}],
    ),
    "drawn-text": (
        [(3, 3)],
        {"text": "V"},
        [{"kind": "text", "at": [2.5, 2.5], "text": "V", "size": 0.5, "colour": "#000000"}],
    ),
    "drawn-colour": (
        [(2, 2), (2, 3)],
        {"fill": "#aabbcc"},
        [{"kind": "shape", "at": [1.5, column + 0.5], "fill": "#AABBCC"} for column in (1, 2)],
    ),
    "drawn-cage": (
        [(7, 7), (7, 8)],
        {"text": "A"},
        [{"kind": "cage", "cells": ["r7c7", "r7c8"], "text": "A", "colour": "#000000"}],
    ),
}


@pytest.mark.parametrize("kind", DRAWN)
def test_a_drawing_is_drawn_and_travels(open_page, kind):
    """A line, a shape, a text, a ground and an outline are drawn over cells, kept as drawings, undone, and no rule."""
    page = begin(open_page)
    cells, typed, wanted = DRAWN[kind]
    take(page, kind)
    for name, value in typed.items():
        label = name.capitalize()
        page.locator("#left").get_by_label(label, exact=True).fill(value)
        page.locator("#left").get_by_label(label, exact=True).blur()
    draw(page, *middle(*cells))
    until(page, "app.puzzle.json.drawings")
    assert page.evaluate("app.puzzle.json.drawings") == wanted
    assert rules(page) == []
    assert page.locator("#board .ghost > *").count() == 0
    assert page.locator(".list .drawings").inner_text().split("\n")[1] == ("2 drawings" if len(wanted) == 2 else "1 drawing")
    page.keyboard.press("Control+z")
    page.evaluate("app.designer.busy")
    assert page.evaluate("app.puzzle.json.drawings") is None


def test_the_last_drawing_is_taken_away_and_all_of_them(open_page):
    """Delete takes the last drawing away while its tool is in hand; the list takes all away; drawing goes on between."""
    page = begin(open_page)
    take(page, "drawn-colour")
    for column in (1, 3, 5):
        draw(page, *middle((1, column)))
    page.focus("#board")
    page.keyboard.press("Delete")
    page.evaluate("app.designer.busy")
    assert [one["at"][1] for one in page.evaluate("app.puzzle.json.drawings")] == [0.5, 2.5]
    page.get_by_role("button", name="Remove: Drawings").click()
    page.evaluate("app.designer.busy")
    assert page.evaluate("app.puzzle.json.drawings") is None
