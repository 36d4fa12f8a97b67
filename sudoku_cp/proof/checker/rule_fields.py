"""The fields of every kind of rule: their types, and their defaults.

Whatever `docs/puzzle-json.md` calls an error is an error here. A `FieldReader` parses the JSON of a field, or raises `Rejected`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

from .report import Rejected, is_number, require

if TYPE_CHECKING:
    from .certified_grid import CertifiedGrid

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
    require(is_number(data) and abs(data) <= MAX_NUMBER, f"expected a whole number of at most {MAX_NUMBER:,}, got {data!r:.80}")
    return int(data)


def flag(_: RulePlacement, data: Any) -> bool:
    """Read true or false."""
    require(isinstance(data, bool), f"expected true or false, got {data!r:.80}")
    return bool(data)


def text(_: RulePlacement, data: Any) -> str:
    """Read a text."""
    require(isinstance(data, str), f"expected a text, got {data!r:.80}")
    return str(data)


def array_of(read: FieldReader, size: int | None = None) -> FieldReader:
    """Return the reader of an array, of exactly ``size`` elements if that is given."""

    def array(placement: RulePlacement, data: Any) -> list[Any]:
        require(isinstance(data, list), f"expected an array, got {data!r:.80}")
        require(size in {None, len(data)}, f"expected {size} in an array, got {data!r:.80}")
        return [read(placement, one) for one in data]

    return array


def or_null(read: FieldReader) -> FieldReader:
    """Return the reader of a field that may be null."""
    return lambda placement, data: None if data is None else read(placement, data)


def json_array(_: RulePlacement, data: Any) -> list[Any]:
    """Return an array as it is: the joined rule reads its inner rules itself."""
    require(isinstance(data, list), f"expected an array, got {data!r:.80}")
    return list(data)


cells, numbers, groups = array_of(cell), array_of(number), array_of(array_of(cell))
pairs, triples, pairs_of_cells = array_of(array_of(number, 2)), array_of(array_of(number, 3)), array_of(array_of(cell, 2))

# --- the table --------------------------------------------------------------------------------------------------------

FIELDS: dict[str, dict[str, FieldReader | OptionalField]] = {
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
    "counting-circles": {"cells": cells},
    "diagonally-nonconsecutive": {},
    "diagonals": {"down": OptionalField(flag, True), "up": OptionalField(flag, True)},
    "difference": {"cells": cells, "difference": OptionalField(number, 1)},
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
    "full-rank": {"cells": cells, "rank": number, "ties": OptionalField(text, "any")},
    "global-entropy": {},
    "global-mod": {"modulus": OptionalField(number, 3)},
    "hidden-skyscraper": {"cells": cells, "value": number},
    "houses": {},
    "index-line": {"cells": cells},
    "indexer": {"cells": cells, "rows": OptionalField(flag, False)},
    "inequality": {"cells": cells},
    "killer-cage": {"cells": cells, "total": OptionalField(or_null(number), None)},
    "knightmare": {"sums": OptionalField(numbers, [5, 15])},
    "little-killer": {"cells": cells, "total": number},
    "lockout-line": {"cells": cells, "difference": OptionalField(number, 4)},
    "look-and-say": {"cells": cells, "clue": pairs},
    "lunchbox": {"cells": cells, "total": number},
    "maximum": {"cells": cells},
    "minimum": {"cells": cells},
    "modular-line": {"cells": cells, "modulus": OptionalField(number, 3)},
    "multi-sum-cage": {"cells": cells, "totals": numbers},
    "nabner": {"cells": cells},
    "negative-difference": {"differences": OptionalField(numbers, [1]), "exempt": OptionalField(pairs_of_cells, [])},
    "negative-ratio": {"ratios": OptionalField(numbers, [2]), "exempt": OptionalField(pairs_of_cells, [])},
    "negative-sum": {"sums": OptionalField(numbers, [5, 10]), "exempt": OptionalField(pairs_of_cells, [])},
    "nonconsecutive": {"exempt": OptionalField(pairs_of_cells, [])},
    "numbered-room": {"cells": cells, "value": number},
    "odd": {"cells": cells},
    "odd-even-lot": {"cells": cells, "even": OptionalField(flag, False)},
    "pair-sum": {"cells": cells, "total": number},
    "pairs-in-order": {"cells": cells, "pairs": pairs},
    "pairs-of-all": {"cells": cells, "pairs": pairs},
    "palindrome": {"cells": cells},
    "parity-line": {"cells": cells},
    "pill-arrow": {"bulb": cells, "shafts": groups},
    "quadruple": {"cells": cells, "digits": numbers},
    "ratio": {"cells": cells, "ratio": OptionalField(number, 2)},
    "region-sum-line": {"cells": cells},
    "regular-expression": {"cells": cells, "pattern": text},
    "rellik-cage": {"cells": cells, "total": number},
    "renban": {"cells": cells},
    "repeated": {"rules": json_array, "shifts": pairs},
    "same-difference-line": {"cells": cells},
    "same-value-sets": {"groups": groups},
    "same-values-in-regions": {},
    "sandwich": {"cells": cells, "total": number, "crusts": OptionalField(numbers, [])},
    "self-taxicab": {},
    "skyscraper": {"cells": cells, "visible": number},
    "slow-thermometer": {"cells": cells},
    "successor-arrow": {"cells": cells},
    "sum-cage": {"cells": cells, "total": number, "factors": OptionalField(numbers, [])},
    "sum-line": {"cells": cells, "total": number, "loop": OptionalField(flag, False)},
    "taxicab": {"distance": number},
    "thermometer": {"cells": cells},
    "value-indexing": {"value": cell, "index": cell, "cells": cells},
    "whisper": {"cells": cells, "difference": OptionalField(or_null(number), None)},
    "windoku": {},
    "x-sum": {"cells": cells, "total": number},
    "zipper-line": {"cells": cells},
}
"""The fields of each kind of rule, with their readers."""


def read_fields(kind: str, data: dict[str, Any], placement: RulePlacement) -> dict[str, Any]:
    """Read the fields of a rule, defaults included, or raise everything that is wrong with them."""
    require(kind in FIELDS, f"there is no rule of this kind: {kind!r:.80}")
    types = FIELDS[kind]
    problems = [f"{kind}: {name!r:.80} is no field of it" for name in sorted(data.keys() - types.keys() - {"kind"})]
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
