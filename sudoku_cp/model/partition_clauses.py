"""Regions to be found as simpler constraints: auxiliaries say where each cell is, and how it is reached from the first there."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from itertools import combinations, product
from typing import TYPE_CHECKING, TypeAlias

from sudoku_cp.errors import Unsupported
from sudoku_cp.model.model import Clause, Connected, Constraint, Count, Domain, Literal, Partition, members, union_of
from sudoku_cp.time_limits import ticked

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from sudoku_cp.grid import Cell

Lines: TypeAlias = "Iterator[tuple[str, tuple[int, ...], Constraint]]"
"""Constraints, each with what it is about: a noun, and places of cells."""

TRUE = frozenset({1})
"""The value of an auxiliary whose statement is true."""
SHARED = 1 << 15
"""How many literals are made once for all clauses: most are in several."""
LARGEST = 144
"""The most cells that are cut into regions by clauses: 16x16 would be two million of them."""


def partition_constraints(constraint: Partition, domains: Sequence[Domain], fresh: Callable[[], Cell]) -> Iterator[Constraint]:
    """Yield constraints that together mean the same; ``fresh`` returns auxiliaries. Raises `Unsupported` for too many cells."""
    union = union_of(constraint.cells, domains)
    if len(constraint.cells) % constraint.size or union.bit_count() < constraint.size:
        yield Clause(())
        return
    cut = UnknownRegions(constraint.cells, constraint.beside, constraint.size, tuple(members(union)), fresh)
    for _, _, own in (*cut.constraints(), *cut.label_clauses(constraint.labels, constraint.first)):
        yield own


@lru_cache(maxsize=SHARED)
def _is(cell: Cell, value: int = 1) -> Literal:
    return Literal(cell, value)


@lru_cache(maxsize=SHARED)
def _is_not(cell: Cell, value: int = 1) -> Literal:
    return Literal(cell, value, equal=False)


@dataclass(frozen=True)
class UnknownRegions:
    """Cells that are cut into connected regions of ``size`` cells with different ``values``, by auxiliaries from ``fresh``.

    ``beside`` says for each cell which others touch it, as in `Connected`.
    """

    cells: Sequence[Cell]
    beside: Sequence[Sequence[int]]
    size: int
    values: Sequence[int]
    fresh: Callable[[], Cell]
    _given: dict[tuple[object, ...], Cell] = field(default_factory=dict)

    def constraints(self) -> Lines:
        """Yield everything but the numbers that people see. Raises `Unsupported` for too many cells."""
        if len(self.cells) > LARGEST:
            raise Unsupported(
                f"expected at most {LARGEST} cells whose regions are to be found for anything but the engine 'native' "
                f"(the formula is too large), got {len(self.cells)}"
            )
        yield from self._region_clauses()
        yield from self._value_constraints()
        yield from self._connection_clauses()
        for region in self._regions:
            whole = tuple(self._inside(place, region) for place in self._places)
            yield f"connected region {region + 1}", (), Connected(whole, TRUE, tuple(map(tuple, self.beside)), None)

    def label_clauses(self, labels: Iterable[Cell], first: int) -> Lines:
        """Yield clauses: the ``labels`` hold the numbers of the cells' regions, which count from ``first``."""
        for place, label in enumerate(labels):
            for region in self._regions:
                inside = self._inside(place, region)
                yield "number of the region of", (place,), Clause((_is_not(inside), _is(label, first + region)))
                yield "number of the region of", (place,), Clause((_is(inside), _is_not(label, first + region)))

    # --- auxiliaries ------------------------------------------------------------------------------------------------

    @property
    def _places(self) -> range:
        return range(len(self.cells))

    @property
    def _regions(self) -> range:
        return range(len(self.cells) // self.size)

    def _auxiliary(self, *key: object) -> Cell:
        """Return the auxiliary of a key, the same one every time."""
        found = self._given.get(key)
        if found is None:
            found = self._given[key] = self.fresh()
        return found

    def _inside(self, place: int, region: int) -> Cell:
        return self._auxiliary("in", place, region)

    def _together(self, one: int, other: int) -> Cell:
        return self._auxiliary("together", min(one, other), max(one, other))

    # --- what they mean -----------------------------------------------------------------------------------------------

    def _region_clauses(self) -> Lines:
        """Yield clauses: every cell lies in one region, and regions are numbered in the order of their first cells."""
        for place in self._places:
            inside = [self._inside(place, region) for region in self._regions]
            part = "region of", (place,)
            yield *part, Clause(tuple(map(_is, inside)))
            yield from ((*part, Clause((_is_not(one), _is_not(other)))) for one, other in combinations(inside, 2))
            for region in self._regions[1:]:
                before = (_is(self._inside(earlier, region - 1)) for earlier in range(place))
                yield *part, Clause((_is_not(inside[region]), *before))

    def _value_constraints(self) -> Lines:
        """Yield constraints: every region has every value, or just ``size`` cells; the values of a region are different."""
        if self.size < len(self.values):
            for region in self._regions:
                inside = tuple(self._inside(place, region) for place in self._places)
                yield f"size of region {region + 1}", (), Count(inside, TRUE, "==", self.size)
        else:
            yield from self._place_clauses()
        for one, other in ticked(combinations(self._places, 2)):
            part, together = ("together", (one, other)), self._together(one, other)
            for region in self._regions:
                apart = (_is_not(self._inside(one, region)), _is_not(self._inside(other, region)))
                yield *part, Clause((*apart, _is(together)))
            if not self._near_enough[one] >> other & 1:
                yield *part, Clause((_is_not(together),))
                continue
            for value in self.values:
                repeated = (_is_not(self.cells[one], value), _is_not(self.cells[other], value))
                yield *part, Clause((_is_not(together), *repeated))

    def _place_clauses(self) -> Lines:
        """Yield clauses: every value has a place in every region."""
        for region, value in product(self._regions, self.values):
            part = f"{value} in region {region + 1}", ()
            here = [self._auxiliary("at", region, value, place) for place in self._places]
            yield *part, Clause(tuple(map(_is, here)))
            for place, at in enumerate(here):
                yield *part, Clause((_is_not(at), _is(self.cells[place], value)))
                yield *part, Clause((_is_not(at), _is(self._inside(place, region))))

    @property
    def _near_enough(self) -> list[int]:
        """For each cell those, as bits, that a region can contain besides: fewer than ``size`` steps away."""
        return _reach(tuple(map(tuple, self.beside)), self.size - 1)

    def _connection_clauses(self) -> Lines:
        """Yield clauses: every cell is reached from the first of its region in fewer than ``size`` steps inside the region."""
        pairs = ((one, other) for one in self._places for other in self.beside[one] if one < other)
        for one, other in pairs:
            for region, (here, there) in product(self._regions, ((one, other), (other, one))):
                goes_on = (_is_not(self._inside(here, region)), _is(self._inside(there, region)))
                yield "together", (one, other), Clause((_is_not(self._together(one, other)), *goes_on))
        for place in ticked(self._places, every=1):
            for clause in self._way_clauses(place, self.beside[place]):
                yield "way to", (place,), clause

    def _way_clauses(self, place: int, near: Sequence[int]) -> Iterator[Clause]:
        if self.size > 1:
            yield Clause(tuple(_is(self._together(place, other)) for other in near))
        for earlier in range(place):
            yield Clause((_is_not(self._auxiliary("reached", place, 0)), _is_not(self._together(earlier, place))))
        yield Clause((_is(self._auxiliary("reached", place, self.size - 1)),))
        for steps in range(1, self.size):
            ways = [(other, self._auxiliary("way", other, place, steps)) for other in near]
            sooner = _is(self._auxiliary("reached", place, steps - 1))
            yield Clause((_is_not(self._auxiliary("reached", place, steps)), sooner, *(_is(way) for _, way in ways)))
            for other, way in ways:
                yield Clause((_is_not(way), _is(self._auxiliary("reached", other, steps - 1))))
                yield Clause((_is_not(way), _is(self._together(place, other))))


@lru_cache(maxsize=16)
def _reach(beside: tuple[tuple[int, ...], ...], steps: int) -> list[int]:
    """Return for each place those, as bits, that so many steps reach."""
    near = [sum(1 << other for other in others) for others in beside]
    found = [1 << place for place in range(len(beside))]
    for _ in range(steps):
        found = [reached | _union_of(near, reached) for reached in found]
    return found


def _union_of(near: Sequence[int], places: int) -> int:
    union = 0
    for place in members(places):
        union |= near[place]
    return union
