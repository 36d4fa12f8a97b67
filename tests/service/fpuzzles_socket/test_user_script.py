"""A page in a browser gets its answers from our socket: by a script of ours, and by the user script of f-puzzles, unchanged.

The latter is not ours: the environment variable FPUZZLES_USER_SCRIPT names a copy of it, and without one its tests are skipped.
It is `UserScripts/Fpuzzles-SudokuSolver.user.js` of the project SudokuSolver.
"""

from __future__ import annotations

import asyncio
import json
import os
import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from sudoku_cp.formats.lzstring import compress, decompress
from sudoku_cp.service.fpuzzles_socket.server import PORT, start
from tests.browsers import CHROMIUM, launch_chromium
from tests.service.fpuzzles_socket.thread_pool import ThreadPool

PAGE = Path(__file__).parent / "page.html"
SCRIPT = os.environ.get("FPUZZLES_USER_SCRIPT")
TRANSCRIPTS = sorted((Path(__file__).parent / "transcripts").glob("*.json"))
SOLVED = "1243342143122134"


@pytest.fixture(scope="module")
def socket_server():
    """Serve on the port that the script knows, in a thread."""
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever)
    thread.start()
    try:
        listening = start(ThreadPool(), "localhost", PORT, origins=["http://localhost:*"])
        server = asyncio.run_coroutine_threadsafe(listening, loop).result(10)
        yield
        loop.call_soon_threadsafe(server.close)
        asyncio.run_coroutine_threadsafe(server.wait_closed(), loop).result(10)
    finally:
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()


@pytest.fixture(scope="module")
def browser():
    """Start Debian's chromium."""
    playwright = pytest.importorskip("playwright.sync_api")
    if CHROMIUM is None:
        pytest.skip("chromium is not there")
    with playwright.sync_playwright() as running:
        yield launch_chromium(running)


class _QuietHandler(SimpleHTTPRequestHandler):
    """Serves files and logs nothing."""

    def log_message(self, *arguments):
        """Log nothing."""


@pytest.fixture(scope="module")
def site():
    """Serve the page on localhost."""
    with ThreadingHTTPServer(("localhost", 0), partial(_QuietHandler, directory=PAGE.parent)) as server:
        threading.Thread(target=server.serve_forever).start()
        yield f"http://localhost:{server.server_port}/{PAGE.name}"
        server.shutdown()


@pytest.fixture
def page(browser, site):
    """Open the page that has what the script hooks."""
    opened = browser.new_page()
    opened.set_default_timeout(20_000)
    opened.goto(site)
    yield opened
    opened.close()


@pytest.mark.parametrize("text", ["", "a", "aaaaaaa", '{"size": 9, "grid": [[{"value": 1}]]}' * 9, "\u00e9\u4e2d\u2190 abc" * 5])
def test_the_page_packs_as_the_site_does(page, text):
    """What the page compresses we read, and the other way round."""
    assert decompress(page.evaluate("(text) => compressor.compressToBase64(text)", text)) == text
    assert page.evaluate("(packed) => compressor.decompressFromBase64(packed)", compress(text)) == text


CONVERSE = """async (requests) => {
    const socket = new WebSocket("ws://localhost:4545");
    await new Promise((resolve, reject) => { socket.onopen = resolve; socket.onerror = reject; });
    const talks = [];
    for (const [index, {command, document, replies}] of requests.entries()) {
        const message = {nonce: index + 1, command};
        if (document) {
            message.dataType = "fpuzzles";
            message.data = compressor.compressToBase64(JSON.stringify(document));
        }
        const received = [];
        const whole = new Promise((resolve) => socket.onmessage = ({data}) => {
            received.push(JSON.parse(data));
            if (received.length >= replies) resolve();
        });
        socket.send(JSON.stringify(message));
        await whole;
        talks.push(received);
    }
    socket.close();
    return talks;
}"""
"""Sends requests one after the other, and returns the replies that came until there were so many."""


def test_every_command_is_answered_in_a_browser(page, socket_server):
    """A page of another origin gets the recorded replies, with the nonce of its message, to what it has packed itself."""
    transcripts = [json.loads(path.read_text()) for path in TRANSCRIPTS]
    requests = [one | {"replies": len(one["replies"])} for one in transcripts]
    for nonce, (one, talk) in enumerate(zip(transcripts, page.evaluate(CONVERSE, requests), strict=True), 1):
        assert talk == [{"nonce": nonce} | reply for reply in one["replies"]]


def test_a_browser_cancels_what_it_asked(page, socket_server):
    """The cancellation is answered, and so is the question that was in progress, with the nonce of its own."""
    asked = {"command": "estimate", "document": {"size": 9, "grid": [[{}] * 9] * 9}, "replies": 1}
    [estimate], ends = page.evaluate(CONVERSE, [asked, {"command": "cancel", "replies": 2}])
    assert (estimate["nonce"], estimate["type"]) == (1, "estimate")
    ends = [one for one in ends if one["type"] != "estimate"]
    assert {"nonce": 2, "type": "canceled"} in ends


@pytest.fixture
def connected(page, socket_server):
    """Run the script in the page, and connect it."""
    if SCRIPT is None:
        pytest.skip("the user script is not there: FPUZZLES_USER_SCRIPT names no copy of it")
    page.add_script_tag(path=SCRIPT)
    page.wait_for_function("buttons.some((one) => one.title === 'Connect')")
    page.evaluate("press('Connect')")
    page.wait_for_function("buttons.some((one) => one.title === 'Disconnect')")
    return page


def press(page, title):
    """Press a button, and wait until the script has the whole answer."""
    page.evaluate("(title) => press(title)", title)
    page.wait_for_function("buttons.some((one) => one.title === 'Calculating...')")
    page.wait_for_function("buttons.some((one) => one.title === 'Disconnect')", timeout=60_000)


def test_solve_fills_the_board(connected):
    """The values of the solution stand in the grid."""
    press(connected, "Solve")
    assert connected.evaluate("values()") == SOLVED


@pytest.mark.parametrize(
    ("givens", "check", "count"),
    [
        ("1000002003000004", "There is a unique solution.", "There is a unique solution."),
        ("1000002000000000", "There are multiple solutions.", "There are exactly 12 solutions."),
        ("1100000000000000", "There are no solutions.", "There are no solutions."),
    ],
)
def test_check_and_count_are_logged(connected, givens, check, count):
    """The script says what it was told."""
    connected.evaluate("(givens) => begin(givens)", givens)
    press(connected, "Check")
    assert connected.evaluate("logged") == [check]
    press(connected, "Solution Count")
    assert connected.evaluate("logged") == [count]


def test_true_candidates_are_marked(connected):
    """Each open cell has its candidates as centre marks, forced ones as values."""
    connected.evaluate("begin('1000002000000000')")
    press(connected, "True Candid.")
    assert connected.evaluate("values()") == "1200002100000000"
    assert connected.evaluate("marks()[2]") == "34"
    assert all(connected.evaluate("marks()")[cell] for cell in range(16) if cell not in {0, 1, 6, 7})


def test_steps_and_the_path_are_logged(connected):
    """One step writes the candidates, the next a deduction; the path fills the board."""
    press(connected, "Step")
    assert connected.evaluate("logged") == ["Initial candidates."]
    press(connected, "Step")
    assert connected.evaluate("logged[1]").endswith(".\n")
    press(connected, "Solution Path")
    assert connected.evaluate("values()") == SOLVED


def test_a_count_is_cancelled(connected):
    """A count of a 9x9 board without givens reports, and ends when its button is pressed again."""
    connected.evaluate("begin('0'.repeat(81))")
    connected.evaluate("press('Solution Count')")
    connected.wait_for_function("logged.some((line) => line.startsWith('Found'))", timeout=60_000)
    connected.evaluate("press('Cancel')")
    connected.wait_for_function("logged.includes('Operation canceled.')", timeout=60_000)
