"""Makes the pictures of the page in docs/page, from a running service in chromium: ``make pictures`` runs this file."""

from __future__ import annotations

import io
import json
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

from PIL import Image, ImageDraw
from playwright.sync_api import sync_playwright

from sudoku_cp.puzzle import Puzzle, to_json
from sudoku_cp.questions.listings import example_grid
from sudoku_cp.rules import RULES
from sudoku_cp.rules.wording import title_of
from tests.browsers import launch_chromium
from tests.docs import page_walk

ROOT = Path(__file__).parents[2]
OPTIONS = ("--no-ws", "--no-compile", "--workers", "1")
FOLDER = ROOT / "docs" / "page"
DESKTOP, TABLET, PHONE = (1440, 900), (820, 1180), (390, 844)
COMMON, FAR = 96, 96
"""Colours of a picture's palette: those of most pixels as they are, and others as far apart as they come, for a legend's dots."""
PLAIN = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
HARD = "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......"
EMPTY = json.dumps({"grid": {"rows": 9, "columns": 9, "boxes": [3, 3]}})


class State(NamedTuple):
    """What a picture shows: a puzzle (None: the shelf) in a mode, and what is done there before, in a browser of a size."""

    puzzle: str | None
    mode: str = "play"
    prepare: Callable[[Any], object] = lambda _page: None
    size: tuple[int, int] = DESKTOP
    theme: str = "light"


def variant(name: str, number: int = 0) -> str:
    """Return one of the example puzzles, as a line of JSON."""
    lines = (ROOT / "examples" / "variants" / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
    return lines[number]


def enter(page: Any, entries: dict[int, int], *, mode: str = "digit") -> None:
    """Enter values or marks, by cell."""
    for cell, value in entries.items():
        page.evaluate(
            "([mode, cell, value]) => { app.setInputMode(mode); app.selection.replace([cell]); app.act('enter', value); }",
            [mode, cell, value],
        )
    page.evaluate("app.setInputMode('digit')")


def fill_marks(page: Any) -> None:
    """Write the pencil marks of all cells, and select one."""
    page.evaluate("app.act('fill-marks'); app.selection.replace([40])")


def ask_for_hints(page: Any) -> None:
    """Ask until the whole step is drawn."""
    fill_marks(page)
    for _ in range(4):
        page.evaluate("app.act('hint')")
        page.wait_for_timeout(1000)


def make_a_clash(page: Any) -> None:
    """Enter a value twice in a row, after two that are right."""
    enter(page, {2: 4, 3: 6, 5: 7, 6: 9})


def go_other_ways(page: Any) -> None:
    """Undo and go on otherwise, so that the history has branches."""
    enter(page, {2: 4, 3: 6, 5: 8})
    page.evaluate("app.act('undo'); app.act('undo')")
    enter(page, {3: 2, 5: 6, 10: 7})


def solve(page: Any) -> None:
    """Enter the whole solution."""
    values = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"
    enter(page, {cell: int(value) for cell, value in enumerate(values) if PLAIN[cell] == "."})
    page.wait_for_timeout(800)


def colour_cells(page: Any) -> None:
    """Colours, corner and centre marks beside each other."""
    for cell, colour in {0: 1, 1: 1, 9: 4, 10: 4, 20: 7, 30: 6, 40: 3}.items():
        enter(page, {cell: colour}, mode="colour")
    for value in (1, 2, 5):
        enter(page, {3: value, 12: value}, mode="corner")
    for value in (3, 6, 8):
        enter(page, {14: value, 23: value}, mode="centre")


def wait_for_solver(page: Any) -> None:
    """Wait until the solver's panel says how many solutions there are."""
    page.wait_for_timeout(4000)


def draw_the_cages(page: Any) -> None:
    """Go the walk of docs/page.md until its cages are drawn."""
    for step in (page_walk.open_board, page_walk.find_tool, page_walk.draw_cages):
        step(page)
    page.wait_for_selector(".pill.warn")


def name_the_killer(page: Any) -> None:
    """Go the walk until the puzzle has its title, and look at all of the page again."""
    page_walk.design_a_killer(page)
    page.mouse.move(0, 0)
    page.evaluate("scrollTo(0, 0)")


def print_the_killer(page: Any) -> None:
    """Go the whole walk, and open the dialog of printing."""
    page_walk.design_a_killer(page)
    page_walk.ask_for_print(page)
    page.wait_for_timeout(3000)


STATES = {
    "shelf": State(None),
    "play": State(variant("killer"), prepare=colour_cells),
    "dark": State(variant("thermometer"), prepare=fill_marks, theme="dark"),
    "hint": State(PLAIN, prepare=ask_for_hints),
    "clash": State(PLAIN, prepare=make_a_clash),
    "history": State(PLAIN, prepare=go_other_ways),
    "solved": State(PLAIN, prepare=solve),
    "marks-16x16": State("." * 256, prepare=fill_marks),
    "design": State(variant("arrow"), "design", wait_for_solver),
    "design-empty": State(EMPTY, "design", wait_for_solver),
    "replay": State(HARD, "replay", wait_for_solver),
    "phone": State(variant("killer"), prepare=colour_cells, size=PHONE),
    "walk-cages": State(None, prepare=draw_the_cages),
    "walk-unique": State(None, prepare=name_the_killer),
    "walk-print": State(None, prepare=print_the_killer),
    "tablet": State(variant("sandwich"), prepare=fill_marks, size=TABLET, theme="dark"),
}


class Sheet(NamedTuple):
    """A sheet of small pictures on one page of the browser's context: how the page is shown, and what makes its rows."""

    media: dict[str, str]
    rows: Callable[[Any, str], list[list[Image.Image]]]


def kinds_of_rules(page: Any, address: str) -> list[list[Image.Image]]:
    """Return the board with the example of each kind of rule, under the kind's title."""
    page.goto(address)
    page.wait_for_selector("html[data-ready]")
    made = []
    for kind, rule in sorted(RULES.items()):
        grid = example_grid(rule, 6)
        page.evaluate("json => app.show(json)", to_json(Puzzle(grid, (rule.example(grid),))))
        left, top, width, height = page.evaluate(_DRAWN)
        board = _image(page.screenshot(clip={"x": left, "y": top, "width": width, "height": height}))
        made.append(_titled(board, title_of(kind)))
    return [made[start : start + IN_A_ROW] for start in range(0, len(made), IN_A_ROW)]


_DRAWN = """() => { const { a, e, f } = app.board.svg.getScreenCTM();
    const [left, top, width, height] = app.picture.box.map((length) => a * length);
    return [e + left, f + top, width, height]; }"""
"""Where on the screen the picture of a puzzle lies."""


def views_of_the_page(page: Any, address: str) -> list[list[Image.Image]]:
    """Return the page in some of its states, a row each, at the widths of a desk, a laptop, a tablet and a phone."""
    return [[_view(page, address, STATES[name], size) for size in WIDTHS] for name in VIEWED]


def _view(page: Any, address: str, state: State, size: tuple[int, int]) -> Image.Image:
    page.set_viewport_size({"width": size[0], "height": size[1]})
    _prepare(page, address, state)
    whole = _image(page.screenshot())
    return whole.resize((int(whole.width * VIEW_SCALE), int(whole.height * VIEW_SCALE)), Image.Resampling.LANCZOS)


def _image(png: bytes) -> Image.Image:
    return Image.open(io.BytesIO(png)).convert("RGB")


def _titled(board: Image.Image, title: str) -> Image.Image:
    """Return a small picture of a board with a title above it."""
    board.thumbnail((THUMB, THUMB), Image.Resampling.LANCZOS)
    framed = Image.new("RGB", (THUMB, THUMB + LINE), board.getpixel((0, 0)))
    framed.paste(board, ((THUMB - board.width) // 2, LINE))
    light = sum(framed.getpixel((0, 0))) > 3 * 128  # type: ignore[arg-type]  # three parts
    ImageDraw.Draw(framed).text((2, 0), title, "black" if light else "white")
    return framed


def _sheet_of(browser: Any, address: str, sheet: Sheet) -> bytes:
    page = browser.new_page(viewport={"width": DESKTOP[0], "height": DESKTOP[1]}, **sheet.media)
    rows = sheet.rows(page, address)
    page.close()
    wide = max(sum(one.width + GAP for one in row) for row in rows) + GAP
    whole = Image.new("RGB", (wide, sum(max(one.height for one in row) + GAP for row in rows) + GAP), "#808080")
    top = GAP
    for row in rows:
        left = GAP
        for one in row:
            whole.paste(one, (left, top))
            left += one.width + GAP
        top += max(one.height for one in row) + GAP
    return _in_few_colours(whole)


THUMB, LINE, IN_A_ROW, GAP = 132, 12, 11, 4
"""The side of a small board, the height of its title, how many stand in a row, and what is between them, in pixels."""
VIEW_SCALE = 0.25
WIDTHS = (DESKTOP, (1024, 768), TABLET, PHONE)
VIEWED = ("shelf", "play", "hint", "design", "replay")
LIGHT, DARK = {"color_scheme": "light"}, {"color_scheme": "dark"}
SHEETS = {
    "kinds-light": Sheet(LIGHT, kinds_of_rules),
    "kinds-dark": Sheet(DARK, kinds_of_rules),
    "kinds-forced": Sheet({**DARK, "forced_colors": "active"}, kinds_of_rules),
    "views-light": Sheet(LIGHT, views_of_the_page),
    "views-dark": Sheet(DARK, views_of_the_page),
}


def make_pictures(names: Sequence[str] = ()) -> dict[str, bytes]:
    """Return pictures as PNG in few colours, by their names: those named, or all."""
    made = {}
    with tempfile.TemporaryDirectory() as data, sync_playwright() as playwright:
        service, address = _serve(Path(data))
        try:
            browser = launch_chromium(playwright)
            for name, state in STATES.items():
                if names and name not in names:
                    continue
                made[name] = _picture_of(browser, address, state)
            for name, sheet in SHEETS.items():
                if names and name not in names:
                    continue
                made[name] = _sheet_of(browser, address, sheet)
            browser.close()
        finally:
            service.terminate()
            service.wait(30)
    return made


def _serve(data: Path) -> tuple[subprocess.Popen[bytes], str]:
    """Start a service; return its process and its address."""
    log = data / "log"
    command = [sys.executable, "-m", "sudoku_cp", "serve", "--port", "0", *OPTIONS, "--data", str(data)]
    with log.open("w") as file:
        process = subprocess.Popen(command, stdout=file, stderr=file)
    for _ in range(600):
        if found := re.search(r"listening on (http://\S+)", log.read_text(encoding="utf-8")):
            return process, found[1]
        time.sleep(0.1)
    raise RuntimeError(log.read_text(encoding="utf-8"))


def _picture_of(browser: Any, address: str, state: State) -> bytes:
    width, height = state.size
    page = browser.new_page(viewport={"width": width, "height": height}, color_scheme=state.theme)
    _prepare(page, address, state)
    picture = _image(page.screenshot())
    page.close()
    return _in_few_colours(picture)


def _prepare(page: Any, address: str, state: State) -> None:
    """Open what a picture shows, as a new visitor would, and do what is done there before."""
    page.goto("about:blank")
    page.goto(address)
    page.wait_for_selector("html[data-ready]")
    page.evaluate("indexedDB.databases().then((all) => all.forEach(({ name }) => indexedDB.deleteDatabase(name)))")
    if state.puzzle is not None:
        page.evaluate("([puzzle, mode]) => app.open(puzzle, { mode })", [state.puzzle, state.mode])
    state.prepare(page)
    page.wait_for_timeout(500)


def _in_few_colours(picture: Image.Image) -> bytes:
    file = io.BytesIO()
    picture.quantize(palette=_palette_of(picture), dither=Image.Dither.NONE).save(file, "PNG", optimize=True)
    return file.getvalue()


def _palette_of(picture: Image.Image) -> Image.Image:
    """Return a picture that has the palette for another one."""
    colours = picture.getcolors(picture.width * picture.height) or []
    common = [colour for _, colour in sorted(colours, reverse=True)[:COMMON]]
    palette = Image.new("P", (1, 1))
    palette.putpalette([*chain.from_iterable(common), *picture.quantize(FAR, Image.Quantize.MAXCOVERAGE).getpalette()[: 3 * FAR]])
    return palette


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for name, picture in make_pictures(sys.argv[1:]).items():
        (FOLDER / f"{name}.png").write_bytes(picture)
