"""Rules of the whole grid about cells some way apart: moves of chess pieces, steps of a taxicab, neighbours."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from types import MappingProxyType
from typing import TYPE_CHECKING

from sudoku_cp.model import AllDifferent, Clause, Literal, Values, pair_table
from sudoku_cp.rules.base import Cells, Lowered, Rule, part_name
from sudoku_cp.rules.neighbour_pairs import neighbours_hold, never_adding_up, not_differing_by, pair_problems, unmarked_pairs
from sudoku_cp.rules.wording import DOTS, listed, with_article

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sudoku_cp.grid import Cell, Grid, Place
    from sudoku_cp.rules.wording import RuleWording

KNIGHT = ((1, 2), (2, 1), (1, -2), (2, -1))
"""A knight's moves, each in one of its two directions, as `Grid.pairs` expects them."""
DIAGONAL = ((1, 1), (1, -1))


def _distance(grid: Grid, one: Cell, other: Cell) -> Place:
    """Return how far two cells are from each other: rows and columns, the smaller number first."""
    (top, left), (bottom, right) = grid.places[one], grid.places[other]
    near, far = sorted((abs(top - bottom), abs(left - right)))
    return near, far


def _never_equal(grid: Grid, values: Values, aways: set[Place]) -> bool:
    """Return whether no two cells at one of the distances ``aways`` hold the same value."""
    return not any(
        values[one] == values[other] and _distance(grid, one, other) in aways for one, other in combinations(grid.cells, 2)
    )


@dataclass(frozen=True)
class AntiKnight(Rule):
    """Cells a chess knight's move apart hold different values."""

    kind = "anti-knight"
    elsewhere = MappingProxyType(
        {"ISS": "AntiKnight", "f-puzzles": "antiknight", "SudokuSolver": "knight", "also": "knight's move, no knight"}
    )

    def lower(self, grid: Grid) -> Lowered:
        """One all-different per pair of cells."""
        for pair in grid.pairs(*KNIGHT):
            yield part_name("knight's move", grid, pair), AllDifferent(pair)

    def holds(self, grid: Grid, values: Values) -> bool:
        """No knight on a cell attacks its own value."""
        return _never_equal(grid, values, {(1, 2)})

    def sentence(self, wording: RuleWording) -> str:
        """Return the rule as setters write it."""
        return "Cells a knight's move apart (in chess) hold different values."


@dataclass(frozen=True)
class AntiKing(Rule):
    """Cells that touch at a corner hold different values, so no king attacks its own value."""

    kind = "anti-king"
    elsewhere = MappingProxyType(
        {"ISS": "AntiKing", "f-puzzles": "antiking", "SudokuSolver": "king", "also": "king's move, no touch"}
    )

    def lower(self, grid: Grid) -> Lowered:
        """One all-different per pair of cells."""
        for pair in grid.pairs(*DIAGONAL):
            yield part_name("king's move", grid, pair), AllDifferent(pair)

    def holds(self, grid: Grid, values: Values) -> bool:
        """No two such cells are equal."""
        return _never_equal(grid, values, {(1, 1)})

    def sentence(self, wording: RuleWording) -> str:
        """Return the rule as setters write it."""
        return "Cells a king's move apart (in chess) hold different values: those that touch at a corner too."


@dataclass(frozen=True)
class AntiLeaper(Rule):
    """Cells one of the steps apart, rows and columns either way round and in any direction, hold different values."""

    kind = "anti-leaper"
    elsewhere = MappingProxyType({"SudokuSolver": "chess"})
    steps: tuple[tuple[int, ...], ...]

    def lower(self, grid: Grid) -> Lowered:
        """One all-different per pair of cells."""
        moves = {
            move for down, right in self.steps for one, two in ((down, right), (right, down)) for move in _half_moves(one, two)
        }
        for pair in grid.pairs(*sorted(moves)):
            yield part_name("leap", grid, pair), AllDifferent(pair)

    def holds(self, grid: Grid, values: Values) -> bool:
        """No leaper on a cell attacks its own value."""
        aways = {(min(step), max(step)) for step in ((abs(down), abs(right)) for down, right in self.steps)}
        return _never_equal(grid, values, aways)

    def sentence(self, wording: RuleWording) -> str:
        """Return the rule as setters write it."""
        steps = listed([" by ".join(map(str, step)) for step in self.steps])
        return f"Cells that are {steps} cells apart, in any direction, hold different values."

    def problems(self, grid: Grid) -> Iterator[str]:
        """Find steps that are not two numbers, and steps of no length."""
        for step in self.steps:
            if len(step) != 2 or not any(step):  # noqa: PLR2004
                yield f"{self.kind}, steps: expected two numbers, not both 0, got {list(step)!r:.80}"

    @classmethod
    def example(cls, grid: Grid) -> AntiLeaper:
        """Return the moves of a camel and of a dabbaba."""
        return cls(((1, 3), (2, 0)))


def _half_moves(down: int, right: int) -> Iterator[Place]:
    """Yield a step and its mirror image, downwards or else to the right: the other directions are the same pairs."""
    for step in ((abs(down), abs(right)), (abs(down), -abs(right))):
        yield step if step[0] else (0, abs(right))


@dataclass(frozen=True)
class Nonconsecutive(Rule):
    """Neighbours never hold consecutive values, unless a dot between them lets them off (they are ``exempt``)."""

    kind = "nonconsecutive"
    stated = frozenset({"exempt"})
    elsewhere = MappingProxyType(
        {
            "ISS": "AntiConsecutive",
            "f-puzzles": "nonconsecutive",
            "SudokuSolver": "difference:neg1",
            "also": "orthogonally nonconsecutive",
        }
    )
    exempt: tuple[Cells, ...] = ()

    def lower(self, grid: Grid) -> Lowered:
        """One table for every two neighbours."""
        for pair in unmarked_pairs(grid, self.exempt):
            yield part_name("neighbours", grid, pair), pair_table(*pair, grid.values, not_differing_by((1,)))

    def holds(self, grid: Grid, values: Values) -> bool:
        """No neighbour's value is one more or less."""
        return neighbours_hold(grid, self.exempt, values, lambda one, other: other not in {one - 1, one + 1})

    def sentence(self, wording: RuleWording) -> str:
        """Return the rule as setters write it."""
        return f"Neighbouring cells never hold consecutive values{wording.exceptions(self.exempt, DOTS)}."

    def problems(self, grid: Grid) -> Iterator[str]:
        """Find pairs that are not two cells."""
        yield from pair_problems(f"{self.kind}, exempt", self.exempt)

    @classmethod
    def example(cls, grid: Grid) -> Nonconsecutive:
        """Return the rule with the edges inside the first three rows let off, so that small boards have solutions."""
        return cls(tuple(pair for pair in grid.pairs((0, 1), (1, 0)) if max(grid.places[cell][0] for cell in pair) < 3))  # noqa: PLR2004


@dataclass(frozen=True)
class DiagonallyNonconsecutive(Rule):
    """Cells that touch at a corner never hold consecutive values."""

    kind = "diagonally-nonconsecutive"
    elsewhere = MappingProxyType({"SudokuSolver": "dnc"})

    def lower(self, grid: Grid) -> Lowered:
        """One table for every two such cells."""
        for pair in grid.pairs(*DIAGONAL):
            yield part_name("corner", grid, pair), pair_table(*pair, grid.values, not_differing_by((1,)))

    def holds(self, grid: Grid, values: Values) -> bool:
        """No cell across a corner is one more or less."""
        return not any(
            values[other] in {values[one] - 1, values[one] + 1} and _distance(grid, one, other) == (1, 1)
            for one, other in combinations(grid.cells, 2)
        )

    def sentence(self, wording: RuleWording) -> str:
        """Return the rule as setters write it."""
        return "Cells that touch at a corner never hold consecutive values."


@dataclass(frozen=True)
class SelfTaxicab(Rule):
    """Two cells with the same value are never as many steps apart as that value says, along rows and columns."""

    kind = "self-taxicab"
    elsewhere = MappingProxyType({"ISS": "AntiTaxicab", "SudokuSolver": "selftaxi"})

    def lower(self, grid: Grid) -> Lowered:
        """One clause for each value and each two cells so far apart."""
        for value in grid.values:
            part = f"taxicab of {value}"  # not of the cells: there are thousands of pairs
            refused = [Literal(cell, value, equal=False) for cell in grid.cells]
            for one, other in grid.pairs(*_taxicab_steps(grid, value)):
                yield part, Clause((refused[one], refused[other]))

    def holds(self, grid: Grid, values: Values) -> bool:
        """No cell is its value's distance from an equal one."""
        return not any(
            values[one] == values[other] == sum(_distance(grid, one, other)) for one, other in combinations(grid.cells, 2)
        )

    def sentence(self, wording: RuleWording) -> str:
        """Return the rule as setters write it."""
        return "Two cells with the same value are never exactly that many steps apart, counted along rows and columns."


def _taxicab_steps(grid: Grid, distance: int) -> Iterator[Place]:
    """Yield the steps of a taxicab that far, each in one of its two directions, none farther down than the grid is high."""
    if distance > 0:
        yield 0, distance
    for rows in range(1, min(distance, grid.places[-1][0] - grid.places[0][0]) + 1):
        yield from ((rows, columns) for columns in sorted({distance - rows, rows - distance}))


@dataclass(frozen=True)
class Taxicab(Rule):
    """Cells ``distance`` steps apart, along rows and columns, hold different values."""

    kind = "taxicab"
    elsewhere = MappingProxyType({"SudokuSolver": "taxi", "also": "taxi"})
    distance: int

    def lower(self, grid: Grid) -> Lowered:
        """One all-different per pair of cells."""
        for pair in grid.pairs(*_taxicab_steps(grid, self.distance)):
            yield part_name("taxicab", grid, pair), AllDifferent(pair)

    def holds(self, grid: Grid, values: Values) -> bool:
        """No two such cells are equal."""
        return not any(
            values[one] == values[other] and sum(_distance(grid, one, other)) == self.distance
            for one, other in combinations(grid.cells, 2)
        )

    def sentence(self, wording: RuleWording) -> str:
        """Return the rule as setters write it."""
        steps = "1 step" if self.distance == 1 else f"{self.distance} steps"
        return f"Cells exactly {steps} apart, counted along rows and columns, hold different values."

    def problems(self, grid: Grid) -> Iterator[str]:
        """Find a distance below 1."""
        if self.distance < 1:
            yield f"{self.kind}, distance: expected 1 or more, got {self.distance!r:.80}"

    @classmethod
    def example(cls, grid: Grid) -> Taxicab:
        """Return the rule for three steps."""
        return cls(3)


@dataclass(frozen=True)
class DutchFlatmates(Rule):
    """The middle value always has the smallest value right above it or the largest right below it: 5 has a 1 or a 9.

    With an even number of values, the middle one is the lower of the two in the middle: 3 of 1 to 6. It may have both mates.
    """

    kind = "dutch-flatmates"
    elsewhere = MappingProxyType({"ISS": "DutchFlatmates"})

    def lower(self, grid: Grid) -> Lowered:
        """One clause per cell."""
        middle = grid.values[(len(grid.values) - 1) // 2]
        for cell in grid.cells:
            row, column = grid.places[cell]
            mates = ((row - 1, grid.values[0]), (row + 1, grid.values[-1]))
            here = tuple(Literal(grid.cell_at[at, column], value) for at, value in mates if (at, column) in grid.cell_at)
            yield part_name("flatmates", grid, (cell,)), Clause((Literal(cell, middle, equal=False), *here))

    def holds(self, grid: Grid, values: Values) -> bool:
        """Look above and below every cell with the middle value."""
        first, last = grid.values[0], grid.values[-1]
        at = dict(zip(grid.places, values, strict=True))
        return all(
            at.get((row - 1, column)) == first or at.get((row + 1, column)) == last
            for (row, column), value in at.items()
            if value == (first + last) // 2
        )

    def sentence(self, wording: RuleWording) -> str:
        """Return the rule as setters write it."""
        values = wording.grid.values
        middle, low, high = map(wording.sign, (values[(len(values) - 1) // 2], values[0], values[-1]))
        above, below = with_article(low), with_article(high)
        return f"Every {middle} has {above} directly above it or {below} directly below it, or both."


@dataclass(frozen=True)
class Knightmare(Rule):
    """Cells a chess knight's move apart never add up to one of the sums."""

    kind = "knightmare"
    elsewhere = MappingProxyType({"SudokuSolver": "knightmare"})
    sums: tuple[int, ...] = (5, 15)

    def lower(self, grid: Grid) -> Lowered:
        """One table per pair of cells."""
        for pair in grid.pairs(*KNIGHT):
            yield part_name("knight's move", grid, pair), pair_table(*pair, grid.values, never_adding_up(self.sums))

    def holds(self, grid: Grid, values: Values) -> bool:
        """No knight's move joins such a pair."""
        return not any(
            values[one] + values[other] in self.sums and _distance(grid, one, other) == (1, 2)
            for one, other in combinations(grid.cells, 2)
        )

    def sentence(self, wording: RuleWording) -> str:
        """Return the rule as setters write it."""
        return f"Cells a knight's move apart (in chess) never add up to {listed([*map(str, self.sums)])}."

    @classmethod
    def example(cls, grid: Grid) -> Knightmare:
        """Return the rule for two sums that a small board has."""
        return cls((2 * grid.values[0] + 1, 2 * grid.values[-1] - 1))
