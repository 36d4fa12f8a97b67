"""Symmetric patterns of givens: the usual kinds of symmetry, as orbits of cells that are given or blank together."""

from __future__ import annotations

from functools import lru_cache
from types import MappingProxyType
from typing import TYPE_CHECKING, TypeAlias

from sudoku_cp.errors import InvalidInput, UnknownName

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from sudoku_cp.grid import Cell, Grid, Place

Orbit: TypeAlias = "tuple[Cell, ...]"
"""Cells that are given or blank together."""
PointMove: TypeAlias = "Callable[[Place], Place]"
"""Moves points, which are counted in half cells from the corner (0, 0) of the plane: the middle of the first cell is (1, 1)."""


_MOVES: Mapping[str, Callable[[int, int, int, int], Place]] = MappingProxyType(
    {
        "half turn": lambda row, column, bottom, right: (bottom - row, right - column),
        "quarter turn": lambda row, column, bottom, _: (column, bottom - row),
        "left-right": lambda row, column, _, right: (row, right - column),
        "up-down": lambda row, column, bottom, _: (bottom - row, column),
        "main diagonal": lambda row, column, *_: (column, row),
        "other diagonal": lambda row, column, bottom, right: (right - column, bottom - row),
    }
)
"""Where each move takes a place, given the last row and the last column that the grid reaches if its first ones are 0."""
_KINDS: Mapping[str, tuple[str, tuple[str, ...]]] = MappingProxyType(
    {
        "none": ("Each cell by itself.", ()),
        "rot180": ("A half turn leaves the pattern as it is.", ("half turn",)),
        "rot90": ("A quarter turn leaves the pattern as it is.", ("quarter turn",)),
        "mirror": ("The left half mirrors the right.", ("left-right",)),
        "mirror-down": ("The upper half mirrors the lower.", ("up-down",)),
        "diagonal": ("The pattern is mirrored in the diagonal from the top left.", ("main diagonal",)),
        "antidiagonal": ("The pattern is mirrored in the diagonal from the top right.", ("other diagonal",)),
        "mirrors": ("The pattern is mirrored left-right and up-down.", ("left-right", "up-down")),
        "diagonals": ("The pattern is mirrored in both diagonals.", ("main diagonal", "other diagonal")),
        "full": ("Every turn and every mirror leaves the pattern as it is.", ("quarter turn", "left-right")),
    }
)
SYMMETRIES: Mapping[str, str] = MappingProxyType({name: sentence for name, (sentence, _) in _KINDS.items()})
"""The meaning of each kind, by name."""


@lru_cache(maxsize=64)
def orbits(grid: Grid, name: str) -> tuple[Orbit, ...]:
    """Return the orbits of cells that are given or blank together, ordered by their first cells.

    Raises `InvalidInput` if the symmetry does not map the places of the grid onto themselves.
    """
    if name not in _KINDS:
        raise UnknownName("symmetry", name, _KINDS)
    moved = [_moved_cells(grid, name, move) for move in _KINDS[name][1]]
    found: list[Orbit] = []
    seen: set[Cell] = set()
    for cell in grid.cells:
        if cell not in seen:
            found.append(_orbit_of(cell, moved))
            seen.update(found[-1])
    return tuple(found)


def is_symmetric(grid: Grid, name: str, cells: tuple[Cell, ...]) -> bool:
    """Return whether each orbit is wholly among ``cells``, or not at all."""
    among = set(cells)
    return all(among.issuperset(orbit) or among.isdisjoint(orbit) for orbit in orbits(grid, name))


@lru_cache(maxsize=64)
def symmetry_names(grid: Grid) -> tuple[str, ...]:
    """Return the kinds of symmetry that the grid itself has, except "none"."""

    def has(name: str) -> bool:
        try:
            return bool(orbits(grid, name))
        except InvalidInput:
            return False

    return tuple(name for name in _KINDS if name != "none" and has(name))


@lru_cache(maxsize=64)
def symmetry_moves(grid: Grid, name: str) -> tuple[PointMove, ...]:
    """Return every move of a symmetry except that which leaves all as it is: of rot90 the three turns, for instance.

    Raises `InvalidInput` if the symmetry does not map the places of the grid onto themselves.
    """
    orbits(grid, name)
    centres = [(2 * row + 1, 2 * column + 1) for row, column in grid.places]
    corner = (2 * min(row for row, _ in grid.places), 2 * min(column for _, column in grid.places))
    last = (max(row for row, _ in centres) + 1 - corner[0], max(column for _, column in centres) + 1 - corner[1])
    steps = [_point_move(_MOVES[move], corner, last) for move in _KINDS[name][1]]
    found: dict[tuple[Place, ...], PointMove] = {tuple(centres): lambda place: place}
    for move in (reached := list(found.values())):  # grows while it is walked
        for step in steps:
            both = _one_after_the_other(move, step)
            if (images := tuple(map(both, centres))) not in found:
                found[images] = both
                reached.append(both)
    return tuple(reached[1:])


def _point_move(move: Callable[[int, int, int, int], Place], corner: Place, last: Place) -> PointMove:
    """Return a move of points on a grid whose top left corner is ``corner``, and whose other one is ``last`` away from that."""

    def moved(place: Place) -> Place:
        row, column = move(place[0] - corner[0], place[1] - corner[1], *last)
        return row + corner[0], column + corner[1]

    return moved


def _one_after_the_other(first: PointMove, second: PointMove) -> PointMove:
    return lambda place: second(first(place))


def _moved_cells(grid: Grid, name: str, move: str) -> tuple[Cell, ...]:
    """Return where a move takes each cell."""
    top = min(row for row, _ in grid.places)
    left = min(column for _, column in grid.places)
    bottom, right = max(row for row, _ in grid.places) - top, max(column for _, column in grid.places) - left
    places = [_MOVES[move](row - top, column - left, bottom, right) for row, column in grid.places]
    cells = [grid.cell_at.get((row + top, column + left)) for row, column in places]
    lost = next((cell for cell, place in enumerate(cells) if place is None), None)
    if lost is not None:
        problem = f"its {move} moves {grid.cell_name(lost)} out of {grid}"
        raise InvalidInput(f"expected a symmetry that the grid itself has, got {name!r}: {problem}")
    return tuple(cell for cell in cells if cell is not None)


def _orbit_of(cell: Cell, moved: list[tuple[Cell, ...]]) -> Orbit:
    """Return the cells that moves take a cell to, itself included."""
    reached = [cell]
    for one in reached:
        reached += [to for to in dict.fromkeys(move[one] for move in moved) if to not in reached]
    return tuple(sorted(reached))
