"""Models with known answers: boards whose solutions are known, and random models small enough to try everything.

Random models come from fixed seeds. Answers come from brute force over ``holds``, never from another engine.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from itertools import combinations, permutations, product
from random import Random
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple, TypeAlias, TypeVar

from sudoku_cp.grid import Cell, Grid
from sudoku_cp.model import (
    AllDifferent,
    Automaton,
    Clause,
    Connected,
    Constraint,
    Count,
    DigitSet,
    Linear,
    Literal,
    Model,
    Partition,
    Relation,
    Table,
    build_model,
    members,
    to_mask,
)

if TYPE_CHECKING:
    from sudoku_cp.backends.base import Assumed, Solution

Maker: TypeAlias = Callable[[Random, Sequence[Cell]], Constraint]
"""Makes a random constraint on some of the given cells."""

_T = TypeVar("_T")

VALUES = range(7)
"""The values of cells in random models."""
RELATIONS: tuple[Relation, ...] = ("==", "!=", "<=", ">=")
AUXILIARIES = (-1, -2)
HARD = "1....7.9..3..2...8..96..5....53..9...1..8...26....4...3......1..4......7..7...3.."
"""Arto Inkala's "AI Escargot" of 2006."""
SOLVED = "162857493534129678789643521475312986913586742628794135356478219241935867897261354"


class Case(NamedTuple):
    """A model and its solutions, found by brute force."""

    model: Model
    solutions: frozenset[Solution]

    @staticmethod
    def of(model: Model) -> Case:
        """Return the case of ``model``: try all values of all its cells."""
        filled = product(*map(members, model.domains))
        return Case(model, frozenset(values[: model.board] for values in filled if model.holds(values)))

    def under(self, assume: Assumed) -> frozenset[Solution]:
        """Return the solutions that agree with ``assume``."""
        return frozenset(one for one in self.solutions if all(allowed >> one[cell] & 1 for cell, allowed in assume.items()))


@lru_cache
def empty_board(size: int) -> Model:
    """Return the model of an empty board with boxes."""
    grid = Grid.square(size)
    houses = [(name, AllDifferent(cells)) for name, cells in grid.houses.items()]
    return build_model([to_mask(grid.values)] * len(grid.cells), [("houses", houses)])


@lru_cache
def small_board() -> Case:
    """Return the empty 4x4 board and its 288 grids, each of two bands that fit together."""
    rows = tuple(permutations(range(1, 5)))
    bands = [(*one, *other) for one in rows for other in rows if len({*one[:2], *other[:2]}) == len(one)]
    columns = [range(column, 16, 4) for column in range(4)]
    grids = (top + bottom for top in bands for bottom in bands)
    whole = (grid for grid in grids if all(len({grid[cell] for cell in column}) == len(column) for column in columns))
    return Case(empty_board(4), frozenset(whole))


@lru_cache
def pigeons(holes: int = 13) -> Model:
    """Return the pigeonhole problem as clauses about two pigeons each: it has no solution, and takes minutes to refute."""
    apart = (
        Clause((Literal(one, hole, equal=False), Literal(other, hole, equal=False)))
        for one, other in combinations(range(holes + 1), 2)
        for hole in range(holes)
    )
    return build_model([to_mask(range(holes))] * (holes + 1), [("pigeons", (("apart", clause) for clause in apart))])


@lru_cache
def overfull_row() -> Assumed:
    """Return pigeons in a row of the 16x16 board: twelve cells share eleven values."""
    return dict.fromkeys(range(12), to_mask(range(1, 12)))


def cyclic_grid(height: int, width: int) -> Assumed:
    """Return all givens of a grid with boxes of that size, each row a shift of the one above."""
    side = height * width
    return {cell: 2 << (row % height * width + row // height + cell) % side for cell in range(side**2) for row in [cell // side]}


def givens(line: str) -> Assumed:
    """Return the givens in a line of digits and dots."""
    return {cell: 1 << int(sign) for cell, sign in enumerate(line) if sign != "."}


# --- random models ----------------------------------------------------------------------------------------------


def _distinct_cells(random: Random, cells: Sequence[Cell]) -> tuple[Cell, ...]:
    """Return some cells, now and then one of them twice (then there is no solution)."""
    found = random.sample(cells, random.randint(0, min(4, len(cells))))
    return (*found, *(found[:1] if random.randrange(5) == 0 else ()))


def _any_cells(random: Random, cells: Sequence[Cell]) -> tuple[Cell, ...]:
    """Return some cells, perhaps one of them twice, perhaps none."""
    return tuple(random.choices(cells, k=random.choice((0, 1, 2, 2, 2, 3, 3, 3, 3, 4))))


def _random_set(random: Random, most: int, one: Callable[[], _T]) -> frozenset[_T]:
    """Return a set of no, a few or many elements."""
    return frozenset(one() for _ in range(random.choice((0, most // 10, most // 2, most))))


def _random_area(random: Random, cells: Sequence[Cell]) -> Connected:
    """Return that some values of cells are connected, of which any two may touch."""
    size = len(cells)
    values = frozenset(random.sample(VALUES, random.choice((1, 3))))
    return Connected(tuple(cells), values, _random_neighbours(random, size), max(0, size - 1))


def _random_neighbours(random: Random, size: int) -> tuple[tuple[int, ...], ...]:
    touching = {pair for pair in combinations(range(size), 2) if random.random() < 0.5}  # noqa: PLR2004
    return tuple(tuple(other for other in range(size) if tuple(sorted((cell, other))) in touching) for cell in range(size))


def _random_partition(random: Random, cells: Sequence[Cell]) -> Partition:
    """Return that up to three cells, now and then one of them twice, are cut into regions that others of these cells number."""
    size = random.choice((0, 1, 2, 2, 2, 2, 3))
    chosen = random.sample(cells, min(2 * size, len(cells)))
    own, labels = chosen[:size], [*chosen[size:], *random.choices(cells, k=size)][:size]
    own += random.choices(cells, k=size - len(own))
    beside = _random_neighbours(random, size)
    return Partition(tuple(own), tuple(labels), beside, random.choice((1, 1, 2, 3)), random.choice((0, 1, 1, 2, 5)))


MAKERS: Mapping[type[Constraint], Maker] = MappingProxyType(
    {
        AllDifferent: lambda random, cells: AllDifferent(_distinct_cells(random, cells)),
        DigitSet: lambda random, cells: DigitSet(
            own := _distinct_cells(random, cells),
            _random_set(random, 40, lambda: to_mask(random.sample(VALUES, max(0, len(own) + random.choice((-1, 0, 0, 0, 1)))))),
        ),
        Linear: lambda random, cells: Linear(
            tuple((cell, random.randint(-3, 3)) for cell in _any_cells(random, cells)),
            random.choice(RELATIONS),
            random.randint(-6, 12),
        ),
        Table: lambda random, cells: Table(
            own := _any_cells(random, cells), _random_set(random, 150, lambda: tuple(random.choices(VALUES, k=len(own))))
        ),
        Automaton: lambda random, cells: Automaton(
            _any_cells(random, cells),
            random.randrange(4),
            _random_set(random, 80, lambda: (random.randrange(4), random.choice(VALUES), random.randrange(4))),
            frozenset(random.sample(range(4), random.randint(0, 2))),
        ),
        Clause: lambda random, cells: Clause(
            tuple(Literal(cell, random.choice(VALUES), random.choice((True, True, False))) for cell in _any_cells(random, cells))
        ),
        Count: lambda random, cells: Count(
            _any_cells(random, cells), frozenset(random.sample(VALUES, 3)), random.choice(RELATIONS), random.randint(-1, 4)
        ),
        Connected: lambda random, cells: _random_area(random, _any_cells(random, cells)),
        Partition: _random_partition,
    }
)
"""The maker of random constraints of each of the nine kinds."""


@lru_cache
def random_cases(kinds: tuple[type[Constraint], ...], most: int, beside: tuple[Cell, ...] = (), amount: int = 40) -> list[Case]:
    """Return models of up to ``most`` constraints of these kinds, on few cells and perhaps the auxiliaries ``beside`` them."""
    random = Random(f"{kinds} {most} {beside}")  # noqa: S311  # the same models each time are the point
    found: list[Case] = []
    while len(found) < amount:
        domains = [to_mask(random.sample(VALUES, random.randint(1, 4))) for _ in range(random.randint(2, 4))]
        cells = (*range(len(domains)), *beside)
        parts = [("random", MAKERS[random.choice(kinds)](random, cells)) for _ in range(random.randint(1, most))]
        # Two rules, so that each has auxiliaries of its own.
        case = Case.of(build_model(domains, [("first", parts[:1]), ("second", parts[1:])]))
        if case.solutions or 3 * sum(not one.solutions for one in found) < len(found):
            found.append(case)
    return found
