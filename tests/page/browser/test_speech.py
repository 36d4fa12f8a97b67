"""Playing by speech alone: a script that has nothing but the accessibility tree and a keyboard solves variants."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from sudoku_cp import Grid, Puzzle, solve
from sudoku_cp.rules import RULES
from sudoku_cp.rules.houses import Houses
from tests.page.browser.test_play import until

VARIANTS = Path(__file__).parents[3] / "examples/variants"
NINE = Grid.square(9)
WAYS = {"left": (0, -1), "right": (0, 1), "up": (-1, 0), "down": (1, 0)}
ARROWS = {(0, 1): "ArrowRight", (0, -1): "ArrowLeft", (1, 0): "ArrowDown", (-1, 0): "ArrowUp"}


class Listener:
    """What a reader of the screen has of the page: roles and names, and what the live region says."""

    def __init__(self, page):
        """Connect to the tree."""
        self._keyboard = page.keyboard
        self._tools = page.context.new_cdp_session(page)

    def nodes(self):
        """Return role, name and id of each node, with the id of the focus."""
        for node in self._tools.send("Accessibility.getFullAXTree")["nodes"]:
            if not node.get("ignored"):
                properties = {one["name"]: one["value"].get("value") for one in node.get("properties", [])}
                yield node["role"]["value"], node.get("name", {}).get("value", ""), properties

    def names(self, role):
        """Return the names of all nodes of a role."""
        return [name for found, name, _ in self.nodes() if found == role]

    def cells(self):
        """Return what each cell says, by its row and column."""
        found = (re.fullmatch(r"row (\d+) column (\d+), (.*)", name) for name in self.names("gridcell"))
        return {(int(one[1]) - 1, int(one[2]) - 1): one[3] for one in found}

    def focused(self):
        """Return the role of what has the focus."""
        return next((role for role, _, properties in self.nodes() if properties.get("focused")), "")


def line_of(cells, start, text):
    """Return the cells of a line from its first one, going where each says that the next is."""
    kind, count = re.match(r"(.*), cell 1 of (\d+)", text).groups()
    line = [start]
    for number in range(2, int(count) + 1):
        way = [WAYS[one] for one in re.search(r"next ([a-z ]+)", text)[1].split()]
        line.append((line[-1][0] + sum(down for down, _ in way), line[-1][1] + sum(right for _, right in way)))
        text = next(one for one in cells[line[-1]].split("; ") if one.startswith(f"{kind}, cell {number} of {count}"))
    return tuple(NINE.cell_at[place] for place in line)


def rules_heard(cells):
    """Return the rules that the cells tell of."""
    found = {}
    for place, said in cells.items():
        for text in said.split("; ")[1:]:
            total = int(one[1]) if (one := re.search(r"total (\d+)", text)) else None
            if text.startswith("killer cage"):
                others = re.findall(r"row (\d+) columns? ([\d ]+)", text)
                there = {place, *((int(row) - 1, int(column) - 1) for row, columns in others for column in columns.split())}
                found["killer-cage", tuple(sorted(NINE.cell_at[one] for one in there)), total] = None
            elif text.startswith(("thermometer", "sandwich")) and "cell 1 of" in text:
                found[text.split(",")[0], line_of(cells, place, text), total] = None
    return [RULES[kind](line, *([] if total is None else [total])) for kind, line, total in found]


def enter(page, solution, cells):
    """Enter what is missing: down the board row by row, there and back, by arrows and digits alone."""
    at = None
    for row in range(9):
        for column in range(9) if row % 2 == 0 else reversed(range(9)):
            if at is not None:
                page.keyboard.press(ARROWS[row - at[0], column - at[1]])
            at = row, column
            if cells[at].startswith("empty"):
                page.keyboard.press(str(solution[NINE.cell_at[at]]))


SLOW = (pytest.param(kind, marks=pytest.mark.slow) for kind in ("killer", "thermometer"))


@pytest.mark.parametrize("kind", ["sandwich", *SLOW])
def test_variants_are_solved_by_speech_alone(open_page, kind):
    """The names of the cells hold the whole puzzle; arrows and digits fill it in, and the live region says that it is solved."""
    page = open_page((VARIANTS / f"{kind}.jsonl").read_text(encoding="utf-8").splitlines()[0])
    until(page, "document.querySelector('.history')")
    listener = Listener(page)
    for _ in range(9):
        if listener.focused() == "grid":
            break
        page.keyboard.press("Tab")
    cells = listener.cells()
    givens = {NINE.cell_at[place]: int(said[6]) for place, said in cells.items() if said.startswith("given ")}
    rules = rules_heard(cells)
    assert {rule.kind.split("-")[0] for rule in rules} == {kind}
    found = solve(Puzzle(NINE, (Houses(), *rules), givens=givens))
    assert found.status == "unique"
    page.keyboard.press("ArrowDown")  # the cursor wakes in the first cell
    enter(page, found.solution, cells)
    page.wait_for_function("() => /^Solved in /.test(document.getElementById('live').textContent)")
    assert all(said.startswith(("given", str(found.solution[NINE.cell_at[place]]))) for place, said in listener.cells().items())


def test_cells_say_what_their_sums_still_need(open_page):
    """After an entry each cell of a cage says what is left for how many cells, the live region too; undo takes it back."""
    rules = ["houses", {"kind": "killer-cage", "cells": ["r1c1", "r1c2", "r2c1"], "total": 15}]
    page = open_page(json.dumps({"grid": {"rows": 9, "columns": 9, "boxes": [3, 3]}, "rules": rules}))
    until(page, "document.querySelector('.history')")

    def said(row, column):
        return page.get_by_role("gridcell", name=re.compile(f"^row {row} column {column},")).get_attribute("aria-label")

    assert said(2, 1).endswith("killer cage, total 15, with row 1 column 1 and row 1 column 2")
    for cell, value, need in ((0, 7, "8 more in 2 cells"), (1, 2, "6 more in 1 cell"), (9, 6, "complete")):
        page.evaluate("([cell, value]) => { app.selection.only(cell); app.act('enter', value); }", [cell, value])
        assert said(2, 1).endswith(f", {need}")
        page.wait_for_function(
            "need => document.getElementById('live').textContent.toLowerCase().includes(`. ${need}.`)", arg=need
        )
    page.evaluate("app.act('undo')")
    assert said(1, 2).endswith(", 6 more in 1 cell")
    page.evaluate("app.selection.only(9); app.act('enter', 9)")
    assert said(1, 2).endswith(", off by 3")


def test_a_pause_keeps_the_focus(open_page):
    """Resuming gives the focus back to what had it before the pause: the board, or a key of the keypad."""
    page = open_page("." * 81)
    for name in ("#board", ".padcard [data-value='5']"):
        page.locator(name).focus()
        page.evaluate("app.act('pause')")
        assert page.evaluate("document.activeElement.closest('#cover') !== null")
        page.keyboard.press("Enter")
        assert page.locator(name).evaluate("(element) => element === document.activeElement")
