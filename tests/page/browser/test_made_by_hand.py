"""Puzzles designed from nothing by gestures alone, proved to have one solution, and then solved."""

from __future__ import annotations

import json
import re

import pytest

from tests.page.browser.gestures import at, draw, middle, rules, take
from tests.page.shelf_examples import EXAMPLES

SOLUTION = [1, 2, 3, 4, 3, 4, 1, 2, 2, 1, 4, 3, 4, 3, 2, 1]
DOTS = {
    "difference": ["12 13", "13 14", "21 22", "33 34", "41 42", "42 43", "21 31", "24 34", "11 12", "23 24", "31 32", "43 44"],
    "ratio": ["31 41", "12 22", "33 43", "14 24"],
}
LABELS = [1, 1, 1, 2, 3, 1, 2, 2, 3, 3, 4, 2, 3, 4, 4, 4]
"""The regions of a jigsaw, cell by cell."""


def spot(text):
    """Return row and column of a cell such as "12"."""
    return int(text[0]), int(text[1])


def new_board(page, name):
    """Begin with an empty board of the shelf, and wait for the tools."""
    page.locator(".tiles.small .tile", has=page.locator("b", has_text=re.compile(f"^{name}$"))).click()
    page.wait_for_selector(".tool")


def type_field(page, text):
    """Type a number for the tool in hand, as far as it has a field for one."""
    page.keyboard.type(text)
    page.keyboard.press("Enter")
    page.evaluate("app.designer.busy")


def fill(page, values, places):
    """Enter values by cell: the cells of a value are selected one by one, then it is typed."""
    for value in sorted(set(values.values())):
        first, *others = [cell for cell, one in values.items() if one == value]
        page.keyboard.press("Escape")
        page.mouse.click(*at(page, *places[first]))
        page.keyboard.down("Control")
        for cell in others:
            page.mouse.click(*at(page, *places[cell]))
        page.keyboard.up("Control")
        page.keyboard.press(str(value))
        page.evaluate("app.designer?.busy")


def middles(page):
    """Return the middle of each cell of the board."""
    return [(row + 0.5, column + 0.5) for row, column in page.evaluate("app.picture.cells")]


def give(page, values):
    """Type givens, with no tool in hand."""
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Givens", exact=True).click()
    fill(page, values, middles(page))


def solve(page, solution):
    """See that there is one solution, then enter it in play until the page says that it is solved."""
    page.locator(".pill.ok", has_text="exactly one solution").wait_for(timeout=60_000)
    page.get_by_role("tab", name="Play", exact=True).click()
    page.wait_for_selector("body[data-mode=play]")
    givens = page.evaluate("Object.keys(app.picture.givens).map(Number)")
    fill(page, {cell: value for cell, value in enumerate(solution) if cell not in givens}, middles(page))
    page.locator(".finished", has_text="Solved in").wait_for()


def test_a_killer(page):
    """Cages are painted and their totals typed."""
    new_board(page, "4 . 4")
    take(page, "killer-cage")
    for total, cells in (("6", "11 12 21"), ("5", "23 33"), ("7", "41 42")):
        draw(page, *middle(*map(spot, cells.split())))
        type_field(page, total)
        page.keyboard.press("Enter")
    give(page, {0: 1, 2: 3})
    assert [one["total"] for one in rules(page)] == [6, 5, 7]
    solve(page, SOLUTION)


@pytest.mark.slow
def test_a_thermometer(page):
    """A bulb is pressed, and a shaft drawn from it."""
    new_board(page, "4 . 4")
    take(page, "thermometer")
    draw(page, *middle((1, 1), (1, 2), (1, 3), (1, 4)))
    draw(page, *middle((4, 4), (4, 3), (3, 4)))
    give(page, {4: 3})
    assert [len(one["cells"]) for one in rules(page)] == [4, 3]
    solve(page, SOLUTION)


@pytest.mark.slow
def test_an_arrow(page):
    """Shafts are drawn from their bulbs."""
    new_board(page, "4 . 4")
    take(page, "arrow")
    for cells in ("22 21 11", "13 23 24"):
        draw(page, *middle(*map(spot, cells.split())))
        page.keyboard.press("Enter")
    give(page, {8: 2, 15: 1})
    assert [(one["bulb"], len(one["shafts"])) for one in rules(page)] == [("r2c2", 1), ("r1c3", 1)]
    solve(page, SOLUTION)


@pytest.mark.slow
def test_a_sandwich(page):
    """Clues are pressed beside the board, and their numbers typed."""
    new_board(page, "4 . 4")
    take(page, "sandwich")
    for total, place in (("5", (0.5, -0.4)), ("0", (2.5, -0.4)), ("5", (-0.4, 3.5))):
        draw(page, place)
        type_field(page, total)
    give(page, {1: 2, 12: 4})
    assert [(one["cells"][0], one["total"]) for one in rules(page)] == [("r1c1", 5), ("r3c1", 0), ("r1c4", 5)]
    solve(page, SOLUTION)


@pytest.mark.slow
def test_kropki_with_negative_constraints(page):
    """Dots are pressed on edges; whoever has none is held to that by rules of the whole board."""
    new_board(page, "4 . 4")
    for kind, pairs in DOTS.items():
        take(page, kind)
        for pair in pairs:
            (row, column), (other, beside) = map(spot, pair.split())
            draw(page, ((row + other) / 2 - 0.5, (column + beside) / 2 - 0.5))
    for kind in ("negative-difference", "negative-ratio"):
        take(page, kind)
        page.get_by_role("button", name="Put on the board").click()
        page.get_by_role("button", name="Use all marked pairs").click()
        page.evaluate("app.designer.busy")
    assert [len(one["exempt"]) for one in rules(page)[-2:]] == [16, 16]
    solve(page, SOLUTION)


@pytest.mark.slow
def test_a_jigsaw(page):
    """Regions are painted: cells are dragged over, and their region typed."""
    new_board(page, "4 . 4")
    page.keyboard.press("Escape")
    for region in range(1, 5):
        cells = [(cell // 4 + 1, cell % 4 + 1) for cell, label in enumerate(LABELS) if label == region]
        page.mouse.click(*at(page, *middle(cells[0])[0]))
        page.keyboard.down("Control")
        for cell in cells[1:]:
            page.mouse.click(*at(page, *middle(cell)[0]))
        page.keyboard.up("Control")
        page.get_by_label("Region of the selected cells").fill(str(region))
        page.get_by_role("button", name="Set", exact=True).click()
        page.evaluate("app.designer.busy")
        page.focus("#board")
        page.keyboard.press("Escape")
    assert page.evaluate("app.puzzle.json.grid.regions.flat()") == [label - 1 for label in LABELS]
    give(page, {0: 1, 1: 2, 7: 3})
    solve(page, [1, 2, 3, 4, 2, 4, 1, 3, 3, 1, 4, 2, 4, 3, 2, 1])


@pytest.mark.slow
def test_a_samurai(page):
    """The givens of five overlapping boards are typed, and their one solution entered."""
    puzzle = json.loads((EXAMPLES / "variants" / "samurai.jsonl").read_text(encoding="utf-8").splitlines()[0])
    new_board(page, "Samurai")
    names = page.evaluate("app.picture.cells.map(([row, column]) => `r${row + 1}c${column + 1}`)")
    give(page, {names.index(name): value for name, value in puzzle["givens"].items()})
    assert page.evaluate("app.puzzle.json.givens") == puzzle["givens"]
    solve(page, puzzle["solution"])


@pytest.mark.slow
@pytest.mark.parametrize(
    "file", [EXAMPLES / "kinds.jsonl", *sorted(EXAMPLES.glob("variants/*.jsonl"))], ids=lambda path: path.stem
)
def test_every_example_opens(open_page, file):
    """Every puzzle of the examples is shown in play and in design, and no browser complains."""
    page = open_page()
    for line in file.read_text(encoding="utf-8").splitlines():
        page.evaluate("puzzle => app.open(puzzle)", line)
        assert page.evaluate("app.picture.cells.length") == page.locator("#board .names rect").count()
    page.evaluate("app.setMode('design')")
    page.wait_for_selector(".tool")


@pytest.mark.slow
@pytest.mark.parametrize("name", ["euler96.txt", "hardest.txt"])
def test_texts_of_many_puzzles_open_as_a_choice(page, name):
    """Files of many grids list all of them."""
    page.evaluate("text => app.act('open', text)", (EXAMPLES / name).read_text(encoding="utf-8"))
    page.wait_for_selector("#dialog .tile")
    assert page.locator("#dialog .tile").count() == {"euler96.txt": 50, "hardest.txt": 11}[name]
