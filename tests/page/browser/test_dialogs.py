"""The dialogs: opening in any way, sharing and printing."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from sudoku_cp.play import parse_saved_game, position_of
from sudoku_cp.puzzle import from_json

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
    page.get_by_role("button", name="Open it").click()
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
        page.get_by_role("button", name="Our JSON").click()
    assert saved.value.suggested_filename == "Two-cages.json"
    assert json.loads(Path(saved.value.path()).read_text(encoding="utf-8"))["rules"] == KILLER["rules"]


def test_a_saved_file_keeps_the_game(open_page, tmp_path):
    """What was entered, and undone, is in the file, and is there again when the file is opened elsewhere."""
    page = open_page(SMALL)
    page.evaluate("app.selection.only(2); app.act('enter', 3); app.act('enter', 4); app.act('undo')")
    page.click("[data-act=share]")
    with page.expect_download() as saved:
        page.get_by_role("button", name="Our JSON").click()
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
    page.get_by_label("New ones too").fill("2")
    page.get_by_label("Booklet").check()
    until(page, "/^[2-9] pages/.test(document.querySelector('#dialog .note').textContent)")
    assert page.locator("#dialog .button.main").all_inner_texts() == ["Save PDF"]


def test_a_wrong_line_is_selected(page):
    """A problem with a line tells its number, and shows it in the text."""
    told = {"status": "refused", "error": "line 2: expected 16 cells, got 5"}  # as a problem, the browser would log it
    page.route("**/v1/convert", lambda route: route.fulfill(json=told))
    page.evaluate("text => app.act('open', text)", f"{SMALL}\nwrong\n{OTHER}")
    page.locator(".problems li", has_text="line 2: expected 16 cells").wait_for()
    field = page.locator("#dialog textarea")
    assert field.evaluate("field => field.value.slice(field.selectionStart, field.selectionEnd)") == "wrong"
    assert page.locator("#dialog .button.main").all_inner_texts() == ["Open it"]


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
    page.get_by_role("button", name="As it was").click()
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
    assert (sent["solutions"], sent["rules_in_words"], sent["title"]) == ("upside-down", True, "Two cages")
    assert Path(saved.value.path()).read_bytes().startswith(b"%PDF")


@pytest.mark.skipif(not SHOTS, reason="pictures are made for people who look at them: SHOTS names their folder")
@pytest.mark.parametrize(("width", "theme"), [(1440, "light"), (1440, "dark"), (390, "light")])
@pytest.mark.parametrize("name", ["open", "share", "print"])
def test_pictures(open_page, name, width, theme):
    """The dialogs on a desktop and a phone."""
    page = open_page(json.dumps(KILLER), viewport={"width": width, "height": 900 if width > 400 else 844}, color_scheme=theme)
    page.evaluate("name => app.act(name, name === 'open' ? '12..3412..434.21\\n1...............' : undefined)", name)
    page.wait_for_timeout(600)
    page.screenshot(path=str(Path(SHOTS) / f"{name}-{width}-{theme}.png"))
