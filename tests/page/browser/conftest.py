"""A browser with the page of a real service."""

from __future__ import annotations

import base64
import json
import re
import subprocess
import sys
import time
import zlib
from contextlib import ExitStack, contextmanager
from functools import cached_property
from importlib.util import find_spec
from pathlib import Path

import pytest

from sudoku_cp.puzzle import Puzzle, from_json, to_json
from tests.browsers import CHROMIUM, launch_chromium

OPTIONS = ("--no-ws", "--no-compile", "--workers", "1")


def pytest_collection_modifyitems(items):
    """Skip what needs a browser where there is none, and say so."""
    missing = [name for name, found in {"playwright": find_spec("playwright"), "chromium": CHROMIUM}.items() if not found]
    if missing:
        for item in items:
            if "browser" in item.path.parts:
                item.add_marker(pytest.mark.skip(reason=f"not installed: {', '.join(missing)}"))


@contextmanager
def running_service(data, port=0, folder=None):
    """Run a service, of the package in ``folder`` if one is named, until the end of the block; gives its address and process."""
    command = [sys.executable, "-m", "sudoku_cp", "serve", "--port", str(port), *OPTIONS, "--data", str(data)]
    told = data / "log"
    with told.open("w") as log:
        process = subprocess.Popen(command, stdout=log, stderr=log, cwd=folder)
    try:
        yield _announced(told, process), process
    finally:
        process.terminate()
        process.wait(30)


@pytest.fixture(scope="session")
def service(tmp_path_factory):
    """The address of a service and its process."""
    with running_service(tmp_path_factory.mktemp("browser")) as running:
        yield running


@pytest.fixture
def address(service):
    """The address of the service."""
    return service[0]


def _announced(told, process):
    """Return the address that a service announces in its log."""
    while not (found := re.search(r"listening on (http://\S+)", told.read_text(encoding="utf-8"))):
        assert process.poll() is None, told.read_text(encoding="utf-8")
        time.sleep(0.05)
    return found[1]


class Browser:
    """Chromium without a window, started when it is wanted, with a tab for each kind of context, in which test after test runs.

    A context of its own for each test would cost twice the time: a process, and every file of the page fetched and compiled.
    """

    def __init__(self):
        """Start nothing yet."""
        self.spoilt = False
        self._running = ExitStack()
        self._tabs = {}

    @cached_property
    def chromium(self):
        """The running browser."""
        from playwright.sync_api import sync_playwright  # noqa: PLC0415  # what is not everywhere

        playwright = self._running.enter_context(sync_playwright())
        chromium = launch_chromium(playwright)
        self._running.callback(chromium.close)
        return chromium

    def tab(self, address, options, taken):
        """Return a tab of a context with these options that is none of those ``taken``."""
        tabs = self._tabs.setdefault(repr(sorted(options.items())), [])
        for tab in tabs:
            if tab not in taken:
                return tab
        tabs.append(Tab(self.chromium.new_context(**options), address))
        return tabs[-1]

    def close(self):
        """End the browser with all its tabs; whoever asks for it gets another one."""
        self._running.close()
        self._tabs.clear()
        self.__dict__.pop("chromium", None)
        self.spoilt = False


class Tab:
    """A page in a context of its own, which forgets between tests what it was told, but for the files that it has loaded."""

    def __init__(self, context, address):
        """Open the tab, and listen to what goes wrong there."""
        self.context, self.address = context, address
        self.errors = []
        self.expected = None
        self.page = context.new_page()
        self._devtools = context.new_cdp_session(self.page)
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.on("console", self._hear)
        self.page.on("request", self._look)

    def _hear(self, message):
        if message.type == "error" and not (self.expected and self.expected in message.text):
            self.errors.append(message.text)

    def _look(self, request):
        if not request.url.startswith((self.address, "data:", "blob:", "about:")):
            self.errors.append(request.url)

    def load(self, path, *, expected, viewport, **media):
        """Load a page of the service; an error in the console with a text as ``expected`` is none."""
        self.expected = expected
        self.page.set_viewport_size(viewport)
        self.page.emulate_media(media="null", **media)
        self.page.goto(self.address + path)
        self.page.wait_for_selector("html[data-ready]")

    def forget(self):
        """Leave the page and forget what it has stored; return the errors that there were."""
        for page in self.context.pages:
            if page is not self.page:
                page.close()
        self.page.unroute_all(behavior="ignoreErrors")
        self.context.set_offline(False)
        self.page.goto("about:blank")
        self.page.mouse.move(0, 0)
        self._devtools.send("Storage.clearDataForOrigin", {"origin": self.address, "storageTypes": "local_storage,indexeddb"})
        errors = self.errors[:]
        self.errors.clear()
        return errors


BROWSER = Browser()
SHOWN = {
    "viewport": {"width": 1440, "height": 900},
    "color_scheme": "light",
    "reduced_motion": "no-preference",
    "forced_colors": "none",
}
"""What a tab can take on for each test; other options are those of its context."""


def pytest_exception_interact():
    """Whatever a test that fails leaves behind, such as keys that are down, meets no other test."""
    BROWSER.spoilt = True


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(nextitem):
    """End the browser with the last of its tests in a row, since other tests run loops of their own."""
    try:
        return (yield)
    finally:
        if BROWSER.spoilt or nextitem is None or Path(__file__).parent not in nextitem.path.parents:
            BROWSER.close()


@pytest.fixture
def browser():
    """Chromium without a window."""
    return BROWSER.chromium


@pytest.fixture
def open_page(address):
    """A function that opens the page in a tab for itself; errors of the page and foreign requests fail the test."""
    tabs = []

    def open_page(puzzle=None, *, mode="play", path="/", refused=False, **options):
        shown = {name: options.pop(name, usual) for name, usual in SHOWN.items()}
        tab = BROWSER.tab(address, options, tabs)
        tabs.append(tab)
        expected = "status of 422" if refused else None  # the browser logs each answer that a text is no puzzle
        tab.load(path if puzzle is None else f"/#{mode}/p={packed(puzzle)}", expected=expected, **shown)
        return tab.page

    yield open_page
    assert [error for tab in tabs for error in tab.forget()] == []


def packed(puzzle):
    """Return a puzzle, as our JSON or a line of text, as the page's own links hold it."""
    document = to_json(from_json(json.loads(puzzle)) if puzzle.startswith("{") else Puzzle.parse(puzzle))
    writer = zlib.compressobj(wbits=-15)
    return base64.urlsafe_b64encode(writer.compress(json.dumps(document).encode()) + writer.flush()).decode().rstrip("=")


@pytest.fixture
def page(open_page):
    """The page with its shelf, at the size of a desktop."""
    return open_page()
