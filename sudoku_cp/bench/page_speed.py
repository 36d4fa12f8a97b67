"""How fast the page is, as a table: `python -m sudoku_cp.bench.page_speed [--keys N] [--out FILE]`.

The page runs in chromium without a window, which draws by processor alone; wall clock times hold for a machine that does
nothing else, so each row also shows the load of the machine, and processor time where a trace has it.
"""

from __future__ import annotations

import argparse
import json
import shutil
import statistics
from collections import Counter
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from playwright.sync_api import sync_playwright

from sudoku_cp.bench.service_load import row, running_service

if TYPE_CHECKING:
    from collections.abc import Iterator

STATIC = Path(__file__).parents[1] / "service/static"
CLASSIC = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
ARGUMENTS = ["--no-sandbox", "--disable-background-networking", "--disable-frame-rate-limit", "--disable-gpu-vsync"]
PARTS = {
    "script": {"EventDispatch", "FireAnimationFrame"},
    "layout": {"UpdateLayoutTree", "Layout"},
    "paint": {"PrePaint", "Paint", "Layerize", "Commit"},
    "raster": {"RasterTask"},
}
"""The events of a trace, by what they are counted as; what lies within another of the same kind is not counted again."""
AFTER_FRAME = """(begin) => new Promise((done) => requestAnimationFrame(() => {
    const channel = new MessageChannel();
    channel.port1.onmessage = () => done(performance.now() - begin);
    channel.port2.postMessage(0);
}))"""
"""The milliseconds from a moment until the next frame has been handed over to be shown."""
EDIT = """(value) => new Promise((done) => {
    const puzzle = { ...structuredClone(app.puzzle.json), title: `Puzzle ${value}` };
    let begin = 0;
    const ended = (_, observer) => (observer.disconnect(), done(performance.now() - begin));
    new MutationObserver(ended).observe(app.board.layers.candidates, { childList: true });
    app.setPuzzle(puzzle).then(() => (begin = performance.now()));
})"""
"""The milliseconds from an edit until candidates are drawn anew."""


def main() -> None:
    """Measure everything, and write the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--keys", type=int, default=200, help="how many keys are pressed on each board")
    parser.add_argument("--out", type=Path, help="the file for the table; the terminal without it")
    options = parser.parse_args()
    chromium = shutil.which("chromium-headless-shell") or shutil.which("chromium")
    if not chromium:
        print("There is no chromium, so the page is not timed; `make browser` installs it.")
        return
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=ARGUMENTS)
        table = (
            "\n".join(["| measured | figure | CPU | goal | load |", "|---|---|---|---|---|", *rows(browser, options.keys)]) + "\n"
        )
        browser.close()
    if options.out:
        options.out.parent.mkdir(parents=True, exist_ok=True)
        options.out.write_text(f"# How fast the page is\n\n{__doc__}\n\n{table}", encoding="utf-8")
    print(table)


def rows(browser: Any, keys: int) -> Iterator[str]:
    """Return a row for each thing that is measured."""
    with running_service() as service:
        address = f"http://127.0.0.1:{service.port}"
        yield from loading_rows(browser, address)
        for size, screen in ((25, (1440, 900)), (25, (2560, 1440)), (16, (1440, 900))):
            yield key_row(browser, address, size, screen, keys)
        yield drag_row(browser, address)
        yield many_rules_row(browser, address)
        yield ghost_row(browser, address)
        yield solver_row(browser, address)
        yield tree_row(browser, address)


@contextmanager
def opened(
    browser: Any, address: str, puzzle: object, *, mode: str = "play", screen: tuple[int, int] = (1440, 900)
) -> Iterator[Any]:
    """Run a block with the page that shows a puzzle in a mode."""
    context = browser.new_context(viewport={"width": screen[0], "height": screen[1]})
    page = context.new_page()
    page.goto(address)
    page.wait_for_selector("html[data-ready]")
    text = puzzle if isinstance(puzzle, str) else json.dumps(puzzle)
    page.evaluate("([puzzle, mode]) => app.open(puzzle, { mode })", [text, mode])
    page.wait_for_timeout(1000)  # what is loaded after the first board
    try:
        yield page
    finally:
        context.close()


# --- loading --------------------------------------------------------------------------------------------------------


def loading_rows(browser: Any, address: str) -> Iterator[str]:
    """Load the page with a puzzle in its link: first with nothing in the cache, then again."""
    with opened(browser, address, CLASSIC) as page:
        link = page.url
    context = browser.new_context()
    page = context.new_page()
    for name, goal in (("the first board of a new service, cold", "1 s"), ("... loaded again", "300 ms")):
        page.goto("about:blank")
        page.goto(link)
        page.wait_for_selector("html[data-ready]")
        shown = page.evaluate("performance.getEntriesByName('board')[0].startTime")
        yield row(name, f"{shown:.0f} ms", "", goal)
        if goal == "1 s":
            yield size_row(page)
    context.close()


def size_row(page: Any) -> str:
    """Add up what the page asked for until its first board was there."""
    sizes = page.evaluate(
        """() => performance.getEntriesByType("resource").concat(performance.getEntriesByType("navigation"))
            .filter((one) => one.startTime <= performance.getEntriesByName("board")[0].startTime && !one.name.includes("/v1/"))
            .map((one) => [one.decodedBodySize, one.encodedBodySize])"""
    )
    plain, packed = (sum(column) / 1000 for column in zip(*sizes, strict=True))
    everything = sum(file.stat().st_size for file in STATIC.rglob("*.*")) / 1000
    told = f"{plain:.0f} kB plain, {packed:.0f} kB transferred (all modes and dialogs: {everything:.0f} kB plain)"
    return row("what the first board needs", told, "", "120 kB")


# --- keys and pointer -------------------------------------------------------------------------------------------------


def key_row(browser: Any, address: str, size: int, screen: tuple[int, int], count: int) -> str:
    """Press digits and arrows on a board whose cells have all their marks."""
    with opened(browser, address, "." * size**2, screen=screen) as page:
        page.evaluate("app.act('fill-marks'); app.selection.replace([app.picture.cells.length >> 1])")
        page.evaluate(
            f"""() => {{
                window.took = [];
                const look = () => ({AFTER_FRAME})(performance.now()).then((one) => took.push(one));
                addEventListener("keydown", look, {{ capture: true }});
            }}"""
        )
        keys = ["Digit1", "ArrowRight", "Digit8", "ArrowDown", "Digit5", "ArrowRight"]

        def press() -> None:
            for number in range(count):
                page.keyboard.press(keys[number % len(keys)])
                page.wait_for_timeout(20)

        page.keyboard.press("ArrowLeft")
        trace = traced(browser, page, press)
        took = sorted(page.evaluate("took"))
    name = f"key to paint, {size}x{size} with all marks, {screen[0]}x{screen[1]}"
    told = f"median {statistics.median(took):.1f} ms, p95 {took[int(0.95 * len(took))]:.1f} ms of {count}"
    return row(name, told, split(trace, count), "16 ms")


def drag_row(browser: Any, address: str) -> str:
    """Drag over a board of 16x16 with all its marks, half a cell a step."""
    with opened(browser, address, "." * 256) as page:
        page.evaluate("app.act('fill-marks')")
        place = page.locator("#cell0").bounding_box()
        side = place["width"]

        def drag() -> None:
            page.mouse.move(place["x"] + side / 2, place["y"] + side / 2)
            page.mouse.down()
            for line in range(8):
                page.mouse.move(place["x"] + side * (15.5 if line % 2 == 0 else 0.5), place["y"] + side * (line + 0.5), steps=16)
            page.mouse.up()

        trace = traced(browser, page, drag)
        cells = page.evaluate("app.selection.cells.size")
    return row("a step of a drag, 16x16 with all marks", f"{cells} cells selected", split(trace, 128), "16.7 ms (60 a second)")


def traced(browser: Any, page: Any, work: Any) -> list[dict[str, Any]]:
    """Return the events of a trace of the page while something is done."""
    browser.start_tracing(page=page, categories=["devtools.timeline", "disabled-by-default-devtools.timeline"])
    work()
    page.wait_for_timeout(200)
    events: list[dict[str, Any]] = json.loads(browser.stop_tracing())["traceEvents"]
    return events


def split(trace: list[dict[str, Any]], count: int) -> str:
    """Return the processor time of each part of the browser's work, for one of ``count`` steps."""
    found: Counter[str] = Counter()
    ends: dict[tuple[int, str], float] = {}
    for event in sorted((one for one in trace if one.get("ph") == "X"), key=lambda one: one["ts"]):
        part = next((part for part, names in PARTS.items() if event["name"] in names), None)
        place = (event["tid"], part or "")
        if part is None or event["ts"] < ends.get(place, 0):
            continue
        ends[place] = event["ts"] + event["dur"]
        found[part] += event.get("tdur", event["dur"])
    each = {part: found[part] / 1000 / count for part in PARTS}
    return f"{sum(each.values()):.1f} ms: " + ", ".join(f"{part} {milliseconds:.1f}" for part, milliseconds in each.items())


# --- design -----------------------------------------------------------------------------------------------------------


def many_rules_row(browser: Any, address: str) -> str:
    """Open a board of a hundred rules."""
    pairs = [[f"r{line}c{column}", f"r{line}c{column + 1}"] for line in range(1, 14) for column in range(1, 16, 2)][:100]
    rules = [{"kind": "inequality", "cells": pair} for pair in pairs]
    puzzle = {"grid": {"rows": 16, "columns": 16, "boxes": [4, 4]}, "rules": rules}
    with opened(browser, address, CLASSIC) as page:
        show = f"puzzle => {{ const begin = performance.now(); return app.show(puzzle).then(() => ({AFTER_FRAME})(begin)); }}"
        took = [page.evaluate(show, puzzle) for _ in range(5)]
        shown = page.evaluate("app.puzzle.json.rules.length")
    return row(f"a board of {shown} rules opens", spread(took), "", "150 ms")


def ghost_row(browser: Any, address: str) -> str:
    """Draw a line with a tool, until the service's picture takes the place of the ghost at each cell."""
    empty = {"grid": {"rows": 9, "columns": 9, "boxes": [3, 3]}}
    with opened(browser, address, empty, mode="design") as page:
        page.wait_for_selector(".tool")
        page.evaluate(
            """() => {
                app.designer.take(app.tools.find(({ gesture }) => gesture === "line"));
                window.took = [];
                let began = null;
                new MutationObserver(() => {
                    const { firstChild } = app.board.layers.ghost;
                    if (firstChild?.localName === "path") began = performance.now();
                    else if (firstChild && began !== null) (took.push(performance.now() - began), (began = null));
                }).observe(app.board.layers.ghost, { childList: true });
            }"""
        )
        for cell in range(9):
            box = page.locator(f"#cell{cell}").bounding_box()
            page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
            page.mouse.down()
            page.wait_for_timeout(150)
        took = page.evaluate("took")
        page.mouse.up()
    return row("from the ghost to the service's picture", spread(took), "", "50 ms")


def solver_row(browser: Any, address: str) -> str:
    """Edit a classic, and wait for the pill and the true candidates of one solution each."""
    with opened(browser, address, CLASSIC, mode="design") as page:
        page.wait_for_selector(".pill.ok")
        page.click("input[name=shown][value=candidates]")
        page.wait_for_selector("#board .candidate")
        took = [page.evaluate(EDIT, number) for number in range(5)]
    return row("pill and candidates of a classic after an edit, the pause of 80 ms included", spread(took), "", "140 ms")


def tree_row(browser: Any, address: str) -> str:
    """Draw a tree of 10,000 nodes."""
    with opened(browser, address, CLASSIC, mode="replay") as page:
        page.wait_for_selector(".node[aria-selected=true]")
        took = page.evaluate(
            """async () => {
                const { SearchTree } = await import("/static/tree.js");
                const { Icicle } = await import("/static/icicle.js");
                let seed = 7;
                const random = () => (seed = (seed * 48271) % 2147483647) / 2147483647;
                const [depth, parent, way] = [[0], [-1], [0]];
                for (let node = 1; node < 10000; node += 1) {
                    const level = Math.max(1, Math.min(60, depth.at(-1) + (random() < 0.55 ? 1 : -Math.floor(4 * random()))));
                    (depth.push(level), parent.push(way[level - 1]), (way[level] = node));
                }
                const fates = ["open", "dead", "alive", "solution"];
                const tree = new SearchTree({ parent, depth, fate: depth.map((_, node) => node % 3), fates });
                const icicle = new Icicle(document.querySelector(".icicle"), () => {});
                icicle.show(tree, 9999);
                return Array.from({ length: 20 }, () => {
                    const begin = performance.now();
                    icicle.draw();
                    return performance.now() - begin;
                });
            }"""
        )
    return row("a tree of 10,000 nodes is drawn", spread(took), "", "16 ms")


def spread(milliseconds: list[float]) -> str:
    """Return the median and the least of some times."""
    return f"median {statistics.median(milliseconds):.0f} ms, least {min(milliseconds):.0f} ms of {len(milliseconds)}"


if __name__ == "__main__":
    main()
