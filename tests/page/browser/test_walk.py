"""The walk of docs/page.md is gone as it is told."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.docs import page_walk

PAGE = Path(__file__).parents[3] / "docs/page.md"


@pytest.mark.slow
def test_from_an_empty_board_to_a_printed_killer(page):
    """Five cages are drawn, givens come until there is one solution, and the PDF is saved, by buttons as the page names them."""
    page_walk.design_a_killer(page)
    rules = page.evaluate("app.puzzle.json.rules.filter((rule) => rule.kind === 'killer-cage')")
    assert {rule["total"]: len(rule["cells"]) for rule in rules} == dict.fromkeys(page_walk.CAGES, 3)
    page_walk.ask_for_print(page)
    with page.expect_download() as saved:
        page.locator("dialog").get_by_role("button", name="PDF").click()
    assert Path(saved.value.path()).read_bytes().startswith(b"%PDF")


def test_the_walk_is_told_with_its_numbers():
    """The page tells the cages and the title that the walk uses."""
    told = PAGE.read_text(encoding="utf-8")
    rows = re.findall(r"\| (r\dc\d) (r\dc\d) (r\dc\d) \| (\d+) \|", told)
    assert {int(total): [(int(cell[1]), int(cell[3])) for cell in cells] for *cells, total in rows} == page_walk.CAGES
    assert page_walk.TITLE in told
    assert all((PAGE.parent / picture).is_file() for picture in re.findall(r"\]\((page/[\w-]+\.png)\)", told))
