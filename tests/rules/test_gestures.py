"""How each kind of rule is made on a drawn board."""

from __future__ import annotations

from collections import Counter
from dataclasses import MISSING, fields

import pytest

from sudoku_cp.answer_json.listings import rules_to_json
from sudoku_cp.grid import Cell
from sudoku_cp.rules import RULES
from sudoku_cp.rules.base import GESTURES

KNOWN = {
    "thermometer": "line",
    "arrow": "stem",
    "pill-arrow": "stem",
    "killer-cage": "cage",
    "odd": "cells",
    "maximum": "cells",
    "difference": "edge",
    "inequality": "edge",
    "quadruple": "corner",
    "little-killer": "outside",
    "sandwich": "outside",
    "clone": "groups",
    "equal-sums": "groups",
    "value-indexing": "stages",
    "count-distinct": "stages",
    "any-of": "joined",
    "repeated": "joined",
    "anti-knight": "switch",
    "negative-difference": "switch",
    "connected-values": "switch",
}


@pytest.mark.parametrize(("known", "gesture"), KNOWN.items())
def test_gestures_people_expect(known, gesture):
    """A rule is made as setters are used to."""
    assert RULES[known].gesture == gesture


def test_every_kind_has_a_gesture(kind):
    """A kind has a known gesture, and a switch is exactly a kind that needs neither cells nor rules."""
    rule = RULES[kind]
    assert rule.gesture in GESTURES
    needed = [rule.field_types[field.name].plain for field in fields(rule) if field.default is MISSING]
    assert (rule.gesture == "switch") == all(plain in (int, bool, str) for plain in needed)
    assert (rule.gesture in ("stem", "groups", "stages", "joined")) or needed.count(Cell) <= 1


def test_every_gesture_is_of_use():
    """No gesture is there for nothing."""
    assert set(Counter(rule.gesture for rule in RULES.values())) == set(GESTURES)


def test_listing_tells_what_tools_need():
    """A listed rule has fields and defaults that cover its example, and a thumbnail where it draws something."""
    for row in rules_to_json():
        given = row["example"].keys() - {"kind"}
        assert row["fields"].keys() >= given | row["defaults"].keys()
        assert row["fields"].keys() == given | row["defaults"].keys()
        if row["thumbnail"]:
            assert row["thumbnail"]["cells"]
            assert "<" in row["thumbnail"]["under"] + row["thumbnail"]["over"] + row["thumbnail"]["outside"]
        else:
            assert row["gesture"] == "switch"
