"""The rule that ranks rows and columns as numbers."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from types import MappingProxyType
from typing import TYPE_CHECKING

from sudoku_cp.cosmetics import Clue
from sudoku_cp.model import Clause, Count, Literal, Values
from sudoku_cp.rules.automata import NOTHING_READ, make_automaton
from sudoku_cp.rules.base import Cells, Lowered, Rule, part_name
from sudoku_cp.rules.houses import Houses

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sudoku_cp.cosmetics import Cosmetic
    from sudoku_cp.grid import Board, Grid
    from sudoku_cp.rules.automata import AutomatonTemplate
    from sudoku_cp.rules.wording import RuleWording

TIES = ("none", "only-unclued", "any")
"""Which of the numbers may be equal: none; those without a given rank; any."""

_ASKING, _SETTLED = -1, -2
"""States of the comparing automata: before the answer is read, and when the rest does not matter."""
_TRUE = frozenset({1})
_PER_VALUE = 4
"""As many readings begin with each value where the four borders of a board hold all of them."""


def _readings(board: Board, grid: Grid) -> list[Cells]:
    """Return the rows and the columns of a board, each read from both ends."""
    cells = [grid.cell_at[place] for place in board.places()]
    width = board.columns
    rows = [tuple(cells[start : start + width]) for start in range(0, len(cells), width)]
    columns = [tuple(cells[column::width]) for column in range(width)]
    return [reading for line in (*rows, *columns) for reading in (line, line[::-1])]


def _group(rank: int) -> int:
    """Return which value a number of this rank begins with, counted from 0, where four begin with each."""
    return (rank - 1) // _PER_VALUE


def _interleave(one: Cells, other: Cells) -> Cells:
    """Return the cells of two readings in turn, without pairs of a cell with itself and pairs that repeat."""
    pairs: dict[frozenset[int], Cells] = {}
    for pair in zip(one, other, strict=True):
        if pair[0] != pair[1]:
            pairs.setdefault(frozenset(pair), pair)
    return tuple(cell for pair in pairs.values() for cell in pair)


@lru_cache(maxsize=256)
def _less_automaton(values: range, ties: bool) -> AutomatonTemplate:  # noqa: FBT001
    """Return the automaton that reads whether the first number is the smaller one, then the digits of both in turn.

    It accepts a true answer; equal numbers only with ``ties``, as not smaller.
    """

    def step(state: tuple[int, int], value: int) -> tuple[int, int] | None:
        answer, pending = state
        if answer == _ASKING:
            return (value, _ASKING) if value in {0, 1} else None
        if answer == _SETTLED:
            return state
        if pending == _ASKING:
            return answer, value
        if pending == value:
            return answer, _ASKING
        return (_SETTLED, 0) if (pending < value) == bool(answer) else None

    def accepts(state: tuple[int, int]) -> bool:
        return state[0] == _SETTLED or (ties and state == (0, _ASKING))

    return make_automaton((_ASKING, 0), step, accepts, sorted({0, 1, *values}))


@lru_cache(maxsize=256)
def _unequal_automaton(values: range) -> AutomatonTemplate:
    """Return the automaton that accepts the digits of two different numbers, read in turn."""

    def step(state: int, value: int) -> int:
        if state == _SETTLED:
            return state
        if state == _ASKING:
            return value
        return _ASKING if state == value else _SETTLED

    return make_automaton(_ASKING, step, lambda state: state == _SETTLED, values)


@lru_cache(maxsize=256)
def _competing_automaton(values: range, first: int, ties: bool) -> AutomatonTemplate:  # noqa: FBT001
    """Return the automaton of a reading that competes with a number that begins with ``first``, if it begins so too.

    It reads whether the reading competes and is smaller, whether it competes and is larger, the reading's first value, and the
    other digits of both in turn. A number that is equal counts as larger, and is accepted only with ``ties``.
    """

    def step(state: tuple[int, ...], value: int) -> tuple[int, ...] | None:
        match state:
            case () | (_,):
                return (*state, value) if value in {0, 1} else None
            case (smaller, larger):
                competes = smaller + larger
                return None if competes != (value == first) else (smaller, _ASKING, 0) if competes else settled
            case (smaller, pending, _) if pending == _ASKING:
                return smaller, value, 0
            case (smaller, pending, _) if state != settled:
                return (smaller, _ASKING, 0) if pending == value else settled if (pending < value) == bool(smaller) else None
        return state

    def accepts(state: tuple[int, ...]) -> bool:
        return state == settled or (ties and state == (0, _ASKING, 0))

    settled = (_SETTLED, 0, 0)
    return make_automaton(NOTHING_READ, step, accepts, sorted({0, 1, *values}))


@lru_cache(maxsize=256)
def _smaller_automaton(values: range) -> AutomatonTemplate:
    """Return the automaton that reads the digits of two numbers in turn, and accepts if the first is the smaller one."""

    def step(state: int, value: int) -> int | None:
        if state == _SETTLED:
            return state
        if state == _ASKING:
            return value
        return _ASKING if state == value else _SETTLED if state < value else None

    return make_automaton(_ASKING, step, lambda state: state == _SETTLED, values)


def _distinct_readings(part: str, readings: list[Cells], grid: Grid) -> Lowered:
    """Yield that no two of the readings are the same number."""
    for pair in combinations(readings, 2):
        turns = _interleave(*pair)
        yield part, _unequal_automaton(grid.values).on_cells(turns) if turns else Clause(())


@dataclass(frozen=True)
class FullRank(Rule):
    """Read as a number from the clue, the row or column has this rank, counted from the smallest, among all lines of its board.

    Every row and column of that length is read from both ends. The rank is one more than the count of smaller numbers;
    ``ties`` says which numbers may be equal: "any", "only-unclued" (none is equal to this one) or "none".
    """

    kind = "full-rank"
    elsewhere = MappingProxyType({"ISS": "FullRank"})
    cells: Cells
    rank: int
    ties: str = "any"

    def _others(self, grid: Grid) -> list[Cells]:
        """Return all other readings on the first board that has the line, none where no board has it."""
        for board in grid.boards:
            readings = [reading for reading in _readings(board, grid) if len(reading) == len(self.cells)]
            if self.cells in readings:
                readings.remove(self.cells)
                return readings
        return []

    def lower_beside(self, grid: Grid, beside: tuple[Rule, ...]) -> Lowered:
        """Where four readings begin with each value, the rank determines the first value, and only three others compete."""
        if not self._has_four_readings_a_value(grid) or Houses() not in beside:
            yield from self.lower(grid)
            return
        part = part_name("full rank", grid, self.cells)
        value, place = grid.values[_group(self.rank)], (self.rank - 1) % _PER_VALUE
        yield part, Clause((Literal(self.cells[0], value),))
        others = self._others(grid)
        compared = _competing_automaton(grid.values, value, self.ties == "any")
        smaller, larger = (tuple(range(first, first - 2 * len(others), -2)) for first in (-1, -2))
        for other, *flags in zip(others, smaller, larger, strict=True):
            yield part, compared.on_cells((*flags, other[0], *_interleave(other[1:], self.cells[1:])))
        yield part, Count(smaller, _TRUE, "==", place)
        yield part, Count(larger, _TRUE, "==", _PER_VALUE - 1 - place)
        for turns in self._order_clues(beside):
            yield part, _smaller_automaton(grid.values).on_cells(turns) if turns else Clause(())
        if self.ties == "none":
            yield from _distinct_readings(part, others, grid)

    def _has_four_readings_a_value(self, grid: Grid) -> bool:
        """Return whether each border has a cell for every value: if all hold every value, four readings begin with each."""
        side = len(grid.values)
        square = len(grid.boards) == 1 and grid.boards[0].rows == grid.boards[0].columns == side == len(self.cells)
        return square and 1 <= self.rank <= _PER_VALUE * side

    def _order_clues(self, beside: tuple[Rule, ...]) -> Iterator[Cells]:
        """Yield the digits in turn of this number and each that begins with the same value and has a greater rank."""
        for rule in beside:
            if isinstance(rule, FullRank) and rule.rank > self.rank and _group(rule.rank) == _group(self.rank):
                yield _interleave(self.cells, rule.cells)

    def lower(self, grid: Grid) -> Lowered:
        """An auxiliary for each other reading shows whether it is smaller; they are counted."""
        part, others = part_name("full rank", grid, self.cells), self._others(grid)
        compared = _less_automaton(grid.values, self.ties == "any")
        for index, other in enumerate(others):
            yield part, compared.on_cells((-1 - index, *_interleave(other, self.cells)))
        flags = tuple(-1 - index for index in range(len(others)))
        yield part, Count(flags, frozenset({1}), "==", self.rank - 1)
        if self.ties == "none":
            yield from _distinct_readings(part, others, grid)

    def holds(self, grid: Grid, values: Values) -> bool:
        """Read the numbers."""
        own, *numbers = ([values[cell] for cell in reading] for reading in (self.cells, *self._others(grid)))
        if self.ties == "only-unclued" and own in numbers:
            return False
        if self.ties == "none" and len({tuple(number) for number in (own, *numbers)}) <= len(numbers):
            return False
        return self.rank == 1 + sum(number < own for number in numbers)

    def sentence(self, wording: RuleWording) -> str:
        """Return the rule as setters write it."""
        ties = {"only-unclued": " A line with a clue equals no other.", "none": " No two of them are equal."}.get(self.ties, "")
        return (
            "Read every row and column as a number, in both directions, and rank them, smallest first. A clue outside the grid "
            f"is the rank of the number that is read from there.{ties}"
        )

    def problems(self, grid: Grid) -> Iterator[str]:
        """Find a line that is not a row or column, an impossible rank, and an unknown kind of ``ties``."""
        others = self._others(grid)
        if not others:
            yield f"{self.kind}: expected all cells of a row or a column in order, got {self.cells!r:.80}"
        elif not 1 <= self.rank <= len(others) + 1:
            yield f"{self.kind}: expected a rank from 1 to {len(others) + 1}, got {self.rank!r:.80}"
        if self.ties not in TIES:
            yield f"{self.kind}: expected ties to be one of {', '.join(TIES)}, got {self.ties!r:.80}"

    def cosmetics(self, grid: Grid) -> Iterator[Cosmetic]:
        """The rank before the first cell."""
        yield Clue(self.cells, str(self.rank), self.kind)

    @classmethod
    def example(cls, grid: Grid) -> FullRank:
        """Return the third rank for the first row."""
        return cls(grid.lines[0], 3)
