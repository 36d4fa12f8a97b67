"""The dialogs: opening in any way, sharing and printing."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path

import pytest

from sudoku_cp.play import parse_saved_game, position_of
from sudoku_cp.puzzle import from_json

EASY = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
SMALL = "12..3412..434.21"
OTHER = "1...............".replace("1", "4")
KILLER = {
    "grid": {"rows": 4, "columns": 4, "boxes": [2, 2]},
    "title": "Two cages",
    "rules": [{"kind": "houses"}, {"kind": "killer-cage", "cells": ["r1c1", "r1c2"], "total": 3}],
    "givens": {"r3c3": 4},
}
SHOTS = os.environ.get("SHOTS")


def until(page, expression):
    """Wait until an expression is true; the page's policy forbids what playwright's own waiting does."""
    for _ in range(400):
        if page.evaluate(expression):
            return
        page.wait_for_timeout(25)
    pytest.fail(f"this never became true: {expression}")


def givens(page):
    """The givens of the open puzzle by cell."""
    return page.evaluate("app.puzzle?.json.givens ?? null")


def drop(page, text):
    """Drop a file with this text on the page."""
    page.evaluate(
        """text => {
            const data = new DataTransfer();
            data.items.add(new File([text], "dropped.txt"));
            dispatchEvent(new DragEvent("drop", { dataTransfer: data, cancelable: true }));
        }""",
        text,
    )


def test_one_of_several_puzzles_is_chosen(page):
    """A dropped file with two puzzles lists them; the one that is chosen is opened."""
    drop(page, f"{SMALL}\n{OTHER}\n")
    page.locator("#dialog .tile").nth(1).click()
    until(page, "app.puzzle !== null")
    assert givens(page) == {"r1c1": 4}
    page.locator("#dialog").wait_for(state="hidden")


@pytest.mark.parametrize("format_", ["fpuzzles", "sudokupad", "own"])
def test_links_are_read_again(open_page, format_):
    """What the share dialog gives as a link opens as the same givens and rules when it is pasted."""
    page = open_page(json.dumps(KILLER))
    page.click("[data-act=share]")
    field = page.locator(f".link[data-format={format_}] input")
    field.wait_for()
    until(page, f"document.querySelector('.link[data-format={format_}] input').value !== ''")
    link = field.input_value()
    page.get_by_role("button", name="Close").click()
    page.evaluate("app.open('1...............')")
    until(page, "Object.keys(app.puzzle.json.givens).join() === 'r1c1'")
    page.click("[data-act=open]")
    page.fill("#dialog textarea", link)
    page.locator("#dialog").get_by_role("button", name="Open", exact=True).click()
    until(page, "Object.keys(app.puzzle.json.givens).join() === 'r3c3'")
    assert page.evaluate("app.puzzle.json.rules.at(-1)") == KILLER["rules"][-1]


def test_a_file_is_chosen_and_saved_again(page, tmp_path):
    """A chosen file is opened; what is saved as our JSON is the same puzzle."""
    path = tmp_path / "puzzle.json"
    path.write_text(json.dumps(KILLER), encoding="utf-8")
    page.evaluate("app.act('open')")
    page.set_input_files("#dialog input[type=file]", str(path))
    until(page, "app.puzzle !== null")
    page.click("[data-act=share]")
    with page.expect_download() as saved:
        page.get_by_role("button", name="sudoku-cp JSON").click()
    assert saved.value.suggested_filename == "Two-cages.json"
    assert json.loads(Path(saved.value.path()).read_text(encoding="utf-8"))["rules"] == KILLER["rules"]


def test_a_saved_file_keeps_the_game(open_page, tmp_path):
    """What was entered, and undone, is in the file, and is there again when the file is opened elsewhere."""
    page = open_page(SMALL)
    page.evaluate("app.selection.only(2); app.act('enter', 3); app.act('enter', 4); app.act('undo')")
    page.click("[data-act=share]")
    with page.expect_download() as saved:
        page.get_by_role("button", name="sudoku-cp JSON").click()
    path = tmp_path / "game.json"
    saved.value.save_as(path)
    document = json.loads(path.read_text(encoding="utf-8"))
    puzzle = from_json(document)
    assert position_of(parse_saved_game(document["play"], puzzle)).values[2] == 3
    other = open_page()
    other.evaluate("text => app.act('open', text)", path.read_text(encoding="utf-8"))
    until(other, "app.game?.value(2) === 3 && app.canRedo")
    assert other.evaluate("app.puzzle.json.play") is None


def test_a_code_of_the_link_is_shown(open_page):
    """The share dialog has a QR code of the link to this page."""
    page = open_page(SMALL)
    with page.expect_request("**/v1/picture") as asked:
        page.click("[data-act=share]")
    page.locator(".qr path").wait_for()
    assert asked.value.post_data_json["link"] == page.locator(".link[data-format=own] input").input_value()


def test_the_first_page_is_seen_before_it_is_printed(open_page):
    """Every change of the options shows in the preview; new puzzles make a booklet."""
    page = open_page(json.dumps(KILLER))
    made = {"puzzles": [{"puzzle": SMALL}, {"puzzle": OTHER}], "count": 2, "wanted": 2, "seed": 1, "tries": 2, "seconds": 0.0}
    page.route("**/v1/generate", lambda route: route.fulfill(json=made))
    page.keyboard.press("Control+p")
    until(page, "document.querySelector('#dialog .note')?.textContent === '1 page'")
    assert "Two cages" in page.locator(".sheet-preview").text_content()
    page.get_by_label("Add new puzzles").fill("2")
    page.get_by_label("Booklet").check()
    until(page, "/^[2-9] pages/.test(document.querySelector('#dialog .note').textContent)")
    assert page.locator("#dialog .button.main").all_inner_texts() == ["Save PDF"]


def test_a_huge_line_is_shown_in_part(open_page):
    """Browsers lay out an unbroken line of 200,000 signs for half a minute: only its beginning is shown, but all is read."""
    page = open_page(refused=True)
    page.evaluate("app.act('open', 'x'.repeat(200000))")
    page.locator(".problems li", has_text="got 200000").wait_for(timeout=10_000)
    assert page.evaluate("document.querySelector('#dialog textarea').value.length") < 21_000


def test_a_wrong_line_is_selected(page):
    """A problem with a line tells its number, and shows it in the text."""
    told = {"status": "refused", "error": "line 2: expected 16 cells, got 5"}  # as a problem, the browser would log it
    page.route("**/v1/convert", lambda route: route.fulfill(json=told))
    page.evaluate("text => app.act('open', text)", f"{SMALL}\nwrong\n{OTHER}")
    page.locator(".problems li", has_text="line 2: expected 16 cells").wait_for()
    field = page.locator("#dialog textarea")
    assert field.evaluate("field => field.value.slice(field.selectionStart, field.selectionEnd)") == "wrong"
    assert page.locator("#dialog .button.main").all_inner_texts() == ["Open"]


def test_signs_fonts_and_colours_of_ones_own(open_page):
    """Values show in the chosen signs, on the keypad too; colours tell their contrast; all goes back as it was."""
    page = open_page(SMALL)
    page.evaluate("app.act('settings')")
    page.get_by_role("button", name="Symbols, font and colours").click()
    page.locator("#dialog select").first.select_option("own")
    page.get_by_role("button", name="♠♥♦♣").click()
    until(page, "document.querySelector('#board .given').textContent === '♠'")
    assert page.locator(".key[data-value='4']").inner_text().startswith("♣")
    page.get_by_label("Entered").fill("#eeeeee")
    assert "hard to read" in page.locator(".swatches").inner_text()
    assert page.evaluate("getComputedStyle(document.documentElement).getPropertyValue('--entered')") == "#eeeeee"
    page.get_by_role("button", name="Reset").click()
    until(page, "document.querySelector('#board .given').textContent === '1'")
    assert page.evaluate("getComputedStyle(document.documentElement).getPropertyValue('--entered')") != "#eeeeee"


def test_a_pdf_is_saved(open_page):
    """The print dialog sends its options, and the browser saves a PDF."""
    page = open_page(json.dumps(KILLER))
    page.keyboard.press("Control+p")
    page.get_by_label("Solution").select_option("upside-down")
    page.get_by_label("Rules in words").check()
    with page.expect_request("**/v1/print") as asked, page.expect_download() as saved:
        page.get_by_role("button", name="Save PDF").click()
    sent = asked.value.post_data_json
    assert (sent["solutions"], sent["rules_in_words"], sent["numbering"]) == ("upside-down", True, "none")
    assert sent["puzzles"][0]["title"] == "Two cages"
    assert Path(saved.value.path()).read_bytes().startswith(b"%PDF")


def test_a_game_is_printed_as_played(open_page):
    """Entries and marks are on the paper if they are asked for, of a file all of its puzzles; Escape closes after saving too."""
    page = open_page()
    drop(page, f"{SMALL}\n{OTHER}\n")
    page.locator("#dialog .tile").first.click()
    until(page, "app.puzzle !== null && !document.querySelector('dialog[open]')")
    page.evaluate(
        "app.selection.only(2); app.act('enter', 3); app.selection.only(3); app.setInputMode('centre'); app.act('enter', 4)"
    )
    page.keyboard.press("Control+p")
    until(page, "document.querySelector('#dialog .note')?.textContent === '1 page'")
    clean = page.locator(".sheet-preview text").count()
    page.get_by_label("As played").check()
    until(page, f"document.querySelectorAll('.sheet-preview text').length === {clean + 2}")
    page.get_by_label("All 2 puzzles of the opened file").check()
    until(page, "document.querySelector('#dialog .note')?.textContent === '2 pages'")
    with page.expect_request("**/v1/print") as asked, page.expect_download():
        page.get_by_role("button", name="Save PDF").click()
    sent = asked.value.post_data_json
    assert (len(sent["puzzles"]), sent["positions"]) == (2, [{"values": {"r1c3": 3}, "marks": {"r1c4": [4]}}])
    page.keyboard.press("Escape")
    page.locator("#dialog").wait_for(state="hidden")


def test_the_next_puzzle_of_a_file(page):
    """A key goes on to the next puzzle of the file, and says where there is none."""
    drop(page, f"{SMALL}\n{OTHER}\n")
    page.locator("#dialog .tile").first.click()
    until(page, "app.mode !== null && !document.querySelector('dialog[open]')")
    page.keyboard.press("n")
    until(page, "Object.keys(app.puzzle.json.givens).join() === 'r1c1'")
    page.keyboard.press("n")
    page.locator(".toast", has_text="No further puzzle").wait_for()


def test_the_help_page_begins_with_its_heading(open_page):
    """A long dialog opens at its top, wherever its only button is, and toasts lie above it."""
    page = open_page(SMALL, viewport={"width": 1440, "height": 500})
    page.keyboard.press("?")
    page.wait_for_selector("dialog[open]")
    assert page.evaluate("document.getElementById('dialog').scrollTop") == 0
    page.evaluate("app.toast('Something is told.')")
    box = page.locator(".toast").bounding_box()
    on_top = page.evaluate("([x, y]) => document.elementsFromPoint(x, y).length > 0", [box["x"] + 5, box["y"] + 5])
    assert on_top
    assert page.evaluate("document.getElementById('toasts').matches(':popover-open')")


def test_unreadable_texts_are_told_in_words(open_page):
    """What is no puzzle is told with what it looks like; a rule that nobody knows is left out by whoever wants the rest."""
    page = open_page(refused=True)
    page.evaluate("app.act('open', '12345')")
    page.locator(".problems li", has_text='got 5 signs: "12345"').wait_for()
    unknown = KILLER | {"rules": [*KILLER["rules"], {"kind": "made-up"}]}
    page.fill("#dialog textarea", json.dumps(unknown))
    page.locator("#dialog").get_by_role("button", name="Open", exact=True).click()
    page.get_by_role("button", name="Open without made-up").click()
    until(page, "app.puzzle !== null")
    assert page.evaluate("app.puzzle.json.rules.length") == 2


@pytest.mark.skipif(not SHOTS, reason="pictures are made for people who look at them: SHOTS names their folder")
@pytest.mark.parametrize(("width", "theme"), [(1440, "light"), (1440, "dark"), (390, "light")])
@pytest.mark.parametrize("name", ["open", "share", "print"])
def test_pictures(open_page, name, width, theme):
    """The dialogs on a desktop and a phone."""
    page = open_page(json.dumps(KILLER), viewport={"width": width, "height": 900 if width > 400 else 844}, color_scheme=theme)
    page.evaluate("name => app.act(name, name === 'open' ? '12..3412..434.21\\n1...............' : undefined)", name)
    page.wait_for_timeout(600)
    page.screenshot(path=str(Path(SHOTS) / f"{name}-{width}-{theme}.png"))


def test_an_endless_line_is_read_whole_and_shown_in_part(page):
    """A long text without a break keeps nobody waiting: the field shows its beginning, and the service reads all of it."""
    page.route("**/v1/convert", lambda route: route.fulfill(json={"error": "expected a puzzle"}))
    drop(page, "x" * 300_000)
    page.locator("#dialog .problems li").first.wait_for()
    assert len(page.locator("#dialog textarea").input_value()) < 30_000
    page.unroute("**/v1/convert")
    drop(page, "\n" * 9_000 + SMALL)
    until(page, "app.puzzle !== null")


def test_a_text_that_is_too_large_is_not_read(page):
    """More than the service takes is refused at once, with its size."""
    drop(page, "x" * 1_000_001)
    page.locator("#dialog li", has_text="Expected a file of at most 1,000,000 bytes, got 1,000,001.").wait_for()


def test_escape_closes_the_print_dialog_while_a_pdf_is_saved_and_after(open_page):
    """The focus stays in the dialog whatever its button does: Escape closes it, and what is not saved by then is given up."""
    page = open_page(SMALL)
    page.keyboard.press("Control+p")
    until(page, "document.querySelector('#dialog .note')?.textContent === '1 page'")
    with page.expect_download():
        page.get_by_role("button", name="Save PDF").click()
    page.locator("#dialog .note", has_text="The PDF is saved.").wait_for()
    assert page.evaluate("document.getElementById('dialog').contains(document.activeElement)")
    page.keyboard.press("Escape")
    page.locator("#dialog").wait_for(state="hidden")

    def hold_files(route):
        """Let previews through; what is saved waits."""
        if route.request.post_data_json.get("preview"):
            route.continue_()

    page.route("**/v1/print", hold_files)
    page.keyboard.press("Control+p")
    with page.expect_request(lambda asked: asked.url.endswith("/v1/print") and not asked.post_data_json.get("preview")):
        page.get_by_role("button", name="Save PDF").click()
    page.locator(".sheet-preview:not(.old) text").first.wait_for()
    assert page.locator("#dialog .note").inner_text().startswith("Making the PDF")
    with page.expect_event("requestfailed"):
        page.keyboard.press("Escape")
    page.locator("#dialog").wait_for(state="hidden")


def test_a_key_copies_the_link(open_page):
    """Ctrl+Shift+C puts the link to this page into the clipboard."""
    page = open_page(SMALL, permissions=["clipboard-read", "clipboard-write"])
    page.keyboard.press("Control+Shift+c")
    page.locator(".toast", has_text="Copied.").wait_for()
    assert page.evaluate("navigator.clipboard.readText()") == page.evaluate("location.href")


def test_a_link_is_copied_without_a_clipboard(open_page):
    """Browsers that give pages without TLS no clipboard copy what is selected: that is the link, and the focus comes back."""
    page = open_page(SMALL)
    page.evaluate("Object.defineProperty(navigator, 'clipboard', { value: undefined }); 0")
    selected = "(({ value, selectionStart, selectionEnd }) => value?.slice(selectionStart, selectionEnd))(document.activeElement)"
    page.evaluate(f"addEventListener('copy', () => (app.copied = {selected})); 0")
    page.focus("#board")
    page.keyboard.press("Control+Shift+c")
    page.locator(".toast", has_text="Copied.").wait_for()
    assert page.evaluate("app.copied") == page.evaluate("location.href")
    assert page.evaluate("document.activeElement.id") == "board"


def test_what_an_import_loses_is_said_until_it_is_dismissed(open_page):
    """A puzzle with drawings that cannot be kept says so in a strip; the next puzzle takes it away."""
    cells = [
        [{"value": value, "given": True} if value else {} for value in map(int, row)] for row in ("1200", "3412", "0043", "4021")
    ]
    lines = [{"lines": [["R1C1", "R1C2"]], "outlineC": "#FF0000", "width": 999}] * 3
    text = json.dumps({"size": 4, "grid": cells, "line": lines})
    page = open_page()
    page.evaluate("text => app.act('open', text)", text)
    strip = page.locator("#lost")
    strip.wait_for()
    assert "drawings are not read: 3 lines" in strip.inner_text()
    strip.get_by_role("button", name="Dismiss").click()
    assert strip.is_hidden()
    page.evaluate("text => app.open(text)", text)
    strip.wait_for()
    page.evaluate("text => app.open(text)", SMALL)
    assert strip.is_hidden()


# --- sharing with other programs, and games in links ------------------------------------------------------------------


def share_link(page, format_):
    """Open the share dialog and return one of its links."""
    page.click("[data-act=share]")
    field = page.locator(f".link[data-format={format_}] input")
    until(page, f"document.querySelector('.link[data-format={format_}] input')?.value")
    return field.input_value()


@pytest.mark.parametrize("format_", ["fpuzzles", "sudokupad"])
def test_a_puzzle_opens_in_another_program_at_one_press(open_page, format_):
    """A button leads there, and what it takes along has the title, the author, the rules in words and the one solution."""
    one = {"givens": {"r1c1": 1, "r2c1": 3, "r2c2": 4, "r2c3": 1, "r3c3": 4, "r3c4": 3, "r4c1": 4}}
    page = open_page(json.dumps(KILLER | one | {"author": "Ann", "ruleset": "Two cages."}))
    link = share_link(page, format_)
    there = page.locator(f".link[data-format={format_}] a")
    assert (there.get_attribute("href"), there.get_attribute("target")) == (link, "_blank")
    read = page.evaluate(
        "(link) => app.api.ask('convert', { puzzle: link, to: 'json' }).then(({ text }) => JSON.parse(text))", link
    )
    assert (read["title"], read["author"], read["ruleset"]) == ("Two cages", "Ann", "Two cages.")
    assert read["solution"] == [1, 2, 3, 4, 3, 4, 1, 2, 2, 1, 4, 3, 4, 3, 2, 1]


def test_sudokuwiki_gets_the_digits_that_were_entered(open_page):
    """Plain puzzles of nine digits have a link to SudokuWiki with givens and entries; others have none."""
    page = open_page(EASY)
    page.evaluate("app.selection.only(2); app.act('enter', 4)")
    assert share_link(page, "sudokuwiki").endswith("?bd=" + (EASY[:2] + "4" + EASY[3:]).replace(".", "0"))
    page.keyboard.press("Escape")
    page.evaluate("puzzle => app.show(puzzle)", KILLER)
    until(page, "app.puzzle.json.title === 'Two cages'")
    page.click("[data-act=share]")
    until(page, "document.querySelector('dialog[open] .link') && !document.querySelector('.link[data-format=sudokuwiki]')")


def test_a_link_takes_the_game_along(open_page, browser):
    """A link with the player's digits shows them elsewhere, undo included; one's own game is not lost to it, but offered."""
    page = open_page(EASY)
    page.evaluate("app.selection.only(2); app.act('enter', 4); app.act('enter', 1)")
    link = share_link(page, "game")
    elsewhere = browser.new_context().new_page()
    elsewhere.goto(link)
    elsewhere.wait_for_selector("html[data-ready]")
    assert elsewhere.evaluate("[app.game.value(2), app.canUndo, app.puzzle.json.play === undefined]") == [1, True, True]
    elsewhere.evaluate("app.act('undo')")
    until(elsewhere, "import('/static/saved_games.js').then(({ readGames }) => readGames()).then((games) => games.length === 1)")
    elsewhere.goto("about:blank")
    elsewhere.goto(link)
    elsewhere.wait_for_selector("html[data-ready]")
    assert elsewhere.evaluate("app.game.value(2)") == 4
    elsewhere.get_by_role("button", name="Show it").click()
    until(elsewhere, "app.game.value(2) === 1")
    elsewhere.context.close()


def test_a_damaged_game_in_a_link_is_named(open_page):
    """A link whose game cannot be played is called damaged, as one whose puzzle cannot be read."""
    page = open_page(EASY)
    broken = "JSON.stringify({ ...app.puzzle.json, play: { history: 7 } })"
    packed = page.evaluate(f"import('/static/links.js').then(({{ packText }}) => packText({broken}))")
    page.evaluate("packed => { location.hash = `#play/p=${packed}`; }", packed)
    page.locator(".toast.bad", has_text="This link is damaged").wait_for()


def test_a_picture_is_saved(open_page):
    """The puzzle as a picture, for chats and forums."""
    page = open_page(json.dumps(KILLER))
    share_link(page, "own")
    with page.expect_download() as saved:
        page.get_by_role("button", name="Picture (PNG)").click()
    assert saved.value.suggested_filename == "Two-cages.png"
    assert Path(saved.value.path()).read_bytes().startswith(b"\x89PNG")


def test_what_opens_by_itself_shows_no_dialog(page):
    """A text with one puzzle opens without a dialog in between; one with several, or with a mistake, brings it up."""
    page.evaluate(
        "() => { window.shown = 0; const count = new MutationObserver(() => { shown += 1 });"
        " count.observe(document.getElementById('dialog'), { attributes: true }); }"
    )
    page.fill("#shelf textarea", EASY)
    page.locator("#shelf").get_by_role("button", name="Open", exact=True).click()
    page.wait_for_selector("body[data-view=board]")
    until(page, "app.puzzle !== null")
    assert page.evaluate("shown") == 0
    page.evaluate("text => app.act('open', text)", f"{EASY}\n{EASY}\n")
    page.wait_for_selector("dialog[open] .tile")


def test_printing_one_puzzle_offers_what_one_puzzle_needs(open_page):
    """Puzzles on a page, booklet, level and seed come with a second puzzle, and go with it; what is hidden is not asked for."""
    page = open_page(EASY)
    asked = []
    page.on("request", lambda request: request.url.endswith("/v1/print") and asked.append(request.post_data_json))
    page.evaluate("app.act('print')")
    until(page, "document.querySelector('#dialog .note')?.textContent === '1 page'")
    words = ("On a page", "Booklet", "Level of these", "Seed of these")
    fields = [page.locator("#dialog label", has_text=re.compile(f"^{one}")) for one in words]
    assert not any(field.is_visible() for field in fields)
    assert not {"per_page", "booklet"} & asked[-1].keys()
    page.get_by_label("Add new puzzles").fill("1")
    assert all(field.is_visible() for field in fields)
    page.get_by_label("Add new puzzles").fill("0")
    assert not any(field.is_visible() for field in fields)
