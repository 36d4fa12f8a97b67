"""The table of keys: what it says holds."""

from __future__ import annotations

import pytest

from tests.page.browser.test_play import until

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


LEFT = {
    "a closed dialog": "const field = put('button', dialog); dialog.showModal(); field.focus(); dialog.close();",
    "a closed dialog's field": "const field = put('textarea', dialog); dialog.showModal(); field.focus(); dialog.close();",
    "a hidden field": "const field = put('input'); field.focus(); field.hidden = true;",
    "a hidden panel": "const field = put('input'); field.focus(); field.parentElement.style.visibility = 'hidden';",
    "a disabled field": "const field = put('input'); field.focus(); field.disabled = true;",
    "an inert panel": "const field = put('input'); field.focus(); field.parentElement.inert = true;",
    "closed details": (
        "const around = make('details', document.getElementById('right')); const field = put('input', around);"
        "around.open = true; field.focus(); around.open = false;"
    ),
    "a closed popover": (
        "const field = put('input'); field.parentElement.popover = 'manual'; field.parentElement.showPopover(); field.focus();"
        "field.parentElement.hidePopover();"
    ),
}
"""How the focus comes to stand in what nobody can use, until the browser paints."""
# What the Enter key does is watched from the same moment on: what the page loads later may register its own.
PRESS = """
{
  app.seen = null;
  app.register({ check: () => (app.seen = "check") });
  const dialog = document.getElementById("dialog");
  const make = (name, around) => around.appendChild(document.createElement(name));
  const put = (name, around = make("div", document.getElementById("right"))) => make(name, around);
  const press = (target, key) => {
    const code = key.length === 1 ? `Digit${key}` : key;
    target.dispatchEvent(new KeyboardEvent("keydown", { key, code, bubbles: true, cancelable: true }));
  };
  %s
}
"""


@pytest.mark.parametrize("way", LEFT.values(), ids=LEFT)
def test_keys_mean_what_they_do_when_the_focus_is_left_in_what_is_hidden(open_page, way):
    """Until a browser paints, what has just been hidden keeps the focus: the next key is not lost on it, nor on its kind."""
    page = open_page(EASY)
    page.evaluate("app.selection.only(2)")
    page.evaluate(PRESS % f"{way} press(field, '4'); press(field, 'Enter');")
    assert page.evaluate("[app.game.value(2), app.seen]") == [4, "check"]


@pytest.mark.parametrize("field", ["input", "button"])
def test_keys_stay_with_what_has_the_focus(open_page, field):
    """A field that is shown takes what is typed, and a button its own Enter; the board does not."""
    page = open_page(EASY)
    page.evaluate("app.selection.only(2)")
    page.evaluate(PRESS % f"const field = put('{field}'); field.focus(); press(field, 'Enter');")
    assert page.evaluate("app.seen") is None


def test_a_board_behind_a_dialog_takes_no_keys(open_page):
    """Whoever clicks between the fields of a dialog, which takes the focus from them, still types into nothing behind it."""
    page = open_page(EASY)
    page.evaluate("app.selection.only(2)")
    page.click("#toolbar [data-act=settings]")
    page.wait_for_selector("dialog[open]")
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("4")
    assert page.evaluate("[document.activeElement.tagName, app.game.value(2)]") == ["BODY", None]
    page.keyboard.press("Escape")
    until(page, "!document.querySelector('dialog[open]')")
    page.keyboard.press("4")
    assert page.evaluate("app.game.value(2)") == 4


def test_a_pause_takes_the_focus_from_the_board_and_gives_it_back(open_page):
    """While the board is covered, the button that goes on has the focus; then it is hidden, and the board has it."""
    page = open_page(EASY)
    page.focus("#board")
    page.keyboard.press("p")
    assert page.evaluate("document.activeElement.textContent") == "Resume"
    page.keyboard.press("Enter")
    assert page.evaluate("[document.activeElement.id, app.paused]") == ["board", False]


def test_space_that_is_held_when_the_window_is_left_moves_nothing_after(open_page):
    """The key that goes up elsewhere is heard by no page: a drag after that selects, as ever."""
    page = open_page(EASY)
    page.evaluate("app.act('zoom-in'); app.act('zoom-in')")
    page.keyboard.down("Space")
    until(page, "document.getElementById('board').classList.contains('grabbed')")
    page.evaluate("dispatchEvent(new FocusEvent('blur'))")
    assert page.evaluate("document.getElementById('board').classList.contains('grabbed')") is False
    page.keyboard.up("Space")
