"""The walk of docs/page.md, from an empty board to a printed killer: its test goes it, and its pictures are made on the way."""

from __future__ import annotations

from typing import Any

CAGES = {
    14: [(1, 1), (1, 2), (2, 1)],
    11: [(1, 8), (1, 9), (2, 9)],
    16: [(5, 4), (5, 5), (5, 6)],
    9: [(8, 1), (9, 1), (9, 2)],
    21: [(8, 9), (9, 9), (9, 8)],
}
"""The cells of each cage, as (row, column) from 1, by its total."""
TITLE = "Five corners"


def open_board(page: Any) -> None:
    """Press the tile of an empty board, and wait for the tools of design."""
    page.locator(".tiles.small").get_by_role("button", name="9 \N{MULTIPLICATION SIGN} 9", exact=True).click()
    page.wait_for_selector(".tool")


def find_tool(page: Any) -> None:
    """Find the tool by its name, and take it in hand."""
    page.keyboard.press("t")
    page.keyboard.type("killer")
    page.click(".tool:has-text('Killer cage')")


def draw_cages(page: Any) -> None:
    """Drag over the cells of each cage, type its total, and go on to the next."""
    for number, (total, cells) in enumerate(CAGES.items(), 1):
        boxes = [page.locator(f"#cell{9 * (row - 1) + column - 1}").bounding_box() for row, column in cells]
        middles = [(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2) for box in boxes]
        page.mouse.move(*middles[0])
        page.mouse.down()
        for x, y in middles[1:]:
            page.mouse.move(x, y, steps=3)
        page.mouse.up()
        page.locator(".list .item").nth(number).wait_for()
        page.keyboard.type(str(total))
        page.keyboard.press("Enter")
        page.locator(f"#board .pic >> text='{total}'").first.wait_for()


def make_unique(page: Any) -> None:
    """Let the solver make a puzzle of one solution with these cages."""
    page.get_by_role("button", name="New puzzle with these rules").click()
    page.wait_for_selector(".pill.ok", timeout=90_000)


def name_it(page: Any) -> None:
    """Give the puzzle a title."""
    page.fill("aside input[aria-label='Title'], aside label:has-text('Title') input", TITLE)
    page.keyboard.press("Enter")
    page.locator("#title", has_text=TITLE).wait_for()


def ask_for_print(page: Any) -> None:
    """Open the dialog of printing."""
    page.get_by_role("button", name="Print").first.click()
    page.wait_for_selector("dialog[open]")


def design_a_killer(page: Any) -> None:
    """Go the whole walk up to the dialog of printing."""
    for step in (open_board, find_tool, draw_cages, make_unique, name_it):
        step(page)
