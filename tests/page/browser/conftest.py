"""A browser with the page of a real service."""

from __future__ import annotations

import re
import subprocess
import sys
import time
from contextlib import contextmanager

import pytest

from tests.browsers import CHROMIUM, launch_chromium

OPTIONS = ("--no-ws", "--no-compile", "--workers", "1")


def pytest_collection_modifyitems(items):
    """Skip what needs a browser where there is none, and say so."""
    try:
        import playwright.sync_api  # noqa: F401, PLC0415  # what is not everywhere
    except ImportError:
        reason = "playwright is not installed"
    else:
        reason = None if CHROMIUM else "there is no chromium"
    if reason:
        for item in items:
            if "browser" in item.path.parts:
                item.add_marker(pytest.mark.skip(reason=reason))


@contextmanager
def running_service(data, port=0):
    """Run a service in a process of its own until the end of the block, which gets its address and its process."""
    command = [sys.executable, "-m", "sudoku_cp", "serve", "--port", str(port), *OPTIONS, "--data", str(data)]
    told = data / "log"
    with told.open("w") as log:
        process = subprocess.Popen(command, stdout=log, stderr=log)
    try:
        yield _announced(told), process
    finally:
        process.terminate()
        process.wait(30)


@pytest.fixture(scope="session")
def address(tmp_path_factory):
    """The address of a service in a process of its own."""
    with running_service(tmp_path_factory.mktemp("browser")) as (address, _process):
        yield address


def _announced(told):
    """Return the address that a service announces in its log."""
    for _ in range(300):
        if found := re.search(r"listening on (http://\S+)", told.read_text(encoding="utf-8")):
            return found[1]
        time.sleep(0.1)
    pytest.fail(told.read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def browser():
    """Chromium without a window; its loop ends with each module, since other tests run loops of their own."""
    from playwright.sync_api import sync_playwright  # noqa: PLC0415  # what is not everywhere

    with sync_playwright() as playwright:
        running = launch_chromium(playwright)
        yield running
        running.close()


@pytest.fixture
def open_page(browser, address):
    """A function that opens the page in a context of its own; errors of the page and foreign requests fail the test."""
    contexts, errors = [], []

    def open_page(puzzle=None, *, path="/", refused=False, **options):
        context = browser.new_context(**{"viewport": {"width": 1440, "height": 900}} | options)
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: errors.append(str(error)))
        expected = "status of 422" if refused else None  # the browser logs each answer that a text is no puzzle
        page.on(
            "console",
            lambda one: errors.append(one.text) if one.type == "error" and not (expected and expected in one.text) else None,
        )
        page.on("request", lambda one: None if one.url.startswith((address, "data:", "blob:")) else errors.append(one.url))
        page.goto(address + path)
        page.wait_for_selector("html[data-ready]")
        if puzzle is not None:
            page.evaluate("puzzle => app.open(puzzle)", puzzle)
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert errors == []


@pytest.fixture
def page(open_page):
    """The page with its shelf, at the size of a desktop."""
    return open_page()
