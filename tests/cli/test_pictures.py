"""Pictures that ``show``, ``check`` and ``generate`` draw, on the command line."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

import pytest

from sudoku_cp.backends import Clock
from sudoku_cp.cli.verbs.listings import PAGE, PICTURES, gallery_files
from sudoku_cp.rules import RULES
from sudoku_cp.time_limits import tick

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator


# --- pictures ---------------------------------------------------------------------------------------------------------


PUZZLE = {
    "grid": {"rows": 4, "columns": 4, "boxes": [2, 2]},
    "rules": ["houses", {"kind": "killer-cage", "cells": ["r1c1", "r1c2"], "total": 3}],
    "givens": {"r4c4": 1},
    "title": "Four by four",
    "author": "A. Setter",
}
SAID = "Digits in a cage do not repeat, and add up to its total."


@pytest.fixture
def source(tmp_path):
    """Return a file with a puzzle that has a title and a cage."""
    path = tmp_path / "puzzle.json"
    path.write_text(json.dumps(PUZZLE))
    return path


def describe_rules(path):
    """Return all texts of a picture in one line."""
    return " ".join(one.text for one in ET.fromstring(path.read_text()).iter("{http://www.w3.org/2000/svg}text"))  # noqa: S314


@pytest.mark.parametrize("verb", ["show", "check"])
def test_words_stand_below_when_asked(call, source, tmp_path, verb) -> None:
    """With --words the picture has title, author and rules in words; without it, none of them."""
    picture = tmp_path / "it.svg"
    assert call(verb, "--svg", str(picture), str(source)).code in {0, 1}
    assert "Four by four" not in describe_rules(picture)
    assert call(verb, "--svg", str(picture), "--words", str(source)).code in {0, 1}
    assert "Four by four by A. Setter" in describe_rules(picture)
    assert SAID in describe_rules(picture)


def test_pictures_of_made_puzzles_have_words(call, tmp_path) -> None:
    """Pictures of `generate` have them as well."""
    options = ("generate", "-n", "1", "--size", "4", "--seed", "1", "--svg", str(tmp_path / "it.svg"))
    assert call(*options, "--words").code == 0
    assert "Every row, column and box holds each of the digits" in describe_rules(tmp_path / "it.svg")


@pytest.mark.parametrize("verb", ["check", "generate"])
def test_words_need_a_picture(call, verb) -> None:
    """--words without a picture is an error, unless something else would have words."""
    ended = call(verb, "--words", *(["." * 16] if verb == "check" else []))
    assert ended.code == 2
    assert "--words needs --svg FILE" in ended.err


def test_show_draws_cages_here(call, source) -> None:
    """In the terminal a cage has an outline and its total; its rule is listed as JSON, or in words."""
    plain, said = call("show", str(source)), call("show", "--words", str(source))
    assert "┏3━━" in plain.out
    assert '"total": 3' in plain.out
    assert "┏3━━" in said.out
    assert SAID in said.out
    assert "{" not in said.out
    assert call("show", "--ascii", str(source)).out.isascii()


def test_show_writes_png(call, source, tmp_path) -> None:
    """--png writes a picture beside the one of --svg; another ending is refused by name."""
    picture = tmp_path / "it.png"
    assert call("show", "--png", str(picture), "--svg", str(tmp_path / "it.svg"), str(source)).code == 0
    assert picture.read_bytes().startswith(b"\x89PNG")
    assert (tmp_path / "it.svg").exists()
    ended = call("show", "--png", str(tmp_path / "it.jpg"), str(source))
    assert ended.code == 2
    assert "--png: expected a picture that ends in .png" in ended.err


def test_png_without_its_extra_says_what_to_install(call, source, tmp_path, monkeypatch) -> None:
    """Where resvg is missing, the line that installs it is in the message, and nothing is written."""
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    ended = call("show", "--png", str(tmp_path / "it.png"), str(source))
    assert ended.code == 2
    assert "pip install 'sudoku-cp[png]'" in ended.err
    assert not (tmp_path / "it.png").exists()


# --- boards far apart ---------------------------------------------------------------------------------------------------


def far_boards(number: int, side: int = 1) -> str:
    """Return a puzzle of boards as far apart as can be, on a diagonal."""
    step = 999 // (number - 1)
    boards = [{"rows": side, "columns": side, "at": [step * one, step * one]} for one in range(number)]
    return json.dumps({"grid": {"boards": boards, "values": [1, 36]}, "rules": []})


def test_a_png_too_large_is_refused_before_it_is_drawn(call, tmp_path) -> None:
    """The size is computed first, and said with the limit and what to do; no file is left."""
    ended = call("show", "--png", "far.png", "-", text=far_boards(2))
    assert ended.code == 2
    assert "expected a PNG of at most 50,000,000 pixels, got 2,501,000,100 pixels (50,010 x 50,010)" in ended.err
    assert "--svg" in ended.err
    assert list(tmp_path.iterdir()) == []
    assert call("show", "--svg", "far.svg", "-", text=far_boards(2)).code == 0
    assert call("show", "--png", "near.png", "--cell", "10", "-", text=far_boards(2).replace("999", "400")).code == 0
    assert {one.name for one in tmp_path.iterdir()} == {"far.svg", "near.png"}


def test_a_drawing_of_candidates_too_large_is_refused_before_the_search(call) -> None:
    """No time is spent on what cannot be shown; JSON needs no drawing."""
    ended = call("candidates", "-", text=far_boards(1000))
    assert ended.code == 2
    assert "expected a drawing of at most 30,000,000 characters, got" in ended.err
    assert "--json" in ended.err
    assert call("candidates", "--json", "--timeout", "0", "-", text=far_boards(1000)).code == 3


@pytest.mark.parametrize("option", ["--svg", "--html"])
def test_pictures_of_a_path_keep_the_time_and_the_size(call, source, tmp_path, monkeypatch, option) -> None:
    """The steps are printed first; pictures that would be too many are refused, and the time ends the drawing of others."""
    file = f"path.{option[2:]}"
    text = "1234341221......"
    assert call("steps", option, file, "-", text=text).code == 0
    assert (tmp_path / file).stat().st_size > 1000
    (tmp_path / file).unlink()
    monkeypatch.setattr("sudoku_cp.logic.paths.MOST_CELLS", 64)
    ended = call("steps", option, file, "-", text=text)
    assert ended.code == 2
    assert "solved in" in ended.out
    assert "expected pictures of at most 64 cells in all, got" in ended.err
    monkeypatch.undo()

    drawn = []

    def look_at_the_clock(items: Iterable[object], every: int) -> Iterator[object]:
        for item in items:
            drawn.append(item)
            monkeypatch.setattr(Clock, "reached", lambda _: "deadline")
            tick()
            yield item

    monkeypatch.setattr("sudoku_cp.logic.paths.ticked", look_at_the_clock)
    ended = call("steps", option, file, "-", text=text)
    assert len(drawn) == 1
    assert ended.code == 3
    assert "solved in" in ended.out
    assert not (tmp_path / file).exists()


# --- gallery ----------------------------------------------------------------------------------------------------------


DOCS = Path(__file__).parents[2] / "docs"


@pytest.fixture(scope="module")
def files():
    """Return the gallery as it would be written now."""
    return gallery_files()


def test_the_gallery_is_up_to_date(files):
    """The page and its pictures in docs are what `make docs-pages` writes."""
    assert set((DOCS / PICTURES).iterdir()) == {DOCS / path for path in files if path.suffix == ".svg"}
    stale = [str(path) for path, content in files.items() if (DOCS / path).read_text(encoding="utf-8") != content]
    assert not stale, "run `make docs-pages`"


def test_every_rule_is_in_it(files):
    """Each rule has a heading, a picture and the names that other tools give it."""
    page = files[Path(PAGE)]
    for kind, rule in RULES.items():
        if rule.__module__.startswith("sudoku_cp."):
            assert f"### {kind}\n" in page
            assert f"{PICTURES}/{kind}.svg" in page
            assert all(f"{tool}: {name}" in page for tool, name in rule.elsewhere.items())


def test_every_picture_shows_values(files):
    """Each rule's example has a solution, which its picture shows: a symbol in every cell."""
    for path, content in files.items():
        assert path.suffix != ".svg" or content.count("<text") >= 36, path
