"""Key, canonical form and symmetries of any puzzle, by the canonical labelling of its graph.

The symmetries of the rules are the permutations of cells that keep every constraint, with every relabelling of the values
if all constraints only say that cells differ, else with the values as they are or all mirrored.
"""

from __future__ import annotations

from functools import lru_cache
from math import factorial
from typing import TYPE_CHECKING, NamedTuple

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
from sudoku_cp.puzzle.isomorphism.transformations import Transformation

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Sequence
    from random import Random

    from sudoku_cp.grid import Grid
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
