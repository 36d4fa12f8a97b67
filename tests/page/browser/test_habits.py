"""Habits of those who come from SudokuPad and f-puzzles: keys that are held, presses, marks and colours as they know them."""

from __future__ import annotations

import pytest

from tests.page.browser.gestures import at
from tests.page.browser.test_play import EASY, SOLUTION, middle_of, until


def change(page, mode, value, *cells):
    """Enter a value in a mode into cells, as keys do, and have it shown."""
    page.evaluate(f"app.act('changed', app.game.enter('{mode}', {value}, {list(cells)}).changed)")


def pressed_twice(page, cell, *modifiers):
    """Press a cell twice, while keys are held."""
    for key in modifiers:
        page.keyboard.down(key)
    page.mouse.dblclick(*middle_of(page, cell))
    for key in modifiers:
        page.keyboard.up(key)


def test_alt_writes_colours_while_it_is_held(open_page):
    """Alt is the third key that is held, as in SudokuPad; the mode that was chosen comes back when it goes up."""
    page = open_page(EASY)
    page.evaluate("app.selection.only(2)")
    page.keyboard.down("Alt")
    assert page.evaluate("app.inputMode") == "colour"
    page.keyboard.press("4")
    page.keyboard.up("Alt")
    assert page.evaluate("[app.inputMode, app.game.states[2].colours, app.game.value(2)]") == ["digit", [4], None]


@pytest.mark.parametrize("modifiers", [(), ("Control",), ("Shift",)], ids=["alone", "ctrl", "shift"])
def test_a_double_click_selects_all_the_same(open_page, modifiers):
    """A double click selects the cells with the same value; with Ctrl or Shift it adds them to those selected before."""
    page = open_page(EASY)
    page.wait_for_selector(".hints")
    fives = [cell for cell, sign in enumerate(EASY) if sign == "5"]
    eights = [cell for cell, sign in enumerate(EASY) if sign == "8"]
    pressed_twice(page, fives[0])
    until(page, f"app.selection.cells.size === {len(fives)}")
    pressed_twice(page, eights[0], *modifiers)
    until(page, f"app.selection.has({eights[-1]})")
    assert set(page.evaluate("app.selection.list()")) == {*eights, *(fives if modifiers else ())}


def test_a_quick_drag_skips_no_cell(open_page):
    """A pointer that jumps from one end of a row to the other has selected all of it, as on slow screens it must."""
    page = open_page(EASY)
    page.mouse.move(*middle_of(page, 36))
    page.mouse.down()
    page.mouse.move(*middle_of(page, 44))
    page.mouse.up()
    assert page.evaluate("app.selection.list()") == list(range(36, 45))


def test_a_restart_asks_nothing_and_can_be_undone(open_page):
    """Values, marks and colours go and the clock starts anew; one press of undo brings all of it back."""
    page = open_page(EASY)
    page.wait_for_selector(".hints")
    change(page, "digit", 4, 2)
    change(page, "centre", 1, 3, 5)
    change(page, "colour", 2, 0)
    before = page.evaluate("JSON.stringify(app.game.states)")
    page.evaluate("app.timer.turn(60000)")
    page.click("#toolbar [data-act=restart]")
    assert page.locator("dialog[open]").count() == 0
    assert page.evaluate("new Set(app.game.states.map((state) => JSON.stringify(state))).size") == 1
    assert page.evaluate("app.timer.milliseconds < 30000")
    page.keyboard.press("Control+z")
    assert page.evaluate("JSON.stringify(app.game.states)") == before
    until(page, "app.timer.milliseconds >= 60000")
    page.keyboard.press("Control+y")
    until(page, "app.timer.milliseconds < 30000")


def test_a_clash_leaves_colours_as_they_are(open_page):
    """Where a coloured cell clashes it is outlined, and its colour stays in sight; others are washed as ever."""
    page = open_page(EASY)
    change(page, "colour", 3, 6)
    change(page, "digit", 5, 6)
    ring = page.locator("#board .clash.ring")
    assert ring.evaluate("(path) => [getComputedStyle(path).fill, path.getBBox().x > 600]") == ["none", True]
    assert page.locator("#board .clash:not(.ring)").evaluate("(path) => path.getBBox().x") == 0


def test_marks_stand_at_fixed_places_by_a_setting(open_page):
    """By a setting a 9 stands where a 9 stands in every cell, corner mark or centre mark, from the first press on."""
    page = open_page(EASY)
    change(page, "centre", 9, 2)
    change(page, "corner", 9, 3)
    assert page.locator("#board .content .mark").count() == 2
    page.click("#toolbar [data-act=settings]")
    page.get_by_label("A fixed place for each mark").check()
    until(page, "app.board.dense?.used && app.board.canvas.width > 0")
    assert page.locator("#board .content .mark").count() == 0
    inked = """([cell, x, y]) => {
        const { dense, places } = app.board, [row, column] = places[cell], side = dense.side;
        const at = [dense.left + side * (column + x) - side / 6, dense.top + side * (row + y) - side / 6, side / 3, side / 3];
        return dense.paper.getImageData(...at.map(Math.round)).data.some((part) => part > 0);
    }"""
    for cell in (2, 3):
        assert page.evaluate(inked, [cell, 0.78, 0.78])
        assert not page.evaluate(inked, [cell, 0.5, 0.3])
    page.get_by_label("A fixed place for each mark").uncheck()
    assert page.locator("#board .content .mark").count() == 2
    assert not page.evaluate(inked, [2, 0.78, 0.78])


# --- the pen ----------------------------------------------------------------------------------------------------------


def stroke(page, *places):
    """Press at the first place, go over the others and let go."""
    page.mouse.move(*at(page, *places[0]))
    page.mouse.down()
    for place in places[1:]:
        page.mouse.move(*at(page, *place), steps=4)
    page.mouse.up()


def inked(page):
    """Return the marks of the pen with their colours."""
    return dict(page.evaluate("[...app.game.pen]"))


@pytest.fixture
def pen_page(open_page):
    """A page with the pen in hand, chosen by its key."""
    page = open_page(EASY)
    page.wait_for_selector(".hints")
    page.keyboard.press("b")
    return page


def test_a_restart_clears_what_the_pen_drew_alone(pen_page):
    """Lines are a game too: a board with nothing but lines is clean after a restart, and undo brings them back."""
    stroke(pen_page, (0.5, 2.5), (0.5, 3.5))
    pen_page.click("#toolbar [data-act=restart]")
    assert inked(pen_page) == {}
    assert pen_page.locator(".toast").count() == 0
    pen_page.keyboard.press("Control+z")
    assert inked(pen_page) == {"line 1,5 1,7": 6}


def test_the_pen_draws_through_cells_and_erases_what_is_drawn_again(pen_page):
    """A drag from the middle of a cell is a line from cell to cell; the same drag again erases it; undo takes back either."""
    path = [(0.5, 2.5), (0.5, 4.5), (1.5, 5.5)]
    line = {"line 1,5 1,7": 6, "line 1,7 1,9": 6, "line 1,9 3,11": 6}
    stroke(pen_page, *path)
    assert inked(pen_page) == line
    assert pen_page.evaluate("app.selection.cells.size") == 0
    stroke(pen_page, *path[1:])
    assert inked(pen_page) == {"line 1,5 1,7": 6, "line 1,7 1,9": 6}
    pen_page.keyboard.press("Control+z")
    assert inked(pen_page) == line
    pen_page.keyboard.press("Control+z")
    assert inked(pen_page) == {}
    assert pen_page.locator("#board .pen .ink").count() == 0


def test_the_pen_draws_along_edges_in_the_colour_that_is_chosen(pen_page):
    """A drag from an edge follows the edges; a digit, or a key of the keypad, is a colour."""
    pen_page.keyboard.press("2")
    stroke(pen_page, (3.02, 1), (3.02, 3), (4.9, 3.02))
    assert inked(pen_page) == {"line 6,2 6,4": 2, "line 6,4 6,6": 2, "line 6,6 8,6": 2, "line 8,6 10,6": 2}
    pen_page.click(".key[data-value='4']")
    stroke(pen_page, (3.02, 1), (3.02, 2.1))
    assert inked(pen_page)["line 6,2 6,4"] == 4
    assert pen_page.locator("#board .pen .ink").count() == 2


@pytest.mark.parametrize(("place", "point"), [((4.5, 4.5), "9,9"), ((4.5, 5.02), "9,10")], ids=["cell", "edge"])
def test_presses_bring_a_cross_a_circle_and_nothing(pen_page, place, point):
    """A press on a cell or an edge goes round: a cross, a circle, nothing."""
    for wanted in ({f"cross {point}": 6}, {f"circle {point}": 6}, {}):
        stroke(pen_page, place)
        assert inked(pen_page) == wanted


def test_the_pen_by_keyboard(pen_page):
    """Shift + arrow draws to the next cell, Ctrl + arrow along an edge, Enter a cross; Delete erases what touches the cell."""
    pen_page.evaluate("app.selection.only(37)")
    for key in ("Shift+ArrowRight", "Control+ArrowDown", "Enter"):
        pen_page.keyboard.press(key)
    assert inked(pen_page) == {"line 9,3 9,5": 6, "line 10,4 10,6": 6, "cross 9,5": 6}
    assert pen_page.evaluate("app.selection.list()") == [38]
    pen_page.keyboard.press("Delete")
    assert inked(pen_page) == {}
    pen_page.keyboard.press("Control+z")
    assert len(inked(pen_page)) == 3
    pen_page.keyboard.press("Shift+4")
    assert pen_page.evaluate("app.game.states[38].corner") == [4]


def test_letters_are_written_by_keys_and_by_presses(pen_page):
    """Shift + letter writes into the selected cells, the letter of the field where a press is; again takes it out."""
    pen_page.evaluate("app.selection.replace([2, 3])")
    pen_page.keyboard.press("Shift+A")
    assert inked(pen_page) == {"letter A 1,5": 6, "letter A 1,7": 6}
    pen_page.keyboard.press("Shift+H")
    assert inked(pen_page) == {"letter H 1,5": 6, "letter H 1,7": 6}
    pen_page.locator(".pen-letter input").fill("x")
    stroke(pen_page, (0.5, 2.5))
    stroke(pen_page, (0.5, 3.5))
    stroke(pen_page, (0.5, 3.5))
    assert inked(pen_page) == {"letter X 1,5": 6}
    assert pen_page.locator("#board .ink-letter").text_content() == "X"
    pen_page.evaluate("app.act('changed', app.game.enter('digit', 4, [2]).changed)")
    assert float(pen_page.locator("#board .ink-letter").get_attribute("font-size")) < 30
    assert pen_page.evaluate("app.game.value(2)") == 4
    pen_page.keyboard.press("z")
    assert pen_page.locator(".pen-letter").is_hidden()


def test_what_is_drawn_is_saved_with_the_game(pen_page):
    """A reload shows the lines again, and the file of the game holds them."""
    stroke(pen_page, (0.5, 2.5), (0.5, 3.5))
    until(pen_page, "import('/static/saved_games.js').then(({ readGames }) => readGames()).then((games) => games.length === 1)")
    pen_page.reload()
    pen_page.wait_for_selector("#board .pen .ink", state="attached")  # a level line has no height
    assert inked(pen_page) == {"line 1,5 1,7": 6}
    assert pen_page.evaluate("JSON.stringify(app.game)").count("line 1,5 1,7") == 1


def test_a_game_that_is_watched_again_is_drawn_again(pen_page):
    """Replay of the game shows what the pen drew, when it drew it."""
    stroke(pen_page, (0.5, 2.5), (0.5, 3.5))
    stroke(pen_page, (4.5, 4.5))
    pen_page.get_by_role("tab", name="Replay").click()
    pen_page.wait_for_selector("body[data-mode=replay] .walk")
    pen_page.evaluate("app.act('walk-as', 'game')")
    path = "document.querySelector('#board .pen .ink')?.getAttribute('d') ?? ''"
    for key, marks in (("Home", 0), ("ArrowRight", 1), ("ArrowRight", 2)):
        pen_page.keyboard.press(key)
        until(pen_page, f"({path}).split('M').length - 1 === {marks}")


def test_a_phone_restarts_from_its_sheet(open_page):
    """Where the bar has no room for it, Restart is in the sheet of all that is more."""
    page = open_page(EASY, viewport={"width": 390, "height": 844})
    page.wait_for_selector(".hints")
    change(page, "digit", 4, 2)
    page.click("#toolbar [data-act=more]")
    page.locator("dialog").get_by_role("button", name="Restart").click()
    until(page, "app.game.value(2) === null && !document.querySelector('dialog[open]')")


def test_a_finger_draws_too(open_page):
    """On a phone the pen draws where the finger goes."""
    page = open_page(EASY, viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    page.wait_for_selector(".hints")
    page.tap('[data-input="pen"]')
    page.touchscreen.tap(*middle_of(page, 40))
    assert inked(page) == {"cross 9,9": 6}


# --- the end of a game ------------------------------------------------------------------------------------------------

LAST = "." + SOLUTION[1:]
"""A puzzle with one cell to fill."""


def solve_last(page):
    """Enter the last value."""
    page.wait_for_selector(".hints")
    page.evaluate("app.selection.replace([0])")
    page.keyboard.press(SOLUTION[0])
    page.wait_for_selector(".finished")


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_a_finish_is_one_frame_that_goes(open_page, motion):
    """One calm frame around the board, once; it stands still where motion is not wanted, and comes no second time."""
    page = open_page(LAST, reduced_motion=motion)
    solve_last(page)
    frame = page.locator("#board .won-frame")
    assert frame.count() == 1
    assert frame.evaluate("(path) => getComputedStyle(path).animationName") == ("won" if motion == "no-preference" else "none")
    until(page, "!document.querySelector('#board .won-frame')")
    page.get_by_role("tab", name="Replay").click()
    page.wait_for_selector("body[data-mode=replay]")
    page.get_by_role("tab", name="Play", exact=True).click()
    page.wait_for_selector(".finished")
    assert frame.count() == 0


def test_best_times_and_days_in_a_row_are_kept_and_shown(open_page):
    """A puzzle of the day that is solved counts for its day and its grade; the card and the shelf say so."""
    page = open_page()
    made = {"puzzles": [{"puzzle": LAST}], "count": 1, "wanted": 1, "seed": 1, "tries": 1, "seconds": 0.0}
    page.route("**/v1/generate", lambda route: route.fulfill(json=made))
    yesterday = page.evaluate("import('/static/records.js').then(({ dayName }) => dayName(new Date(), -1))")
    before = f"{{ best: {{ easy: 90000 }}, days: ['{yesterday}'] }}"
    page.evaluate(f"localStorage.setItem('sudoku_cp records', JSON.stringify({before}))")
    page.click('.today .grade:text-is("Easy")')
    page.wait_for_selector("body[data-view=board]")
    solve_last(page)
    assert page.locator(".achieved").inner_text() == "Your best time at easy puzzles so far. 2 days in a row."
    page.click(".brand")
    page.locator(".today", has_text="You have solved one on 2 days in a row.").wait_for()
    assert page.locator(".grade small").first.inner_text() == "best 00:00"
    page.unroute("**/v1/generate")
    other = SOLUTION[:1] + "." + SOLUTION[2:]
    page.route("**/v1/generate", lambda route: route.fulfill(json=made | {"puzzles": [{"puzzle": other}]}))
    page.click('.new .grade:has-text("Easy")')
    page.wait_for_selector("body[data-view=board] .hints")
    page.evaluate("app.timer.turn(600000); app.selection.replace([1])")
    page.keyboard.press(SOLUTION[1])
    assert page.locator(".achieved").inner_text() == "Your best at easy puzzles: 00:00."
