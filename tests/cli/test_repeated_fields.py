"""A field that is repeated in JSON is refused at every door: of two values neither is what was meant for sure."""

from __future__ import annotations

import json

import pytest

from sudoku_cp.errors import InvalidInput
from sudoku_cp.formats.project_json import parse_json
from sudoku_cp.service.fpuzzles_socket.server import MOST_PARTS, parse_message

EMPTY = "." * 16
RULE = '[{"kind": "killer-cage", "cells": ["r1c1", "r1c2"], "total": 5, "total": 6}]'
PUZZLE = '{"grid": {"rows": 4, "columns": 4, "boxes": [2, 2]}, "givens": {"r1c1": 1}, "givens": {"r1c1": 2}}'
MANY = 200_000


@pytest.mark.parametrize(
    ("arguments", "field"),
    [
        (["solve", PUZZLE], "givens"),
        (["solve", EMPTY, "--rules", RULE], "total"),
        (["check", EMPTY, "--rules", RULE], "total"),
        (["generate", "--size", "4", "--rules", RULE], "total"),
    ],
)
def test_the_command_line_refuses_it(call, arguments, field) -> None:
    """In a puzzle and in rules: exit code 2, and the name of the field."""
    ended = call(*arguments)
    assert ended.code == 2
    assert f"expected each field once, got '{field}' again" in ended.err


def test_a_file_refuses_it(call, tmp_path) -> None:
    """The line is named."""
    path = tmp_path / "puzzles.jsonl"
    path.write_text(json.dumps({"grid": {"rows": 4, "columns": 4}, "givens": {"r1c1": 1}}) + f"\n{PUZZLE}\n")
    ended = call("solve", str(path))
    assert ended.code == 2
    assert "line 2: expected each field once, got 'givens' again" in ended.out


def test_the_websocket_passes_it_over() -> None:
    """A message has each field once, and not a million parts, which would silence the service."""
    with pytest.raises(InvalidInput, match="each field once"):
        parse_message('{"nonce": 1, "command": "solve", "command": "count"}')
    with pytest.raises(InvalidInput, match=f"more than {MOST_PARTS} parts"):
        parse_message(b'{"nonce": 1, "command": [' + b"0," * MANY + b"0]}")


def test_one_of_many_fields_is_found_at_once() -> None:
    """The time to find it grows with the number of fields, not with its square."""
    fields = ",".join(f'"{number}":0' for number in [*range(MANY), 7])
    with pytest.raises(InvalidInput, match="got '7' again"):
        parse_json(f"{{{fields}}}")
    assert len(parse_json(json.dumps(dict.fromkeys(map(str, range(MANY)))))) == MANY
