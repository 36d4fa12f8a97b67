"""The table of keys: what it says holds."""

from __future__ import annotations

EASY = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"


def test_every_key_of_play_has_an_action(open_page):
    """No row of the table is a promise that nobody keeps."""
    page = open_page(EASY)
    rows = page.evaluate("import('/static/keys.js').then(({ KEYS }) => KEYS.map(({ action, mode }) => [action, mode]))")
    known = set(page.evaluate("[...app.actions.keys()]"))
    assert {action for action, mode in rows if mode in {"any", "play", "board"}} - known == set()


def test_every_button_of_the_bar_has_an_action(open_page):
    """No button is there that does nothing, and the folder leads to the shelf too."""
    page = open_page(EASY)
    shown = page.evaluate("[...document.querySelectorAll('#toolbar [data-act]')].map((one) => one.dataset.act)")
    assert set(shown) - set(page.evaluate("[...app.actions.keys()]")) == set()
    page.click("#toolbar [data-act=open]")
    page.get_by_role("button", name="To the shelf").click()
    page.wait_for_selector("body[data-view=shelf]")


def test_a_setting_is_chosen_with_the_mouse(open_page):
    """A tick in the dialog of settings changes, and the setting with it."""
    page = open_page(EASY)
    page.click("#toolbar [data-act=settings]")
    tick = page.get_by_label("Refuse values that clash")
    tick.check()
    assert page.evaluate("[app.settings.validOnly, app.game.settings.validOnly]") == [True, True]
    tick.uncheck()
    assert page.evaluate("app.settings.validOnly") is False


def test_the_help_page_shows_the_table(open_page):
    """What the help page lists is the table, row by row."""
    page = open_page(EASY)
    shown = "KEYS.filter((row) => row.shown !== null).map((row) => row.does)"
    rows = page.evaluate(f"import('/static/keys.js').then(({{ KEYS }}) => {shown})")
    page.keyboard.press("?")
    page.wait_for_selector("dialog[open]")
    assert sorted(page.locator("dialog dt").all_inner_texts()) == sorted(rows)
    assert page.evaluate("document.querySelector('dialog').scrollTop") == 0


def test_letters_of_the_alphabet_are_values(open_page):
    """Where C is a value, the key C enters it, and Alt+C is the command."""
    page = open_page("." * 256)
    page.evaluate("app.selection.only(0)")
    page.keyboard.press("c")
    assert page.evaluate("app.sign(app.game.value(0))") == "C"
    page.keyboard.press("Alt+c")
    assert page.evaluate("app.inputMode") == "centre"


def test_commands_of_the_keyboard(open_page):
    """Modes turn, the selection is extended and inverted, the board grows and fits again."""
    page = open_page(EASY)
    page.keyboard.press("Space")
    assert page.evaluate("app.inputMode") == "corner"
    page.keyboard.press("Shift+Space")
    assert page.evaluate("app.inputMode") == "digit"
    page.keyboard.press("Control+a")
    assert page.evaluate("app.selection.cells.size") == 81
    page.keyboard.press("Control+i")
    assert page.evaluate("app.selection.cells.size") == 0
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Shift+ArrowLeft")
    assert page.evaluate("app.selection.cells.size") == 2
    whole = page.evaluate("app.board.unit")
    page.keyboard.press("+")
    assert page.evaluate("app.board.unit") > whole
    page.keyboard.press("0")
    assert page.evaluate("app.board.unit") == whole
