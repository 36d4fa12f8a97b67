"""The nine constraints, and a model of them, the input of a backend. Neither rules nor geometry are known here."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from itertools import product
from types import MappingProxyType
from typing import Literal as OneOf
from typing import NamedTuple, TypeAlias, assert_never

from sudoku_cp.grid import Cell  # noqa: TC001  # checks evaluate the annotations of fields
from sudoku_cp.time_limits import ticked, ticking

# The nine constraints that every rule lowers to and every backend solves.
#
# Rules of this file: a constraint is a frozen value; ``holds`` is its meaning, independent of any method of solving. A negative
# cell is an auxiliary of the rule that states the constraint (-1 its first, -2 its second, ...): a variable beside the board
# with the values 0 and 1, which `join_blocks` turns into a cell of its own after the board's.


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


AUXILIARY: Domain = 0b11
"""The domain of an auxiliary: 0 or 1."""
IMPLIED = "implied"
"""The rule of a statement that follows from others, named by its part."""


class Statement(NamedTuple):
    """A constraint with the rule it came from and the part of that rule it states (``houses``, ``row 1``)."""

    constraint: Constraint
    rule: str
    part: str

    def __str__(self) -> str:
        """Return the part and its rule in words."""
        return f"{self.part} ({self.rule})" if self.part != self.rule else self.rule


@dataclass(frozen=True, eq=False)
class Model:
    """Cells with domains, and the statements about them.

    The first ``board`` cells are those that people see; the rest are auxiliaries. A solution is the values of the board's
    cells for which the auxiliaries can be chosen so that every statement holds. Models are compared by identity, so
    that looking one up is fast.
    """

    domains: tuple[Domain, ...]
    statements: tuple[Statement, ...]
    board: int

    @property
    def constraints(self) -> list[Constraint]:
        """The constraints alone."""
        return [statement.constraint for statement in self.statements]

    def holds(self, values: Values) -> bool:
        """Return whether ``values`` (of all cells, auxiliaries included) lie in the domains and obey every constraint."""
        return all(domain >> value & 1 for domain, value in zip(self.domains, values, strict=True)) and all(
            constraint.holds(values) for constraint in self.constraints
        )

    @cached_property
    def is_houses(self) -> bool:
        """Whether the model states only that some cells are different."""
        return all(isinstance(constraint, AllDifferent) for constraint in self.constraints)


class Block(NamedTuple):
    """What one rule lowers to, each constraint once, and the number of its ``auxiliaries``, which are still negative cells."""

    statements: Mapping[Constraint, Statement]
    auxiliaries: int


def make_block(rule: str, parts: Iterable[tuple[str, Constraint]], tick: Callable[[], object] = int) -> Block:
    """Return the constraints of a rule as a block, which can be cached and shared by many models.

    A constraint stated twice is kept once, and one without cells only if it is false, as the empty clause. ``tick`` is called
    now and then, by what yields the ``parts`` too, and may raise to stop the work: some rules of a large grid are a million
    clauses.
    """
    with ticking(tick):
        return _collect_statements(rule, parts)


def _collect_statements(rule: str, parts: Iterable[tuple[str, Constraint]]) -> Block:
    statements: dict[Constraint, Statement] = {}
    auxiliaries = 0
    for part, own in ticked(parts):
        constraint, cells = own, cells_of(own)
        if not cells:
            if own.holds(()):
                continue
            constraint = Clause(())
        elif min(cells) < 0:
            auxiliaries = max(auxiliaries, -min(cells))
        if isinstance(constraint, Table) and len(cells) < len(constraint.cells):
            constraint = _with_distinct_cells(constraint, cells)
        statements.setdefault(constraint, Statement(constraint, rule, part))
    return Block(statements, auxiliaries)


def join_blocks(board: Iterable[Domain], blocks: Iterable[Block], tick: Callable[[], object] = int) -> Model:
    """Return the model of ``blocks`` over the domains of the board's cells.

    Each block's auxiliaries become cells after the board's; if two blocks state the same constraint, the first one is kept.
    ``tick`` is as in `make_block`.
    """
    domains = list(board)
    size = len(domains)
    parts = []
    for statements, auxiliaries in blocks:
        with ticking(tick):
            parts.append(_place_auxiliaries(len(domains), statements) if auxiliaries else statements)
        domains += [AUXILIARY] * auxiliaries
    # A mapping updated from another keeps its order and reads no constraint again: hashing them takes longer than all this.
    together: dict[Constraint, Statement] = {}
    for statements in parts:
        together.update(statements)
    if len(together) < sum(map(len, parts)):
        for statements in reversed(parts):
            together.update(statements)
    return Model(tuple(domains), tuple(together.values()), size)


def build_model(board: Iterable[Domain], lowered: Iterable[tuple[str, Iterable[tuple[str, Constraint]]]]) -> Model:
    """Return the model of rules lowered to (rule, its (part, constraint)s) over the domains of the board's cells."""
    return join_blocks(board, [make_block(rule, parts) for rule, parts in lowered])


def _place_auxiliaries(base: int, statements: Mapping[Constraint, Statement]) -> dict[Constraint, Statement]:
    """Return the statements with their auxiliaries counted from ``base``; each literal is made once for all clauses."""

    def place(cell: Cell) -> Cell:
        return cell if cell >= 0 else base - 1 - cell

    def place_literal(literal: Literal) -> Literal:
        return literal._replace(cell=place(literal.cell))

    moved: dict[Constraint, Statement] = {}
    literals: dict[Literal, Literal] = {}
    for constraint, statement in ticked(statements.items()):
        if isinstance(constraint, Clause):
            own = [literals.get(one) or literals.setdefault(one, place_literal(one)) for one in constraint.literals]
            placed: Constraint = Clause(tuple(own))
        elif min(cells_of(constraint), default=0) < 0:
            placed = rename_cells(constraint, place)
        else:
            placed = constraint
        moved[placed] = statement if placed is constraint else Statement(placed, statement.rule, statement.part)
    return moved


def shift_auxiliaries(model: Model, by: int) -> Iterator[Statement]:
    """Yield the statements of a model with its auxiliaries moved ``by`` cells further back."""
    for statement in model.statements:
        if by and max(cells_of(statement.constraint), default=0) >= model.board:
            constraint = rename_cells(statement.constraint, lambda cell: cell + by if cell >= model.board else cell)
            yield statement._replace(constraint=constraint)
        else:
            yield statement


def _with_distinct_cells(table: Table, cells: tuple[Cell, ...]) -> Table:
    """Return a table that names each of its cells once, without the tuples that give one of them two values."""
    places = [table.cells.index(cell) for cell in table.cells]
    alike = (row for row in table.tuples if all(row[place] == value for place, value in zip(places, row, strict=True)))
    return Table(cells, frozenset(tuple(row[table.cells.index(cell)] for cell in cells) for row in alike))
