"""Boards covered by clues (tiles) of one family; where they allow another solution, a few neighbours are cut differently."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from sudoku_cp.generate.variants.clue_solver import CandidateClue, ClueSolver, clues_from_proposals
from sudoku_cp.generate.variants.families.finder_family import FinderContext, in_style
from sudoku_cp.generate.variants.select_clues import NODES

if TYPE_CHECKING:
    from collections.abc import Sequence
    from random import Random

    from sudoku_cp.backends import Clock, Solution
    from sudoku_cp.generate.variants.families.finder_family import Tile
    from sudoku_cp.generate.variants.proposals import Style
    from sudoku_cp.grid import Cell, Grid
    from sudoku_cp.puzzle import Puzzle

ROUNDS = 60
"""Counter-solutions before a cover is given up."""
CUTS = 30
"""Random cuts of a group of tiles before another group is tried."""
PLACES = 24
"""Groups of tiles tried against a counter-solution."""
MOST = 3
"""The most further tiles in a group."""


class Tiler(NamedTuple):
    """How a family covers a board, with the solution and the style that it needs."""

    tile: Tile
    name: str
    random: Random
    solution: Solution
    style: Style

    def cover(self, grid: Grid, cells: Sequence[Cell]) -> list[CandidateClue]:
        """Return random tiles that cover these cells."""
        context = FinderContext(self.random, grid, self.solution, self.style)
        return clues_from_proposals(self.name, in_style(grid, self.tile(context, cells), self.style))


def tile_board(
    tiler: Tiler, board: Puzzle, others: Sequence[CandidateClue], clock: Clock
) -> tuple[ClueSolver, list[CandidateClue]] | None:
    """Return tiles that leave one solution together with ``others``, and the solver; None where none were found."""
    grid = board.grid
    tiles = tiler.cover(grid, grid.cells)
    seen: list[Solution] = []
    for _ in range(ROUNDS):
        solver = ClueSolver(board, tiler.solution, [*tiles, *others], clock)
        found = solver.other([*tiles, *others], NODES)
        if isinstance(found, list):
            return solver, tiles
        if found is None:
            return None
        seen.append(found)
        better = _recut(tiler, grid, tiles, seen, clock)
        if better is None:
            return None
        tiles = better
    return None


def _recut(
    tiler: Tiler, grid: Grid, tiles: list[CandidateClue], seen: Sequence[Solution], clock: Clock
) -> list[CandidateClue] | None:
    """Return tiles that exclude all counter-solutions ``seen``, by cutting a few neighbours differently."""
    cells = {tile: _cells(grid, tile) for tile in tiles}
    changed = {cell for cell in grid.cells if seen[-1][cell] != tiler.solution[cell]}
    near = [tile for tile in tiles if changed.intersection(cells[tile])]
    alone = [[tile for tile in tiles if tile.excludes(grid, tiler.solution, other)] for other in seen]
    for number in range(PLACES):
        clock.check()
        group = _grow_group(tiler.random, grid, tiler.random.choice(near), tiles, cells, 1 + min(MOST, number // 6 + 1))
        rest = [tile for tile in tiles if tile not in group]
        left = [other for other, able in zip(seen, alone, strict=True) if all(tile in group for tile in able)]
        area = sorted(cell for tile in group for cell in cells[tile])
        ways = (tiler.cover(grid, area) for _ in range(CUTS))
        fitting = (way for way in ways if all(any(tile.excludes(grid, tiler.solution, other) for tile in way) for other in left))
        way = min(fitting, key=lambda way: sum(tile.cost for tile in way), default=None)
        if way is not None:
            return rest + way
    return None


def _cells(grid: Grid, tile: CandidateClue) -> tuple[Cell, ...]:
    """Return the cells that a tile covers."""
    return tuple(sorted(grid.cell_at[row, column] for layer, row, column in tile.spots if (row, column) in grid.cell_at))


def _grow_group(
    random: Random,
    grid: Grid,
    first: CandidateClue,
    tiles: Sequence[CandidateClue],
    cells: dict[CandidateClue, tuple[Cell, ...]],
    size: int,
) -> list[CandidateClue]:
    """Return a connected group of tiles that starts with ``first``."""
    group = [first]
    while len(group) < size:
        area = {cell for tile in group for cell in cells[tile]}
        beside = {two[0] if two[1] in area else two[1] for two in grid.pairs((0, 1), (1, 0)) if len(area.intersection(two)) == 1}
        touching = [tile for tile in tiles if beside.intersection(cells[tile])]
        if not touching:
            break
        group.append(random.choice(touching))
    return group
