"""The rules of a puzzle, read from its JSON."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product
from typing import TYPE_CHECKING, Any, NamedTuple

from .field_conditions import check_conditions
from .report import Rejected, is_number, require, shown

if TYPE_CHECKING:
    from .certified_grid import CertifiedGrid


# The fields of every kind of rule: their types, and their defaults.
#
# Whatever `docs/puzzle-json.md` calls an error is an error here. A `FieldReader` parses the JSON of a field, or raises
# `Rejected`.


MAX_NUMBER = 1_000_000
"""The largest number of a rule."""


class OffGrid(Exception):
    """A rule that is moved by a shift would leave the grid."""


class RulePlacement(NamedTuple):
    """The grid that a rule is read for, and how many rows and columns it is moved by."""

    grid: CertifiedGrid
    down: int = 0
    right: int = 0


FieldReader = Callable[[RulePlacement, Any], Any]
"""Parses the JSON of one field."""


class OptionalField(NamedTuple):
    """A field that may be left out: its reader and its default."""

    read: FieldReader
    default: Any


# --- types ------------------------------------------------------------------------------------------------------------


def cell(placement: RulePlacement, data: Any) -> int:
    """Parse the name of a cell, and move it with the rule."""
    grid, down, right = placement
    row, column = grid.places[grid.cell(data)]
    moved = grid.cell_at.get((row + down, column + right))
    if moved is None:
        raise OffGrid
    return moved


def number(_: RulePlacement, data: Any) -> int:
    """Read a whole number."""
    if not is_number(data) or abs(data) > MAX_NUMBER:
        raise Rejected(f"expected a whole number of at most {MAX_NUMBER:,}, got {shown(data)}")
    return int(data)


def flag(_: RulePlacement, data: Any) -> bool:
    """Read true or false."""
    require(isinstance(data, bool), f"expected true or false, got {shown(data)}")
    return bool(data)


def text(_: RulePlacement, data: Any) -> str:
    """Read a text."""
    require(isinstance(data, str), f"expected a text, got {shown(data)}")
    return str(data)


def array_of(read: FieldReader, size: int | None = None) -> FieldReader:
    """Return the reader of an array, of exactly ``size`` elements if that is given."""

    def array(placement: RulePlacement, data: Any) -> list[Any]:
        if not isinstance(data, list):
            raise Rejected(f"expected an array, got {shown(data)}")
        if size not in {None, len(data)}:
            raise Rejected(f"expected {size} in an array, got {shown(data)}")
        budget = placement.grid.budget
        budget.hold(80 + 8 * len(data))
        found = []
        for one in data:
            budget.spend(2)
            found.append(read(placement, one))
        return found

    return array


def or_null(read: FieldReader) -> FieldReader:
    """Return the reader of a field that may be null."""
    return lambda placement, data: None if data is None else read(placement, data)


def json_array(_: RulePlacement, data: Any) -> list[Any]:
    """Return an array as it is: the joined rule reads its inner rules itself."""
    require(isinstance(data, list), f"expected an array, got {shown(data)}")
    return list(data)


cells, numbers, groups = array_of(cell), array_of(number), array_of(array_of(cell))
pairs, triples, pairs_of_cells = array_of(array_of(number, 2)), array_of(array_of(number, 3)), array_of(array_of(cell, 2))

# --- the table --------------------------------------------------------------------------------------------------------

NO_FIELDS = """
    anti-king anti-knight diagonally-nonconsecutive disjoint-groups doppelganger dutch-flatmates global-entropy houses
    same-values-in-regions self-taxicab windoku
"""
CELLS = """
    ambiguous-arrow arithmetic-sequence between-line box-indexer counting-circles double-arrow entropic-line
    equality-cage even extra-region index-line inequality maximum minimum nabner odd palindrome parity-line
    region-sum-line renban same-difference-line slow-thermometer successor-arrow thermometer zipper-line
"""
CELLS_AND_TOTAL = "little-killer lunchbox pair-sum rellik-cage x-sum"
"""Kinds of rules that have no fields, only cells, and only cells with a total."""
FIELDS: dict[str, dict[str, FieldReader | OptionalField]] = {
    **{kind: {} for kind in NO_FIELDS.split()},
    **{kind: {"cells": cells} for kind in CELLS.split()},
    **{kind: {"cells": cells, "total": number} for kind in CELLS_AND_TOTAL.split()},
    "all-of": {"rules": json_array},
    "anti-leaper": {"steps": pairs},
    "any-of": {"rules": json_array},
    "arrow": {"bulb": cell, "shafts": groups},
    "automaton": {"cells": cells, "start": numbers, "edges": triples, "accepting": numbers},
    "chaos-construction": {"regions": OptionalField(cells, []), "size": OptionalField(or_null(number), None)},
    "clone": {"cells": cells, "copies": groups},
    "connected-values": {
        "digits": numbers,
        "size": OptionalField(or_null(number), None),
        "cells": OptionalField(cells, []),
        "columns": OptionalField(or_null(number), None),
    },
    "contains-at-least": {"cells": cells, "digits": numbers},
    "contains-exactly": {"cells": cells, "digits": numbers},
    "count-distinct": {"cell": cell, "cells": cells},
    "diagonals": {"down": OptionalField(flag, True), "up": OptionalField(flag, True)},
    "difference": {"cells": cells, "difference": OptionalField(number, 1)},
    "digital-root-cage": {"cells": cells, "root": number},
    "equal-sums": {"groups": groups},
    "full-rank": {"cells": cells, "rank": number, "ties": OptionalField(text, "any")},
    "global-mod": {"modulus": OptionalField(number, 3)},
    "hidden-skyscraper": {"cells": cells, "value": number},
    "indexer": {"cells": cells, "rows": OptionalField(flag, False)},
    "killer-cage": {"cells": cells, "total": OptionalField(or_null(number), None)},
    "knightmare": {"sums": OptionalField(numbers, [5, 15])},
    "lockout-line": {"cells": cells, "difference": OptionalField(number, 4)},
    "look-and-say": {"cells": cells, "clue": pairs},
    "modular-line": {"cells": cells, "modulus": OptionalField(number, 3)},
    "multi-sum-cage": {"cells": cells, "totals": numbers},
    "negative-difference": {"differences": OptionalField(numbers, [1]), "exempt": OptionalField(pairs_of_cells, [])},
    "negative-ratio": {"ratios": OptionalField(numbers, [2]), "exempt": OptionalField(pairs_of_cells, [])},
    "negative-sum": {"sums": OptionalField(numbers, [5, 10]), "exempt": OptionalField(pairs_of_cells, [])},
    "nonconsecutive": {"exempt": OptionalField(pairs_of_cells, [])},
    "numbered-room": {"cells": cells, "value": number},
    "odd-even-lot": {"cells": cells, "even": OptionalField(flag, False)},
    "pairs-in-order": {"cells": cells, "pairs": pairs},
    "pairs-of-all": {"cells": cells, "pairs": pairs},
    "pill-arrow": {"bulb": cells, "shafts": groups},
    "quadruple": {"cells": cells, "digits": numbers},
    "ratio": {"cells": cells, "ratio": OptionalField(number, 2)},
    "region-count": {"cell": cell, "arms": groups, "others": OptionalField(flag, False)},
    "regular-expression": {"cells": cells, "pattern": text},
    "repeated": {"rules": json_array, "shifts": pairs},
    "same-value-sets": {"groups": groups},
    "sandwich": {"cells": cells, "total": number, "crusts": OptionalField(numbers, [])},
    "skyscraper": {"cells": cells, "visible": number},
    "sum-cage": {"cells": cells, "total": number, "factors": OptionalField(numbers, [])},
    "sum-line": {"cells": cells, "total": number, "loop": OptionalField(flag, False)},
    "taxicab": {"distance": number},
    "value-indexing": {"value": cell, "index": cell, "cells": cells},
    "whisper": {"cells": cells, "difference": OptionalField(or_null(number), None)},
}
"""The fields of each kind of rule, with their readers."""


def read_fields(kind: str, data: dict[str, Any], placement: RulePlacement) -> dict[str, Any]:
    """Read the fields of a rule, defaults included, or raise everything that is wrong with them."""
    require(kind in FIELDS, f"there is no rule of this kind: {shown(kind)}")
    types = FIELDS[kind]
    problems = [f"{kind}: {shown(name)} is not one of its fields" for name in sorted(data.keys() - types.keys() - {"kind"})]
    found: dict[str, Any] = {}
    for name, of in types.items():
        read, default = of if isinstance(of, OptionalField) else (of, None)
        if name not in data:
            found[name] = default
            problems += [] if isinstance(of, OptionalField) else [f"{kind}: expected the field {name!r}, which is missing"]
            continue
        try:
            found[name] = read(placement, data[name])
        except Rejected as bad:
            problems += [f"{kind}, {name}: {problem}" for problem in bad.args]
    if problems:
        raise Rejected(*problems)
    return found


JOINED = {"any-of", "all-of", "repeated"}
"""Kinds of rules that are made of rules."""
MAX_DEPTH, MAX_INNER_RULES, RULE_BYTES = 8, 10_000, 800
"""How deep they may be nested, how many other rules one may contain, copies counted, and the memory of one without its cells."""


class CertifiedRule(NamedTuple):
    """A rule with its fields, in which cells are numbers; ``source`` is its JSON.

    Inside a rule that is made of rules, ``rules`` are rules as well; those of one that is repeated are all copies.
    """

    kind: str
    fields: dict[str, Any]
    source: dict[str, Any]


def read_rule(grid: CertifiedGrid, data: Any) -> CertifiedRule:
    """Read a rule, or raise `Rejected` with what is wrong with it."""
    depth, size = measure(data)
    require(depth <= MAX_DEPTH, f"expected at most {MAX_DEPTH} joined rules inside one another")
    require(size <= MAX_INNER_RULES, f"expected at most {MAX_INNER_RULES:,} rules inside one, copies counted")
    return _read_moved_rule(data, RulePlacement(grid))


def measure(data: Any, depth: int = 0) -> tuple[int, int]:
    """Return how deep joined rules are nested (one more than allowed is enough), and how many other rules are inside."""
    rules = data.get("rules") if isinstance(data, dict) and data.get("kind") in [*JOINED] else None
    if not isinstance(rules, list) or depth > MAX_DEPTH:
        return (depth, 1)
    shifts = data.get("shifts") if data["kind"] == "repeated" else None
    inside = [measure(rule, depth + 1) for rule in rules]
    copies = 1 + len(shifts) if isinstance(shifts, list) else 1
    return max((deep for deep, _ in inside), default=depth + 1), copies * sum(size for _, size in inside)


def _read_moved_rule(data: Any, placement: RulePlacement) -> CertifiedRule:
    """Read a rule that may be moved, or raise `OffGrid` where it would leave the grid."""
    data = {"kind": data} if isinstance(data, str) else data
    kind = data.get("kind") if isinstance(data, dict) else None
    require(isinstance(kind, str), f"expected a rule, got {shown(data)}")
    kind = str(kind)
    placement.grid.budget.spend(20)
    placement.grid.budget.hold(RULE_BYTES)
    fields = read_fields(kind, data, placement)
    check_conditions(kind, placement.grid, fields)
    if kind in JOINED:
        shifts = fields.pop("shifts", [])
        fields["rules"] = [_read_inner_rule(kind, rule, placement) for rule in fields["rules"]]
        fields["rules"] += _read_copies(data["rules"], shifts, placement)
    return CertifiedRule(kind, fields, data)


def _read_inner_rule(kind: str, data: Any, placement: RulePlacement) -> CertifiedRule:
    try:
        return _read_moved_rule(data, placement)
    except Rejected as bad:
        raise Rejected(*(f"{kind}, rules: {problem}" for problem in bad.args)) from bad


def _read_copies(rules: list[Any], shifts: list[list[int]], placement: RulePlacement) -> Iterator[CertifiedRule]:
    """Yield the rules moved by each shift, except those that would leave the grid."""
    grid, down, right = placement
    for (farther_down, farther_right), rule in product(shifts, rules):
        try:
            yield _read_inner_rule("repeated", rule, RulePlacement(grid, down + farther_down, right + farther_right))
        except OffGrid:
            continue
