"""Playing on the page: by keyboard, mouse and touch, with undo, hints, checks, and games that are saved."""

from __future__ import annotations

import itertools
import json

import pytest

EASY = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
SOLUTION = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"
CAGE = {
    "grid": {"rows": 4, "columns": 4, "boxes": [2, 2]},
    "rules": ["houses", {"kind": "killer-cage", "cells": ["r1c1", "r2c1"], "total": 3}],
}
ORDERED = {
    "grid": {"rows": 9, "columns": 9, "boxes": [3, 3]},
    "rules": [
        "houses",
        {"kind": "killer-cage", "cells": ["r1c1", "r1c2", "r2c1"], "total": 14},
        {"kind": "thermometer", "cells": ["r4c4", "r4c5", "r5c5"]},
    ],
}
SAVED = "import('/static/saved_games.js').then(({ readGames }) => readGames()).then((games) => games.length === 1)"
SIZES = [(390, 844), (820, 1180), (1440, 900)]


def values(page):
    """The values of the game, given or entered, with a dot for each open cell."""
    return page.evaluate("app.game.values().map((value) => value ?? '.').join('')")


def until(page, expression):
    """Wait until an expression is true; the page's policy forbids what playwright's own waiting does."""
    for _ in range(1_200):  # half a minute, as long as playwright itself waits
        if page.evaluate(expression):
            return
        page.wait_for_timeout(25)
    pytest.fail(f"this never became true: {expression}")


def settle(page):
    """Wait until a question that is asked after all others is answered, and what follows from these is done."""
    page.evaluate("fetch('/v1/limits').then((answer) => answer.text()).then(() => new Promise((done) => setTimeout(done, 50)))")


def middle_of(page, cell):
    """The middle of a cell on the screen."""
    box = page.locator(f"#cell{cell}").bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def test_a_whole_puzzle_by_keyboard(open_page):
    """Arrows and digits alone solve a puzzle, and the page says so."""
    page = open_page(EASY)
    page.focus("#board")
    page.keyboard.press("ArrowDown")
    for row in range(9):
        for column in range(9):
            cell = 9 * row + column
            assert page.evaluate("app.selection.cursor") == cell
            page.keyboard.press(SOLUTION[cell])
            page.keyboard.press("ArrowRight")
        page.keyboard.press("ArrowDown")
    assert values(page) == SOLUTION
    assert page.locator(".finished h3").inner_text().startswith("Solved in")


@pytest.mark.slow
def test_a_whole_puzzle_by_mouse(open_page):
    """Clicks on cells and keys of the keypad alone solve a puzzle."""
    page = open_page(EASY)
    for cell, given in enumerate(EASY):
        if given == ".":
            page.mouse.click(*middle_of(page, cell))
            page.click(f".key[data-value='{SOLUTION[cell]}']")
    assert values(page) == SOLUTION


@pytest.mark.slow
def test_a_whole_puzzle_by_touch(open_page):
    """On a phone, digit first: a key is held, and each cell touched takes it."""
    page = open_page(EASY, viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    for digit in "123456789":
        page.tap(f".key[data-value='{digit}']")
        for cell, given in enumerate(EASY):
            if given == "." and SOLUTION[cell] == digit:
                page.touchscreen.tap(*middle_of(page, cell))
        page.tap(f".key[data-value='{digit}']")
    assert values(page) == SOLUTION


def test_modifiers_write_marks_and_colours(open_page):
    """Shift, Ctrl and both write corner marks, centre marks and colours, without a change of mode."""
    page = open_page(EASY)
    fields = {"corner": "Shift+Digit4", "centre": "Control+Digit4", "colours": "Control+Shift+Digit4"}
    for cell, keys in zip((2, 3, 5), fields.values(), strict=True):
        page.evaluate(f"app.selection.only({cell})")
        page.keyboard.press(keys)
        assert page.evaluate("app.inputMode") == "digit"
    for cell, written in zip((2, 3, 5), fields, strict=True):
        state = page.evaluate(f"app.game.states[{cell}]")
        assert {field: state[field] for field in fields} == {field: [4] * (field == written) for field in fields}


def test_a_drag_selects_and_undo_takes_back_one_gesture(open_page):
    """A drag over cells selects them; what is written into all of them is one step of undo."""
    page = open_page(EASY)
    page.mouse.move(*middle_of(page, 2))
    page.mouse.down()
    for cell in (3, 13, 23):
        page.mouse.move(*middle_of(page, cell), steps=4)
    page.mouse.up()
    assert page.evaluate("app.selection.list()") == [2, 3, 13, 23] or page.evaluate("app.selection.list().length") >= 3
    page.keyboard.press("Control+Digit1")
    page.keyboard.press("Control+z")
    assert page.evaluate("app.game.states.every((state) => !state.centre.length)")
    page.keyboard.press("Control+y")
    assert page.evaluate("app.game.states.some((state) => state.centre.length)")


def test_hints_tell_no_more_than_their_level(open_page):
    """Four presses tell four levels, and the fifth does the step."""
    page = open_page(EASY)
    for level in range(1, 5):
        page.keyboard.press("h")
        until(page, f"document.querySelectorAll('.step.on').length === {level}")
        assert values(page) == EASY
    page.keyboard.press("h")
    until(page, "app.game.filled === 31")
    assert all(value in {".", right} for value, right in zip(values(page), SOLUTION, strict=True))


def test_the_step_shows_what_blocks(open_page):
    """With the step of a hidden single its cell is outlined, and so are the values that rule out the other cells."""
    page = open_page(EASY)
    for level in range(1, 5):
        assert page.locator("#board .hint .hint-blockers").count() == 0
        page.keyboard.press("h")
        until(page, f"document.querySelectorAll('.step.on').length === {level}")
    assert page.locator("#board .hint .hint-blockers").count() == 1


def test_a_check_counts_and_shows_on_the_second_press(open_page):
    """A check tells how many values are wrong, and only then which."""
    page = open_page(EASY)
    page.evaluate("app.selection.only(2)")
    page.keyboard.press("1")
    page.evaluate("app.selection.none()")
    page.keyboard.press("Enter")
    page.wait_for_selector(".note.bad")
    assert page.locator(".note").inner_text() == "1 value is wrong."
    assert page.evaluate("app.selection.list()") == []
    page.keyboard.press("Enter")
    until(page, "app.selection.list().length === 1")
    assert page.evaluate("app.selection.list()") == [2]


def test_another_hint_is_told(open_page):
    """Whoever does not want a step is told where to look for another one."""
    page = open_page(EASY)
    page.keyboard.press("h")
    page.wait_for_selector(".step.on")
    first = page.locator(".step.on").inner_text()
    page.get_by_role("button", name="Not this one").click()
    until(page, f"document.querySelector('.step.on').innerText !== {first!r}")
    assert page.locator(".step.on").count() == 1


def test_wrong_entries_are_told_before_hints_and_mended(open_page):
    """The number of wrong things comes first; the clash is shown to who asks, undo goes back to where all was right."""
    page = open_page(EASY)
    page.evaluate("app.selection.only(3)")
    page.keyboard.press("Control+3")
    page.evaluate("app.selection.only(2)")
    page.keyboard.press("2")
    page.keyboard.press("h")
    page.wait_for_selector(".note.bad")
    assert page.locator(".note p").inner_text() == "1 value and marks of 1 cell are wrong."
    page.get_by_role("button", name="Show the smallest clash").click()
    assert page.locator("#board .hint .hint-cells").count() == 1
    page.get_by_role("button", name="Remove what is wrong").click()
    assert page.evaluate("[app.game.value(2), app.game.states[3].centre]") == [None, [3, 6]]
    page.keyboard.press("Control+z")
    page.keyboard.press("h")
    page.get_by_role("button", name="Undo to where it was right").click()
    until(page, "app.game.history.at === 0")


def test_the_smallest_clash_is_told_in_words(open_page):
    """Two entries that clash cannot both be right, by the house that they share."""
    page = open_page(EASY)
    page.wait_for_selector(".hints")
    enter(page, (2, 2), (3, 2))
    page.keyboard.press("h")
    page.get_by_text("Show the smallest clash").click()
    assert page.locator(".note.bad").inner_text().startswith("r1c3=2 and r1c4=2 cannot both be right: row 1.")


def test_an_alarm_goes_with_its_message(open_page):
    """What is read at once is read once: its region is empty when the message is gone."""
    page = open_page(EASY)
    show = "app.toast('Something is amiss.', { kind: 'bad', time: 50 })"
    assert page.evaluate(f"{show}.then(() => document.getElementById('alarm').textContent)") == "Something is amiss."
    until(page, "document.getElementById('alarm').textContent === ''")


def test_a_full_grid_is_judged_by_all_its_rules(open_page):
    """Where no solution is known, the service says whether the grid follows the rules that the page does not know."""
    page = open_page(json.dumps(CAGE))
    full = [2, 1, 3, 4, 3, 4, 1, 2, 1, 2, 4, 3, 4, 3, 2, 1]
    page.evaluate("values => values.forEach((value, cell) => app.game.enter('digit', value, [cell]))", full)
    page.evaluate("app.act('changed', [0])")
    page.wait_for_selector(".pill.bad >> text=Filled, but something is wrong")
    page.evaluate("app.act('undo')")
    assert page.evaluate("app.game.status") == "open"


def test_only_true_values_are_taken(open_page):
    """By a setting the solution is asked for, and what is not in it is refused and counted."""
    page = open_page(EASY)
    page.evaluate("app.setSetting('trueOnly', true)")
    until(page, "app.game.puzzle.solution !== null")
    page.evaluate("app.selection.only(2)")
    page.keyboard.press("2")
    assert values(page) == EASY
    page.locator(".about >> text=1 refused").wait_for()
    page.keyboard.press("4")
    assert values(page)[2] == "4"


def test_a_clash_is_red_and_told(open_page):
    """A value that its row has already is red, and the reason is told."""
    page = open_page(EASY)
    page.evaluate("app.selection.only(2)")
    page.keyboard.press("5")
    assert page.locator(".content .wrong").count() == 1
    until(page, "document.getElementById('live').textContent.includes('clashes with row 1')")


def test_a_refused_value_says_why(open_page):
    """With the setting on, a value that clashes is not entered."""
    page = open_page(EASY)
    page.wait_for_selector(".hints")
    page.evaluate("app.setSetting('validOnly', true); app.selection.only(2)")
    page.keyboard.press("5")
    assert values(page) == EASY
    assert page.locator(".toast").inner_text() == "5 is in row 1 already."


def test_a_game_survives_a_reload(open_page):
    """What was entered is there after a reload, and can be undone."""
    page = open_page(EASY)
    page.evaluate("app.selection.only(2)")
    page.keyboard.press("4")
    until(page, SAVED)
    page.reload()
    page.wait_for_selector("html[data-ready]")
    assert values(page)[2] == "4"
    page.keyboard.press("Control+z")
    assert values(page) == EASY


def test_the_shelf_offers_what_was_begun(open_page):
    """A game that was begun is on the shelf, and Back leads to it as it was left."""
    page = open_page(EASY)
    page.evaluate("app.selection.only(2)")
    page.keyboard.press("4")
    until(page, SAVED)
    page.click(".brand")
    page.wait_for_selector(".tile:has-text('Sudoku, 9')")
    assert not page.locator("#board").is_visible()
    page.go_back()
    page.wait_for_selector("#board")
    until(page, "document.body.dataset.view === 'board'")
    assert values(page)[2] == "4"


def test_three_hundred_actions_are_undone(open_page):
    """Whatever was done, undoing it all leads back to the start, and doing it again to the same end."""
    page = open_page(EASY)
    before, after, end = page.evaluate(
        """() => {
            let seed = 7;
            const random = (most) => (seed = (seed * 48271) % 2147483647) % most;
            const start = JSON.stringify(app.game.states);
            for (let step = 0; step < 300; step += 1) {
                app.selection.replace([random(81), random(81)]);
                app.setInputMode(["digit", "corner", "centre", "colour"][random(4)]);
                app.act(["enter", "enter", "enter", "clear", "fill-marks"][random(5)], 1 + random(9));
            }
            const last = JSON.stringify(app.game.states);
            while (app.game.history.canUndo) app.act("undo");
            const back = JSON.stringify(app.game.states) === start;
            while (app.game.history.canRedo) app.act("redo");
            return [back, JSON.stringify(app.game.states) === last, app.game.history.entries.length];
        }"""
    )
    assert before
    assert after
    assert end > 100


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_board_and_keypad_fit_the_screen(open_page, theme):
    """Nothing is wider than the screen, and the keypad is within reach without scrolling."""
    page = open_page(EASY, color_scheme=theme)
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        for selector in ("#board", ".pad"):
            box = page.locator(selector).bounding_box()
            assert box["y"] >= 0
            assert box["y"] + box["height"] <= height


def test_the_browser_prints_the_board_alone(open_page):
    """On paper there is neither bar nor panel, and the board fits."""
    page = open_page(EASY)
    page.wait_for_selector(".hints")
    page.emulate_media(media="print")
    for name in ("#toolbar", ".bar", "#right"):
        assert not page.locator(name).is_visible()
    last = page.locator("#cell80").bounding_box()
    assert last["y"] + last["height"] <= 900
    assert len(page.pdf()) > 1000
    assert page.pdf(landscape=True).count(b"/Type /Page\n") == 1


def test_low_windows_show_the_whole_board(open_page):
    """Where the window is lower than it is wide, the last cell lies within the stage all the same."""
    page = open_page(EASY, viewport={"width": 1100, "height": 650})
    for width, height in ((1100, 650), (844, 390), (1440, 500)):
        page.set_viewport_size({"width": width, "height": height})
        last, stage = page.locator("#cell80").bounding_box(), page.locator("#stage").bounding_box()
        assert last["y"] + last["height"] <= stage["y"] + stage["height"]
        assert last["x"] + last["width"] <= width


def test_a_larger_board_opens_after_a_smaller_one(open_page):
    """Nothing of the game before is asked for cells that it did not have."""
    page = open_page(EASY)
    page.evaluate("app.open('.'.repeat(256))")
    assert page.evaluate("app.game.size") == 256
    assert page.locator("#board [role=gridcell]").count() == 256


def test_play_goes_on_without_the_service(open_page):
    """Entries, undo and marks need no service."""
    page = open_page(EASY)
    page.evaluate("app.loadRest()")
    page.context.set_offline(True)
    page.evaluate("app.selection.only(2)")
    page.keyboard.press("4")
    page.keyboard.press("f")
    assert values(page)[2] == "4"
    assert page.evaluate("app.game.states[3].centre.length") > 0


def enter(page, *entries):
    """Enter values into cells, one after the other."""
    page.evaluate(
        "entries => entries.forEach(([cell, value]) => { app.selection.only(cell); app.act('enter', value); })", list(entries)
    )


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_broken_rule_is_outlined(open_page, theme):
    """A full cage with another sum, and a line out of order, get a red ring; it goes with what broke them."""
    page = open_page(json.dumps(ORDERED), color_scheme=theme)
    with page.expect_response("**/v1/validate"):
        enter(page, (0, 4), (1, 2))
    settle(page)
    assert page.locator("#layer-broken > *").count() == 0
    enter(page, (9, 5))
    page.wait_for_selector("#layer-broken filter", state="attached")
    until(page, "document.getElementById('live').textContent.startsWith('Broken: killer cage r1c1')")
    enter(page, (30, 5), (31, 4))
    until(page, "document.querySelectorAll('#layer-broken g circle').length === 1")
    page.keyboard.press("Control+z")
    until(page, "document.querySelectorAll('#layer-broken g circle').length === 0")
    page.evaluate("app.setSetting('showClashes', false)")
    until(page, "!app.board.layers.broken.childElementCount")


def test_previous_mode_is_counted_from_the_chosen_one(open_page):
    """Shift+Space goes back by one, whatever Shift itself shows while it is held."""
    page = open_page(EASY)
    for mode in ("colour", "centre", "corner", "digit"):
        page.keyboard.press("Shift+Space")
        assert page.evaluate("app.inputMode") == mode


def test_entries_are_told_with_their_cell(open_page):
    """The live region names the cell, and the history does so shortly; a mark taken along is no second cell."""
    page = open_page(EASY)
    page.wait_for_selector(".history")
    page.evaluate("app.act('fill-marks')")
    enter(page, (2, 4))
    until(page, "document.getElementById('live').textContent === '4 in row 1 column 3.'")
    page.click(".history summary")
    page.locator(".entry", has_text="4 in r1c3").wait_for()


def test_no_checkpoint_is_told(open_page):
    """A key for a checkpoint that is not there changes nothing, and says so."""
    page = open_page(EASY)
    page.wait_for_selector(".hints")
    enter(page, (2, 4))
    page.keyboard.press("[")
    assert page.locator(".toast").inner_text() == "There is no checkpoint before this."
    assert values(page)[2] == "4"


def test_a_paused_game_takes_nothing(open_page):
    """While the board is blurred no key enters or takes back anything, and it goes on with the same key."""
    page = open_page(EASY)
    enter(page, (2, 4))
    page.keyboard.press("p")
    page.wait_for_selector("#cover button")
    for key in ("9", "Delete", "Control+z"):
        page.keyboard.press(key)
    page.click(".key[data-value='7']")
    assert values(page)[2] == "4"
    page.keyboard.press("p")
    page.keyboard.press("Control+z")
    assert values(page) == EASY


def test_undo_goes_to_where_nothing_was_wrong(open_page):
    """A wrong value that was written over is no right position either; right values do not count as wrong."""
    page = open_page(EASY)
    page.wait_for_selector(".hints")
    enter(page, (2, 1), (3, 6), (2, 2))
    page.keyboard.press("h")
    page.get_by_role("button", name="Undo to where it was right").click()
    assert page.evaluate("app.game.history.at") == 0
    enter(page, (3, 6), (2, 2))
    page.keyboard.press("h")
    page.get_by_role("button", name="Undo to where it was right").click()
    assert values(page)[2:4] == ".6"
    page.keyboard.press("Enter")
    page.locator(".note", has_text="No value is wrong so far.").wait_for()


def test_the_end_is_told_and_walked_again(open_page):
    """The card says how hard the puzzle was, the live region that it is solved; the game itself is played back."""
    page = open_page(EASY)
    page.wait_for_selector(".hints")
    place = page.locator(".pad").bounding_box()
    enter(page, *((cell, int(SOLUTION[cell])) for cell, given in enumerate(EASY) if given == "."))
    until(page, "document.getElementById('live').textContent.startsWith('Solved in')")
    page.locator(".finished", has_text="51 moves, 0 hints, easy").wait_for()
    assert page.locator(".pad").bounding_box()["height"] == place["height"]
    page.get_by_role("button", name="Watch again").click()
    page.locator(".note", has_text="Move").wait_for()
    page.keyboard.press("Space")
    page.evaluate("app.act('walk-first')")
    assert page.locator("#board .content text").count() == 30
    page.evaluate("app.act('walk-last')")
    assert page.locator("#board .content text").count() == 81


REFUSALS = {
    "full": "IDBObjectStore.prototype.put = () => { throw new DOMException('full', 'QuotaExceededError'); }",
    "refused": "indexedDB.open = () => { throw new DOMException('refused', 'SecurityError'); }",
}
"""What a browser does that keeps no more, or nothing at all."""


@pytest.mark.parametrize("reason", REFUSALS)
def test_a_game_that_cannot_be_kept_is_told_once(open_page, reason):
    """Play goes on; a sentence says that the browser keeps no game, and is not said again for the next entry."""
    page = open_page()
    page.add_init_script(REFUSALS[reason])
    page.reload()
    page.wait_for_selector("html[data-ready]")
    page.evaluate("puzzle => app.open(puzzle)", EASY)
    page.wait_for_selector(".hints")
    page.evaluate(
        "const toast = app.toast; app.told = []; app.toast = (...said) => (app.told.push(said[0]), toast.apply(app, said)); 0"
    )
    enter(page, (2, 4))
    page.locator(".toast.bad", has_text="The browser has no room for more saved games; save this one as a file.").wait_for()
    page.evaluate("document.querySelector('.toast').remove()")
    enter(page, (3, 6))
    page.evaluate("new Promise((done) => setTimeout(done, 700))")  # nothing is said where nothing should be
    assert page.evaluate("app.told") == ["The browser has no room for more saved games; save this one as a file."]
    assert values(page)[2:4] == "46"


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_the_keypad_of_a_small_board(open_page, width, height):
    """The four values of a 4x4 stand in one line, each with its sign and how many are left, and are large enough for a finger."""
    page = open_page("1...............", viewport={"width": width, "height": height})
    keys = page.locator(".pad .key[data-value]")
    assert keys.all_inner_texts() == [f"{value}\n{left}" for value, left in ((1, 3), (2, 4), (3, 4), (4, 4))]
    # All in one breath: the page may still move while its last files come.
    boxes = keys.evaluate_all("(keys) => keys.map((key) => key.getBoundingClientRect().toJSON())")
    assert len({box["y"] for box in boxes}) == 1
    assert all(box["width"] >= 44 and box["height"] >= 44 for box in boxes)
    assert all(one["x"] + one["width"] <= other["x"] for one, other in itertools.pairwise(boxes))
    page.evaluate("app.selection.only(1)")
    keys.nth(2).click()
    assert page.evaluate("app.game.value(1)") == 3


@pytest.mark.parametrize(
    ("width", "height"), [(800, 1100), pytest.param(820, 1180, marks=pytest.mark.slow), (1024, 768), (1100, 800)]
)
def test_a_tablet_shows_title_author_and_a_large_board(open_page, width, height):
    """Between phone and desktop the bar has title and author, one above the other, and the board what room there is."""
    page = open_page(
        json.dumps({**ORDERED, "title": "Two ways in", "author": "A. Setter"}), viewport={"width": width, "height": height}
    )
    tools = page.locator("#toolbar button:visible").first.bounding_box()
    for name in ("#title", "#author"):
        box = page.locator(name).bounding_box()
        assert page.locator(name).evaluate("(one) => one.scrollWidth <= one.clientWidth")
        assert box["x"] + box["width"] <= tools["x"]
    board = page.locator("#cell80").bounding_box()
    least = 0.8 * min(width, height - 440) if height > width else height - 150
    assert board["width"] * 9 >= least


def test_a_new_puzzle_is_a_press_away_and_so_is_the_next_like_it(open_page):
    """Each grade asks for a puzzle of its own; when it is solved the next of that grade is offered."""
    page = open_page()
    asked = []
    made = {"count": 1, "wanted": 1, "seed": 1, "tries": 1, "seconds": 0.0}

    def answer(route):
        asked.append(route.request.post_data_json)
        puzzle = "." * len(asked) + SOLUTION[len(asked) :]
        route.fulfill(json=made | {"puzzles": [{"puzzle": puzzle}]})

    page.route("**/v1/generate", answer)
    page.click('.new .grade:text-is("Expert")')
    page.wait_for_selector(".hints")
    assert page.locator("#title").inner_text() == "An expert puzzle"
    page.evaluate("app.selection.replace([0])")
    page.keyboard.press(SOLUTION[0])
    next_one = page.get_by_role("button", name="Next like this")
    next_one.wait_for()
    page.get_by_role("tab", name="Replay").click()
    page.wait_for_selector("body[data-mode=replay]")
    page.get_by_role("tab", name="Play", exact=True).click()
    next_one.click()
    page.wait_for_function("() => app.game.status !== 'solved'")
    assert [one["difficulty"] for one in asked] == ["expert"] * 2
    assert asked[0]["seed"] != asked[1]["seed"]


def test_rules_come_before_hints(open_page):
    """Rules of a variant stand above the keys on a desk and below them on a phone, before the hints; the bar has the title."""
    for width, height in ((1440, 900), (390, 844)):
        page = open_page(json.dumps({**CAGE, "title": "Two cages"}), viewport={"width": width, "height": height})
        page.wait_for_selector(".hints")
        tops = [page.locator(one).bounding_box()["y"] for one in (".rules", ".hints")]
        assert tops == sorted(tops)
        assert page.locator("h1", has_text="Two cages").bounding_box()["y"] < page.locator("#board").bounding_box()["y"]


def test_a_hint_lies_over_the_keys_of_a_phone(open_page):
    """On a phone a hint is a sheet below the board, which stays in sight; only levels that can be asked for show."""
    page = open_page(EASY, viewport={"width": 390, "height": 844})
    page.wait_for_selector(".hints .step")
    assert page.locator(".hints .step:visible").count() == 1
    page.locator(".hints .step").first.click()
    page.wait_for_selector(".hints.sheet")
    sheet, board = page.locator(".hints").bounding_box(), page.locator("#board").bounding_box()
    assert board["y"] >= 0
    assert board["y"] + board["height"] <= sheet["y"] + 1
    assert sheet["y"] + sheet["height"] <= 845
    assert page.locator(".hints .step:visible").count() == 2
    page.locator(".hints").get_by_role("button", name="Close").click()
    assert page.locator(".hints.sheet").count() == 0
