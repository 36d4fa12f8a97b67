"""Any puzzle: its key, its canonical form and its symmetries by the canonical labelling of its graph.

The symmetries of the rules are the permutations of cells that keep every constraint, with every relabelling of the values
where all constraints only tell cells apart, else with the values as they are or all mirrored.
"""

from __future__ import annotations

from functools import lru_cache
from math import factorial
from typing import TYPE_CHECKING, NamedTuple

from sudoku_cp.puzzle.identity.labelling import Graph, Labelling, labelled
from sudoku_cp.puzzle.identity.moves import Move
from sudoku_cp.puzzle.identity.structure import NOTHING, Content, Said, Structure, content, graph, structure

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Sequence
    from random import Random

    from sudoku_cp.grid import Cell, Grid
    from sudoku_cp.puzzle.puzzle import Puzzle
    from sudoku_cp.rules.base import Rule


class Way(NamedTuple):
    """A puzzle as it is, or with all values mirrored: what is said, what stands in the cells, and the labelling of both."""

    said: frozenset[Said]
    inside: Content
    labelling: Labelling


def key(puzzle: Puzzle, tick: Callable[[], object] = int) -> Hashable:
    """Return the same for two puzzles exactly where one becomes the other by permuting cells and renaming values."""
    told, values = structure(puzzle.grid, puzzle.rules, tick), puzzle.grid.values
    least = min(way.labelling.certificate for way in _ways(puzzle, tick))
    return told.board, len(values) if told.is_blind else (values[0], values[-1]), least


def order(puzzle: Puzzle, tick: Callable[[], object] = int) -> int:
    """Return the number of symmetries of the rules that keep the puzzle as it is."""
    told = structure(puzzle.grid, puzzle.rules, tick)
    own, *mirrored = _ways(puzzle, tick)
    number = own.labelling.order()
    if told.cells > told.board:  # those that move auxiliaries alone are none
        number //= labelled(_with_cells_apart(told), tick).order()
    if told.is_blind:
        return number * factorial(len(puzzle.grid.values) - len(own.inside.used()))
    return number * (1 + any(way.labelling.certificate == own.labelling.certificate for way in mirrored))


def canonical_move(puzzle: Puzzle, tick: Callable[[], object] = int) -> Move:
    """Return the symmetry of the rules that makes a puzzle canonical."""
    told = structure(puzzle.grid, puzzle.rules, tick)
    own, *mirrored = _ways(puzzle, tick)
    if mirrored and _is_mirror(puzzle.grid, puzzle.rules):
        own = min(own, *mirrored, key=lambda way: way.labelling.certificate)
    places = own.labelling.places
    # The rules as the labelling tells them, and from there to the rules as they are: by way of their own labelling.
    ranks = _ranks(places[: told.board]), _ranks(places[told.board : told.cells])
    names = [*ranks[0], *(told.board + rank for rank in ranks[1])]
    again = _of_rules(told._replace(said=_renamed(own.said, names)), tick)
    at = _inverse(rules_labelled(puzzle.grid, puzzle.rules).places)
    cells = tuple(at[again.places[names[cell]]] for cell in range(told.board))
    return Move(cells, _values(puzzle, told, own))


def random_move(puzzle: Puzzle, random: Random) -> Move:
    """Return a symmetry of the rules, each as likely as any other."""
    told, values = structure(puzzle.grid, puzzle.rules), puzzle.grid.values
    labelling = rules_labelled(puzzle.grid, puzzle.rules)
    cells = list(range(len(labelling.places)))
    for level in range(len(labelling.base)):
        _, taken = random.choice(sorted(labelling.orbit(level).items()))
        cells = [cells[vertex] for vertex in taken]
    renamed = list(values)
    if told.is_blind:
        random.shuffle(renamed)
    elif _is_mirror(puzzle.grid, puzzle.rules) and random.randrange(2):
        at = _inverse(labelling.places)
        turned = _mirror_labelled(puzzle.grid, puzzle.rules).places
        cells = [cells[at[place]] for place in turned]
        renamed.reverse()
    return Move(tuple(cells[: told.board]), dict(zip(values, renamed, strict=True)))


def _ways(puzzle: Puzzle, tick: Callable[[], object]) -> list[Way]:
    """Return the puzzle as it is and, where that is another, with its values mirrored."""
    told, inside = structure(puzzle.grid, puzzle.rules, tick), content(puzzle)
    pairs = [(told.said, inside)]
    if not told.is_blind and told.mirror is not None and len(puzzle.grid.values) > 1:
        pairs.append((told.mirror, inside.mirrored(puzzle.grid.values[0] + puzzle.grid.values[-1])))
    return [
        Way(said, own, labelled(graph(told.cells, told.board, said, own, is_blind=told.is_blind), tick)) for said, own in pairs
    ]


def _values(puzzle: Puzzle, told: Structure, way: Way) -> dict[int, int]:
    """Return what each value is called in the canonical form: those that are used in the order of their vertices."""
    values = puzzle.grid.values
    if not told.is_blind:
        mirrored = way.inside != content(puzzle) or way.said != told.said
        return dict(zip(values, reversed(values) if mirrored else values, strict=True))
    used = way.inside.used()
    places = way.labelling.places[told.cells : told.cells + len(used)]
    ordered = [value for _, value in sorted(zip(places, used, strict=True))]
    return dict(zip([*ordered, *sorted(set(values) - set(used))], values, strict=True))


# --- the rules alone ----------------------------------------------------------------------------------------------


@lru_cache(maxsize=64)
def rules_labelled(grid: Grid, rules: tuple[Rule, ...]) -> Labelling:
    """Return the labelling of the rules without what stands in the cells."""
    return _of_rules(structure(grid, rules))


@lru_cache(maxsize=64)
def _mirror_labelled(grid: Grid, rules: tuple[Rule, ...]) -> Labelling:
    told = structure(grid, rules)
    return _of_rules(told._replace(said=told.mirror or frozenset()))


def _is_mirror(grid: Grid, rules: tuple[Rule, ...]) -> bool:
    """Say whether mirroring the values, with some permutation of the cells, keeps rules that do not allow every relabelling."""
    told = structure(grid, rules)
    if told.is_blind or told.mirror is None:
        return False
    return _mirror_labelled(grid, rules).certificate == rules_labelled(grid, rules).certificate


def _of_rules(told: Structure, tick: Callable[[], object] = int) -> Labelling:
    return labelled(graph(told.cells, told.board, told.said, NOTHING, is_blind=told.is_blind), tick)


def _with_cells_apart(told: Structure) -> Graph:
    """Return the graph of the rules in which no cell of the board can move."""
    colours, edges = graph(told.cells, told.board, told.said, NOTHING, is_blind=told.is_blind)
    return Graph((*(f"cell {cell}" for cell in range(told.board)), *colours[told.board :]), edges)


def _renamed(constraints: frozenset[Said], names: Sequence[Cell]) -> frozenset[Said]:
    return frozenset(Said(words, tuple(sorted((part, names[cell]) for part, cell in parts))) for words, parts in constraints)


def _ranks(places: Sequence[int]) -> list[int]:
    rank = {place: number for number, place in enumerate(sorted(places))}
    return [rank[place] for place in places]


def _inverse(places: Sequence[int]) -> list[int]:
    found = [0] * len(places)
    for vertex, place in enumerate(places):
        found[place] = vertex
    return found
