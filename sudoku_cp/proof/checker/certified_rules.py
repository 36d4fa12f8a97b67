"""The rules of a puzzle, read from its JSON."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from itertools import product
from typing import TYPE_CHECKING, Any, NamedTuple

from .report import Rejected, is_number, require, shown

if TYPE_CHECKING:
    from .certified_grid import Cells, CertifiedGrid


# The conditions that a rule's fields must meet on the grid, beyond their types; otherwise the puzzle is rejected.


# The syntax of patterns of the rule `regular-expression`: grammar and size, not their meaning.


MAX_PATTERN_LENGTH, MAX_PATTERN_DEPTH = 1000, 50
"""The most characters of a pattern, and of values once repetitions are written out; how deep groups may be nested."""
_NUMERALS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
_TOKEN = re.compile(
    r"(?P<open>\((?:\?:)?)|(?P<close>\))|(?P<bar>\|)"
    r"|(?P<times>[*+?]|\{(?P<least>[0-9]{1,4})(?P<range>,(?P<most>[0-9]{1,4})?)?\})"
    r"|(?P<one>\.|[0-9A-Za-z]|\[\^?(?:[0-9A-Za-z](?:-[0-9A-Za-z])?)+\])"
)
_RANGE = re.compile(r"([0-9A-Za-z])-([0-9A-Za-z])")


class _PatternGroup(NamedTuple):
    """What has been read of a group: the sizes of the earlier options, and of the parts of the current one."""

    options: list[int]
    parts: list[int]

    def size(self) -> int:
        return max(1, sum(self.options) + max(1, sum(self.parts)))


def is_pattern(pattern: str) -> bool:
    """Return whether a text is a valid pattern of values, classes, groups, choices and repetitions, and not too large."""
    groups, repeatable, at = [_PatternGroup([], [])], False, 0
    while at < len(pattern) <= MAX_PATTERN_LENGTH:
        found = _TOKEN.match(pattern, at)
        if not found or found.lastgroup is None:
            return False
        at, here = found.end(), groups[-1]
        if found["open"]:
            groups.append(_PatternGroup([], []))
        elif found["close"]:
            if len(groups) == 1:
                return False
            groups.pop()
            groups[-1].parts.append(here.size())
        elif found["bar"]:
            here.options.append(max(1, sum(here.parts)))
            here.parts.clear()
        elif found["one"]:
            here.parts.append(1)
        elif not repeatable or not _is_rising_repetition(found):
            return False
        else:
            here.parts[-1] *= _repetitions(found)
        repeatable = bool(found["one"] or found["close"])
        if len(groups) > MAX_PATTERN_DEPTH + 1 or not all(_is_rising_range(*ends) for ends in _RANGE.findall(found["one"] or "")):
            return False
    return len(pattern) <= MAX_PATTERN_LENGTH and len(groups) == 1 and groups[0].size() <= MAX_PATTERN_LENGTH


def _is_rising_range(first: str, last: str) -> bool:
    return _NUMERALS.index(first) <= _NUMERALS.index(last)


def _is_rising_repetition(times: re.Match[str]) -> bool:
    """Return whether the lower bound of a repetition is not above the upper one."""
    return not times["most"] or int(times["least"]) <= int(times["most"])


def _repetitions(times: re.Match[str]) -> int:
    """Return how many copies a repetition stands for."""
    return max(1, int(times["most"] or times["least"] or 1))


Condition = Callable[..., object]
"""Takes the grid and the rule's fields, and returns whether they are as expected."""
Conditions = dict[str, Condition]
"""Conditions by the text that names what is expected."""
MOST_STATES = 4096
"""The most states of an automaton that a rule states: as many as the library accepts. Whether the budget suffices to verify it
depends on its cells and edges more than on its states."""


def at_least(size: int) -> Conditions:
    """Return the condition of a line that needs at least ``size`` cells."""
    return {f"at least {size} cells": lambda _, cells, **__: len(cells) >= size}


ONCE: Conditions = {"each cell once": lambda _, cells, **__: len(set(cells)) == len(cells)}
TWO: Conditions = {"two different cells": lambda _, cells, **__: len(cells) == 2 == len(set(cells))}
ENDS_ONCE: Conditions = {
    "ends that occur nowhere else on the line": lambda _, cells, **__: (
        not {cells[0], cells[-1]} & {*cells[1:-1]} and cells[0] != cells[-1]
    )
}
EXEMPT: Conditions = {"pairs of different cells": lambda _, exempt, **__: all(one != other for one, other in exempt)}
DIGITS: Conditions = {"digits that are values of the grid": lambda grid, digits, **__: set(digits) <= set(grid.values)}
VALUE: Conditions = {"a value of the grid": lambda grid, value, **__: value in grid.values}


def no_more_than_values(grid: CertifiedGrid, cells: Cells, **_: Any) -> bool:
    """Return whether there are at least as many values as cells."""
    return len(cells) <= len(grid.values)


def same_size(groups: Iterable[Cells]) -> bool:
    """Return whether all groups have as many cells."""
    return len(set(map(len, groups))) <= 1


def far_apart(grid: CertifiedGrid, difference: int | None, **_: Any) -> bool:
    """Return whether two values can differ by this much."""
    return difference is None or 0 <= difference <= len(grid.values) - 1


def has_window(grid: CertifiedGrid) -> bool:
    """Return whether some board has boxes and room for a window one cell inside its border."""
    boxes = [(len(board.rows), len(board.rows[0]), *board.box) for board in grid.boards if board.box]
    return any(rows - high > 1 and columns - wide > 1 for rows, columns, high, wide in boxes)


def readings(grid: CertifiedGrid, cells: Cells) -> Iterator[list[int]]:
    """Yield the rows and columns, read from both ends, of the first board that has the line, of the same length."""
    for board in grid.boards:
        lines = [*board.rows, *map(list, zip(*board.rows, strict=True))]
        both = [reading for line in lines for reading in (line, line[::-1]) if len(reading) == len(cells)]
        if list(cells) in both:
            yield from both
            return


def can_be_connected(grid: CertifiedGrid, size: int | None, cells: Cells, columns: int | None, **_: Any) -> bool:
    """Return whether grid or size is small enough for a formula that keeps cells connected."""
    places = [grid.places[cell] for cell in cells] or grid.places
    if columns:
        places = [divmod(index, columns) for index in range(len(cells))]
    blocks = Counter((row // 2, column // 2) for row, column in places)
    longest = sum(min(cells, 3) for cells in blocks.values())
    steps = max(0, min(longest, longest if size is None else size) - 1)
    return len(places) * (steps + 3) <= 60_000


def has_columns(_: CertifiedGrid, cells: Cells, columns: int | None, **__: Any) -> bool:
    """Return whether the number of columns, if given, lays out a list of cells."""
    return columns is None or (columns >= 1 and len(cells) > 0)


def cells_to_cut(grid: CertifiedGrid) -> set[int]:
    """Return the cells that unknown regions are cut out of: those of boards, not the single cells outside them."""
    shown = {cell for board in grid.boards if len(board.rows) * len(board.rows[0]) > 1 for row in board.rows for cell in row}
    return shown or set(range(len(grid.places)))


def can_be_cut(grid: CertifiedGrid, size: int | None, **_: Any) -> bool:
    """Return whether regions of the size, no larger than the number of values, fill the board."""
    cells = len(grid.values) if size is None else size
    return 1 <= cells <= len(grid.values) and not len(cells_to_cut(grid)) % cells


def numbered_regions(grid: CertifiedGrid, regions: Cells, size: int | None) -> bool:
    """Return whether the cells that number the regions lie beside the board, and have enough values."""
    board = cells_to_cut(grid)
    apart = len(set(regions)) == len(regions) == len(board) and not board & set(regions)
    return not regions or (apart and len(board) <= (size or len(grid.values)) * len(grid.values))


def is_whole_square(grid: CertifiedGrid) -> bool:
    """Return whether the grid is a square board with regions of its side and values from 0 to it."""
    side = len(grid.boards[0].rows)
    sizes = list(map(len, grid.houses.values()))
    return len(grid.boards) == 1 and sizes == [side] * 3 * side and grid.values == range(side + 1)


def different_crusts(grid: CertifiedGrid, crusts: list[int], **_: Any) -> bool:
    """Return whether the crusts of a sandwich are two values, or left out on a grid of at least two values."""
    if not crusts:
        return len(grid.values) > 1
    return len(crusts) == 2 == len(set(crusts)) and set(crusts) <= set(grid.values)


LINE = at_least(1)
VALUES_ENOUGH: Conditions = {"at most as many cells as there are values": no_more_than_values}
CONDITIONS: dict[str, Conditions] = {
    "ambiguous-arrow": at_least(2),
    "anti-leaper": {"steps that lead to another cell": lambda _, steps: all(map(any, steps))},
    "any-of": {"at least one rule": lambda _, rules: rules},
    "arithmetic-sequence": LINE,
    "automaton": {
        f"at most {MOST_STATES:,} states": lambda _, start, edges, accepting, **__: (
            _state_count(start, edges, accepting) <= MOST_STATES
        )
    },
    "between-line": at_least(2) | ENDS_ONCE,
    "box-indexer": {"cells in a box": lambda grid, cells: {*cells} <= grid.regions_of.keys()},
    "chaos-construction": {
        "a number of cells that the number of values, or the size of a region, divides": can_be_cut,
        "at most 144 cells": lambda grid, **_: len(cells_to_cut(grid)) <= 144,
        "a cell beside the board for the region of each cell, and a value for each region": numbered_regions,
    },
    "clone": {"copies of the same size": lambda _, cells, copies: same_size([cells, *copies])},
    "connected-values": DIGITS
    | ONCE
    | {"columns for a list of cells": has_columns, "a grid of up to 16x16 cells, or a small size": can_be_connected},
    "contains-at-least": DIGITS,
    "contains-exactly": DIGITS,
    "diagonals": {"a square board": lambda grid, **_: any(len(board.rows) == len(board.rows[0]) for board in grid.boards)},
    "difference": TWO | {"a difference of 0 or more": lambda _, difference, **__: difference >= 0},
    "digital-root-cage": {"a root from 0 to 9": lambda _, root, **__: 0 <= root <= 9},
    "disjoint-groups": {"a board with boxes or regions": lambda grid: grid.regions},
    "doppelganger": {"one square board with regions of its side and values from 0 to it": is_whole_square},
    "double-arrow": at_least(3),
    "entropic-line": LINE,
    "full-rank": {
        "all cells of a row or a column, in order": lambda grid, cells, **_: len([*readings(grid, cells)]) > 1,
        "a rank that a reading can have": lambda grid, cells, rank, **_: 1 <= rank <= len([*readings(grid, cells)]),
        "ties of none, only-unclued or any": lambda _, ties, **__: ties in {"none", "only-unclued", "any"},
    },
    "global-entropy": {"a number of values that 3 divides": lambda grid: not len(grid.values) % 3},
    "global-mod": {"a modulus from 1 to 4": lambda _, modulus: 1 <= modulus <= 4},
    "hidden-skyscraper": VALUE,
    "houses": {
        "as many values as a house has cells": lambda grid: max(map(len, grid.houses.values())) <= len(grid.values),
    },
    "index-line": LINE | ONCE | {"no more cells than the largest value": lambda grid, cells: len(cells) <= grid.values[-1]},
    "inequality": TWO,
    "lockout-line": at_least(2) | ENDS_ONCE | {"a difference that two values have": far_apart},
    "look-and-say": {"values after the counts": lambda grid, clue, **_: all(value in grid.values for _, value in clue)},
    "lunchbox": at_least(2) | ONCE | VALUES_ENOUGH | {"a total of 0 or more": lambda _, total, **__: total >= 0},
    "modular-line": LINE | {"a modulus of 2 or more": lambda _, modulus, **__: modulus >= 2},
    "nabner": LINE | {"at most every second value": lambda grid, cells: len(set(cells)) <= (len(grid.values) + 1) // 2},
    "negative-difference": EXEMPT,
    "negative-ratio": EXEMPT | {"ratios of 1 or more": lambda _, ratios, **__: min(ratios, default=1) >= 1},
    "negative-sum": EXEMPT,
    "nonconsecutive": EXEMPT,
    "numbered-room": VALUE,
    "odd-even-lot": LINE,
    "pair-sum": TWO,
    "palindrome": LINE,
    "parity-line": LINE,
    "pill-arrow": {"1 to 4 cells in the bulb": lambda _, bulb, **__: 1 <= len(bulb) <= 4},
    "quadruple": DIGITS,
    "ratio": TWO | {"a ratio of 1 or more": lambda _, ratio, **__: ratio >= 1},
    "region-sum-line": LINE,
    "region-count": {
        "arms that start in the same cell": lambda _, arms, **__: all(arms) and len({arm[0] for arm in arms}) == 1,
    },
    "regular-expression": {"a pattern": lambda _, pattern, **__: is_pattern(pattern)},
    "renban": LINE
    | {"at most as many cells as there are values": lambda grid, cells: no_more_than_values(grid, list(set(cells)))},
    "same-difference-line": LINE,
    "same-value-sets": {"groups of the same size": lambda _, groups: same_size(groups)},
    "sandwich": {"two different crusts that are values, or none": different_crusts},
    "slow-thermometer": LINE,
    "successor-arrow": at_least(2) | ONCE,
    "sum-cage": {"a factor for each cell": lambda _, cells, factors, **__: len(factors) in {0, len(cells)}},
    "sum-line": LINE | {"a total of 1 or more": lambda _, total, **__: total >= 1},
    "taxicab": {"a distance of 1 or more": lambda _, distance: distance >= 1},
    "thermometer": LINE | ONCE | VALUES_ENOUGH,
    "whisper": LINE | {"a difference that two values have": far_apart},
    "windoku": {"a board with boxes and room for a window": has_window},
    "zipper-line": LINE,
}
"""The conditions of each kind of rule that has any."""


def _state_count(start: list[int], edges: list[list[int]], accepting: list[int]) -> int:
    return len({*start, *accepting, *(state for before, _, after in edges for state in (before, after))})


def check_conditions(kind: str, grid: CertifiedGrid, fields: dict[str, Any]) -> None:
    """Raise `Rejected` with the first condition that a rule's fields do not meet, if any."""
    for expected, holds in CONDITIONS.get(kind, {}).items():
        require(holds(grid, **fields), f"{kind}: expected {expected}")


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
