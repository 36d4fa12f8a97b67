"""The conditions that a rule's fields must meet on the grid, beyond their types; otherwise the puzzle is rejected."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

from .report import require

if TYPE_CHECKING:
    from .certified_grid import Cells, CertifiedGrid


# The syntax of patterns of the rule `regular-expression`: grammar and size, not their meaning.


MAX_LENGTH, MAX_DEPTH = 1000, 50
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
    while at < len(pattern) <= MAX_LENGTH:
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
        if len(groups) > MAX_DEPTH + 1 or not all(_is_rising_range(*ends) for ends in _RANGE.findall(found["one"] or "")):
            return False
    return len(pattern) <= MAX_LENGTH and len(groups) == 1 and groups[0].size() <= MAX_LENGTH


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
