"""Larger boards: two fingers enlarge and move them, small cells open enlarged, the loupe shows marks that are too small."""

from __future__ import annotations

import pytest

from tests.page.browser.test_play import EASY, middle_of, until

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
WIDE = '{"grid": {"rows": 36, "columns": 36, "boxes": [6, 6]}}'


@pytest.fixture
def open_phone(open_page):
    """A function that opens the page on a phone, with the code that listens to fingers."""

    def open_phone(puzzle, mode="play"):
        page = open_page(puzzle, mode=mode, **PHONE)
        page.evaluate("app.actions.get('zoom-in')()")  # waits until that is loaded
        page.evaluate("app.act('zoom-out')")
        return page

    return open_phone


def toucher(page):
    """A function that puts fingers down, moves them or lifts them; those named are down after it."""
    session = page.context.new_cdp_session(page)

    def touch(kind, *fingers):
        points = [{"x": x, "y": y, "id": number} for number, (x, y) in enumerate(fingers)]
        session.send("Input.dispatchTouchEvent", {"type": f"touch{kind}", "touchPoints": points})

    return touch


def pinch(page, cell):
    """Part two fingers around a cell, so that the board grows; return where both have moved it to."""
    x, y = middle_of(page, cell)
    touch = toucher(page)
    touch("Start", (x - 20, y))
    touch("Start", (x - 20, y), (x + 20, y))
    for reach in (30, 45, 60):
        touch("Move", (x - reach, y), (x + reach, y))
    touch("Move", (x - 90, y), (x + 30, y))
    touch("End")
    return x - 30, y


def test_two_fingers_enlarge_and_move_the_board(open_phone):
    """What lay between the fingers stays there; the board is three times as large, and no cell is selected by either."""
    page = open_phone(EASY)
    whole = page.evaluate("app.board.unit")
    page.evaluate("app.selection.none()")
    x, y = pinch(page, 40)
    assert page.evaluate("app.board.unit") == pytest.approx(3 * whole, rel=0.02)
    assert middle_of(page, 40) == pytest.approx((x, y), abs=3)
    assert page.evaluate("[app.game.history.entries.length, app.selection.cells.size]") == [1, 0]
    page.evaluate("app.act('zoom-fit')")
    assert page.evaluate("app.board.unit") == whole


@pytest.mark.slow
def test_two_fingers_draw_nothing(open_phone):
    """In design a second finger calls off what the first one began."""
    page = open_phone('{"grid": {"rows": 9, "columns": 9, "boxes": [3, 3]}}', "design")
    until(page, "Boolean(app.tools && app.designer)")
    page.evaluate("app.designer.take(app.tools.find(({ gesture }) => gesture === 'cage'))")
    before = page.evaluate("app.designer.rules.length")
    pinch(page, 40)
    assert page.evaluate("app.designer.rules.length") == before
    assert page.evaluate("app.board.layers.ghost.childElementCount") == 0


def test_small_cells_open_enlarged(open_phone):
    """On a phone the cells of 16x16 are as large as a finger needs, and the cursor stays in sight."""
    page = open_phone("." * 256)
    until(page, "Math.round(app.board.unit) >= 34")
    page.evaluate("app.selection.replace([255])")
    until(page, "app.board.box[0] > 0")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


@pytest.mark.slow
def test_the_loupe_shows_what_is_too_small(open_page):
    """At 36x36 no mark is in the cells; the loupe follows the cursor, draws them, and is not there for a classic."""
    page = open_page(WIDE)
    page.evaluate("app.selection.replace([37]); app.act('fill-marks')")
    until(page, "document.querySelector('.loupe')?.hidden === false")
    drawn = "(({ width, height }, paper) => paper.getImageData(0, 0, width, height).data.some(Boolean))"
    canvas = "document.querySelector('.loupe canvas')"
    until(page, f"{drawn}({canvas}, {canvas}.getContext('2d'))")
    assert page.evaluate("app.board.canvas.width") == 0
    assert page.get_attribute(".glass svg", "viewBox") == "0 0 300 300"
    page.keyboard.press("ArrowRight")
    until(page, "document.querySelector('.glass svg').getAttribute('viewBox') === '100 0 300 300'")
    page.evaluate("puzzle => app.open(puzzle)", EASY)
    page.evaluate("app.selection.replace([2])")
    until(page, "document.querySelector('.loupe').hidden")


def test_space_and_a_drag_move_the_board(open_page):
    """While Space is held, a drag moves an enlarged board and selects nothing; Space alone still turns the mode."""
    page = open_page("." * 256)
    page.evaluate("app.act('zoom-fit'); app.selection.none()")
    page.keyboard.press("Space")
    assert page.evaluate("app.inputMode") == "corner"
    page.evaluate("app.act('zoom-in'); app.act('zoom-in')")
    x, y = middle_of(page, 120)
    page.mouse.move(x, y)
    page.keyboard.down("Space")
    page.mouse.down()
    page.mouse.move(x - 60, y - 30, steps=4)
    page.mouse.up()
    page.keyboard.up("Space")
    assert middle_of(page, 120) == pytest.approx((x - 60, y - 30), abs=2)
    assert page.evaluate("[app.selection.cells.size, app.inputMode]") == [0, "corner"]
    page.keyboard.press("Space")
    assert page.evaluate("app.inputMode") == "centre"
