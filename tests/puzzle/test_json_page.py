"""The page that describes the JSON for other programs is true."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from sudoku_cp.grid import MAX_SIDE, MAX_START, MAX_VALUE
from sudoku_cp.puzzle import Puzzle, from_json, json_document, to_json

PAGE = (Path(__file__).parents[2] / "docs/puzzle-json.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```json\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)
LINES = [line for block in re.findall(r"^```jsonl\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE) for line in block.splitlines()]
READ = [from_json(json.loads(text)) for text in (*BLOCKS, *LINES)]


@pytest.mark.parametrize("text", [*BLOCKS, *LINES])
def test_every_example_is_a_puzzle(text: str) -> None:
    """What the page shows is read, and written so that it is read again; nothing is lost."""
    document = json.loads(text)
    puzzle = from_json(document)
    written = json.loads(json.dumps(to_json(puzzle)))
    assert from_json(written) == puzzle
    assert document.keys() <= written.keys()
    for key in ("format", "version", "givens", "candidates", "solution", "title", "author", "source", "ruleset"):
        assert document.get(key, written.get(key)) == written.get(key)


def test_the_page_shows_every_field() -> None:
    """Every field, and every field of a board, is named on the page and occurs in some example."""
    examples = "".join((*BLOCKS, *LINES))
    for key in {*json_document._KEYS, *json_document._BOARD_KEYS, "boards", "values", "signs", "first"}:
        assert f"`{key}`" in PAGE
        assert f'"{key}"' in examples


def test_a_saved_game_is_passed_over() -> None:
    """A game beside a puzzle changes nothing of it."""
    assert from_json({"givens": {"r1c1": 5}, "play": {"version": 1}}) == from_json({"givens": {"r1c1": 5}})
    assert "`play`" in PAGE


def test_the_page_shows_every_kind_of_puzzle() -> None:
    """Among the examples are boxes, a rectangle, a jigsaw, holes, several boards, values from 0, and none of these."""
    grids = [puzzle.grid for puzzle in READ]
    assert any(grid.is_plain for grid in grids)
    assert any(grid.boards[0].rows != grid.boards[0].columns for grid in grids)
    assert any(grid.boards[0].regions and None not in grid.boards[0].regions for grid in grids)
    assert any(grid.boards[0].regions and None in grid.boards[0].regions for grid in grids)
    assert any(len(grid.boards) > 1 for grid in grids)
    assert any(grid.values[0] == 0 for grid in grids)
    assert len(LINES) == 3


def test_the_page_tells_the_bounds() -> None:
    """Version, bounds and the default are those of the code."""
    assert f"This page describes version {json_document.VERSION} " in PAGE
    assert f'`"{json_document.FORMAT}"`' in PAGE
    assert f"whole numbers, 1 to {MAX_SIDE} |" in PAGE
    assert f"two whole numbers, 0 to {MAX_START} |" in PAGE
    assert f"two whole numbers, 0 to {MAX_VALUE} |" in PAGE
    assert from_json({}) == Puzzle()


def test_the_overlapping_example_has_the_cells_it_says() -> None:
    """28 cells, by rows 4, 4, 6, 6, 4, 4."""
    grid = next(puzzle.grid for puzzle in READ if len(puzzle.grid.boards) > 1)
    rows = [row for row, _ in grid.places]
    assert [rows.count(row) for row in range(6)] == [4, 4, 6, 6, 4, 4]


def test_the_message_on_the_page_is_the_message() -> None:
    """The problem that the page quotes is what a reader sees."""
    with pytest.raises(ValueError, match=r"^givens: r1c1: expected a whole number, got '5'$"):
        from_json({"givens": {"r1c1": "5"}})
    assert "givens: r1c1: expected a whole number,\n  got '5'" in PAGE
