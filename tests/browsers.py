"""The browser that the tests and the pictures of the page drive: Debian's chromium, without a window."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Playwright

CHROMIUM = shutil.which("chromium-headless-shell") or shutil.which("chromium")
"""Where it is, or None. The shell draws the same pages in half the processor's time."""


def launch_chromium(playwright: Playwright) -> Browser:
    """Start it, so that it runs for root too and asks nobody but the page's service."""
    return playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-background-networking"])
