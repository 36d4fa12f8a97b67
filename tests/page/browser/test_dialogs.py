"""The dialogs: opening in any way, sharing and printing."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

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


def test_a_pdf_is_saved(open_page):
    """The print dialog sends its options, and the browser saves a PDF."""
    page = open_page(json.dumps(KILLER))
    page.keyboard.press("Control+p")
    page.locator("#dialog select").nth(1).select_option("upside-down")
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
