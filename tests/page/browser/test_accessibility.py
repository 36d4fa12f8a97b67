"""The page for everybody: what axe finds in every state, the order of focus, names for readers of the screen, forced colours."""

from __future__ import annotations

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
STATES = {
    "shelf": (None, "play", "0"),
    "play": (EASY, "play", "0"),
    "marks": ("." * 256, "play", FILL),
    "clash": (EASY, "play", "app.selection.replace([2]); app.act('enter', 5)"),
    "hint": (EASY, "play", "app.act('hint')"),
    "paused": (EASY, "play", "app.act('pause')"),
    "history": (EASY, "play", f"{FILL}; document.querySelector('.history').open = true"),
    "design": ("killer", "design", "0"),
    "tool": ("killer", "design", "document.querySelector('.tools .tool').click()"),
    "replay": (EASY, "replay", "0"),
    **{name: (EASY, "play", f"app.act('{name}')") for name in ("help", "open", "share", "print", "settings", "more")},
}
"""The states of the page: a puzzle (None: the shelf), a mode, and what is done there before."""


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
@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("state", STATES)
def test_nothing_serious_is_found(open_page, axe, state, theme):
    """In each state and both themes axe finds nothing that it calls serious or critical."""
    puzzle, mode, prepare = STATES[state]
    text = KILLER.read_text(encoding="utf-8").splitlines()[0] if puzzle == "killer" else puzzle
    page = open_page(color_scheme=theme, bypass_csp=True)
    if text:
        page.evaluate("([puzzle, mode]) => app.open(puzzle, { mode })", [text, mode])
    page.wait_for_timeout(1500)
    page.evaluate(prepare)
    page.wait_for_timeout(1000)
    page.evaluate(axe)
    assert page.evaluate(FIND) == []


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
    page = open_page(viewport={"width": 720, "height": 450}, device_scale_factor=2)
    page.evaluate("([puzzle, mode]) => app.open(puzzle, { mode })", [EASY, mode])
    page.wait_for_timeout(1500)
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
