"""Rules that setters make up: patterns, automata and relations along a line."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, pairwise, product
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from sudoku_cp.cosmetics import Line
from sudoku_cp.errors import InvalidInput
from sudoku_cp.model import Automaton, Table, Values
from sudoku_cp.rules.base import Cells, Lowered, part_name
from sudoku_cp.rules.line_helpers import LineRule
from sudoku_cp.rules.regular_expressions import SIGNS, STATES, compile_regex, matches

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from sudoku_cp.grid import Grid


@dataclass(frozen=True)
class CustomLine(LineRule, family=True):
    """A line of any number of cells, whose meaning the setter defines."""

    drawn = Line((), "#9A9AE6", width=0.1)
    fewest = 0


@dataclass(frozen=True)
class RegularExpression(CustomLine):
    """The values read along the line match the pattern as a whole, each written as its numeral (A for 10, B for 11, ...).

    A pattern has values, ``.`` for any value, classes ``[1-47]`` and ``[^28]``, alternatives ``12|34``, groups ``(...)`` and
    repetitions ``*``, ``+``, ``?``, ``{2}``, ``{2,}``, ``{2,5}``.
    """

    kind = "regular-expression"
    elsewhere = MappingProxyType({"ISS": "Regex"})
    pattern: str

    def lower(self, grid: Grid) -> Lowered:
        """The pattern's automaton."""
        machine = compile_regex(self.pattern, grid.values, len(self.cells))
        yield part_name(f"pattern {self.pattern} on", grid, self.cells), Automaton(self.cells, *machine)

    def holds(self, grid: Grid, values: Values) -> bool:
        """Match from left to right."""
        return matches(self.pattern, grid.values, tuple(values[cell] for cell in self.cells))

    def problems(self, grid: Grid) -> Iterator[str]:
        """Find a pattern that is invalid or too large."""
        try:
            compile_regex(self.pattern, grid.values, len(self.cells))
        except InvalidInput as error:
            yield from (f"{self.kind}, pattern: {problem}" for problem in error.problems)

    @classmethod
    def example(cls, grid: Grid) -> RegularExpression:
        """Return a line in the first row: somewhere the first value comes right before the second or the third."""
        first, second, third = map(SIGNS.sign, grid.values[:3])
        return cls(tuple(grid.cell_at[0, column] for column in range(4)), f".*{first}({second}|{third}).*")


@dataclass(frozen=True)
class Automata(CustomLine):
    """The values read along the line lead an automaton from one of its start states, along its edges, to an accepting state.

    An edge is (state, value, next state); there may be several for the same state and value.
    """

    kind = "automaton"
    elsewhere = MappingProxyType({"ISS": "NFA"})
    start: tuple[int, ...]
    edges: tuple[tuple[int, ...], ...]
    accepting: tuple[int, ...]

    def lower(self, grid: Grid) -> Lowered:
        """The automaton; several start states become one, with the edges of all of them."""
        edges: set[Any] = {edge for edge in self.edges if edge[1] in grid.values}
        accepting = set(self.accepting)
        start = self.start[0] if len(self.start) == 1 else max(self._states(), default=0) + 1
        if len(self.start) != 1:
            edges |= {(start, value, after) for state, value, after in edges if state in self.start}
            accepting |= {start} if accepting & set(self.start) else set()
        yield part_name("automaton", grid, self.cells), Automaton(self.cells, start, frozenset(edges), frozenset(accepting))

    def _states(self) -> set[int]:
        return {*self.start, *self.accepting, *(state for before, _, after in self.edges for state in (before, after))}

    def holds(self, grid: Grid, values: Values) -> bool:
        """Follow all possible states at once."""
        states = set(self.start)
        for cell in self.cells:
            states = {after for state, value, after in self.edges if state in states and value == values[cell]}
        return not states.isdisjoint(self.accepting)

    def problems(self, grid: Grid) -> Iterator[str]:
        """Find edges that are not three numbers, and too many states."""
        odd = [edge for edge in self.edges if len(edge) != 3]  # noqa: PLR2004
        for edge in odd:
            yield f"{self.kind}, edges: expected (state, value, next state), got {list(edge)!r:.80}"
        if not odd and len(self._states()) > STATES:
            yield f"{self.kind}: expected at most {STATES:,} states, got {len(self._states()):,}"

    @classmethod
    def example(cls, grid: Grid) -> Automata:
        """Return a line in the second row on which low and high values alternate, whichever comes first."""
        values, middle = grid.values, grid.values[len(grid.values) // 2]
        edges = tuple((int(value >= middle), value, int(value < middle)) for value in values)
        return cls(tuple(grid.cell_at[1, column] for column in range(4)), (0, 1), edges, (0, 1))


@lru_cache(maxsize=256)
def _allowed_pairs(pairs: tuple[tuple[int, int], ...], values: range) -> frozenset[tuple[int, int]]:
    return frozenset((one, other) for one, other in pairs if one in values and other in values)


@dataclass(frozen=True)
class ListedPairs(CustomLine, family=True):
    """Certain pairs of the cells hold one of the listed pairs of values."""

    pairs: tuple[tuple[int, ...], ...]

    @abstractmethod
    def cell_pairs(self) -> Iterable[Cells]:
        """Yield the pairs of cells."""

    def lower(self, grid: Grid) -> Lowered:
        """One table per pair of cells."""
        for pair in self.cell_pairs():
            yield part_name("pair", grid, pair), Table(pair, _allowed_pairs(self.pairs, grid.values))

    def holds(self, grid: Grid, values: Values) -> bool:
        """Look at each pair."""
        return all((values[one], values[other]) in self.pairs for one, other in self.cell_pairs())

    def problems(self, grid: Grid) -> Iterator[str]:
        """Find pairs that are not two values."""
        for pair in self.pairs:
            if len(pair) != 2:  # noqa: PLR2004
                yield f"{self.kind}, pairs: expected two values, got {list(pair)!r:.80}"


@dataclass(frozen=True)
class PairsInOrder(ListedPairs):
    """Every two cells that follow each other on the line hold one of the listed pairs of values, in that order."""

    kind = "pairs-in-order"
    elsewhere = MappingProxyType({"ISS": "Pair"})

    def cell_pairs(self) -> Iterable[Cells]:
        """Yield each cell with the next."""
        return pairwise(self.cells)

    @classmethod
    def example(cls, grid: Grid) -> PairsInOrder:
        """Return a line of three cells on which no value comes right after itself or after the one below it."""
        pairs = ((one, other) for one, other in product(grid.values, repeat=2) if other not in {one, one + 1})
        return cls(tuple(grid.cell_at[place] for place in ((0, 0), (1, 1), (1, 2))), tuple(pairs))


@dataclass(frozen=True)
class PairsOfAll(ListedPairs):
    """Any two cells of the group hold one of the listed pairs of values, in the order in which the cells are named."""

    kind = "pairs-of-all"
    elsewhere = MappingProxyType({"ISS": "PairX"})

    def cell_pairs(self) -> Iterable[Cells]:
        """Yield each cell with each of those after it."""
        return combinations(self.cells, 2)

    @classmethod
    def example(cls, grid: Grid) -> PairsOfAll:
        """Return three cells of which no later one holds more than an earlier one by exactly 1."""
        pairs = ((one, other) for one, other in product(grid.values, repeat=2) if other != one + 1)
        return cls(tuple(grid.cell_at[place] for place in ((0, 0), (1, 1), (2, 2))), tuple(pairs))
