"""Rules written outside the grid, which look along a row, a column or a diagonal."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from types import MappingProxyType
from typing import TYPE_CHECKING

from sudoku_cp.cosmetics import Clue
from sudoku_cp.model import Clause, Count, Linear, Literal, Values
from sudoku_cp.rules.automata import STATES, make_automaton
from sudoku_cp.rules.base import Cells, Lowered, Rule, part_name
from sudoku_cp.rules.counting import impossible_values
from sudoku_cp.rules.descriptions import notes_for
from sudoku_cp.rules.line_helpers import equal_sum

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sudoku_cp.cosmetics import Cosmetic
    from sudoku_cp.grid import Grid
    from sudoku_cp.rules.automata import AutomatonTemplate
    from sudoku_cp.rules.wording import RuleWording


def outside_clue(rule: Rule, cells: Cells, text: str, grid: Grid) -> Iterator[Cosmetic]:
    """Yield a clue before cells that lead straight to an edge of the grid, as a player reads it; for others a note."""
    yield from [Clue(cells, text, rule.kind)] if _leads_to_edge(cells, grid) else notes_for(rule, cells, grid)


def _leads_to_edge(cells: Cells, grid: Grid) -> bool:
    """Return whether cells lie in a row, a column or a diagonal, without a gap, up to an edge of the grid."""
    if cells in grid.lines or cells[::-1] in grid.lines:
        return True
    places = [grid.places[cell] for cell in cells]
    steps = {(below - row, beside - column) for (row, column), (below, beside) in pairwise(places)}
    if len(steps) != 1:
        return False
    ((down, right),) = steps
    row, column = places[-1]
    return max(abs(down), abs(right)) == 1 and (row + down, column + right) not in grid.cell_at


@lru_cache(maxsize=1024)
def _skyscraper_automaton(values: range, visible: int) -> AutomatonTemplate:
    """Return the automaton whose state is the tallest value so far and the number of values seen."""

    def step(state: tuple[int, int], value: int) -> tuple[int, int] | None:
        tallest, seen = state
        if value > tallest:
            tallest, seen = value, seen + 1
        # With too few taller values left, the number cannot be reached.
        return (tallest, seen) if seen <= visible <= seen + values[-1] - tallest else None

    return make_automaton((0, 0), step, lambda state: state[1] == visible, values)


@dataclass(frozen=True)
class Skyscraper(Rule):
    """Looking along the cells from the first, ``visible`` values are higher than all before them (0 is not a building)."""

    kind = "skyscraper"
    elsewhere = MappingProxyType({"ISS": "Skyscraper", "f-puzzles": "skyscraper", "SudokuSolver": "skyscraper", "also": "towers"})
    cells: Cells
    visible: int

    def lower(self, grid: Grid) -> Lowered:
        """An automaton whose state is the tallest value so far and the number seen."""
        # Any number above the largest value is equally impossible, and need not enlarge the automaton.
        visible = max(-1, min(self.visible, grid.values[-1] + 1))
        yield part_name("skyscraper", grid, self.cells), _skyscraper_automaton(grid.values, visible).on_cells(self.cells)

    def holds(self, grid: Grid, values: Values) -> bool:
        """Count the record highs."""
        line = [values[cell] for cell in self.cells]
        return self.visible == sum(value > max((0, *line[:place])) for place, value in enumerate(line))

    def sentence(self, wording: RuleWording) -> str:
        """Return the rule as setters write it."""
        no_zero = "; a 0 is no building" if 0 in wording.grid.values else ""
        return (
            f"A clue outside the grid counts the values seen from there: a higher value hides the lower ones behind it{no_zero}."
        )

    def cosmetics(self, grid: Grid) -> Iterator[Cosmetic]:
        """The number before the first cell."""
        yield from outside_clue(self, self.cells, str(self.visible), grid)

    @classmethod
    def example(cls, grid: Grid) -> Skyscraper:
        """Return a clue of 2 at the left of the first row."""
        return cls(grid.lines[0], 2)


@dataclass(frozen=True)
class LittleKiller(Rule):
    """The values along the arrow, usually a diagonal, add up to the total; they may repeat."""

    kind = "little-killer"
    elsewhere = MappingProxyType(
        {"ISS": "LittleKiller", "f-puzzles": "littlekillersum", "SudokuSolver": "lk", "also": "little killer sum"}
    )
    cells: Cells
    total: int

    def lower(self, grid: Grid) -> Lowered:
        """One sum."""
        terms = equal_sum(self.cells, ()).terms
        yield part_name("little killer", grid, self.cells), Linear(terms, "==", self.total)

    def holds(self, grid: Grid, values: Values) -> bool:
        """The right sum."""
        return sum(values[cell] for cell in self.cells) == self.total

    def sentence(self, wording: RuleWording) -> str:
        """Return the rule as setters write it."""
        return "Values along the arrow from a clue add up to the clue, and may repeat."

    def cosmetics(self, grid: Grid) -> Iterator[Cosmetic]:
        """The total, with an arrow into the grid."""
        yield from outside_clue(self, self.cells, str(self.total), grid)

    @classmethod
    def example(cls, grid: Grid) -> LittleKiller:
        """Return the diagonal down to the left from the third cell of the first row."""
        return cls(tuple(grid.cell_at[step, 2 - step] for step in range(3)), 3 * grid.values[0] + 5)


@lru_cache(maxsize=1024)
def _sandwich_automaton(values: range, crusts: tuple[int, int], total: int, either: bool) -> AutomatonTemplate:  # noqa: FBT001
    """Return the automaton that waits for a crust, adds up, meets the other crust, and sees neither again.

    With ``either``, any crust ends the sandwich, which halves the states.
    """
    one, other = crusts
    awaited = {one: one, other: one} if either else {one: other, other: one}
    start: tuple[int, ...] = ()
    done = (-1, 0)

    def step(state: tuple[int, ...], value: int) -> tuple[int, ...] | None:
        match state:
            case ():
                return (awaited[value], 0) if value in crusts else state
            case (-1, _):
                return None if value in crusts else state
            case (crust, filling) if value in crusts:
                return done if filling == total and (either or value == crust) else None
            case (crust, filling):
                return (crust, filling + value) if filling + value <= total else None
        return None

    return make_automaton(start, step, lambda state: state == done, values)


@dataclass(frozen=True)
class Sandwich(Rule):
    """The values strictly between the two crusts add up to the total; each crust stands once on the line.

    The crusts are the smallest and the largest value of the grid where no others are given.
    """

    kind = "sandwich"
    elsewhere = MappingProxyType(
        {"ISS": "Sandwich", "f-puzzles": "sandwichsum", "SudokuSolver": "sandwich", "also": "sandwich sum"}
    )
    cells: Cells
    total: int
    crusts: tuple[int, ...] = ()

    def lower(self, grid: Grid) -> Lowered:
        """An automaton that adds up from one crust to the other; where it would be large, a smaller one and two counts."""
        part = part_name("sandwich", grid, self.cells)
        one, other = self.crusts or (grid.values[0], grid.values[-1])
        # No sum is larger, so all larger totals are equally impossible.
        total = min(self.total, grid.values[-1] * len(self.cells) + 1)
        either = 2 * total > STATES
        yield part, _sandwich_automaton(grid.values, (one, other), total, either).on_cells(self.cells)
        for crust in (one, other) if either else ():
            yield part, Count(self.cells, frozenset({crust}), "==", 1)

    def holds(self, grid: Grid, values: Values) -> bool:
        """Find both crusts, and add up what is between."""
        line = [values[cell] for cell in self.cells]
        crusts = self.crusts or (grid.values[0], grid.values[-1])
        if any(line.count(crust) != 1 for crust in crusts):
            return False
        start, end = sorted(map(line.index, crusts))
        return sum(line[start + 1 : end]) == self.total

    def sentence(self, wording: RuleWording) -> str:
        """Return the rule as setters write it."""
        one, other = map(wording.sign, self.crusts or (wording.grid.values[0], wording.grid.values[-1]))
        return f"A clue outside the grid is the sum of the values between the {one} and the {other} in its row or column."

    def problems(self, grid: Grid) -> Iterator[str]:
        """Find crusts that are not two different values."""
        if len(self.crusts) != len(set(self.crusts)) or len(self.crusts) not in {0, 2}:
            yield f"{self.kind}: expected two different crusts or none, got {self.crusts!r:.80}"
        if not self.crusts and len(grid.values) == 1:
            yield f"{self.kind}: expected a grid with more than one value, got {grid}"
        yield from impossible_values(self, grid, self.crusts)

    def cosmetics(self, grid: Grid) -> Iterator[Cosmetic]:
        """The total before the first cell."""
        yield from outside_clue(self, self.cells, str(self.total), grid)

    @classmethod
    def example(cls, grid: Grid) -> Sandwich:
        """Return the second value between the crusts of the first row."""
        return cls(grid.lines[0], grid.values[1])


@lru_cache(maxsize=1024)
def _prefix_sum_automaton(values: range, length: int, total: int) -> AutomatonTemplate:
    """Return the automaton whose state is how many cells are still to be added, and what they must add up to."""

    def step(state: tuple[int, int] | None, value: int) -> tuple[int, int] | None:
        if state == start:
            left, missing = value - 1, total - value
            if not 1 <= value <= length:
                return None
        else:
            left, missing = state or (0, 0)
            if left:
                left, missing = left - 1, missing - value
        possible = left * values[0] <= missing <= left * values[-1]
        return (left, missing) if possible else None

    start = (length + 1, total)
    return make_automaton(start, step, lambda state: state == (0, 0), values)


@lru_cache(maxsize=256)
def _auxiliary_prefix_sum_automaton(values: range, total: int) -> AutomatonTemplate:
    """Return the automaton that adds up cells, reads after each whether it is the last, and then requires the total."""

    def step(state: tuple[int, bool], value: int) -> tuple[int, bool] | None:
        reached, expects_mark = state
        if state == done:
            return done
        if not expects_mark:
            return (reached + value, True) if reached + value <= total else None
        if value == 1:
            return done if reached == total else None
        return (reached, False) if value == 0 else None

    done = (-1, False)
    return make_automaton((0, False), step, lambda state: state == done, sorted({0, 1, *values}))


@dataclass(frozen=True)
class XSum(Rule):
    """The first X values along the line add up to the total, where X is the first of them.

    A first value of 0, or of more than the number of cells, is not allowed.
    """

    kind = "x-sum"
    elsewhere = MappingProxyType({"ISS": "XSum", "f-puzzles": "xsum", "SudokuSolver": "xsum", "also": "X-sums"})
    cells: Cells
    total: int

    def lower(self, grid: Grid) -> Lowered:
        """An automaton that counts down; where it would be large, a smaller one, which reads from auxiliaries where to end."""
        part = part_name("x-sum", grid, self.cells)
        if len(self.cells) * self.total <= 2 * STATES:
            yield part, _prefix_sum_automaton(grid.values, len(self.cells), self.total).on_cells(self.cells)
            return
        for value in grid.values:
            first, last = Literal(self.cells[0], value), Literal(-value, 1)
            if 1 <= value <= len(self.cells):
                yield part, Clause((first._replace(equal=False), last))
                yield part, Clause((last._replace(equal=False), first))
            else:
                yield part, Clause((first._replace(equal=False),))
        turns = tuple(each for number, cell in enumerate(self.cells, 1) for each in (cell, -number))
        yield part, _auxiliary_prefix_sum_automaton(grid.values, self.total).on_cells(turns)

    def holds(self, grid: Grid, values: Values) -> bool:
        """Add up the first X."""
        line = [values[cell] for cell in self.cells]
        return bool(line) and 0 < line[0] <= len(line) and sum(line[: line[0]]) == self.total

    def sentence(self, wording: RuleWording) -> str:
        """Return the rule as setters write it."""
        return "A clue outside the grid is the sum of the first X values from there, where X is the first of them."

    def cosmetics(self, grid: Grid) -> Iterator[Cosmetic]:
        """The total before the first cell."""
        yield from outside_clue(self, self.cells, str(self.total), grid)

    @classmethod
    def example(cls, grid: Grid) -> XSum:
        """Return a total of 5 at the left of the first row."""
        return cls(grid.lines[0], 5)


@dataclass(frozen=True)
class OutsideValue(Rule, family=True):
    """The base class of rules whose clue outside the board is a value."""

    cells: Cells
    value: int

    def problems(self, grid: Grid) -> Iterator[str]:
        """Find a clue that is not a value of the grid."""
        yield from impossible_values(self, grid, (self.value,))

    def cosmetics(self, grid: Grid) -> Iterator[Cosmetic]:
        """The value before the first cell."""
        yield from outside_clue(self, self.cells, str(self.value), grid)


@lru_cache(maxsize=1024)
def _hidden_skyscraper_automaton(values: range, hidden: int) -> AutomatonTemplate:
    """Return the automaton whose state is the tallest value so far, until a value behind it is the hidden one."""

    def step(tallest: int, value: int) -> int | None:
        if tallest == found or value >= tallest:
            return max(tallest, value)
        return found if value == hidden else None

    found = values[-1] + 1
    return make_automaton(-1, step, lambda state: state == found, values)


@dataclass(frozen=True)
class HiddenSkyscraper(OutsideValue):
    """Looking along the cells from the first, the first value hidden behind a higher one is the clue.

    So some value must be hidden: values that only rise, or stay the same, have no clue.
    """

    kind = "hidden-skyscraper"
    elsewhere = MappingProxyType({"ISS": "HiddenSkyscraper"})

    def lower(self, grid: Grid) -> Lowered:
        """An automaton whose state is the tallest value so far."""
        yield (
            part_name("hidden skyscraper", grid, self.cells),
            _hidden_skyscraper_automaton(grid.values, self.value).on_cells(self.cells),
        )

    def holds(self, grid: Grid, values: Values) -> bool:
        """Find the first value that is lower than one before it."""
        line = [values[cell] for cell in self.cells]
        hidden = (value for place, value in enumerate(line) if value < max(line[:place], default=0))
        return next(hidden, None) == self.value

    def sentence(self, wording: RuleWording) -> str:
        """Return the rule as setters write it."""
        return "A clue outside the grid is the first value, seen from there, that is hidden behind a higher one."

    @classmethod
    def example(cls, grid: Grid) -> HiddenSkyscraper:
        """Return the second value, hidden in the first row."""
        return cls(grid.lines[0], grid.values[1])


@dataclass(frozen=True)
class NumberedRoom(OutsideValue):
    """The clue stands in the cell of the line whose number, from 1, is the value of the line's first cell.

    A first value of 0, or of more than the number of cells, is not allowed.
    """

    kind = "numbered-room"
    elsewhere = MappingProxyType({"ISS": "NumberedRoom"})

    def lower(self, grid: Grid) -> Lowered:
        """One implication for each value of the first cell."""
        part = part_name("numbered room", grid, self.cells)
        for number in grid.values if self.cells else ():
            unless = Literal(self.cells[0], number, equal=False)
            room = (Literal(self.cells[number - 1], self.value),) if 1 <= number <= len(self.cells) else ()
            yield part, Clause((unless, *room))
        if not self.cells:
            yield part, Clause(())

    def holds(self, grid: Grid, values: Values) -> bool:
        """Go to the room."""
        line = [values[cell] for cell in self.cells]
        return bool(line) and 0 < line[0] <= len(line) and line[line[0] - 1] == self.value

    def sentence(self, wording: RuleWording) -> str:
        """Return the rule as setters write it."""
        return "A clue outside the grid is the value in the Nth cell from there, where N is the value in the first cell."

    @classmethod
    def example(cls, grid: Grid) -> NumberedRoom:
        """Return the third value in a room of the first row."""
        return cls(grid.lines[0], grid.values[2])
