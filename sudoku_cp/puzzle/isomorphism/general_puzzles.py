"""Key, canonical form and symmetries of any puzzle, by the canonical labelling of its graph.

The symmetries of the rules are the permutations of cells that keep every constraint, with every relabelling of the values
if all constraints only say that cells differ, else with the values as they are or all mirrored.
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from math import factorial
from typing import TYPE_CHECKING, NamedTuple

from sudoku_cp.grid import Board, Grid
from sudoku_cp.model import members, to_mask
from sudoku_cp.puzzle.isomorphism.canonical_labelling import (
    CellContents,
    ColouredGraph,
    Labelling,
    RuleStructure,
    cell_contents,
    label_graph,
    puzzle_graph,
    rename_cells,
    rule_structure,
)
from sudoku_cp.puzzle.puzzle import CLASSIC
from sudoku_cp.rules.base import move_rule

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Mapping, Sequence
    from random import Random

    from sudoku_cp.grid import Cell, Place
    from sudoku_cp.puzzle.puzzle import Puzzle
    from sudoku_cp.rules.base import Rule


class LabelledPuzzle(NamedTuple):
    """A puzzle as it is, or with all values mirrored: its rules, the contents of the cells, and the labelling of both."""

    rules: RuleStructure
    inside: CellContents
    labelling: Labelling


def canonical_key(puzzle: Puzzle, tick: Callable[[], object] = int) -> Hashable:
    """Return a key that is equal exactly for puzzles that become each other by permuting cells and renaming values."""
    lowered, values = rule_structure(puzzle.grid, puzzle.rules, tick), puzzle.grid.values
    least = min(way.labelling.certificate for way in _labelled_versions(puzzle, tick))
    return lowered.board, len(values) if lowered.values_are_interchangeable else (values[0], values[-1]), least


def automorphism_count(puzzle: Puzzle, tick: Callable[[], object] = int) -> int:
    """Return the number of symmetries of the rules that keep the puzzle as it is."""
    lowered = rule_structure(puzzle.grid, puzzle.rules, tick)
    own, *mirrored = _labelled_versions(puzzle, tick)
    number = own.labelling.order()
    if lowered.cells > lowered.board:  # automorphisms that only move auxiliaries do not count
        number //= label_graph(_graph_with_fixed_cells(lowered), tick).order()
    if lowered.values_are_interchangeable:
        return number * factorial(len(puzzle.grid.values) - len(own.inside.used()))
    return number * (1 + any(way.labelling.certificate == own.labelling.certificate for way in mirrored))


def canonical_transformation(puzzle: Puzzle, tick: Callable[[], object] = int) -> Transformation:
    """Return the symmetry of the rules that makes a puzzle canonical."""
    lowered = rule_structure(puzzle.grid, puzzle.rules, tick)
    own, *mirrored = _labelled_versions(puzzle, tick)
    if mirrored and _is_mirror(puzzle.grid, puzzle.rules):
        own = min(own, *mirrored, key=lambda way: way.labelling.certificate)
    places = own.labelling.places
    # From the rules as this labelling orders them back to the rules as they are, by way of their own labelling.
    ranks = _ranks(places[: lowered.board]), _ranks(places[lowered.board : lowered.cells])
    names = [*ranks[0], *(lowered.board + rank for rank in ranks[1])]
    again = label_graph(puzzle_graph(lowered._replace(constraints=rename_cells(own.rules.constraints, names))), tick)
    at = _invert(label_rules(puzzle.grid, puzzle.rules).places)
    cells = tuple(at[again.places[names[cell]]] for cell in range(lowered.board))
    return Transformation(cells, _canonical_values(puzzle, lowered, own))


def random_symmetry(puzzle: Puzzle, random: Random) -> Transformation:
    """Return a symmetry of the rules, each as likely as any other."""
    lowered, values = rule_structure(puzzle.grid, puzzle.rules), puzzle.grid.values
    labelling = label_rules(puzzle.grid, puzzle.rules)
    cells = list(range(len(labelling.places)))
    for level in range(len(labelling.base)):
        _, taken = random.choice(sorted(labelling.orbit(level).items()))
        cells = [cells[vertex] for vertex in taken]
    renamed = list(values)
    if lowered.values_are_interchangeable:
        random.shuffle(renamed)
    elif _is_mirror(puzzle.grid, puzzle.rules) and random.randrange(2):
        at = _invert(labelling.places)
        turned = _label_mirrored_rules(puzzle.grid, puzzle.rules).places
        cells = [cells[at[place]] for place in turned]
        renamed.reverse()
    return Transformation(tuple(cells[: lowered.board]), dict(zip(values, renamed, strict=True)))


def _labelled_versions(puzzle: Puzzle, tick: Callable[[], object]) -> list[LabelledPuzzle]:
    """Return the puzzle as it is and, if values cannot be renamed at will, with its values mirrored."""
    lowered, inside = rule_structure(puzzle.grid, puzzle.rules, tick), cell_contents(puzzle)
    pairs = [(lowered, inside)]
    if not lowered.values_are_interchangeable and lowered.mirror is not None and len(puzzle.grid.values) > 1:
        ends = puzzle.grid.values[0] + puzzle.grid.values[-1]
        pairs.append((lowered._replace(constraints=lowered.mirror), inside.mirrored(ends)))
    return [LabelledPuzzle(rules, own, label_graph(puzzle_graph(rules, own), tick)) for rules, own in pairs]


def _canonical_values(puzzle: Puzzle, lowered: RuleStructure, way: LabelledPuzzle) -> dict[int, int]:
    """Return the new name of each value in the canonical form: used values in the order of their vertices, then the others."""
    values = puzzle.grid.values
    if not lowered.values_are_interchangeable:
        mirrored = way.inside != cell_contents(puzzle) or way.rules != lowered
        return dict(zip(values, reversed(values) if mirrored else values, strict=True))
    used = way.inside.used()
    places = way.labelling.places[lowered.cells : lowered.cells + len(used)]
    ordered = [value for _, value in sorted(zip(places, used, strict=True))]
    return dict(zip([*ordered, *sorted(set(values) - set(used))], values, strict=True))


# --- the rules alone ----------------------------------------------------------------------------------------------


@lru_cache(maxsize=64)
def label_rules(grid: Grid, rules: tuple[Rule, ...]) -> Labelling:
    """Return the canonical labelling of the rules, with all cells empty."""
    return label_graph(puzzle_graph(rule_structure(grid, rules)))


@lru_cache(maxsize=64)
def _label_mirrored_rules(grid: Grid, rules: tuple[Rule, ...]) -> Labelling:
    lowered = rule_structure(grid, rules)
    return label_graph(puzzle_graph(lowered._replace(constraints=lowered.mirror or frozenset())))


def _is_mirror(grid: Grid, rules: tuple[Rule, ...]) -> bool:
    """Return whether mirroring the values and permuting the cells somehow keeps rules that do not allow every relabelling."""
    lowered = rule_structure(grid, rules)
    if lowered.values_are_interchangeable or lowered.mirror is None:
        return False
    return _label_mirrored_rules(grid, rules).certificate == label_rules(grid, rules).certificate


def _graph_with_fixed_cells(lowered: RuleStructure) -> ColouredGraph:
    """Return the graph of the rules in which each cell of the board has a colour of its own, so that none can move."""
    colours, edges = puzzle_graph(lowered)
    return ColouredGraph((*(f"cell {cell}" for cell in range(lowered.board)), *colours[lowered.board :]), edges)


def _ranks(places: Sequence[int]) -> list[int]:
    rank = {place: number for number, place in enumerate(sorted(places))}
    return [rank[place] for place in places]


def _invert(places: Sequence[int]) -> list[int]:
    found = [0] * len(places)
    for vertex, place in enumerate(places):
        found[place] = vertex
    return found


# Transformations: of the contents of cells, and of a whole puzzle, grid and rules included, by turns and reflections.


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
