"""The kinds of boards that Sukaku Explainer rates, besides plain ones: what their rules say, and the tables of their houses.

Theory of operation. A rule counts by what it says, not by its name: diagonals may be drawn as extra regions, and groups, windows
or moves as sets of cells that differ. So the rules are lowered, and every set must lie in a house that the program knows, or be
one of the pairs of a king's or a knight's moves; all of a kind must be there. The four windows of a windoku imply five more,
which count as houses like the others.

Orders are those of the program, for its first hint depends on them: of the places in a house, of moves (`_KING`, `_KNIGHT`), and
of what a cell sees, once for chains and once for wings.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from sudoku_cp.logic.rating.kernel.grid import (
    ASTERISK,
    BOX,
    CENTRE_DOTS,
    FALLING,
    GIRANDOLA,
    GROUP,
    RISING,
    WINDOW,
    make_houses,
    make_record,
    make_tables,
)
from sudoku_cp.model import AllDifferent

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from numpy.typing import NDArray

    from sudoku_cp.grid import Cell, Grid, Place
    from sudoku_cp.rules.base import Rule

    Cells = frozenset[Cell]


SIDE, BAND = 9, 3
MOST_PEERS = 40
"""The most that a cell sees, with all rules together: so boards of every kind have tables of the same size."""
RATED_KINDS = (
    "diagonals, windoku, disjoint-groups, anti-king, anti-knight, nonconsecutive or diagonally-nonconsecutive,"
    " the extra regions called girandola, asterisk and centre dot, no boxes, and mixtures of these"
)
"""What is rated, in words."""


class BoardKind(NamedTuple):
    """What a board of 9x9 has besides rows and columns.

    ``kinds`` are kinds of houses; ``moves`` are pieces whose moves join different values, king before knight; ``near`` is how
    the cells lie that hold no consecutive values: "side", "corner" or nothing.
    """

    has_boxes: bool
    kinds: frozenset[int]
    moves: tuple[str, ...]
    near: str

    @property
    def is_general(self) -> bool:
        """Whether locked candidates and naked sets remove from all that their cells see."""
        return bool(self.kinds or self.moves)


_KING = ((1, 1), (1, -1), (-1, -1), (-1, 1))
_KNIGHT = ((2, 1), (2, -1), (-2, 1), (-2, -1), (1, 2), (1, -2), (-1, 2), (-1, -2))
_MOVES = {"king": _KING, "knight": _KNIGHT}
"""Moves, down and to the right, in the order in which chains try them."""
_NEAR = {"side": ((-1, 0), (1, 0), (0, 1), (0, -1)), "corner": ((-1, -1), (-1, 1), (1, -1), (1, 1)), "": ()}
_NEAR_RULES = {"nonconsecutive": "side", "diagonally-nonconsecutive": "corner"}
_NINE = {
    GIRANDOLA: (0, 8, 13, 37, 40, 43, 67, 72, 80),
    ASTERISK: (13, 20, 24, 37, 40, 43, 56, 60, 67),
    CENTRE_DOTS: (10, 13, 16, 37, 40, 43, 64, 67, 70),
}
_WINGS_ORDER = (WINDOW, GROUP, FALLING, CENTRE_DOTS, GIRANDOLA, ASTERISK)
"""The order of kinds in which wings look at what a cell sees; both diagonals are one."""


def _targets(cell: int, steps: Iterable[Place]) -> Iterator[int]:
    """Yield the cells that some steps lead to, down and to the right."""
    row, column = divmod(cell, SIDE)
    for down, right in steps:
        if 0 <= row + down < SIDE and 0 <= column + right < SIDE:
            yield SIDE * (row + down) + column + right


@lru_cache(maxsize=1)
def _all_kinds() -> tuple[NDArray[np.int64], ...]:
    """Return the houses of every kind; of the windows the four come first, then those that they imply."""
    boxes, rows, columns = make_houses(BAND, BAND)
    groups = boxes.T
    bands = ((1, 2, 3), (5, 6, 7), (0, 4, 8))
    windows = [
        [SIDE * row + column for row in bands[one] for column in bands[other]]
        for one, other in ((0, 0), (0, 1), (1, 0), (1, 1), (2, 0), (2, 1))
    ]
    windows += [[SIDE * row + column for column in bands[2] for row in bands[one]] for one in (0, 1)]
    windows.append([SIDE * row + column for row in bands[2] for column in bands[2]])
    falling, rising = rows.diagonal()[None], np.fliplr(rows).diagonal()[None]
    nine = [np.array([_NINE[kind]]) for kind in (GIRANDOLA, ASTERISK, CENTRE_DOTS)]
    return (boxes, rows, columns, groups, np.array(windows), falling, rising, *nine)


def _houses_of(kind: int) -> list[Cells]:
    """Return the houses of a kind that rules state: the four windows, not those that they imply."""
    return [frozenset(house) for house in _all_kinds()[kind].tolist()[: 4 if kind == WINDOW else None]]


def _pairs(steps: Sequence[Place]) -> set[Cells]:
    """Return all pairs of cells that a step joins."""
    return {frozenset((cell, other)) for cell in range(SIDE * SIDE) for other in _targets(cell, steps)}


@lru_cache(maxsize=64)
def board_kind(grid: Grid, rules: tuple[Rule, ...]) -> BoardKind | None:
    """Return the kind of board of these rules, None if the program does not know it."""
    board = grid.boards[0]
    if len(grid.boards) > 1 or not board.rows == board.columns == len(grid.values) == SIDE:
        return None
    near = ""
    sets: set[Cells] = set()
    for rule in rules:
        if rule.kind in _NEAR_RULES:
            if near or getattr(rule, "exempt", None):
                return None
            near = _NEAR_RULES[rule.kind]
            continue
        for _, constraint in rule.lower(grid):
            if not isinstance(constraint, AllDifferent):
                return None
            sets.add(frozenset(constraint.cells))
    return _kind_of_sets(sets, near)


def _kind_of_sets(sets: set[Cells], near: str) -> BoardKind | None:
    """Return the kind of board on which these sets of cells differ, None if some of them belong to no kind."""
    known = [kind for kind in range(len(_all_kinds())) if sets.issuperset(_houses_of(kind))]
    if (FALLING in known) != (RISING in known) or not {1, 2} <= {*known}:
        return None
    if GROUP in known and CENTRE_DOTS in known:
        known.remove(CENTRE_DOTS)  # they are one of the groups
    houses = [house for kind in known for house in _houses_of(kind)]
    left = {cells for cells in sets if not any(cells <= house for house in houses)}
    moves = tuple(name for name, steps in _MOVES.items() if sets.issuperset(_pairs(steps)))
    if left - {pair for name in moves for pair in _pairs(_MOVES[name])}:
        return None
    return BoardKind(BOX in known, frozenset(known) - {0, 1, 2}, moves, near)


@lru_cache(maxsize=8)
def _blank_grid(kind: BoardKind) -> Any:
    """Return an array of one record, of the same type for every kind, with the tables."""
    used = kind.kinds | {1, 2} | ({BOX} if kind.has_boxes else set())
    every = [houses if number in used else houses[:0] for number, houses in enumerate(_all_kinds())]
    steps = [step for name in kind.moves for step in _MOVES[name]]
    moves = [[*_targets(cell, steps)] for cell in range(SIDE * SIDE)]
    tables = make_tables(every, moves, SIDE + 1, MOST_PEERS)
    for cell in range(SIDE * SIDE):
        seen = _seen_by_wings(cell, kind, every)
        tables["neighbours"][cell, : len(seen)] = seen
        near = [*_targets(cell, _NEAR[kind.near])]
        tables["near"][cell, : len(near)], tables["near_counts"][cell] = near, len(near)
    tables["is_general"][0] = kind.is_general
    return make_record(tables)


def _seen_by_wings(cell: int, kind: BoardKind, every: Sequence[NDArray[np.int64]]) -> list[int]:
    """Return what a cell sees in the order of wings: in boxes and lines, in the other kinds of houses, by moves."""

    def of_houses(*kinds: int) -> list[int]:
        return [other for own in kinds for house in every[own].tolist() if cell in house for other in house]

    seen = sorted(of_houses(0, 1, 2))
    for number in _WINGS_ORDER:
        seen += sorted(of_houses(FALLING, RISING)) if number == FALLING else of_houses(number)
    for name in kind.moves:
        seen += _targets(cell, [(right, down) for down, right in _MOVES[name]])
    return [other for other in dict.fromkeys(seen) if other != cell]


def make_kind_grid(kind: BoardKind) -> Any:
    """Return the record of a board of a kind, with its tables and no puzzle."""
    return _blank_grid(kind).copy()[0]
