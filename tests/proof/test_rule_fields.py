"""The checker's own parser of puzzles refuses whatever the program refuses, kind by kind and field by field."""

from __future__ import annotations

import json
import random
from copy import deepcopy
from dataclasses import MISSING, fields
from typing import TYPE_CHECKING, Any

import pytest

from sudoku_cp.errors import InvalidInput
from sudoku_cp.grid import Grid
from sudoku_cp.proof.checker import certified_rules as types
from sudoku_cp.proof.checker import check
from sudoku_cp.proof.checker.certified_puzzle import read_puzzle
from sudoku_cp.proof.checker.report import Rejected
from sudoku_cp.puzzle import Puzzle, from_json, to_json
from sudoku_cp.rules import RULES
from sudoku_cp.rules.houses import Houses

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from tests.proof.conftest import Folder

KINDS = sorted(RULES)
TYPES: dict[str, tuple[types.FieldReader, ...]] = {
    "Cell": (types.cell,),
    "Cells": (types.cells,),
    "tuple[Cells, ...]": (types.groups, types.pairs_of_cells),
    "int": (types.number,),
    "tuple[int, ...]": (types.numbers,),
    "tuple[tuple[int, ...], ...]": (types.pairs, types.triples),
    "bool": (types.flag,),
    "str": (types.text,),
    "tuple[Rule, ...]": (types.json_array,),
}
"""The checker's types for each type of the program's fields."""


# --- the table ----------------------------------------------------------------------------------------------------


def test_the_table_has_every_kind() -> None:
    """The checker knows every kind of rule, and no other."""
    assert types.FIELDS.keys() == set(RULES)


@pytest.mark.parametrize("kind", KINDS)
def test_the_table_has_the_fields_of_every_kind(kind: str) -> None:
    """The checker's table and the program's rules have the same fields, types and defaults, though neither imports the other."""
    own = types.FIELDS[kind]
    assert [*own] == [field.name for field in fields(RULES[kind])]
    for field in fields(RULES[kind]):
        entry = own[field.name]
        assert isinstance(entry, types.OptionalField) == (field.default is not MISSING)
        if isinstance(entry, types.OptionalField):
            assert json.dumps(entry.default) == json.dumps(field.default)
        read = entry.read if isinstance(entry, types.OptionalField) else entry
        of = str(field.type)
        if of.endswith(" | None"):
            assert read(types.RulePlacement(None), None) is None  # type: ignore[arg-type]
        else:
            assert read in TYPES[of]


# --- what is refused ----------------------------------------------------------------------------------------------

ROW = ["r1c1", "r1c2", "r1c3", "r1c4"]
REFUSED: dict[str, object] = {
    "null for true": {"kind": "diagonals", "down": None, "up": None},
    "0 for false": {"kind": "diagonals", "down": 0, "up": 0},
    "a flag as a text": {"kind": "indexer", "cells": ["r1c1"], "rows": "false"},
    "cells as numbers": {"kind": "extra-region", "cells": [0, 1, 2]},
    "a cell as a number": {"kind": "count-distinct", "cell": 0, "cells": ROW},
    "cells as a text": {"kind": "killer-cage", "cells": "r1c1", "total": 1},
    "a blank before a cell": {"kind": "killer-cage", "cells": [" r1c1", "r1c2"]},
    "a blank behind a cell": {"kind": "count-distinct", "cell": "r1c1 ", "cells": ROW},
    "a line end behind a cell": {"kind": "equal-sums", "groups": [["r1c1\n"], ["r1c2"]]},
    "a name for a number": {"kind": "little-killer", "cells": ["r1c1"], "total": "r2c1"},
    "a name for a number that may be null": {"kind": "killer-cage", "cells": ["r1c1"], "total": "r1c2"},
    "names among numbers": {"kind": "multi-sum-cage", "cells": ["r1c1"], "totals": ["r1c2"]},
    "true for 1": {"kind": "difference", "cells": ["r1c1", "r1c2"], "difference": True},
    "null for a number": {"kind": "ratio", "cells": ["r1c1", "r1c2"], "ratio": None},
    "a fraction": {"kind": "skyscraper", "cells": ROW, "visible": 2.0},
    "a number beyond all": {"kind": "killer-cage", "cells": ROW, "total": 1_000_001},
    "an object of rules": {"kind": "all-of", "rules": {}},
    "a text of rules": {"kind": "all-of", "rules": ""},
    "no rules to choose from": {"kind": "any-of", "rules": []},
    "a wrong rule inside": {"kind": "all-of", "rules": [{"kind": "diagonals", "down": None}]},
    "half a step": {"kind": "repeated", "rules": [{"kind": "even", "cells": ["r1c4"]}], "shifts": [[0.5, 0]]},
    "a shift of one number": {"kind": "repeated", "rules": [], "shifts": [[1]]},
    "no shifts": {"kind": "repeated", "rules": []},
    "a copy that cannot be there": {
        "kind": "repeated",
        "rules": [{"kind": "repeated", "rules": [{"kind": "killer-cage", "cells": []}], "shifts": [[1, 1, 1]]}],
        "shifts": [],
    },
    "no distance": {"kind": "taxicab", "distance": 0},
    "a step on the spot": {"kind": "anti-leaper", "steps": [[0, 0]]},
    "a field too many": {"kind": "killer-cage", "cells": ROW, "totals": [10]},
    "a misspelt field": {"kind": "killer-cage", "cells": ROW, "Total": 10},
    "a line that comes back": {"kind": "thermometer", "cells": ["r1c1", "r1c1"]},
    "no cells": {"kind": "renban", "cells": []},
    "a pattern that is none": {"kind": "regular-expression", "cells": ROW, "pattern": "(1"},
    "a rule that there is not": "by-decree",
    "a rule as a number": 7,
    "a rule without a kind": {},
}
"""Rules that are none, on a board of 4x4 cells."""
REFUSED_FIELDS: dict[str, tuple[str, object]] = {
    "symbols as a number": ("symbols", 7),
    "symbols twice": ("symbols", "1123"),
    "too few symbols": ("symbols", "123"),
    "symbols from too far on": ("symbols", {"signs": "1234", "first": 2}),
    "symbols with a dot": ("symbols", "12.4"),
    "no symbols": ("symbols", None),
    "a title that is null": ("title", None),
    "a title that is an object": ("title", {}),
    "an author as a number": ("author", 1),
    "a source as a list": ("source", ["here"]),
    "words of the rules as an object": ("ruleset", {}),
    "givens as a list": ("givens", []),
    "candidates that are none": ("candidates", {"r1c1": []}),
    "a blank behind a given's cell": ("givens", {"r1c1 ": 1}),
    "a blank before a cell of candidates": ("candidates", {" r1c2": [2, 3]}),
    "candidates as a number": ("candidates", {"r1c1": 1}),
    "rules as an object": ("rules", {}),
    "values that no sign stands for": ("grid", {"rows": 4, "columns": 4, "values": [1, 62]}),
    "fewer values than a house has cells": ("grid", {"rows": 4, "columns": 4, "boxes": [2, 2], "values": [1, 3]}),
    "a version as a fraction": ("version", 1.0),
    "a format of something else": ("format", None),
}
"""Fields of a puzzle that are wrong."""


def refused(folder: Folder, data: dict[str, Any], path: Path) -> None:
    """Assert that the program and the checker refuse a document in a certificate."""
    with pytest.raises(InvalidInput):
        from_json(data)
    folder.put("puzzle.json", data)
    report = check(folder.write(path), trust=True)
    assert report.verdict == "rejected"
    assert all(problem.startswith("puzzle.json: ") for problem in report.problems)


@pytest.mark.parametrize("rule", REFUSED.values(), ids=REFUSED)
def test_a_rule_that_is_none_is_rejected(honest: Callable[[str], Folder], rule: object, tmp_path: Path) -> None:
    """A certificate cannot pass an invalid rule off as one that says nothing."""
    folder = honest("4x4")
    refused(folder, folder.json("puzzle.json") | {"rules": ["houses", rule]}, tmp_path)


@pytest.mark.parametrize(("key", "data"), REFUSED_FIELDS.values(), ids=REFUSED_FIELDS)
def test_a_field_that_is_wrong_is_rejected(honest: Callable[[str], Folder], key: str, data: object, tmp_path: Path) -> None:
    """Whatever the description of the JSON does not allow is refused, even in fields that are only for people."""
    folder = honest("4x4")
    refused(folder, folder.json("puzzle.json") | {key: data}, tmp_path)


@pytest.mark.parametrize("pattern", ["", "1|", "()", "(?:1{2,3}|.)*", "[^1-3]?A", "[0-9A-Za-z]{0}", "(" * 50 + ")" * 50])
def test_a_pattern_is_read(pattern: str) -> None:
    """Patterns that the program accepts are accepted by the checker."""
    assert agree(with_pattern(pattern)) == "read"


NO_PATTERNS = (
    *("*", "1**", "(*)", "1|*", ")", "(", "(?1)", "[]", "[^]", "[2-1]", "[1-]", "[1", "1{", "1{2", "1{3,2}", "1{,2}", "1{12345}"),
    *("1{1001}", "(1{40}){40}", "(1|2){501}", "-", "ä", "1 2", "(" * 51 + ")" * 51, "1" * 1001),
)


@pytest.mark.parametrize("pattern", NO_PATTERNS)
def test_what_is_no_pattern_is_refused(pattern: str) -> None:
    """Patterns that the program refuses are refused by the checker."""
    assert agree(with_pattern(pattern)) == "refused"


def with_pattern(pattern: str) -> dict[str, Any]:
    """Return a puzzle with a regular expression."""
    return {"grid": {"rows": 4, "columns": 4}, "rules": [{"kind": "regular-expression", "cells": ROW, "pattern": pattern}]}


def test_more_copies_of_rules_than_can_be_read_are_a_limit(honest: Callable[[str], Folder], tmp_path: Path) -> None:
    """A few thousand bytes of repeated rules that would be millions of rules are not read."""
    rule = {"kind": "repeated", "rules": [{"kind": "odd", "cells": ["r1c1"]}] * 90, "shifts": [[0, 0]] * 100}
    folder = honest("4x4")
    folder.put("puzzle.json", folder.json("puzzle.json") | {"rules": ["houses", *[rule] * 12]})
    report = check(folder.write(tmp_path))
    assert report.verdict == "unchecked"
    assert "100,000 rules" in report.problems[0]


# --- whatever is changed --------------------------------------------------------------------------------------------

ODD: tuple[Any, ...] = (None, True, False, 0, 1, -1, 2, 5, 9, 10**7, 1.0, 0.5, "", "r1c1", "r2c2", "r9c9", "R1C1", "1", "houses")
ODD += ([], {}, [[]], ["r1c1"], [1], [1, 2], [[1, 2]], {"kind": "houses"}, {"r1c1": 1}, "windoku", "full-rank")


def agree(data: dict[str, Any]) -> str:
    """Return whether both read a document or both refuse it; without a grid, which every certificate has, the checker does."""
    document = json.loads(json.dumps(data))
    try:
        from_json(document)
    except InvalidInput:
        with pytest.raises(Rejected):
            read_puzzle(json.dumps(data).encode())
        return "refused"
    read_puzzle(json.dumps({"grid": {"rows": 9, "columns": 9, "boxes": [3, 3]}} | data).encode())
    return "read"


def places(data: Any) -> Iterator[tuple[Any, Any]]:
    """Yield every place in plain data as its container and its key there."""
    for key in list(data) if isinstance(data, dict) else range(len(data)):
        yield data, key
        if isinstance(data[key], dict | list):
            yield from places(data[key])


def mutated(data: dict[str, Any], chance: random.Random) -> dict[str, Any]:
    """Return a document with a small change somewhere, now and then two, most of them in its rules."""
    data = deepcopy(data)
    for _ in range(chance.choice((1, 1, 1, 2))):
        rules = data.get("rules")
        inside = rules if chance.random() < 0.8 and isinstance(rules, list) else data
        spots = [*places(inside)]
        if not spots:
            continue
        holder, key = chance.choice(spots)
        here = holder[key]
        match chance.randrange(7):
            case 0:
                del holder[key]
            case 1 if isinstance(holder, list):
                holder.insert(key, deepcopy(here))
            case 2 if isinstance(holder, dict):
                holder[chance.choice(("cells", "total", "x", "down", "r1c1"))] = chance.choice(ODD)
            case 3 if isinstance(here, int):
                holder[key] = here + chance.choice((-9, -1, 1, 9, 90))
            case 4 if isinstance(here, str):
                holder[key] = here[: chance.randrange(len(here) + 1)] + chance.choice("019rc(*-]") * chance.randrange(3)
            case 5 if isinstance(here, list):
                holder[key] = chance.choice((here[::-1], [here], here * 2, here[:1], here[1:], dict.fromkeys(map(str, here), 1)))
            case _:
                holder[key] = deepcopy(chance.choice(ODD))
    return data


def document(kind: str, size: int) -> dict[str, Any]:
    """Return a puzzle with a rule of that kind, with all its fields, and something in every other field."""
    grid = Grid.square(size, values=range(size + 1) if kind == "doppelganger" else None)
    rule = RULES[kind].example(grid)
    data = to_json(Puzzle(grid, (Houses(), rule), givens={0: 1}, candidates={1: 6}, title="A title"))
    document = data["rules"][1]
    defaults = {field.name: field.default for field in fields(rule) if field.default is not MISSING}
    data["rules"][1] = json.loads(json.dumps(defaults)) | document
    return data | {"symbols": "digits"}


def tally(kind: str, times: int, seed: int) -> int:
    """Return how many of the changed documents both refuse; fail if the checker alone accepts one."""
    chance = random.Random(f"{kind} {seed}")  # noqa: S311
    base = next(document(kind, size) for size in (4, 6) if _has_example(kind, size))
    agree(base)
    return sum(agree(mutated(base, chance)) == "refused" for _ in range(times))


@pytest.mark.parametrize("kind", KINDS)
def test_the_checker_has_the_conditions_of_every_kind(kind: str) -> None:
    """A rule with an empty list, or with a list's first entry twice, is accepted by both or refused by both."""
    base = next(document(kind, size) for size in (4, 6) if _has_example(kind, size))
    for name, value in base["rules"][1].items():
        if isinstance(value, list):
            for changed in ([], [*value[:1], *value]):
                rules = [base["rules"][0], base["rules"][1] | {name: changed}]
                try:
                    agree(base | {"rules": rules})
                except BaseException as failure:  # pytest's own failures are no Exception
                    failure.add_note(f"mirror each line of the problems of {kind!r} in CONDITIONS (checker/field_conditions.py)")
                    raise


def _has_example(kind: str, size: int) -> bool:
    try:
        document(kind, size)
    except InvalidInput:
        return False
    return True


@pytest.mark.parametrize("kind", KINDS)
def test_what_the_program_refuses_the_checker_refuses(kind: str) -> None:
    """However a puzzle with a rule of any kind is changed, the checker refuses what the program refuses."""
    assert tally(kind, 10, 1)


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_what_the_program_refuses_the_checker_refuses_at_length(kind: str) -> None:
    """The same, thousands of times."""
    assert tally(kind, 300, 2)
