"""The verb convert: whatever cannot be written is reported, and nothing is dropped silently."""

from __future__ import annotations

import json

import pytest

EASY = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
OTHER = ".16.4......2....9.4......62.7.23.1..1.......3..3.87.4.96......5...8....7......68."
RULES = [{"kind": "houses"}, {"kind": "thermometer", "cells": ["r1c3", "r1c4"]}]


def _document(line: str, **fields: object) -> str:
    givens = {f"r{cell // 9 + 1}c{cell % 9 + 1}": int(sign) for cell, sign in enumerate(line) if sign != "."}
    grid = {"rows": 9, "columns": 9, "boxes": [3, 3], "values": [1, 9]}
    return json.dumps({"format": "sudoku-cp puzzle", "version": 1, "grid": grid, "givens": givens, **fields}) + "\n"


MIXED = _document(EASY, title="One", author="A") + "\n" + _document(OTHER, rules=RULES) + _document(OTHER, author="B")
"""Three puzzles, in lines 1, 3 and 4: the second has a rule, the others have texts."""


def test_what_cannot_be_written_is_told_and_the_rest_is_written(call) -> None:
    """A refused puzzle is reported with number, line and reason, those after it are written, and the exit code is 1."""
    ended = call("convert", "--to", "sdm", "-", text=MIXED)
    assert ended.code == 1
    assert ended.out == f"{EASY.replace('.', '0')}\n{OTHER.replace('.', '0')}\n"
    assert "not written: puzzle 1 (line 3): expected a plain puzzle for the format 'sdm'" in ended.err
    assert "houses, thermometer" in ended.err


def test_what_is_left_out_is_told(call) -> None:
    """Texts without a place in the format are listed at the end, with their puzzles; --quiet omits this."""
    told = "left out, as the format 'sdm' has no place for it: the title (puzzle 0), the author (puzzles 0, 2)\n"
    assert call("convert", "--to", "sdm", "-", text=MIXED).err.endswith(told)
    assert told not in call("convert", "--to", "sdm", "--quiet", "-", text=MIXED).err
    assert "author" not in call("convert", "--to", "json", "-", text=MIXED).err


def test_strict_refuses_what_would_lose_a_text(call) -> None:
    """With --strict a puzzle that would lose a text is not written."""
    ended = call("convert", "--to", "line", "--strict", "-", text=MIXED)
    assert ended.code == 1
    assert ended.out == ""
    assert "puzzle 0 (line 1): expected a format with a place for its author, got 'line'" in ended.err


def test_json_tells_of_each_puzzle(call, tmp_path) -> None:
    """--json has an object for each puzzle: its result, its place, and what was left out."""
    ended = call("convert", "--to", "sdm", "--json", "--out", "out.sdm", "-", text=MIXED)
    first, second, third = ended.json_lines
    assert first == {"index": 0, "line": 1, "status": "written", "left_out": ["title", "author"]}
    assert (second["index"], second["line"], second["status"]) == (1, 3, "refused")
    assert "thermometer" in second["error"]
    assert (third["line"], third["left_out"]) == (4, ["author"])
    assert (tmp_path / "out.sdm").read_text().count("\n") == 2


def test_json_without_a_file_holds_the_text(call) -> None:
    """Without --out each object holds the text of its puzzle, and all of them together are the file."""
    told = call("convert", "--to", "opensudoku", "--json", "-", text=MIXED).json_lines
    text = "".join(one.get("text", "") for one in told)
    assert text == call("convert", "--to", "opensudoku", "-", text=MIXED).out
    assert told[-1] == {"status": "end", "text": "  </folder>\n</opensudoku>\n"}


def test_json_tells_what_cannot_be_read(call) -> None:
    """A record that cannot be read gets an object too, and the exit code of bad input."""
    ended = call("convert", "--to", "sdm", "--json", "-", text=f"{EASY}\n{EASY[:-1]}\n{OTHER}\n")
    assert ended.code == 2
    assert [one["status"] for one in ended.json_lines] == ["written", "error", "written"]


@pytest.mark.parametrize("name", ["csv", "opensudoku", "sdm", "dimacs"])
def test_a_file_without_a_puzzle_is_not_made(call, tmp_path, name: str) -> None:
    """If no puzzle can be written, no file is left behind."""
    rules = [{"kind": "houses"}] if name == "dimacs" else RULES
    text = _document(EASY, rules=rules, author="A")
    assert call("convert", "--to", name, "--strict", "--out", "out", "-", text=text).code == 1
    assert not (tmp_path / "out").exists()
