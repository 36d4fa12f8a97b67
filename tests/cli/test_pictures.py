"""Pictures that ``show``, ``check`` and ``generate`` draw, on the command line."""

from __future__ import annotations

import json
import sys
from xml.etree import ElementTree as ET

import pytest

PUZZLE = {
    "grid": {"rows": 4, "columns": 4, "boxes": [2, 2]},
    "rules": ["houses", {"kind": "killer-cage", "cells": ["r1c1", "r1c2"], "total": 3}],
    "givens": {"r4c4": 1},
    "title": "Four by four",
    "author": "A. Setter",
}
SAID = "The cells of a cage hold different values, which add up to its total where one is written."


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
    assert "Every row, every column and every region holds different values." in describe_rules(tmp_path / "it.svg")


@pytest.mark.parametrize("verb", ["check", "generate"])
def test_words_need_a_picture(call, verb) -> None:
    """--words without a picture is an error, unless something else would have words."""
    ended = call(verb, "--words", *(["." * 16] if verb == "check" else []))
    assert ended.code == 2
    assert "--words with --svg FILE" in ended.err


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
