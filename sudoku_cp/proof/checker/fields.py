"""The fields of every kind of rule: their types, and what they are where they are left out.

Whatever `docs/puzzle-json.md` calls an error is an error here. A type reads what the JSON tells, or raises `Bad`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

from .report import Bad, is_number, need

if TYPE_CHECKING:
    from .grid import Grid

LARGEST = 1_000_000
"""No rule has a larger number."""


class OffGrid(Exception):
    """A rule moved by a shift would leave the grid."""


class Origin(NamedTuple):
    """Where a rule is read: on which grid, and moved by how many rows and columns."""

    grid: Grid
    down: int = 0
    right: int = 0


Type = Callable[[Origin, Any], Any]
"""Reads one field."""


class Optional(NamedTuple):
    """The type of a field that may be left out, and what it is then."""

    read: Type
    default: Any


# --- types ------------------------------------------------------------------------------------------------------------


def cell(origin: Origin, told: Any) -> int:
    """Return the cell with that name, moved with the rule."""
    grid, down, right = origin
    row, column = grid.places[grid.cell(told)]
    moved = grid.cell_at.get((row + down, column + right))
    if moved is None:
        raise OffGrid
    return moved


def number(_: Origin, told: Any) -> int:
    """Return a whole number."""
    need(is_number(told) and abs(told) <= LARGEST, f"expected a whole number of at most {LARGEST:,}, got {told!r:.80}")
    return int(told)


def flag(_: Origin, told: Any) -> bool:
    """Return true or false."""
    need(isinstance(told, bool), f"expected true or false, got {told!r:.80}")
    return bool(told)


def text(_: Origin, told: Any) -> str:
    """Return a text."""
    need(isinstance(told, str), f"expected a text, got {told!r:.80}")
    return str(told)


def each(read: Type, size: int | None = None) -> Type:
    """Return the type of an array of what ``read`` reads, of just so many where there is a ``size``."""

    def array(origin: Origin, told: Any) -> list[Any]:
        need(isinstance(told, list), f"expected an array, got {told!r:.80}")
        need(size in {None, len(told)}, f"expected {size} in an array, got {told!r:.80}")
        return [read(origin, one) for one in told]

    return array


def or_null(read: Type) -> Type:
    """Return the type of what may be null."""
    return lambda origin, told: None if told is None else read(origin, told)


def json_array(_: Origin, told: Any) -> list[Any]:
    """Return an array as it is: rules are read by those that are made of them."""
    need(isinstance(told, list), f"expected an array, got {told!r:.80}")
    return list(told)


cells, numbers, groups = each(cell), each(number), each(each(cell))
pairs, triples, pairs_of_cells = each(each(number, 2)), each(each(number, 3)), each(each(cell, 2))

# --- the table --------------------------------------------------------------------------------------------------------

FIELDS: dict[str, dict[str, Type | Optional]] = {
    "all-of": {"rules": json_array},
    "ambiguous-arrow": {"cells": cells},
    "anti-king": {},
    "anti-knight": {},
    "anti-leaper": {"steps": pairs},
    "any-of": {"rules": json_array},
    "arithmetic-sequence": {"cells": cells},
    "arrow": {"bulb": cell, "shafts": groups},
    "automaton": {"cells": cells, "start": numbers, "edges": triples, "accepting": numbers},
    "between-line": {"cells": cells},
    "box-indexer": {"cells": cells},
    "chaos-construction": {"regions": Optional(cells, []), "size": Optional(or_null(number), None)},
    "clone": {"cells": cells, "copies": groups},
    "connected-values": {
        "digits": numbers,
        "size": Optional(or_null(number), None),
        "cells": Optional(cells, []),
        "columns": Optional(or_null(number), None),
    },
    "contains-at-least": {"cells": cells, "digits": numbers},
    "contains-exactly": {"cells": cells, "digits": numbers},
    "count-distinct": {"cell": cell, "cells": cells},
    "counting-circles": {"cells": cells},
    "diagonally-nonconsecutive": {},
    "diagonals": {"down": Optional(flag, True), "up": Optional(flag, True)},
    "difference": {"cells": cells, "difference": Optional(number, 1)},
    "digital-root-cage": {"cells": cells, "root": number},
    "disjoint-groups": {},
    "doppelganger": {},
    "double-arrow": {"cells": cells},
    "dutch-flatmates": {},
    "entropic-line": {"cells": cells},
    "equal-sums": {"groups": groups},
    "equality-cage": {"cells": cells},
    "even": {"cells": cells},
    "extra-region": {"cells": cells},
    "full-rank": {"cells": cells, "rank": number, "ties": Optional(text, "any")},
    "global-entropy": {},
    "global-mod": {"modulus": Optional(number, 3)},
    "hidden-skyscraper": {"cells": cells, "value": number},
    "houses": {},
    "index-line": {"cells": cells},
    "indexer": {"cells": cells, "rows": Optional(flag, False)},
    "inequality": {"cells": cells},
    "killer-cage": {"cells": cells, "total": Optional(or_null(number), None)},
    "knightmare": {"sums": Optional(numbers, [5, 15])},
    "little-killer": {"cells": cells, "total": number},
    "lockout-line": {"cells": cells, "difference": Optional(number, 4)},
    "look-and-say": {"cells": cells, "clue": pairs},
    "lunchbox": {"cells": cells, "total": number},
    "maximum": {"cells": cells},
    "minimum": {"cells": cells},
    "modular-line": {"cells": cells, "modulus": Optional(number, 3)},
    "multi-sum-cage": {"cells": cells, "totals": numbers},
    "nabner": {"cells": cells},
    "negative-difference": {"differences": Optional(numbers, [1]), "exempt": Optional(pairs_of_cells, [])},
    "negative-ratio": {"ratios": Optional(numbers, [2]), "exempt": Optional(pairs_of_cells, [])},
    "negative-sum": {"sums": Optional(numbers, [5, 10]), "exempt": Optional(pairs_of_cells, [])},
    "nonconsecutive": {"exempt": Optional(pairs_of_cells, [])},
    "numbered-room": {"cells": cells, "value": number},
    "odd": {"cells": cells},
    "odd-even-lot": {"cells": cells, "even": Optional(flag, False)},
    "pair-sum": {"cells": cells, "total": number},
    "pairs-in-order": {"cells": cells, "pairs": pairs},
    "pairs-of-all": {"cells": cells, "pairs": pairs},
    "palindrome": {"cells": cells},
    "parity-line": {"cells": cells},
    "pill-arrow": {"bulb": cells, "shafts": groups},
    "quadruple": {"cells": cells, "digits": numbers},
    "ratio": {"cells": cells, "ratio": Optional(number, 2)},
    "region-sum-line": {"cells": cells},
    "regular-expression": {"cells": cells, "pattern": text},
    "rellik-cage": {"cells": cells, "total": number},
    "renban": {"cells": cells},
    "repeated": {"rules": json_array, "shifts": pairs},
    "same-difference-line": {"cells": cells},
    "same-value-sets": {"groups": groups},
    "same-values-in-regions": {},
    "sandwich": {"cells": cells, "total": number, "crusts": Optional(numbers, [])},
    "self-taxicab": {},
    "skyscraper": {"cells": cells, "visible": number},
    "slow-thermometer": {"cells": cells},
    "successor-arrow": {"cells": cells},
    "sum-cage": {"cells": cells, "total": number, "factors": Optional(numbers, [])},
    "sum-line": {"cells": cells, "total": number, "loop": Optional(flag, False)},
    "taxicab": {"distance": number},
    "thermometer": {"cells": cells},
    "value-indexing": {"value": cell, "index": cell, "cells": cells},
    "whisper": {"cells": cells, "difference": Optional(or_null(number), None)},
    "windoku": {},
    "x-sum": {"cells": cells, "total": number},
    "zipper-line": {"cells": cells},
}
"""The fields of each kind of rule, with their types."""


def read_fields(kind: str, told: dict[str, Any], origin: Origin) -> dict[str, Any]:
    """Return the fields of a rule, those that were left out as well, or raise everything that is wrong with them."""
    need(kind in FIELDS, f"there is no rule of this kind: {kind!r:.80}")
    types = FIELDS[kind]
    problems = [f"{kind}: {name!r:.80} is no field of it" for name in sorted(told.keys() - types.keys() - {"kind"})]
    found: dict[str, Any] = {}
    for name, of in types.items():
        read, default = of if isinstance(of, Optional) else (of, None)
        if name not in told:
            found[name] = default
            problems += [] if isinstance(of, Optional) else [f"{kind}: expected the field {name!r}, which is missing"]
            continue
        try:
            found[name] = read(origin, told[name])
        except Bad as bad:
            problems += [f"{kind}, {name}: {problem}" for problem in bad.args]
    if problems:
        raise Bad(*problems)
    return found
