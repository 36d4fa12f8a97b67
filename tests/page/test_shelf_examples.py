"""The examples on the page's shelf are those of the project."""

from __future__ import annotations

import json

from tests.page.shelf_examples import EXAMPLES, FILE, document


def test_the_shelf_has_the_first_puzzle_of_each_file():
    """The page's copy is what the files of examples say; run `make docs-shelf` after a change of these."""
    assert FILE.read_text(encoding="utf-8") == document()
    titles = [puzzle["title"] for puzzle in json.loads(document())["puzzles"]]
    assert len(set(titles)) == len(titles) == 1 + len(list((EXAMPLES / "variants").iterdir()))
