"""Transformations: of the contents of cells, and of a whole puzzle, grid and rules included, by turns and reflections."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from sudoku_cp.grid import Board, Grid
from sudoku_cp.model import members, to_mask
from sudoku_cp.puzzle.isomorphism.canonical_labelling import rename_cells, rule_structure
from sudoku_cp.puzzle.puzzle import CLASSIC
from sudoku_cp.rules.base import move_rule

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from random import Random

    from sudoku_cp.grid import Cell, Place
    from sudoku_cp.puzzle.puzzle import Puzzle
    from sudoku_cp.rules.base import Rule


class Transformation(NamedTuple):
    """A permutation of the cells and a renaming of the values: where each cell goes, and what each value becomes."""

    cells: tuple[Cell, ...]
    values: Mapping[int, int]

    def of(self, puzzle: Puzzle) -> Puzzle:
        """Return the puzzle with its givens, candidates and stated solution moved; grid and rules stay."""
        to, value = self.cells, self.values
        marks = {to[cell]: to_mask(value[one] for one in members(some)) for cell, some in puzzle.candidates.items()}
        solution = None
        if puzzle.solution is not None:
            held = {to[cell]: value[one] for cell, one in enumerate(puzzle.solution)}
            solution = tuple(held[cell] for cell in puzzle.grid.cells)
        givens = {to[cell]: value[one] for cell, one in puzzle.givens.items()}
        return replace(puzzle, givens=givens, candidates=marks, solution=solution)


# --- turns and reflections ---------------------------------------------------------------------------------------


def random_reorientation(puzzle: Puzzle, random: Random) -> Puzzle:
    """Return the puzzle after one of the eight turns and reflections of the plane, any of those that keep its meaning.

    Rules and irregular regions move along. Turns that would change the shape of boards or boxes are skipped, and so are those
    after which a rule would not mean the same for the moved cells.
    """
    ways = [(transpose, down, right) for transpose in (False, True) for down in (False, True) for right in (False, True)]
    random.shuffle(ways)
    return next((found for way in ways if (found := _reorient(puzzle, *way)) is not None), puzzle)


def _reorient(puzzle: Puzzle, transpose: bool, down: bool, right: bool) -> Puzzle | None:  # noqa: FBT001
    """Return the puzzle transposed, flipped upside down and left-right, each if requested; None if that changes its meaning."""
    last_row, last_column = (max(place[axis] for place in puzzle.grid.places) for axis in (0, 1))
    if transpose:
        last_row, last_column = last_column, last_row

    def to(place: Place) -> Place:
        row, column = reversed(place) if transpose else place
        return last_row - row if down else row, last_column - column if right else column

    boards = sorted((_move_board(board, to) for board in puzzle.grid.boards), key=lambda board: board.at)
    grid = Grid.of(tuple(boards), puzzle.grid.values)
    if list(map(_shape, grid.boards)) != list(map(_shape, puzzle.grid.boards)):
        return None
    if {*grid.houses.values()} == {*puzzle.grid.houses.values()}:
        grid = puzzle.grid
    cells = tuple(grid.cell_at[to(place)] for place in puzzle.grid.places)
    rules = tuple(move_rule(rule, cells.__getitem__) for rule in puzzle.rules)
    if not _rules_mean_the_same(puzzle, grid, rules, cells):
        return None
    bare = replace(puzzle, grid=grid, rules=CLASSIC, givens={}, candidates={}, solution=None)
    inside = Transformation(cells, {value: value for value in grid.values}).of(replace(puzzle, rules=()))
    return replace(bare, rules=rules, givens=inside.givens, candidates=inside.candidates, solution=inside.solution)


def _rules_mean_the_same(puzzle: Puzzle, grid: Grid, rules: tuple[Rule, ...], cells: tuple[Cell, ...]) -> bool:
    before, after = rule_structure(puzzle.grid, puzzle.rules), rule_structure(grid, rules)
    if before.cells > before.board:
        return False
    return rename_cells(before.constraints, cells) == after.constraints


def _move_board(board: Board, to: Callable[[Place], Place]) -> Board:
    """Return the board as it lies after its places have moved."""
    places = {to(place): label for place, label in zip(board.places(), board.labels(), strict=True)}
    ordered = sorted(places)
    (top, left), (bottom, end) = ordered[0], ordered[-1]
    rows, columns = bottom - top + 1, end - left + 1
    swapped = to((0, 1))[0] != to((0, 0))[0]
    boxes = board.boxes and (board.boxes[::-1] if swapped else board.boxes)
    regions = None if board.regions is None else tuple(places[place] for place in ordered)
    return Board(rows, columns, boxes, regions, (top, left))


def _shape(board: Board) -> tuple[object, ...]:
    return board.rows, board.columns, board.boxes, board.regions is None, board.at
