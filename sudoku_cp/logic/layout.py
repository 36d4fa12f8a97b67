"""What the rules of a puzzle say, as techniques see it: houses, other groups of cells that differ, and all other parts of rules.

A layout depends on grid and rules alone, so it is made once for all puzzles that share them. Techniques read houses, groups and
sight from it and never count rows or columns: jigsaws, diagonals, windows and overlapping boards need no code of their own.
"""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property, lru_cache
from operator import itemgetter
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from sudoku_cp.model import AllDifferent, Constraint, DigitSet, Domain, Model, build_model, cells_of, members, to_mask
from sudoku_cp.rules.base import part_name
from sudoku_cp.time_limits import ticked

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sudoku_cp.grid import Cell, Grid
    from sudoku_cp.puzzle import Puzzle
    from sudoku_cp.rules import Rule

CellSet: TypeAlias = int
"""A set of cells as bits: bit c is set when cell c is in; `members` lists them, `to_mask` makes one."""
GroupIndex: TypeAlias = int
"""The number of a group of a layout; those of houses come first."""
PartIndex: TypeAlias = int
"""The number of a rule part of a layout."""


class HouseKind(StrEnum):
    """The kind of a house, in the distinctions of techniques: jigsaw regions are boxes; diagonals and windows are extra."""

    ROW = "row"
    COLUMN = "column"
    BOX = "box"
    EXTRA = "extra"


_FIRST_CELL = re.compile(r" r\d+c\d+")
_KINDS = {"row": HouseKind.ROW, "column": HouseKind.COLUMN, "box": HouseKind.BOX, "region": HouseKind.BOX}
"""The kind of a house of the grid by the first word of its name."""


class Group(NamedTuple):
    """Cells that all differ; a house, which has a ``kind``, if each value has a place in it.

    ``part`` is the rule part that it belongs to if that part says more, as a cage with a sum does; else None.
    """

    name: str
    cells: tuple[Cell, ...]
    mask: CellSet
    kind: HouseKind | None
    part: PartIndex | None


class RulePart(NamedTuple):
    """A part of a rule that says more than which cells differ: one cage, one thermometer, one dot.

    ``constraints`` speak of ``cells`` of the board, and of auxiliaries, which are numbered behind the board's cells.
    """

    name: str
    rule: Rule
    cells: tuple[Cell, ...]
    constraints: tuple[Constraint, ...]


class Overlap(NamedTuple):
    """A group that shares two or more cells with a house: all of its cells, and those outside the house, of which it has some."""

    group: GroupIndex
    mask: CellSet
    outside: CellSet


class BoxLineCrossing(NamedTuple):
    """A box and a line that share two or more cells."""

    box: GroupIndex
    line: GroupIndex
    mask: CellSet


@dataclass(frozen=True, eq=False)
class Layout:
    """The groups (the first ``houses`` are houses) and the other rule parts of a puzzle, and the ``domains`` of its cells.

    Givens narrow no domain, unary rules (odd, even) do. The model cells of index ``len(domains)`` and above, ``auxiliaries`` of
    them, are 0-1 variables of the rule parts.
    """

    grid: Grid
    groups: tuple[Group, ...]
    houses: int
    parts: tuple[RulePart, ...]
    domains: tuple[Domain, ...]
    auxiliaries: int

    @cached_property
    def groups_of(self) -> tuple[tuple[GroupIndex, ...], ...]:
        """The groups that each cell lies in, houses first."""
        found: list[list[GroupIndex]] = [[] for _ in self.domains]
        for index, group in enumerate(self.groups):
            for cell in group.cells:
                found[cell].append(index)
        return tuple(map(tuple, found))

    @cached_property
    def house_masks(self) -> tuple[CellSet, ...]:
        """The cells of each house."""
        return tuple(group.mask for group in self.groups[: self.houses])

    @cached_property
    def houses_of(self) -> tuple[tuple[GroupIndex, ...], ...]:
        """The houses that each cell lies in."""
        return tuple(tuple(index for index in own if index < self.houses) for own in self.groups_of)

    @cached_property
    def sight(self) -> tuple[CellSet, ...]:
        """The cells that each cell sees: those that must differ from it."""
        found = [0] * len(self.domains)
        for group in self.groups:
            for cell in group.cells:
                found[cell] |= group.mask
        return tuple(mask & ~(1 << cell) for cell, mask in enumerate(found))

    @cached_property
    def readers(self) -> tuple[itemgetter[Any], ...]:
        """What reads the entries of each group's cells from a list of all cells: as a tuple, or alone for a group of one cell."""
        return tuple(itemgetter(*group.cells) for group in self.groups)

    @cached_property
    def crossings(self) -> tuple[BoxLineCrossing, ...]:
        """Every crossing of a box and a line."""
        boxes, lines = self.houses_of_kind(HouseKind.BOX), self.houses_of_kind(HouseKind.ROW, HouseKind.COLUMN)
        shared = (BoxLineCrossing(box, line, self.groups[box].mask & self.groups[line].mask) for box in boxes for line in lines)
        return tuple(crossing for crossing in shared if crossing.mask.bit_count() > 1)

    @cached_property
    def overlaps(self) -> tuple[tuple[Overlap, ...], ...]:
        """For each house the groups that share two or more cells with it, and have others too."""
        return tuple(
            tuple(
                Overlap(index, group.mask, group.mask & ~house.mask)
                for index, group in enumerate(self.groups)
                if (group.mask & house.mask).bit_count() > 1 and group.mask & ~house.mask
            )
            for house in self.groups[: self.houses]
        )

    @cached_property
    def values(self) -> tuple[int, ...]:
        """The values that some cell can hold."""
        union = 0
        for domain in self.domains:
            union |= domain
        return tuple(members(union))

    @cached_property
    def cells_of_parts(self) -> CellSet:
        """The cells of which rule parts say more than that they differ."""
        return to_mask(cell for part in self.parts for cell in part.cells)

    def houses_of_kind(self, *kinds: HouseKind) -> list[GroupIndex]:
        """Return the houses of these kinds, in the order of the layout."""
        return [index for index in range(self.houses) if self.groups[index].kind in kinds]

    def groups_over(self, cells: CellSet) -> Iterator[GroupIndex]:
        """Yield the groups that contain all of ``cells`` (at least one), houses first."""
        first = (cells & -cells).bit_length() - 1
        return (index for index in self.groups_of[first] if not cells & ~self.groups[index].mask)

    def seen_by_all(self, cells: CellSet) -> CellSet:
        """Return the cells that see every one of ``cells``; all cells if there is none."""
        common = (1 << len(self.domains)) - 1
        for cell in members(cells):
            common &= self.sight[cell]
        return common

    def seen_by_any(self, cells: CellSet) -> CellSet:
        """Return the cells that see at least one of ``cells``."""
        union = 0
        for cell in members(cells):
            union |= self.sight[cell]
        return union


def layout_of(puzzle: Puzzle) -> Layout:
    """Return the layout of a puzzle's grid and rules, the same object for puzzles that share them."""
    return _make_layout(puzzle.grid, puzzle.rules)


@lru_cache(maxsize=64)
def _make_layout(grid: Grid, rules: tuple[Rule, ...]) -> Layout:
    builder = _LayoutBuilder(grid)
    for rule in rules:
        builder.add_rule(rule)
    return builder.layout()


class _LayoutBuilder:
    """Takes rule after rule, and sorts what each lowers to into groups, narrower domains and rule parts."""

    def __init__(self, grid: Grid) -> None:
        self._grid = grid
        self._domains = [to_mask(grid.values)] * len(grid.cells)
        self._groups: dict[CellSet, Group] = {}
        self._parts: list[RulePart] = []
        self._auxiliaries = 0

    def layout(self) -> Layout:
        """Return the layout of the rules so far."""
        groups = sorted(self._groups.values(), key=lambda group: group.kind is None)  # sorting keeps the order of equals
        houses = sum(group.kind is not None for group in groups)
        return Layout(self._grid, tuple(groups), houses, tuple(self._parts), tuple(self._domains), self._auxiliaries)

    def add_rule(self, rule: Rule) -> None:
        """Add a rule. One about a list of ``cells`` (a cage, a thermometer) is one part; others have parts of their own."""
        size = len(self._domains)
        model = build_model([0] * (size + self._auxiliaries), [(rule.kind, rule.lower(self._grid))])
        self._auxiliaries = len(model.domains) - size
        parts: dict[str, list[Constraint]] = defaultdict(list)
        whole = _whole_name(self._grid, rule, model) if model.statements and "cells" in rule.field_types else None
        for statement in ticked(model.statements):
            parts[whole or statement.part].append(statement.constraint)
        for name, constraints in ticked(parts.items()):
            self._add_part(name, rule, [constraint for constraint in ticked(constraints) if not self._narrow(constraint)])

    def _narrow(self, constraint: Constraint) -> bool:
        """Narrow the domain of a constraint's only cell; return False if it has several."""
        cells = cells_of(constraint)
        if len(cells) != 1 or cells[0] >= len(self._domains):
            return False
        self._domains[cells[0]] &= _allowed_values(constraint, cells[0], self._domains[cells[0]])
        return True

    def _add_part(self, name: str, rule: Rule, constraints: list[Constraint]) -> None:
        size = len(self._domains)
        says_more = any(not isinstance(constraint, AllDifferent) or max(constraint.cells) >= size for constraint in constraints)
        part = len(self._parts) if says_more else None
        for constraint in constraints:
            if isinstance(constraint, AllDifferent | DigitSet) and max(constraint.cells) < size:
                self._groups.setdefault(to_mask(constraint.cells), self._make_group(name, constraint.cells, part))
        if says_more:
            cells = sorted({cell for constraint in ticked(constraints) for cell in cells_of(constraint) if cell < size})
            self._parts.append(RulePart(name, rule, tuple(cells), tuple(constraints)))

    def _make_group(self, name: str, cells: tuple[Cell, ...], part: PartIndex | None) -> Group:
        is_house = len(cells) == len(self._grid.values)
        kind = _KINDS.get(name.partition(" ")[0], HouseKind.EXTRA) if is_house else None
        return Group(name, cells, to_mask(cells), kind, part)


def _whole_name(grid: Grid, rule: Rule, model: Model) -> str:
    """Return the name of a rule about a list of cells as one part; where each of its statements has some, with all of them."""
    names = dict.fromkeys(statement.part for statement in model.statements)
    first = next(iter(names))
    noun = _FIRST_CELL.split(first, maxsplit=1)[0]
    return first if len(names) == 1 else part_name(noun, grid, getattr(rule, "cells", ()))


def _allowed_values(constraint: Constraint, cell: Cell, domain: Domain) -> Domain:
    """Return the values of a domain with which a constraint on one cell alone holds."""
    return to_mask(value for value in members(domain) if constraint.holds([value] * (cell + 1)))
