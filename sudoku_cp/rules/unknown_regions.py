"""Rules about which values the houses hold, and about houses that are themselves to be found."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, combinations, count, product, takewhile
from types import MappingProxyType
from typing import TYPE_CHECKING, TypeAlias

from sudoku_cp.cosmetics import Note
from sudoku_cp.grid import Cell  # a field's type is read at run time
from sudoku_cp.model import AllDifferent, Clause, Count, Domain, Literal, Partition, Values, members, to_mask
from sudoku_cp.model.partition_clauses import LARGEST, TRUE, UnknownRegions
from sudoku_cp.rules.automata import AutomatonTemplate
from sudoku_cp.rules.base import Cells, Lowered, Rule, part_name
from sudoku_cp.rules.counting import adjacent_places
from sudoku_cp.rules.neighbour_pairs import neighbours_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from sudoku_cp.cosmetics import Cosmetic
    from sudoku_cp.grid import Grid
    from sudoku_cp.rules.wording import RuleWording


# Cells that count cells of a region, where other cells hold the numbers of the regions.


@dataclass(frozen=True)
class RegionCount(Rule):
    """The cell counts the cells that lie in one region: along each arm, up to the first that has another value.

    All arms start in the same cell, which counts once; among ``others`` it does not. Where values are the numbers of regions, an
    arrow has long arms, and a count of any cells has an arm to each of them.
    """

    kind = "region-count"
    stated = frozenset({"cell", "arms"})
    elsewhere = MappingProxyType({"ISS": "ChaosArrow, ChaosCount"})
    cell: Cell
    arms: tuple[Cells, ...]
    others: bool = False

    @property
    def omitted(self) -> int:
        """How many cells of the region are not counted: the first, or none."""
        return int(self.others)

    def lower(self, grid: Grid) -> Lowered:
        """One automaton, which reads the first cell, the arms, and the cell that counts."""
        cells = (self.arms[0][0], *chain.from_iterable(arm[1:] for arm in self.arms))
        template = _count_automaton(grid.values, tuple(len(arm) - 1 for arm in self.arms), self.omitted)
        yield part_name("count of", grid, (self.cell, *cells)), template.on_cells((*cells, self.cell))

    def holds(self, grid: Grid, values: Values) -> bool:
        """Walk along each arm while the value is that of its first cell."""
        region = values[self.arms[0][0]]
        runs = (takewhile(lambda cell: values[cell] == region, arm[1:]) for arm in self.arms)
        return values[self.cell] + self.omitted == 1 + sum(1 for run in runs for _ in run)

    def sentence(self, wording: RuleWording) -> str:
        """Return the rule as setters write it."""
        others = "other " if self.others else ""
        arms = " and ".join(map(wording.cells, self.arms))
        return f"{wording.cells((self.cell,))} counts the {others}cells of the first cell's region along {arms}."

    def problems(self, grid: Grid) -> Iterator[str]:
        """Find arms that do not start in the same cell, and no arm."""
        if not all(self.arms) or len({arm[0] for arm in self.arms}) != 1:
            got = [[*map(grid.cell_name, arm)] for arm in self.arms if {*arm} <= {*grid.cells}]
            yield f"{self.kind}, arms: expected lists of cells that all start with the same one, got {got!r:.80}"

    def cosmetics(self, grid: Grid) -> Iterator[Cosmetic]:
        """Words for the legend, and a sign in the cell."""
        noun = "other cells" if self.others else "cells"
        ways = " / ".join(" ".join(map(grid.cell_name, arm)) for arm in self.arms)
        yield Note((self.cell,), f"counts the {noun} with the value of the first: {ways}", "#")

    @classmethod
    def example(cls, grid: Grid) -> RegionCount:
        """Return a count of the second row from its second cell on, both ways, in the cell above that."""
        row = grid.lines[1]
        return cls(grid.lines[0][1], (row[1::-1], row[1:]))


@lru_cache(maxsize=256)
def _count_automaton(values: range, lengths: tuple[int, ...], omitted: int) -> AutomatonTemplate:
    """Return the automaton that reads a region, then arms of these lengths, and how many cells at their beginnings are in it.

    Its states are made directly, not step by step: there are thousands.
    """
    most = values[-1] + omitted
    # A state is a region, how many cells are in it so far, and whether the next one counts if it is in it.
    layer = {(value, 1, True): 1 + index for index, value in enumerate(values)}
    edges = [(0, region, number) for (region, _, _), number in layer.items()]
    used = len(layer)
    for left in chain.from_iterable(range(length - 1, -1, -1) for length in lengths):
        after: dict[tuple[int, int, bool], int] = {}
        for (region, counted, counts), number in layer.items():
            other = after.setdefault((region, counted, not left), used + 1 + len(after))
            edges += [(number, value, other) for value in values if value != region or not counts]
            if counts and counted < most:
                edges.append((number, region, after.setdefault((region, counted + 1, True), used + 1 + len(after))))
        used += len(after)
        layer = after
    edges += [(number, counted - omitted, used + 1) for (_, counted, _), number in layer.items() if counted - omitted in values]
    return AutomatonTemplate(frozenset(edges), frozenset({used + 1}))


if TYPE_CHECKING:
    Naming: TypeAlias = Callable[..., Cell]


def _auxiliaries() -> Naming:
    """Return a function that gives each key an auxiliary of its own, the same one every time."""
    given: dict[tuple[object, ...], Cell] = {}
    return lambda *key: given.setdefault(key, -1 - len(given))


def _is(cell: Cell, value: int = 1) -> Literal:
    return Literal(cell, value)


def _is_not(cell: Cell, value: int = 1) -> Literal:
    return Literal(cell, value, equal=False)


@dataclass(frozen=True)
class SameValuesInRegions(Rule):
    """The largest of all rows, columns and regions hold the same set of values, where there are more values than cells."""

    kind = "same-values-in-regions"
    elsewhere = MappingProxyType({"ISS": "RegionSameValues"})

    def lower(self, grid: Grid) -> Lowered:
        """One auxiliary per value shows whether it is used: all those houses hold it, or none of them."""
        most = max(map(len, grid.houses.values()))
        for name, cells in grid.houses.items():
            if len(cells) == most:
                for place, value in enumerate(grid.values):
                    used = -1 - place
                    yield f"values of {name}", Clause((Literal(used, 0), *(_is(cell, value) for cell in cells)))
                    yield from ((f"values of {name}", Clause((_is(used), _is_not(cell, value)))) for cell in cells)

    def holds(self, grid: Grid, values: Values) -> bool:
        """All those houses have the same set."""
        most = max(map(len, grid.houses.values()))
        return len({frozenset(values[cell] for cell in cells) for cells in grid.houses.values() if len(cells) == most}) == 1

    def sentence(self, wording: RuleWording) -> str:
        """Return the rule as setters write it."""
        return "All rows, columns and regions of the largest size hold the same set of values."


@dataclass(frozen=True)
class Doppelganger(Rule):
    """Every row, column and region holds 0 and all other values but one; houses of one kind miss different values.

    Where a 0 is, its row, its column and its region miss three different values too.
    """

    kind = "doppelganger"
    elsewhere = MappingProxyType({"ISS": "Doppelganger"})

    def lower(self, grid: Grid) -> Lowered:
        """One auxiliary for each house and each value shows whether the house misses it."""
        misses = _auxiliaries()
        for name, cells in grid.houses.items():
            yield name, AllDifferent(cells)
            yield name, Clause(tuple(_is(cell, 0) for cell in cells))
            yield f"miss of {name}", Count(tuple(misses(name, value) for value in grid.values[1:]), TRUE, "==", 1)
            for value in grid.values[1:]:
                missed = misses(name, value)
                yield f"miss of {name}", Clause((_is(missed), *(_is(cell, value) for cell in cells)))
                yield from ((f"miss of {name}", Clause((_is_not(missed), _is_not(cell, value)))) for cell in cells)
        for names, value in product(_by_kind(grid), grid.values[1:]):
            yield f"misses of {value}", Count(tuple(misses(name, value) for name in names), TRUE, "==", 1)
        for cell, value in product(grid.cells, grid.values[1:]):
            around = [misses(name, value) for name, cells in grid.houses.items() if cell in cells]
            for one, other in combinations(around, 2):
                yield part_name("doppelganger at", grid, (cell,)), Clause((_is_not(cell, 0), _is_not(one), _is_not(other)))

    def holds(self, grid: Grid, values: Values) -> bool:
        """Find what each house misses."""
        missed: dict[str, int] = {}
        for name, cells in grid.houses.items():
            missing = set(grid.values) - {values[cell] for cell in cells}
            if len(missing) != 1 or 0 in missing:
                return False
            missed[name] = missing.pop()
        around = ([name for name, cells in grid.houses.items() if cell in cells] for cell in grid.cells if values[cell] == 0)
        return all(len({missed[name] for name in names}) == len(names) for names in (*_by_kind(grid), *around))

    def sentence(self, wording: RuleWording) -> str:
        """Return the rule as setters write it."""
        return (
            "Values do not repeat in any row, column or region; each lacks one value, but never 0. No two rows lack the same "
            "value, nor do two columns or two regions, and the row, column and region of a 0 lack three different ones."
        )

    def problems(self, grid: Grid) -> Iterator[str]:
        """Find grids other than a square board with values from 0 to its side."""
        side = grid.boards[0].rows
        whole = len(grid.boards) == 1 and len(grid.houses) == 3 * side and {*map(len, grid.houses.values())} == {side}
        if not whole or grid.values != range(side + 1):
            yield f"{self.kind}: expected one square board with regions of its side and values from 0 to it, got {grid}"


def _by_kind(grid: Grid) -> list[list[str]]:
    """Return the names of the rows, of the columns and of the regions."""
    kinds: dict[str, list[str]] = {}
    for name in grid.houses:
        kinds.setdefault(name.split()[0], []).append(name)
    return list(kinds.values())


@dataclass(frozen=True)
class ChaosConstruction(Rule):
    """The board can be cut into connected regions of as many cells as there are values, each with all the values.

    With a ``size``, regions have that many cells, with different values. Several boards are cut as one: a region may lie in more
    than one of them where they touch or overlap. Single cells off the boards are in no region; those listed as ``regions``
    hold, for each cell of the boards in reading order of the grid, the number of its region. Regions are numbered in the order of
    their first cells, beginning with the smallest value.
    """

    kind = "chaos-construction"
    stated = frozenset({"regions"})
    elsewhere = MappingProxyType({"ISS": "ChaosConstruction"})
    regions: Cells = ()
    size: int | None = None

    def lower(self, grid: Grid) -> Lowered:
        """Auxiliaries hold the region of each cell, which cells share one, and how each is reached from the first."""
        cells, numbers = _board_cells(grid), count(1)
        beside = adjacent_places(tuple(grid.places[cell] for cell in cells))
        cut = UnknownRegions(cells, beside, self._size(grid), grid.values, lambda: -next(numbers))
        for noun, places, constraint in chain(cut.constraints(), cut.label_clauses(self.regions, grid.values[0])):
            yield part_name(noun, grid, tuple(cells[place] for place in places)) if places else noun, constraint

    def lower_beside(self, grid: Grid, beside: tuple[Rule, ...]) -> Lowered:
        """One constraint where cells hold the numbers of the regions: engines that do not take it spell it out themselves."""
        if not self.regions:
            yield from self.lower(grid)
            return
        cells = _board_cells(grid)
        near = adjacent_places(tuple(grid.places[cell] for cell in cells))
        yield "regions", Partition(cells, self.regions, near, self._size(grid), grid.values[0])
        for rule in beside:
            if isinstance(rule, RegionCount) and self._has_neighbour(rule, near, grid):
                single = (value for value in grid.values if value + rule.omitted <= 1)
                yield from (("count of a region", Clause((_is_not(rule.cell, value),))) for value in single)

    def _has_neighbour(self, rule: RegionCount, near: Sequence[Sequence[int]], grid: Grid) -> bool:
        """Return whether a count finds more than its first cell: all those beside it start arms, and one is in its region."""
        start = rule.arms[0][0]
        if start not in self.regions or self._size(grid) == 1:
            return False
        starts = {arm[1] for arm in rule.arms if len(arm) > 1}
        return starts.issuperset(self.regions[place] for place in near[self.regions.index(start)])

    def holds(self, grid: Grid, values: Values) -> bool:
        """Check the regions that are given; otherwise try every way to cut the board into regions."""
        board, size = _board_cells(grid), self._size(grid)
        beside = [to_mask(neighbours_of(grid, cell)) & to_mask(board) for cell in grid.cells]
        if not self.regions:
            return _can_be_cut(to_mask(board), size, beside, values)
        labels = [values[label] for label in self.regions]
        first_to_last = tuple(dict.fromkeys(labels))
        given = [to_mask(cell for cell, own in zip(board, labels, strict=True) if own == label) for label in first_to_last]
        whole = all(any(region == one for one in _regions(region, size, beside, values)) for region in given)
        return whole and first_to_last == tuple(grid.values[: len(board) // size])

    def sentence(self, wording: RuleWording) -> str:
        """Return the rule as setters write it."""
        size, count = self._size(wording.grid), len(wording.grid.values)
        holds = "all the values" if size == count else "different values"
        return f"Divide the board into connected regions of {size} cells each; every region holds {holds}."

    def _size(self, grid: Grid) -> int:
        return len(grid.values) if self.size is None else self.size

    def problems(self, grid: Grid) -> Iterator[str]:
        """Find a board that such regions cannot fill, and ``regions`` that are not one cell off it for each cell on it."""
        cells, size = _board_cells(grid), self._size(grid)
        if not 1 <= size <= len(grid.values):
            yield f"{self.kind}, size: expected 1 to {len(grid.values)} cells, got {size!r:.80}"
        elif len(cells) % size:
            noun = "values" if self.size is None else "cells"
            yield f"{self.kind}: expected a number of cells that {size} {noun} divide, got {len(cells)}"
        elif self.regions and len(cells) // size > len(grid.values):
            yield f"{self.kind}, regions: expected at most as many regions as values, got {len(cells) // size}"
        if not self.regions and len(cells) > LARGEST:
            yield (
                f"{self.kind}: expected at most {LARGEST} cells, or cells that hold the numbers of the regions "
                f"(without them the formula is too large), got {len(cells)}"
            )
        if self.regions and (len({*self.regions}) != len(cells) or len(self.regions) != len(cells) or {*cells} & {*self.regions}):
            got = f"{len({*self.regions} - {*cells})} such cells"
            yield f"{self.kind}, regions: expected a cell beside the board for each of {len(cells)} cells on it, got {got}"


def _board_cells(grid: Grid) -> Cells:
    """Return all cells except single ones off the boards; all cells if there are only such."""
    boards = (board for board in grid.boards if board.rows * board.columns > 1)
    return tuple(sorted({grid.cell_at[place] for board in boards for place in board.places()})) or tuple(grid.cells)


def _can_be_cut(board: Domain, size: int, beside: list[Domain], values: Values) -> bool:
    """Return whether the board can be cut into regions: backtrack over every region with the first cell left."""
    hopeless = set[int]()
    waiting = [[board]]  # for each region cut off so far, what may be left
    while waiting:
        if not waiting[-1]:
            waiting.pop()
            continue
        left = waiting[-1].pop()
        if not left:
            return True
        if left not in hopeless:
            hopeless.add(left)  # it is, once all that follows from it has been tried
            waiting.append([left & ~region for region in _regions(left, size, beside, values)])
    return False


def _regions(left: Domain, size: int, beside: list[Domain], values: Values) -> Iterator[Domain]:
    """Yield the connected sets of ``size`` cells, all with different values, with the first of those ``left``."""
    first = left & -left
    stack = [(first, beside[first.bit_length() - 1] & left, left & ~first, 1 << values[first.bit_length() - 1])]
    while stack:
        region, edge, allowed, used = stack.pop()
        if used.bit_count() == size:
            yield region
            continue
        for cell in members(edge & allowed):
            allowed &= ~(1 << cell)  # later regions on this level exclude the cell
            if not used >> values[cell] & 1:
                stack.append((region | 1 << cell, edge | beside[cell], allowed, used | 1 << values[cell]))
