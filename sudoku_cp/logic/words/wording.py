"""The parts that sentences are made of: values, cells, houses, and what a step does, as people write them."""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from sudoku_cp.model import members, to_mask

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from sudoku_cp.grid import Cell
    from sudoku_cp.logic.layout import CellSet, GroupIndex, Layout
    from sudoku_cp.logic.step import Candidate, CellsAndValues, ChainNode, Step
    from sudoku_cp.model import Domain
    from sudoku_cp.symbols import Symbols

_NUMBERED = re.compile(r"(row|column|box|region) (\d+)")
_LISTED = re.compile(r"(\D+)(?: r\d+c\d+)+")
"""The name of a group that lists its cells: ``cage r1c1 r1c2``."""
_PLURALS = {"row": "rows", "column": "columns", "box": "boxes", "region": "regions"}
MOST_PLACES = 8
"""The most places (cells, or cells of one row or column written as one) that a sentence names."""
_LEAST = 3
"""The places that are named of what a step does, however many its reason names."""
PLACES = re.compile(r"r\d+c\d+")
_TEN = 10
_NUMERALS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")


@dataclass(frozen=True)
class Wording:
    """How the values, cells and houses of a step are written on its layout, with its symbols."""

    layout: Layout
    symbols: Symbols
    step: Step

    # --- values ----------------------------------------------------------------------------------------------------

    @property
    def value(self) -> str:
        """The step's value, or its values: ``3 and 5``."""
        return self.values(self.step.values)

    def sign(self, value: int) -> str:
        """Return how a value is written."""
        return self.symbols.sign(value)

    def values(self, domain: Domain, conjunction: str = "and") -> str:
        """Return values as ``1, 3 and 5``."""
        return enumerate_words([self.sign(value) for value in members(domain)], conjunction)

    def value_set(self, domain: Domain) -> str:
        """Return values as ``{1,3,5}``."""
        return f"{{{','.join(map(self.sign, members(domain)))}}}"

    # --- cells -----------------------------------------------------------------------------------------------------

    def cell(self, cell: Cell) -> str:
        """Return the name of a cell."""
        return self.layout.grid.cell_name(cell)

    def cells(self, mask: CellSet) -> str:
        """Return cells as ``r1c25, r4c5``; where numbers have two digits, cell by cell."""
        return _names_of_cells(self.layout, mask)

    def few_cells(self, mask: CellSet, most: int) -> str:
        """Return cells as `cells` does, at most so many places, and how many cells there are besides."""
        places = self.cells(mask).split(", ")
        if len(places) <= most:
            return ", ".join(places)
        return f"{', '.join(places[:most])} and {numeral(len(places) - most)} more"

    def either(self, mask: CellSet) -> str:
        """Return cells one by one as ``r1c2 or r1c5``."""
        return enumerate_words([self.cell(cell) for cell in members(mask)], "or")

    def every(self, mask: CellSet) -> str:
        """Return cells one by one as ``r1c2 and r1c5``."""
        return enumerate_words([self.cell(cell) for cell in members(mask)], "and")

    def node(self, node: ChainNode) -> str:
        """Return the claim of a node: ``r1c25 is 4``, read as: one of these cells."""
        return f"{self.one_of(node.cells)} is {self.sign(node.value)}"

    def one_of(self, mask: CellSet) -> str:
        """Return the name of a single cell, or ``one of r1c25``."""
        return f"one of {self.cells(mask)}" if mask & (mask - 1) else self.cells(mask)

    def set(self, found: CellsAndValues) -> str:
        """Return a set of cells with its values: ``r1c25 {1,3,5}``."""
        return f"{self.cells(found.cells)} {self.value_set(found.values)}"

    # --- houses ----------------------------------------------------------------------------------------------------

    def houses(self, indices: Iterable[GroupIndex], conjunction: str = "and") -> str:
        """Return the names of groups as ``rows 3 and 7``, ``row 1 and box 2`` or ``the cage r1c123``."""
        by_noun: dict[str, list[str]] = defaultdict(list)
        for name in dict.fromkeys(map(self._house, sorted(indices))):
            numbered = _NUMBERED.fullmatch(name)
            by_noun[numbered[1] if numbered else name].append(numbered[2] if numbered else "")
        parts = []
        for noun, numbers in by_noun.items():
            plural = _PLURALS[noun] if len(numbers) > 1 else noun
            parts.append(f"{plural} {enumerate_words(numbers, conjunction)}".rstrip())
        return enumerate_words(parts, conjunction)

    def _house(self, index: GroupIndex) -> str:
        group = self.layout.groups[index]
        listed = _LISTED.fullmatch(group.name)
        return f"the {listed[1]} {self.cells(group.mask)}" if listed else group.name

    # --- what a step does --------------------------------------------------------------------------------------------

    @property
    def effect(self) -> str:
        """What the step eliminates and places: ``r1c4, r5c8 lose 2 and r3c3 loses 7``."""
        return self.effect_beside("")

    def first_that_fits(self, reasons: Sequence[str]) -> str:
        """Return the first of several reasons that a sentence has room for together with what it eliminates, else the last."""
        fits = (reason for reason in reasons if len(set(PLACES.findall(reason + self.effect_beside(reason)))) <= MOST_PLACES)
        return next(fits, reasons[-1])

    def effect_beside(self, reason: str) -> str:
        """Return what the step eliminates and places, as much of it as a sentence has room for that gives a reason."""
        lost: dict[Cell, Domain] = defaultdict(int)
        for cell, value in self.step.eliminations:
            lost[cell] |= 1 << value
        alike: dict[Domain, CellSet] = defaultdict(int)
        for cell, domain in lost.items():
            alike[domain] |= 1 << cell
        placed = [f"{self.cell(cell)} is {self.sign(value)}" for cell, value in self.step.placements]
        told, places = list[str](), set(PLACES.findall(reason))
        room = max(_LEAST, MOST_PLACES - len(places))
        effects = [*placed, *(self._loss(cells, domain, room) for domain, cells in alike.items())]
        for words in effects:
            places |= set(PLACES.findall(words))
            if told and len(places) > MOST_PLACES:
                rest = len(effects) - len(told)
                return f"{', '.join(told)}, and so on ({numeral(rest)} more)"
            told.append(words)
        return enumerate_words(told, "and")

    def _loss(self, cells: CellSet, domain: Domain, most: int) -> str:
        verb = "lose" if cells & (cells - 1) else "loses"
        return f"{self.few_cells(cells, most)} {verb} {self.values(domain)}"

    @property
    def cells_of_result(self) -> str:
        """The cells of which the step eliminates or places something."""
        return self.cells(self._result)

    def verb(self, verb: str) -> str:
        """Return a verb as it follows the cells of the result: ``see`` or ``sees``."""
        return verb if self._result & (self._result - 1) else f"{verb}s"

    @property
    def seen_both(self) -> str:
        """A sentence without its full stop: the cells of the result see both ends of something."""
        return f"{self.cells_of_result} {self.verb('see')} both"

    @property
    def _result(self) -> CellSet:
        return to_mask(cell for cell, _ in (*self.step.placements, *self.step.eliminations))

    @property
    def lost(self) -> Domain:
        """The values that the step eliminates somewhere."""
        return _values_of(self.step.eliminations)


def _values_of(candidates: Iterable[Candidate]) -> Domain:
    union = 0
    for _, value in candidates:
        union |= 1 << value
    return union


@lru_cache(maxsize=10_000)
def _names_of_cells(layout: Layout, mask: CellSet) -> str:
    """Return cells as ``r1c25, r4c5``, row by row or column by column, whichever takes fewer parts."""
    grid, cells = layout.grid, members(mask)
    if any(max(place) + 1 >= _TEN for place in grid.places):
        return ", ".join(map(grid.cell_name, cells))
    places = [grid.places[cell] for cell in cells]
    by_rows = [f"r{rows}c{columns}" for rows, columns in _merge(places)]
    by_columns = [f"r{rows}c{columns}" for columns, rows in _merge([(column, row) for row, column in places])]
    return ", ".join(by_columns if len(by_columns) < len(by_rows) else by_rows)


def _merge(places: Sequence[tuple[int, int]]) -> list[tuple[str, str]]:
    """Return (first, second) coordinates from 1, those of several places in one where all combinations of them occur."""
    seconds: dict[int, str] = defaultdict(str)
    for first, second in places:
        seconds[first] += str(second + 1)
    firsts: dict[str, str] = defaultdict(str)
    for first, own in seconds.items():
        firsts[own] += str(first + 1)
    return [(first, own) for own, first in firsts.items()]


def enumerate_words(words: Sequence[str], conjunction: str) -> str:
    """Return ``a``, ``a and b`` or ``a, b and c``."""
    return f" {conjunction} ".join(part for part in (", ".join(words[:-1]), *words[-1:]) if part)


def numeral(number: int) -> str:
    """Return a number as a word, up to nine."""
    return _NUMERALS[number] if number < _TEN else str(number)


def plural(count: int, noun: str) -> str:
    """Return ``one cell`` or ``three cells``."""
    return f"{numeral(count)} {noun}{'s' * (count != 1)}"
