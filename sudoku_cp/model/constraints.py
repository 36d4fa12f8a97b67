"""The nine constraints that every rule lowers to and every backend solves.

Rules of this file: a constraint is a frozen value; ``holds`` is its meaning, independent of any method of solving.
A negative cell is an auxiliary of the rule that states the constraint (-1 its first, -2 its second, ...): a variable
beside the board with the values 0 and 1, which `join_blocks` turns into a cell of its own after the board's.
"""

from __future__ import annotations

import operator
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import product
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple, TypeAlias, assert_never
from typing import Literal as OneOf

from sudoku_cp.grid import Cell  # noqa: TC001  # checks evaluate the annotations of fields

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

Values: TypeAlias = Sequence[int]
"""A filled model: the value of every cell."""
Domain: TypeAlias = int
"""A set of values as bits: bit v is set when value v is in."""
Relation: TypeAlias = OneOf["==", "!=", "<=", ">="]

COMPARE: Mapping[Relation, Callable[[int, int], bool]] = MappingProxyType(
    {"==": operator.eq, "!=": operator.ne, "<=": operator.le, ">=": operator.ge}
)


def to_mask(values: Iterable[int]) -> Domain:
    """Return the set of ``values`` as bits."""
    mask = 0
    for value in values:
        mask |= 1 << value
    return mask


def members(domain: Domain) -> list[int]:
    """Return the values in ``domain``, smallest first."""
    if domain < len(_SMALL_SETS):
        return _SMALL_SETS[domain][:]
    found = []
    while domain:  # from above: a single bit is made faster than the lowest is found
        highest = domain.bit_length() - 1
        found.append(highest)
        domain ^= 1 << highest
    found.reverse()
    return found


def _all_members(size: int) -> list[list[int]]:
    """Return the members of every set of values below ``size``, in the order of the sets as numbers."""
    found: list[list[int]] = [[]]
    for value in range(size):
        found += [[*smaller, value] for smaller in found]
    return found


_SMALL_SETS = _all_members(10)
"""Most sets that are listed hold the digits of a cell: a copy of a known list takes a third of the time."""


def union_of(cells: Iterable[Cell], domains: Sequence[Domain]) -> Domain:
    """Return the values that at least one of ``cells`` can hold."""
    union = 0
    for cell in cells:
        union |= domains[cell]
    return union


@dataclass(frozen=True)
class AllDifferent:
    """No two of ``cells`` hold the same value."""

    cells: tuple[Cell, ...]

    def holds(self, values: Values) -> bool:
        """Return whether ``values`` obey it."""
        return len({values[cell] for cell in self.cells}) == len(self.cells)


@dataclass(frozen=True)
class DigitSet:
    """The cells hold different values, which together are one of the allowed ``sets``."""

    cells: tuple[Cell, ...]
    sets: frozenset[Domain]

    def holds(self, values: Values) -> bool:
        """Return whether ``values`` obey it."""
        found = [values[cell] for cell in self.cells]
        return len(set(found)) == len(found) and to_mask(found) in self.sets


@dataclass(frozen=True)
class Linear:
    """The sum of coefficient x value over ``terms`` (cell, coefficient) stands in ``relation`` to ``total``."""

    terms: tuple[tuple[Cell, int], ...]
    relation: Relation
    total: int

    def holds(self, values: Values) -> bool:
        """Return whether ``values`` obey it."""
        return COMPARE[self.relation](sum(factor * values[cell] for cell, factor in self.terms), self.total)


@dataclass(frozen=True)
class Table:
    """The values of ``cells``, read together, are one of ``tuples``."""

    cells: tuple[Cell, ...]
    tuples: frozenset[tuple[int, ...]]

    def holds(self, values: Values) -> bool:
        """Return whether ``values`` obey it."""
        return tuple(values[cell] for cell in self.cells) in self.tuples


@dataclass(frozen=True)
class Automaton:
    """The values of ``cells``, read in order, take some path of ``edges`` (state, value, next) to an accepting state."""

    cells: tuple[Cell, ...]
    start: int
    edges: frozenset[tuple[int, int, int]]
    accepting: frozenset[int]

    def holds(self, values: Values) -> bool:
        """Return whether ``values`` obey it."""
        states = {self.start}
        for cell in self.cells:
            states = {after for before, value, after in self.edges if before in states and value == values[cell]}
        return bool(states & self.accepting)


class Literal(NamedTuple):
    """The statement that ``cell`` holds ``value``, or (``equal`` False) that it does not."""

    cell: Cell
    value: int
    equal: bool = True


@dataclass(frozen=True)
class Clause:
    """At least one of ``literals`` is true."""

    literals: tuple[Literal, ...]

    def holds(self, values: Values) -> bool:
        """Return whether ``values`` obey it."""
        return any((values[cell] == value) == equal for cell, value, equal in self.literals)


@dataclass(frozen=True)
class Count:
    """The number of ``cells`` whose value is one of ``values`` stands in ``relation`` to ``number``."""

    cells: tuple[Cell, ...]
    values: frozenset[int]
    relation: Relation
    number: int

    def holds(self, values: Values) -> bool:
        """Return whether ``values`` obey it."""
        return COMPARE[self.relation](sum(values[cell] in self.values for cell in self.cells), self.number)


@dataclass(frozen=True)
class Connected:
    """The ``cells`` that hold one of ``values``, at least one, are connected.

    ``beside`` says for each cell which others touch it: their places among the cells, in ascending order. Whoever states the
    constraint knows that no two connected cells are more than ``steps`` apart, which keeps the clauses for it few; None if other
    statements say it already, so that it needs no clauses at all.
    """

    cells: tuple[Cell, ...]
    values: frozenset[int]
    beside: tuple[tuple[int, ...], ...]
    steps: int | None

    def holds(self, values: Values) -> bool:
        """Return whether ``values`` obey it."""
        inside = {place for place, cell in enumerate(self.cells) if values[cell] in self.values}
        waiting = [*inside][:1]
        for place in waiting:  # grows while it is walked
            inside.discard(place)
            near = inside.intersection(self.beside[place])
            waiting += near
            inside -= near
        return bool(waiting) and not inside


@dataclass(frozen=True)
class Partition:
    """The ``cells`` are cut into connected regions of ``size`` cells, each with different values.

    The cells in ``labels``, one for each of the cells in their order, hold the numbers of their regions, which count from
    ``first`` in the order of the regions' first cells. ``beside`` is that of `Connected`.
    """

    cells: tuple[Cell, ...]
    labels: tuple[Cell, ...]
    beside: tuple[tuple[int, ...], ...]
    size: int
    first: int

    def holds(self, values: Values) -> bool:
        """Return whether ``values`` obey it."""
        numbers = [values[label] for label in self.labels]
        regions = range(self.first, self.first + len(self.cells) // self.size)
        if tuple(dict.fromkeys(numbers)) != tuple(regions):
            return False
        for region in regions:
            inside = [cell for cell, number in zip(self.cells, numbers, strict=True) if number == region]
            if len(inside) != self.size or len({values[cell] for cell in inside}) < self.size:
                return False
        return all(Connected(self.labels, frozenset({region}), self.beside, None).holds(values) for region in regions)


Constraint: TypeAlias = AllDifferent | DigitSet | Linear | Table | Automaton | Clause | Count | Connected | Partition


def pair_table(first: Cell, second: Cell, values: Iterable[int], test: Callable[[int, int], bool]) -> Table:
    """Return the table of those pairs of ``values`` of two cells that pass ``test``, which must be deterministic."""
    return Table((first, second), _pairs(tuple(values), test))


@lru_cache(maxsize=1024)
def _pairs(values: tuple[int, ...], test: Callable[[int, int], bool]) -> frozenset[tuple[int, ...]]:
    return intern_tuples(frozenset(pair for pair in product(values, values) if test(*pair)))


@lru_cache(maxsize=4096)
def intern_tuples(tuples: frozenset[tuple[int, ...]]) -> frozenset[tuple[int, ...]]:
    """Return the same object for equal sets (interning), so that hashes are cached and comparison is by identity."""
    return tuples


def cells_of(constraint: Constraint) -> tuple[Cell, ...]:
    """Return the cells of a constraint, each once, in the order in which it names them."""
    match constraint:
        case Linear(terms):
            return tuple(dict.fromkeys([cell for cell, _ in terms]))
        case Clause(literals):
            return tuple(dict.fromkeys([cell for cell, _, _ in literals]))
        case AllDifferent() | DigitSet() | Table() | Automaton() | Count() | Connected():
            return tuple(dict.fromkeys(constraint.cells))
        case Partition(cells, labels):
            return tuple(dict.fromkeys(cells + labels))
        case _:
            assert_never(constraint)


def rename_cells(constraint: Constraint, name: Callable[[Cell], Cell]) -> Constraint:
    """Return the same constraint with each cell replaced by what ``name`` returns for it."""
    match constraint:
        case Linear(terms):
            return replace(constraint, terms=tuple((name(cell), factor) for cell, factor in terms))
        case Clause(literals):
            return Clause(tuple(Literal(name(cell), value, equal) for cell, value, equal in literals))
        case AllDifferent() | DigitSet() | Table() | Automaton() | Count() | Connected():
            return replace(constraint, cells=tuple(name(cell) for cell in constraint.cells))
        case Partition(cells, labels):
            return replace(constraint, cells=tuple(map(name, cells)), labels=tuple(map(name, labels)))
        case _:
            assert_never(constraint)
