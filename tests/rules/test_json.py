"""Rules as plain data: what is written can be read again, and everything wrong is reported at once."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sudoku_cp.errors import InvalidInput, UnknownName
from sudoku_cp.grid import Grid
from sudoku_cp.rules import RULES, Arrow, Houses, KillerCage, Quadruple, Rule, rule_from_json, rule_to_json

if TYPE_CHECKING:
    from collections.abc import Callable

GRID = Grid.square(4)
LENIENT = settings(suppress_health_check=[HealthCheck.filter_too_much])


def test_an_example_survives_json(kind: str, grids: dict[str, Grid]) -> None:
    """An example written to JSON and read again is the same rule, on every grid."""
    for grid in grids.values():
        rule = RULES[kind].example(grid)
        assert rule_from_json(json.loads(json.dumps(rule_to_json(rule, grid))), grid) == rule


def test_any_instance_survives_json(
    kind: str, possible: tuple[Grid, ...], instances: Callable[[type[Rule], Grid], st.SearchStrategy[Rule]]
) -> None:
    """So does every instance."""

    @settings(LENIENT, max_examples=2)
    @given(st.data())
    def survive(data: st.DataObject) -> None:
        grid = data.draw(st.sampled_from(possible))
        rule = data.draw(instances(RULES[kind], grid))
        assert rule_from_json(json.loads(json.dumps(rule_to_json(rule, grid))), grid) == rule

    survive()


def test_what_json_looks_like() -> None:
    """Cells are written by name, fields at their defaults are omitted, and a kind alone may be a text."""
    assert rule_to_json(KillerCage((0, 5), 7), GRID) == {"kind": "killer-cage", "cells": ["r1c1", "r2c2"], "total": 7}
    assert rule_to_json(KillerCage((0, 5)), GRID) == {"kind": "killer-cage", "cells": ["r1c1", "r2c2"]}
    arrow = {"kind": "arrow", "bulb": "r1c1", "shafts": [["r1c2", "r1c3"], ["r2c1"]]}
    assert rule_to_json(Arrow(0, ((1, 2), (4,))), GRID) == arrow
    assert rule_to_json(Quadruple((0, 1), (3, 3)), GRID) == {"kind": "quadruple", "cells": ["r1c1", "r1c2"], "digits": [3, 3]}
    assert rule_to_json(Houses(), GRID) == {"kind": "houses"}
    assert rule_from_json("houses", GRID) == Houses()
    assert rule_from_json({"kind": "killer-cage", "cells": ["R1C1"], "total": None}, GRID) == KillerCage((0,))


CAGE = {"kind": "killer-cage", "cells": ["r1c1"]}
BAD: list[tuple[Any, list[str]]] = [
    (None, ["expected a rule such as"]),
    (7, ["expected a rule such as"]),
    ([], ["expected a rule such as"]),
    (["houses"], ["expected a rule such as"]),
    ({}, ["expected a rule such as"]),
    ({"cells": ["r1c1"]}, ["expected a rule such as"]),
    ("killer", ["killer-cage: expected the field 'cells', which is missing"]),
    ("", ["expected a rule, one of"]),
    ({"kind": "killerest"}, ["expected a rule, got 'killerest'; did you mean killer-cage, "]),
    ({"kind": 3}, ["expected a kind of rule, got 3"]),
    ({"kind": ["houses"]}, ["expected a kind of rule, got ['houses']"]),
    ({"kind": None}, ["expected a kind of rule, got None"]),
    ("killer-cage", ["killer-cage: expected the field 'cells', which is missing"]),
    ({"kind": "houses", "cells": []}, ["houses: expected only its kind, got 'cells'"]),
    ({**CAGE, "sum": 3}, ["killer-cage: expected only cells, total, got 'sum'"]),
    ({**CAGE, "cells": "r1c1"}, ["killer-cage, cells: expected an array, got 'r1c1'"]),
    ({**CAGE, "cells": None}, ["killer-cage, cells: expected an array, got None"]),
    ({**CAGE, "cells": {"r1c1": 1}}, ["killer-cage, cells: expected an array"]),
    ({**CAGE, "cells": [0]}, ["killer-cage, cells: expected a cell such as 'r4c7', got 0"]),
    ({**CAGE, "cells": ["r1c1", "r5c1"]}, ["killer-cage, cells: expected a cell of a 4x4 grid, got 'r5c1'"]),
    ({**CAGE, "cells": ["r0c1"]}, ["killer-cage, cells: expected a cell such as 'r4c7', got 'r0c1'"]),
    ({**CAGE, "cells": ["1c1x"]}, ["killer-cage, cells: expected a cell such as"]),
    ({**CAGE, "cells": [["r1c1"]]}, ["killer-cage, cells: expected a cell such as"]),
    ({**CAGE, "total": "10"}, ["killer-cage, total: expected a whole number, got '10'"]),
    ({**CAGE, "total": 1.5}, ["killer-cage, total: expected a whole number, got 1.5"]),
    ({**CAGE, "total": True}, ["killer-cage, total: expected a whole number, got True"]),
    ({"kind": "arrow", "bulb": ["r1c1"], "shafts": []}, ["arrow, bulb: expected a cell such as"]),
    ({"kind": "arrow", "bulb": "r1c1", "shafts": ["r1c2"]}, ["arrow, shafts: expected an array, got 'r1c2'"]),
    ({"kind": "arrow", "bulb": "r1c1", "shafts": [["r1c2"], [7]]}, ["arrow, shafts: expected a cell such as"]),
    ({"kind": "quadruple", "cells": [], "digits": [1, "2"]}, ["quadruple, digits: expected a whole number, got '2'"]),
    ({"kind": "quadruple", "cells": [], "digits": 3}, ["quadruple, digits: expected an array, got 3"]),
    ({"kind": "skyscraper", "cells": [], "visible": None}, ["skyscraper, visible: expected a whole number, got None"]),
    ({"kind": "indexer", "cells": [], "rows": 1}, ["indexer, rows: expected true or false, got 1"]),
    (
        {"kind": "arrow", "bulb": "x", "shape": 1, "size": 2},
        [
            "arrow, bulb: expected a cell such as 'r4c7', got 'x'",
            "arrow: expected only bulb, shafts, got 'shape'",
            "arrow: expected only bulb, shafts, got 'size'",
            "arrow: expected the field 'shafts', which is missing",
        ],
    ),
]


@pytest.mark.parametrize(("data", "words"), BAD)
def test_what_is_wrong_is_told_all_at_once(data: Any, words: list[str]) -> None:
    """Bad data raises `InvalidInput` with one problem for each thing that is wrong, naming rule and field."""
    with pytest.raises(InvalidInput) as raised:
        rule_from_json(data, GRID)
    assert len(raised.value.problems) == len(words)
    for problem, beginning in zip(raised.value.problems, words, strict=True):
        assert problem.startswith(beginning)


def test_an_unknown_kind_is_an_unknown_name() -> None:
    """An unknown kind raises `UnknownName` with the kinds most like it."""
    with pytest.raises(UnknownName, match=r"expected a rule, got 'killer-cag'; did you mean killer-cage"):
        rule_from_json("killer-cag", GRID)


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False)
    | st.text(max_size=4)
    | st.sampled_from(["r1c1", "r9c9"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=6,
)
NAMES = ("cells", "total", "bulb", "shafts", "digits", "visible", "rows", "down", "up")


@settings(LENIENT, max_examples=150)
@given(st.sampled_from(sorted(RULES)), st.dictionaries(st.sampled_from(NAMES), JSON, max_size=4))
def test_no_data_breaks_the_reader(kind: str, told: dict[str, Any]) -> None:
    """Any data is a rule that survives being written and read again, or is refused with `InvalidInput`."""
    try:
        rule = rule_from_json({"kind": kind, **told}, GRID)
    except InvalidInput as error:
        assert error.problems  # noqa: PT017
    else:
        assert rule_from_json(rule_to_json(rule, GRID), GRID) == rule
