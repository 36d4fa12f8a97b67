"""Strengthening: a model with the same solutions whose constraints let every engine propagate more.

The passes, each stateless: `innies` (sums that follow from houses and cages), differences of sums
(of two sums with a common cell), implied counts (counts that follow from counts), covered occurrences (values that occur
several times or not at all), `region_facts` (cells of one region to be found), tightened sums and counts over cells that
all differ, pair tables (one table a pair, digit sets of cells related alike), and reduced domains (values that a statement
rules out by itself).
"""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations
from typing import TYPE_CHECKING, TypeAlias
from weakref import WeakKeyDictionary

from sudoku_cp.model.cliques import PAIR, CellSet, cell_set, clique_cover, clique_terms, different_cells, never_equal, remember
from sudoku_cp.model.innies import combined_sums, innies, tighten_count, tighten_sum
from sudoku_cp.model.model import (
    IMPLIED,
    AllDifferent,
    Automaton,
    Clause,
    Count,
    DigitSet,
    Domain,
    Linear,
    Literal,
    Model,
    Partition,
    Statement,
    Table,
    intern_tuples,
    members,
    to_mask,
    union_of,
)
from sudoku_cp.time_limits import ticked, ticking

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from sudoku_cp.grid import Cell
    from sudoku_cp.model.model import Constraint


# Values that must occur several times or not at all, where few groups of cells that differ cover all their places.
#
# Counting circles: a digit d that occurs is in d of them. It cannot if d - 1 houses cover the circles; if d do, each has it.


Edges: TypeAlias = frozenset[tuple[int, int, int]]
Cover: TypeAlias = tuple[tuple["Cell", ...], ...]
"""Cells in groups of which each holds a value once at most."""


def covered_occurrences(
    statements: Sequence[Statement], differ: Sequence[CellSet], domains: Sequence[Domain], board: int
) -> Iterator[Statement]:
    """Yield clauses about automata that read whether a value occurs (an auxiliary) and then the cells that may hold it."""
    families: list[list[CellSet]] | None = None
    for statement in ticked(statements):
        match statement.constraint:
            case Automaton((first, *cells), start, edges, accepting) if first >= board and len(set(cells)) == len(cells) > 1:
                for value, least in _least_occurrences(edges, start, accepting, len(cells)):
                    families = _disjoint_houses(statements) if families is None else families
                    places = [cell for cell in cells if cell < board and domains[cell] >> value & 1]
                    if len(places) == sum(domains[cell] >> value & 1 for cell in cells):
                        for clause in _cover_clauses(_covers(places, families, differ), Literal(first, 0), value, least):
                            yield Statement(clause, IMPLIED, f"houses that cover {statement}")
            case _:
                pass


def _cover_clauses(covers: set[Cover], unless: Literal, value: int, least: int) -> Iterator[Clause]:
    """Yield clauses: unless it does not occur, the value is in so many groups of each cover at least, if there are so many."""
    if any(len(cover) < least for cover in covers):
        yield Clause((unless,))
        return
    for cover in covers:
        spare = len(cover) - least
        if spare <= 1:
            for groups in combinations(cover, spare + 1):
                yield Clause((unless, *(Literal(cell, value) for group in groups for cell in group)))


def _covers(places: Sequence[Cell], families: Sequence[Sequence[CellSet]], differ: Sequence[CellSet]) -> set[Cover]:
    """Return ways to group the places: by houses of each family, what is left in cliques; and all in cliques."""
    found = {tuple(clique_cover(places, differ))}
    whole = cell_set(places)
    for family in families:
        groups = [tuple(members(house & whole)) for house in family if house & whole]
        left = whole & ~cell_set(cell for group in groups for cell in group)
        found.add((*groups, *clique_cover(members(left), differ)))
    return found


def _disjoint_houses(statements: Sequence[Statement]) -> list[list[CellSet]]:
    """Return the groups of cells that differ in families whose members have no cell in common, such as the rows."""
    families: list[tuple[list[CellSet], list[CellSet]]] = []
    for statement in ticked(statements):
        if isinstance(statement.constraint, AllDifferent):
            house = cell_set(statement.constraint.cells)
            family = next((one for one in families if not one[1][0] & house), None)
            if family is None:
                families.append(([house], [house]))
            else:
                family[0].append(house)
                family[1][0] |= house
    return [family for family, _ in families]


@lru_cache(maxsize=256)
def _least_occurrences(edges: Edges, start: int, accepting: frozenset[int], cells: int) -> tuple[tuple[int, int], ...]:
    """Return the values that cells must hold more than once after a 1 is read, with the least number of times."""
    ways: dict[int, list[tuple[int, int]]] = {}
    for before, value, after in edges:
        ways.setdefault(before, []).append((value, after))
    occurs = {after for value, after in ways.get(start, ()) if value == 1}
    changing = {value for before, value, after in edges if before not in {start, after}}
    found = []
    for counted in sorted(changing):
        least = dict.fromkeys(occurs, 0)
        for _ in range(cells):
            further: dict[int, int] = {}
            for state, number in ticked(least.items()):
                for value, after in ways.get(state, ()):
                    own = number + (value == counted)
                    further[after] = min(own, further.get(after, own))
            least = further
        ends = [number for state, number in least.items() if state in accepting]
        if ends and min(ends) > 1:
            found.append((counted, min(ends)))
    return tuple(found)


CONTRADICTION = Statement(Clause(()), IMPLIED, "a cell without values")

_strengthened_models: WeakKeyDictionary[Model, Model | None] = WeakKeyDictionary()
"""The strengthened model of each model; None stands for the model itself, as a value must not keep its weak key alive."""


def strengthen_model(model: Model, tick: Callable[[], object]) -> Model:
    """Return the strengthened model, as `strengthen_lazily` has it for models that are not houses alone."""
    try:
        return _strengthened_models[model] or model
    except KeyError:
        with ticking(tick):
            found = _strengthened_models[model] = _strengthen(model)
        _strengthened_models[found] = None
        return found


def _strengthen(model: Model) -> Model:
    differ = different_cells(model)
    added = (
        *innies(model, differ),
        *sum_differences(model.statements),
        *implied_counts(model.constraints),
        *combined_sums(model.statements, differ, model.domains),
        *covered_occurrences(model.statements, differ, model.domains, model.board),
        *region_facts(model.constraints),
    )
    statements = (*model.statements, *added)
    tightened, related = _tighten(statements, differ, model.domains)
    if related:
        related = merge_pair_tables(related, differ)
        tightened = _without_pairs(tightened, related)
        related += related_digit_sets(related, model.domains)
    domains = list(model.domains)
    reduce_domains((*tightened, *related), differ, domains)
    if not all(domains):
        return Model(model.domains, (*model.statements, CONTRADICTION), model.board)
    statements_left = tuple([statement for statement in (*tightened, *related) if not is_unary(statement.constraint)])
    found = Model(tuple(domains), statements_left, model.board)
    remember(found, differ)
    return found


def _tighten(
    statements: Iterable[Statement], differ: Sequence[CellSet], domains: Sequence[Domain]
) -> tuple[list[Statement], list[Statement]]:
    """Return the statements with sums and counts tightened where cells differ: first all others, then tables of two cells."""
    tightened: list[Statement] = []
    related: list[Statement] = []
    for statement in ticked(statements):
        constraint = statement.constraint
        if isinstance(constraint, Linear):
            tightened += _restate(statement, tighten_sum(constraint, differ, domains))
        elif isinstance(constraint, Count):
            tightened += _restate(statement, tighten_count(constraint, differ, domains))
        else:
            tightened.append(statement)
    others: list[Statement] = []
    for statement in tightened:
        constraint = statement.constraint
        is_relation = isinstance(constraint, Table) and len(constraint.cells) == PAIR
        (related if is_relation else others).append(statement)
    return others, related


def _restate(statement: Statement, tightened: Iterable[Constraint]) -> Iterator[Statement]:
    """Yield the statement once for each constraint; the same object if the constraint is unchanged."""
    for constraint in tightened:
        yield statement if constraint is statement.constraint else statement._replace(constraint=constraint)


def _without_pairs(tightened: list[Statement], related: list[Statement]) -> list[Statement]:
    """Return the statements without all-different pairs that a table of the same pair implies."""
    pairs = {statement.constraint.cells for statement in related if isinstance(statement.constraint, Table)}
    return [
        statement
        for statement in tightened
        if not (
            isinstance(statement.constraint, AllDifferent)
            and len(statement.constraint.cells) == PAIR
            and tuple(sorted(statement.constraint.cells)) in pairs
        )
    ]


# Domain reduction: values that a single statement rules out by itself are removed from the domains.


def reduce_domains(statements: Iterable[Statement], different: Sequence[CellSet], domains: list[Domain]) -> None:
    """Remove from ``domains`` the values that some statement rules out by itself; an empty domain is 0."""
    for constraint, rule, _ in ticked(statements):
        match constraint:
            case DigitSet(cells, sets):
                allowed = _union(sets)
                for cell in cells:
                    domains[cell] &= allowed
            case Table(cells, tuples):
                for cell, allowed in zip(cells, _columns(tuples, len(cells)), strict=True):
                    domains[cell] &= allowed
            # An implied sum over several cliques narrows little by itself, and there are many of them.
            case Linear(_, relation) if relation != "!=" and rule != IMPLIED:
                _reduce_by_sum(constraint, different, domains)
            case Count() | Clause():
                _reduce_by_count(constraint, domains)


def _reduce_by_count(constraint: Count | Clause, domains: list[Domain]) -> None:
    """Remove values that a count of 0 or a unit clause rules out."""
    match constraint:
        case Count(cells, values, "==" | "<=", 0):
            unwanted = to_mask(value for value in values if value >= 0)
            for cell in cells:
                domains[cell] &= ~unwanted
        case Clause(((cell, value, equal),)):
            chosen = 1 << value if value >= 0 else 0
            domains[cell] &= chosen if equal else ~chosen


def is_unary(constraint: Constraint) -> bool:
    """Return whether a constraint is about single cells only, so that the reduced domains express it completely."""
    match constraint:
        case Table((_,)) | Clause((_,)) | AllDifferent((_,)) | Count(_, _, "==" | "<=", 0):
            return True
        case _:
            return False


@lru_cache(maxsize=4096)
def _union(sets: frozenset[Domain]) -> Domain:
    union = 0
    for allowed in sets:
        union |= allowed
    return union


@lru_cache(maxsize=4096)
def _columns(tuples: frozenset[tuple[int, ...]], width: int) -> tuple[Domain, ...]:
    columns = list(zip(*tuples, strict=True)) or [()] * width
    return tuple(to_mask(value for value in set(column) if value >= 0) for column in columns)


# --- sums -------------------------------------------------------------------------------------------------------


def _reduce_by_sum(linear: Linear, different: Sequence[CellSet], domains: list[Domain]) -> None:
    """Remove values that each clique of a sum cannot have, given the least and the most that the other cliques add (bounds)."""
    cliques = clique_terms(linear.terms, different)
    unions = [union_of(cells, domains) for _, cells in cliques]
    ends = [_sum_bounds(factor, len(cells), union) for (factor, cells), union in zip(cliques, unions, strict=True)]
    least, most = sum(low for low, _ in ends), sum(high for _, high in ends)
    for (factor, cells), union, (low, high) in zip(cliques, unions, ends, strict=True):
        lowest = linear.total - (most - high) if linear.relation != "<=" else low
        highest = linear.total - (least - low) if linear.relation != ">=" else high
        if lowest > low or highest < high:
            allowed = _values_within(factor, len(cells), union, max(lowest, low), min(highest, high))
            for cell in cells:
                domains[cell] &= allowed


@lru_cache(maxsize=4096)
def _sum_bounds(factor: int, size: int, values: Domain) -> tuple[int, int]:
    """Return the least and the most that ``size`` different ``values`` add up to, times ``factor``."""
    sorted_ = members(values)
    ends = factor * sum(sorted_[:size]), factor * sum(sorted_[-size:])
    return min(ends), max(ends)


@lru_cache(maxsize=16384)
def _values_within(factor: int, size: int, values: Domain, lowest: int, highest: int) -> Domain:
    """Return the values that, by bounds, can be in a set of ``size`` of them whose sum times ``factor`` is in this range."""
    allowed = 0
    for value in members(values):
        least, most = _sum_bounds(factor, size - 1, values & ~(1 << value)) if size > 1 else (0, 0)
        if least + factor * value <= highest and most + factor * value >= lowest:
            allowed |= 1 << value
    return allowed


# Implied counts: if the same cells need several kinds of values, few cells are left for each kind.


Need: TypeAlias = tuple[frozenset[int], int]
"""Values, and how many of some cells must hold one of them at least."""
SEVERAL = 2


def implied_counts(constraints: Sequence[Constraint]) -> Iterator[Statement]:
    """Yield upper bounds on how many cells hold values of a kind, if the same cells need other kinds too.

    Of four cells that hold a low, a middle and a high value, two at most are low.
    """
    for cells, needs in _needs(constraints).items():
        if len(needs) < SEVERAL or not _are_disjoint(needs):
            continue
        spare = len(cells) - sum(number for _, number in needs)
        for values, number in needs:
            if number + spare < len(cells):
                yield Statement(Count(cells, values, "<=", number + spare), IMPLIED, "what other values leave")


def _needs(constraints: Sequence[Constraint]) -> dict[tuple[Cell, ...], list[Need]]:
    """Return the needs of cells for sets of several values; all-different constraints take care of single values."""
    found: dict[tuple[Cell, ...], list[Need]] = {}
    for constraint in constraints:
        match constraint:
            case Count(cells, values, "==" | ">=", number) if number > 0 and len(values) >= SEVERAL:
                found.setdefault(cells, []).append((values, number))
            case _:
                pass
    return found


def _are_disjoint(needs: Sequence[Need]) -> bool:
    """Return whether no value serves two needs."""
    return len(frozenset().union(*(values for values, _ in needs))) == sum(len(values) for values, _ in needs)


# Relations of two cells: one table a pair, and sets of values for several cells of which every two have the same relation.


Pair: TypeAlias = tuple["Cell", "Cell"]
Pairs: TypeAlias = frozenset[tuple[int, ...]]
"""The pairs of values that two cells may take."""
MANY = 2000
"""More sets of values than these are not listed."""
LOOKS = 10 * MANY
"""Steps after which the search for them stops."""


def merge_pair_tables(statements: Iterable[Statement], different: Sequence[CellSet]) -> list[Statement]:
    """Return, for statements of tables of two cells, one table for each pair, which also includes whether they differ."""
    related: dict[Pair, list[tuple[Statement, Pairs]]] = {}
    for statement in ticked(statements):
        match statement.constraint:
            case Table((one, other), pairs):
                if one < other:
                    related.setdefault((one, other), []).append((statement, pairs))
                else:
                    related.setdefault((other, one), []).append((statement, _swap(pairs)))
    return [
        _merge_statements(pair, some, differ=bool(different[pair[0]] >> pair[1] & 1)) for pair, some in ticked(related.items())
    ]


def _merge_statements(pair: Pair, related: list[tuple[Statement, Pairs]], *, differ: bool) -> Statement:
    """Merge the statements of a pair of cells into one."""
    first, pairs = related[0]
    for _, others in related[1:]:
        pairs = _intersect(pairs, others)
    if differ:
        pairs = _drop_equal(pairs)
    if len(related) > 1:
        return Statement(Table(pair, pairs), IMPLIED, ", ".join(str(statement) for statement, _ in related))
    if pairs is related[0][1] and first.constraint == Table(pair, pairs):
        return first
    return Statement(Table(pair, pairs), first.rule, first.part)


@lru_cache(maxsize=1024)
def _swap(pairs: Pairs) -> Pairs:
    return intern_tuples(frozenset((second, first) for first, second in pairs))


@lru_cache(maxsize=1024)
def _intersect(some: Pairs, others: Pairs) -> Pairs:
    return some if some <= others else intern_tuples(some & others)


@lru_cache(maxsize=1024)
def _drop_equal(pairs: Pairs) -> Pairs:
    return pairs if never_equal(pairs) else intern_tuples(frozenset((one, other) for one, other in pairs if one != other))


# --- several cells related alike --------------------------------------------------------------------------------


def related_digit_sets(statements: Iterable[Statement], domains: Sequence[Domain]) -> Iterator[Statement]:
    """Yield the sets of values of three cells or more of which every two are related by the same pairs, never equal ones."""
    related: dict[Pairs, list[Pair]] = {}
    for statement in ticked(statements):
        match statement.constraint:
            case Table((one, other), tuples) if one != other and never_equal(tuples):
                related.setdefault(_in_both_orders(tuples), []).append((one, other))
            case _:
                pass
    for pairs, edges in related.items():
        for cells in _cliques(edges):
            sets = _sets_of_clique(pairs, union_of(cells, domains), len(cells))
            if sets is not None:
                yield Statement(DigitSet(cells, sets), IMPLIED, f"{len(cells)} cells of which every two are related")


@lru_cache(maxsize=1024)
def _in_both_orders(pairs: Pairs) -> Pairs:
    """Return the pairs in both orders: a set of values leaves open which cell has which."""
    return intern_tuples(pairs | _swap(pairs))


def _cliques(edges: list[Pair]) -> Iterator[tuple[Cell, ...]]:
    """Yield sets of cells of which every two are an edge, such that each edge in a triangle is in one of them."""
    near: dict[Cell, CellSet] = {}
    for one, other in edges:
        near[one] = near.get(one, 0) | 1 << other
        near[other] = near.get(other, 0) | 1 << one
    covered: dict[Cell, CellSet] = {}
    for one, other in ticked(edges):
        common = near[one] & near[other]
        if not common or covered.get(one, 0) >> other & 1:
            continue
        cells = [one, other]
        while common:
            cell = (common & -common).bit_length() - 1
            cells.append(cell)
            common &= near[cell]
        whole = to_mask(cells)
        for cell in cells:
            covered[cell] = covered.get(cell, 0) | whole
        yield tuple(sorted(cells))


@lru_cache(maxsize=1024)
def _sets_of_clique(pairs: Pairs, values: Domain, size: int) -> frozenset[Domain] | None:
    """Return the sets of ``size`` of the ``values`` of which every two are in ``pairs``; None for too many."""
    partners = dict.fromkeys(members(values), 0)
    for first, second in pairs:
        if first < second and first in partners and second in partners:
            partners[first] |= 1 << second
    found: list[Domain] = []
    waiting = [(0, values)]
    looks = 0
    while waiting:
        chosen, left = waiting.pop()
        looks += 1
        if len(found) > MANY or looks > LOOKS:
            return None
        missing = size - chosen.bit_count()
        if not missing:
            found.append(chosen)
        elif left.bit_count() >= missing:
            waiting += [(chosen | 1 << value, left & partners[value]) for value in members(left)]
    return frozenset(found)


# Differences of sums: of two known sums that share cells, the cells that only one of them has, where these are few.
#
# Two diagonals that cross say more about their other cells than either does. Innies take no sums that overlap.


MOST_CELLS = 6
"""A sum of more cells than these bounds each of them too little."""
MOST_SUMS = 100
"""Of more sums only these are compared: their pairs take a few milliseconds."""


def sum_differences(statements: Iterable[Statement]) -> Iterator[Statement]:
    """Yield the differences of few cells of every two sums with a common cell.

    Sums with cells taken away, as of arrows and equal sums, are left out: their differences cost as much as they save.
    """
    known = []
    for statement in statements:
        match statement.constraint:
            case Linear(terms, "==", total) if {factor for _, factor in terms} == {1}:
                cells = cell_set(cell for cell, _ in terms)
                if cells.bit_count() == len(terms):
                    known.append((cells, total, statement))
            case _:
                pass
    for (one, its_total, first), (other, total, second) in combinations(known[:MOST_SUMS], 2):
        if one & other and 0 < (one ^ other).bit_count() <= MOST_CELLS:
            inside, outside = members(one & ~other), members(other & ~one)
            terms = (*((cell, 1) for cell in inside), *((cell, -1) for cell in outside))
            yield Statement(Linear(terms, "==", its_total - total), IMPLIED, f"{first} minus {second}")


# What follows from regions to be found: cells whose labels are known to be equal hold different values.


def region_facts(constraints: Sequence[Constraint]) -> Iterator[Statement]:
    """Yield that the cells of one region differ, where tables of two cells make their labels equal."""
    for partition in constraints:
        if not isinstance(partition, Partition):
            continue
        for labels in _equal_cells(constraints):
            cells = tuple(cell for cell, label in zip(partition.cells, partition.labels, strict=True) if label in labels)
            if len(set(cells)) == len(cells) > 1:
                yield Statement(AllDifferent(cells), IMPLIED, "cells of one region")


def _equal_cells(constraints: Sequence[Constraint]) -> list[list[Cell]]:
    """Return the groups of cells that tables of two cells make equal."""
    groups: dict[Cell, list[Cell]] = {}
    for constraint in constraints:
        match constraint:
            case Table((one, other), tuples) if all(first == second for first, second in tuples):
                own, joined = groups.setdefault(one, [one]), groups.setdefault(other, [other])
                if own is not joined:
                    own += joined
                    groups |= dict.fromkeys(joined, own)
            case _:
                pass
    return list({id(group): group for group in groups.values()}.values())
