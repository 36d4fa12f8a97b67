"""The page for everybody: what axe finds in every state, the order of focus, names for readers of the screen, forced colours."""

from __future__ import annotations

import json
import shutil
import subprocess
import tarfile
from pathlib import Path

import pytest

AXE = "axe-core@4.10.3"
"""The checker of accessibility, under the Mozilla Public License; it is fetched for this test and is no part of the package."""
EASY = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
KILLER = Path(__file__).parents[3] / "examples/variants/killer.jsonl"
FIND = """async () => (await axe.run(document, { resultTypes: ["violations"] })).violations
    .filter(({ impact }) => ["serious", "critical"].includes(impact))
    .map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html.slice(0, 160) + node.failureSummary).join(" | ")}`)"""
FILL = "app.act('fill-marks'); app.selection.replace([40]); app.act('enter', 5)"
LOADED = {"play": ".history", "design": ".tool", "replay": ".node[aria-selected=true]"}
"""What is there once a mode is."""
STATES = {
    "shelf": (None, "play", "0", ".tile .given"),
    "play": (EASY, "play", "0", "#board .given"),
    "marks": ("." * 256, "play", FILL, "#board .entered"),
    "clash": (EASY, "play", "app.selection.replace([2]); app.act('enter', 5)", "#board .wrong"),
    "hint": (EASY, "play", "app.act('hint')", ".step.on"),
    "paused": (EASY, "play", "app.act('pause')", "#cover button"),
    "history": (EASY, "play", f"{FILL}; document.querySelector('.history').open = true", ".entry"),
    "design": ("killer", "design", "0", ".bar .pill.ok"),
    "tool": ("killer", "design", "document.querySelector('.tools .tool').click()", ".tool[aria-pressed=true]"),
    "replay": (EASY, "replay", "0", ".walking .note"),
    **{name: (EASY, "play", f"app.act('{name}')", "dialog[open] h2") for name in ("help", "open", "settings", "more")},
    "share": (EASY, "play", "app.act('share')", ".qr path"),
    "print": (EASY, "play", "app.act('print')", ".sheet-preview text"),
}
"""The states of the page: a puzzle (None: the shelf), a mode, what is done there, and what is there then."""


@pytest.fixture(scope="session")
def axe(pytestconfig) -> str:
    """The text of axe, from npm by way of pytest's cache; without npm or a network the tests that need it are skipped."""
    folder = pytestconfig.cache.mkdir("axe")
    script = folder / f"{AXE}.js"
    if not script.exists():
        npm = shutil.which("npm")
        if not npm:
            pytest.skip("axe is fetched with npm, which is not installed")
        fetched = subprocess.run([npm, "pack", AXE, "--pack-destination", folder], capture_output=True, check=False)
        if fetched.returncode:
            pytest.skip(f"axe could not be fetched: {fetched.stderr.decode()[-200:]}")
        with tarfile.open(next(folder.glob("*.tgz"))) as packed:
            script.write_bytes(packed.extractfile("package/axe.min.js").read())
    return script.read_text(encoding="utf-8")


@pytest.mark.slow
@pytest.mark.parametrize("state", STATES)
def test_nothing_serious_is_found(open_page, axe, state):
    """In each state and both themes axe finds nothing that it calls serious or critical."""
    puzzle, mode, prepare, seen = STATES[state]
    text = KILLER.read_text(encoding="utf-8").splitlines()[0] if puzzle == "killer" else puzzle
    page = open_page(text, mode=mode, reduced_motion="reduce", bypass_csp=True)
    if text:
        page.wait_for_selector(LOADED[mode])
    page.evaluate(prepare)
    page.locator(seen).first.wait_for()
    page.evaluate(axe)
    for theme in ("light", "dark"):
        page.emulate_media(color_scheme=theme)
        page.locator(f"html[data-theme={theme}]").wait_for()
        assert page.evaluate(FIND) == [], theme


def test_what_the_keyboard_and_readers_of_the_screen_meet(open_page):
    """Tab goes from the modes over board and panel to the bar; a cell's name tells its marks; nothing moves for those who ask."""
    page = open_page(EASY, reduced_motion="reduce")
    met = []
    for _ in range(4):
        page.keyboard.press("Tab")
        met.append(page.evaluate("(({ id, className, dataset }) => id || className || dataset.tab)(document.activeElement)"))
    assert met == ["skip", "brand", "play", "board"]
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.closest('aside').id") == "right"
    last = "[...document.querySelectorAll('button, a, [tabindex]')].at(-1)"
    assert page.evaluate(f"{last}.parentElement.id") == "toolbar"
    page.evaluate("app.selection.replace([2]); app.setInputMode('centre'); app.act('enter', 4); app.act('enter', 2)")
    assert page.get_by_role("gridcell", name="row 1 column 3, empty, centre marks 2 4").count() == 1
    assert page.get_attribute("#board", "aria-activedescendant") == "cell2"
    assert page.get_attribute("#cell2", "aria-selected") == "true"
    page.evaluate("app.board.element.classList.add('shake')")
    assert page.evaluate("getComputedStyle(app.board.layers.selection).animationName") == "none"


@pytest.mark.slow
@pytest.mark.parametrize("mode", ["play", "design", "replay"])
def test_twice_as_large(open_page, mode):
    """At 200 % on a laptop, which leaves 720x450, nothing goes past the side of the screen."""
    page = open_page(EASY, mode=mode, viewport={"width": 720, "height": 450}, device_scale_factor=2)
    page.wait_for_selector(LOADED[mode])
    assert page.evaluate("document.documentElement.scrollWidth") <= 720
    assert page.locator("#board").is_visible()


@pytest.mark.slow
def test_forced_colours_keep_marks_and_what_is_pressed(open_page):
    """Where the system sets the colours, digits and marks have those of text, and what is pressed has an outline."""
    page = open_page(EASY, forced_colors="active")
    page.evaluate(FILL)
    colour = "(name) => { const style = getComputedStyle(document.querySelector(name)); return style.fill }"
    text = page.evaluate("getComputedStyle(document.body).color")
    assert {page.evaluate(colour, name) for name in ("#board .given", "#board .mark")} == {text}
    assert page.evaluate("getComputedStyle(document.querySelector('[data-input=digit]')).outlineStyle") == "solid"


def test_cells_say_which_rules_speak_of_them(open_page):
    """A cage with its total, a place on a thermometer and a clue outside belong to a cell's name."""
    rules = [
        "houses",
        {"kind": "killer-cage", "cells": ["r1c1", "r1c2"], "total": 3},
        {"kind": "thermometer", "cells": ["r2c1", "r3c1"]},
        {"kind": "sandwich", "cells": ["r4c1", "r4c2", "r4c3", "r4c4"], "total": 5},
    ]
    page = open_page(json.dumps({"grid": {"rows": 4, "columns": 4, "boxes": [2, 2]}, "rules": rules}))
    names = page.eval_on_selector_all("#board [role=gridcell]", "cells => cells.map((cell) => cell.getAttribute('aria-label'))")
    assert names[0] == "row 1 column 1, empty; killer cage, total 3, with row 1 column 2"
    assert names[8] == "row 3 column 1, empty; thermometer, cell 2 of 2, previous up"
    assert names[13].endswith("; sandwich, total 5, cell 2 of 4, previous left, next right")
    assert names[15 - 4] == "row 3 column 4, empty"
    assert page.get_attribute("#board", "aria-multiselectable") == "true"
