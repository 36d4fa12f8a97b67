"""Innies, outies and tightened sums: what is left of houses when sums that are known are taken away.

A house with as many cells as values has a known total. Where cages nearly fill a union of houses, the few cells left
over (and the few that stick out) have a known total too, which no engine sees in the cages and houses one by one.

Rules of this file: a set of cells, or of houses, is an int of bits. Houses come in families whose members do not overlap
(the rows, the columns, the boxes), found without asking what they are.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, product
from math import comb
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from sudoku_cp.model.cliques import PAIR, CellSet, cell_set, clique_cover, is_clique
from sudoku_cp.model.model import (
    COMPARE,
    IMPLIED,
    AllDifferent,
    Clause,
    Count,
    DigitSet,
    Domain,
    Linear,
    Literal,
    Statement,
    Table,
    members,
    to_mask,
    union_of,
)
from sudoku_cp.time_limits import ticked

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sudoku_cp.grid import Cell
    from sudoku_cp.model.model import Constraint, Model, Relation


# Sums and counts over cells that all differ, replaced by what is tighter: digit sets, tables, clauses.


MANY = 2000
"""More sets of values, or pairs, than these are not listed."""


def merge_terms(linear: Linear) -> Linear:
    """Return the same sum with each cell named once, and none whose factor is 0."""
    factors = dict(linear.terms)
    if len(factors) == len(linear.terms) and 0 not in factors.values():
        return linear
    factors = dict.fromkeys(factors, 0)
    for cell, factor in linear.terms:
        factors[cell] += factor
    terms = tuple((cell, factor) for cell, factor in factors.items() if factor)
    return Linear(terms, linear.relation, linear.total)


def tighten_sum(linear: Linear, different: Sequence[CellSet], domains: Sequence[Domain]) -> Iterator[Constraint]:
    """Yield a sum over one clique as its sets of values, one over two cells as their pairs, any other as it is.

    A sum of no cells yields nothing, or the empty clause if it is false.
    """
    plain = merge_terms(linear)
    factors = {factor for _, factor in plain.terms}
    if not factors:
        if not plain.holds(()):
            yield Clause(())
        return
    cells = tuple([cell for cell, _ in plain.terms])
    if len(cells) > 1 and len(factors) == 1 and is_clique(cell_set(cells), different):
        (factor,) = factors
        values = union_of(cells, domains)
        if comb(values.bit_count(), len(cells)) <= MANY:
            yield DigitSet(cells, sets_of_sum(values, len(cells), factor, linear.relation, linear.total))
            return
    if len(cells) <= PAIR:
        spans = tuple([domains[cell] for cell in cells])
        if len(cells) == 1 or spans[0].bit_count() * spans[1].bit_count() <= MANY:
            yield Table(cells, _tuples_of_sum(tuple([factor for _, factor in plain.terms]), plain.relation, plain.total, spans))
            return
    yield plain


@lru_cache(maxsize=4096)
def sets_of_sum(values: Domain, size: int, factor: int, relation: Relation, total: int) -> frozenset[Domain]:
    """Return the sets of ``size`` of the ``values`` whose sum, times ``factor``, stands in ``relation`` to ``total``."""
    by_sum = _by_sum(values, size)
    return frozenset().union(*(sets for sum_, sets in by_sum.items() if COMPARE[relation](factor * sum_, total)))


@lru_cache(maxsize=256)
def _by_sum(values: Domain, size: int) -> dict[int, list[Domain]]:
    found: dict[int, list[Domain]] = {}
    for chosen in combinations(members(values), size):
        found.setdefault(sum(chosen), []).append(to_mask(chosen))
    return found


@lru_cache(maxsize=1024)
def _tuples_of_sum(
    factors: tuple[int, ...], relation: Relation, total: int, domains: tuple[Domain, ...]
) -> frozenset[tuple[int, ...]]:
    fits = COMPARE[relation]
    return frozenset(
        values
        for values in product(*map(members, domains))
        if fits(sum(factor * value for factor, value in zip(factors, values, strict=True)), total)
    )


def tighten_count(count: Count, different: Sequence[CellSet], domains: Sequence[Domain]) -> Iterator[Constraint]:
    """Yield a count as clauses if it requires all that its cliques can hold, nothing if it is always true, else itself.

    A value occurs at most once in a clique, so a clique of five cells holds at most three of three wanted values.
    """
    if count.relation not in {"==", ">="} or count.number <= 1 or len(set(count.cells)) < len(count.cells):
        yield count
        return
    wanted = to_mask(value for value in count.values if value >= 0)
    cliques = [(clique, _count_bounds(clique, wanted, domains)) for clique in clique_cover(count.cells, different)]
    least, most = (sum(span[end] for _, span in cliques) for end in (0, 1))
    if most < count.number or (count.relation == "==" and least > count.number):
        yield Clause(())
    elif least == most or (count.relation == ">=" and least >= count.number):
        return
    elif most == count.number and wanted.bit_count() == 1:
        for clique, (_, its_most) in cliques:
            if its_most:
                yield Clause(tuple(Literal(cell, value) for cell in clique for value in members(wanted)))
    else:
        yield count


def _count_bounds(clique: tuple[Cell, ...], wanted: Domain, domains: Sequence[Domain]) -> tuple[int, int]:
    """Return the least and the greatest number of cells of a clique that can hold a wanted value."""
    values = certain = possible = 0
    for cell in clique:
        values |= domains[cell]
        possible += bool(domains[cell] & wanted)
        certain += not domains[cell] & ~wanted
    unwanted = (values & ~wanted).bit_count()
    return max(certain, len(clique) - unwanted), min(possible, (values & wanted).bit_count())


ANY = 3
"""A sum of any cells has at most this many; one of more cells must have few on a side, or its cells must differ."""
SIDE = 2
"""As many cells are few on a side of a sum: bounds on the other side follow from them."""
MOST_CELLS = 6
"""A sum over more cells than these is worth it only if it is tight: otherwise all killers take longer, for no fewer guesses."""
LONGEST = 9
"""The most cells of a sum that is worth it because it is tight."""
TIGHT = 2
"""How far a tight sum is, at most, from the least or the most that its cells can add up to."""
MOST_UNIONS = 64
"""A family with more connected unions of one size is not searched further."""

HouseSet: TypeAlias = int
Equation: TypeAlias = tuple[CellSet, CellSet]
"""Cells whose sum is taken, and cells whose sum is taken away."""


class FullHouse(NamedTuple):
    """A house of as many cells as values."""

    cells: CellSet
    total: int
    part: str


class HouseFamily(NamedTuple):
    """Houses that do not overlap, and for each cell the house (as a set) that it is in; the last set means none."""

    houses: tuple[FullHouse, ...]
    house_of: tuple[HouseSet, ...]


class KnownSum(NamedTuple):
    """A sum that is known: of a cage, of a line."""

    cells: tuple[Cell, ...]
    all: CellSet
    total: int


class Crossing(NamedTuple):
    """A known sum that lies in several houses of a family."""

    cells: CellSet
    houses: HouseSet
    size: int
    total: int


class HouseUnion(NamedTuple):
    """Some houses of a family: their cells, those in no known sum, and the total minus the sums within.

    ``near`` are houses that a known sum leads to, ``open`` the crossing sums (as bits) that are not within the union.
    """

    cells: CellSet
    free: CellSet
    total: int
    near: HouseSet
    open: int


def innies(model: Model, different: Sequence[CellSet]) -> Iterator[Statement]:
    """Yield the sums of few cells that follow from houses and known sums."""
    known = _disjoint(_known_sums(model))
    if not known:
        return
    cliques = tuple((s.constraint.cells, s.part) for s in model.statements if isinstance(s.constraint, AllDifferent))
    families = _families(tuple(clique for clique in cliques if len(clique[0]) > PAIR), model.domains)
    seen: set[Equation] = {(one.all, 0) for one in known}
    for family in families:
        for houses, equation, total in ticked(_equations(family, known)):
            if equation not in seen and _is_worthwhile(equation, total, different, model.domains):
                seen.add(equation)
                parts = ", ".join([family.houses[house].part for house in members(houses)])
                yield Statement(_to_linear(equation, total), IMPLIED, f"innies of {parts}")


def _is_worthwhile(equation: Equation, total: int, different: Sequence[CellSet], domains: Sequence[Domain]) -> bool:
    inside, outside = equation
    sizes = inside.bit_count(), outside.bit_count()
    if sum(sizes) > MOST_CELLS:
        return not outside and not is_clique(inside, different) and _slack(inside, total, different, domains) <= TIGHT
    return min(sizes) <= SIDE or sum(sizes) <= ANY or (is_clique(inside, different) and is_clique(outside, different))


def _slack(cells: CellSet, total: int, different: Sequence[CellSet], domains: Sequence[Domain]) -> int:
    """Return how far a total is from the least or the most that cells can add up to, whichever is nearer."""
    least = most = 0
    for group in clique_cover(members(cells), different):
        values = members(union_of(group, domains))
        least += sum(values[: len(group)])
        most += sum(values[-len(group) :])
    return min(total - least, most - total)


def _to_linear(equation: Equation, total: int) -> Linear:
    inside, outside = equation
    terms = [(cell, 1) for cell in members(inside)]
    if outside:
        terms += [(cell, -1) for cell in members(outside)]
    return Linear(tuple(terms), "==", total)


# --- what is known ----------------------------------------------------------------------------------------------


def _known_sums(model: Model) -> Iterator[KnownSum]:
    """Yield every sum that a statement implies, cages before lines."""
    lines = []
    for constraint in model.constraints:
        match constraint:
            case DigitSet(cells, sets):
                total = _total_of(sets)
                if total is not None:
                    yield KnownSum(cells, cell_set(cells), total)
            case Linear(((_, factor), *_) as terms, "==", total) if factor and total % factor == 0:
                cells = tuple([cell for cell, _ in terms])
                if terms == tuple([(cell, factor) for cell in cells]):
                    lines.append(KnownSum(cells, cell_set(cells), total // factor))
            case _:
                pass
    yield from lines


def _disjoint(known: Iterator[KnownSum]) -> list[KnownSum]:
    """Return those that overlap no earlier one and name no cell twice."""
    taken = 0
    found = []
    for one in known:
        if not one.all & taken and one.all.bit_count() == len(one.cells):
            taken |= one.all
            found.append(one)
    return found


@lru_cache(maxsize=4096)
def _total_of(sets: frozenset[Domain]) -> int | None:
    """Return the sum of the values in each of ``sets``, None if there are no sets or their sums differ."""
    totals = {sum(members(allowed)) for allowed in sets}
    return totals.pop() if len(totals) == 1 else None


@lru_cache(maxsize=64)
def _families(cliques: tuple[tuple[tuple[Cell, ...], str], ...], domains: Sequence[Domain]) -> tuple[HouseFamily, ...]:
    """Return the houses among ``cliques``, each in the first family that it does not overlap."""
    taken: list[CellSet] = []
    houses: list[list[FullHouse]] = []
    for cells, part in cliques:
        values = 0
        for cell in cells:
            values |= domains[cell]
        own = cell_set(cells)
        if not values.bit_count() == len(cells) == own.bit_count():
            continue
        first = next((number for number, others in enumerate(taken) if not others & own), len(taken))
        if first == len(taken):
            taken.append(0)
            houses.append([])
        taken[first] |= own
        houses[first].append(FullHouse(own, sum(members(values)), part))
    return tuple(HouseFamily(tuple(family), _house_of(family, len(domains))) for family in houses)


def _house_of(houses: list[FullHouse], size: int) -> tuple[HouseSet, ...]:
    found = [1 << len(houses)] * size
    for number, house in enumerate(houses):
        for cell in members(house.cells):
            found[cell] = 1 << number
    return tuple(found)


# --- unions -----------------------------------------------------------------------------------------------------


def _equations(family: HouseFamily, known: Sequence[KnownSum]) -> Iterator[tuple[HouseSet, Equation, int]]:
    """Yield the sums of few cells left over by unions of houses that known sums connect.

    Unions of up to half the houses suffice: if all cells have a sum, the other houses leave the same cells over.
    """
    single, crossings = _single_houses(family, known)
    level: dict[HouseSet, HouseUnion] = {}
    for size in range(len(family.houses) // 2 or 1):
        level = _extend_unions(level, single, crossings) if size else single
        if size and len(level) > MOST_UNIONS:
            return
        for houses, union in level.items():
            if union.open.bit_count() + union.free.bit_count() <= LONGEST:
                found = _left_over(union, crossings)
                if found is not None:
                    yield houses, *found


def _single_houses(family: HouseFamily, known: Sequence[KnownSum]) -> tuple[dict[HouseSet, HouseUnion], list[Crossing]]:
    """Return each house by itself, and the known sums that are not within one of them."""
    house_of, size = family.house_of, len(family.houses)
    totals = [house.total for house in family.houses]
    near = [0] * (size + 1)
    crossed = [0] * (size + 1)
    caged = 0
    crossings: list[Crossing] = []
    for cells, own, total in known:
        caged |= own
        touched = 0
        for cell in cells:
            touched |= house_of[cell]
        if touched & (touched - 1):
            before = 0
            for number in members(touched):
                # Only houses that follow one another are neighbours: row 1 is not next to row 3.
                near[number] |= before
                near[before.bit_length() - 1] |= 1 << number
                before = 1 << number
                crossed[number] |= 1 << len(crossings)
            crossings.append(Crossing(own, touched, len(cells), total))
        elif not touched >> size:
            totals[touched.bit_length() - 1] -= total
    level = {}
    for number, house in enumerate(family.houses):
        free = house.cells & ~caged
        if free.bit_count() <= LONGEST:
            level[1 << number] = HouseUnion(house.cells, free, totals[number], near[number], crossed[number])
    return level, crossings


def _extend_unions(
    level: dict[HouseSet, HouseUnion], single: dict[HouseSet, HouseUnion], crossings: Sequence[Crossing]
) -> dict[HouseSet, HouseUnion]:
    """Return the unions of one house more, near to the others, that leave no more than a few cells without a sum."""
    found: dict[HouseSet, HouseUnion] = {}
    for houses, union in level.items():
        wanted = union.near & ~houses
        while wanted:
            added = wanted & -wanted
            wanted ^= added
            larger = houses | added
            if larger not in found and added in single:
                other = single[added]
                free = union.free | other.free
                if free.bit_count() <= LONGEST:
                    found[larger] = _join_unions(larger, union, other, free, crossings)
    return found


def _join_unions(
    houses: HouseSet, union: HouseUnion, other: HouseUnion, free: CellSet, crossings: Sequence[Crossing]
) -> HouseUnion:
    total = union.total + other.total
    common = union.open & other.open
    opened = union.open | other.open
    while common:
        lowest = common & -common
        common ^= lowest
        _, touched, _, its_total = crossings[lowest.bit_length() - 1]
        if not touched & ~houses:
            opened ^= lowest
            total -= its_total
    return HouseUnion(union.cells | other.cells, free, total, union.near | other.near, opened)


def _left_over(union: HouseUnion, crossings: Sequence[Crossing]) -> tuple[Equation, int] | None:
    """Return what is left of a union: each open sum is taken away with its cells outside, or left with those inside."""
    cells, inside, total, _, crossed = union
    outside = 0
    size = inside.bit_count()
    while crossed:
        lowest = crossed & -crossed
        crossed ^= lowest
        own, _, length, its_total = crossings[lowest.bit_length() - 1]
        part = own & cells
        amount = part.bit_count()
        if 2 * amount > length:
            outside |= own ^ part
            total -= its_total
            size += length - amount
        else:
            inside |= part
            size += amount
        if size > LONGEST:
            return None
    if size:
        return ((inside, outside), total) if inside > outside else ((outside, inside), -total)
    return None if not total else ((0, 0), total)


# Several known sums taken together: over more cells of the same houses, the least and the most that they can be lie closer.
#
# Two little killers of eight cells each may both be far from their bounds; their sixteen cells fill parts of the same houses,
# in which no value comes twice, so that the total of both may be nearly the most there is. No engine sees that in either alone.
# Sums are joined greedily, the most promising pair first, for as long as a joined sum says more than its parts.


LEAST_CELLS = 6
"""Sums of fewer cells are propagated well alone, and killers have many of them."""
MOST_SUMS = 60
"""More sums are not joined: pairs of them would take longer than they save."""


@dataclass(frozen=True, eq=False, slots=True)
class JoinableSum:
    """A sum over different cells, and how much its bounds rule out."""

    cells: CellSet
    total: int
    is_joined: bool
    tightness: int
    """How much less room its cells have than they would have alone; the greater, the better. It is negative for a loose sum."""


def combined_sums(
    statements: Sequence[Statement], different: Sequence[CellSet], domains: Sequence[Domain]
) -> Iterator[Statement]:
    """Yield the sums of several known sums whose bounds say more than those of the parts.

    ``different`` has for each cell the cells that differ from it.
    """
    joining = _Joining(_long_sums(statements), different, domains)
    for one in joining.results():
        terms = tuple((cell, 1) for cell in members(one.cells))
        yield Statement(Linear(terms, "==", one.total), IMPLIED, "several sums together")


def _long_sums(statements: Sequence[Statement]) -> dict[CellSet, int]:
    """Return the totals of sums of many cells, each named once."""
    found: dict[CellSet, int] = {}
    for statement in statements:
        match statement.constraint:
            case Linear(terms, "==", total) if len(terms) >= LEAST_CELLS and all(factor == 1 for _, factor in terms):
                cells = cell_set(cell for cell, _ in terms)
                if cells.bit_count() == len(terms):
                    found.setdefault(cells, total)
            case _:
                pass
    return found if 1 < len(found) <= MOST_SUMS else {}


class _Joining:
    """Joins sums two by two."""

    def __init__(self, known: dict[CellSet, int], different: Sequence[CellSet], domains: Sequence[Domain]) -> None:
        self._different, self._domains = different, domains
        self._sums: dict[CellSet, JoinableSum] = {}
        self._pairs: list[tuple[JoinableSum, JoinableSum, JoinableSum]] = []
        """Two sums that may be joined, and what they make together."""
        for cells, total in ticked(known.items(), every=1):
            self._add(JoinableSum(cells, total, is_joined=False, tightness=self._tightness(cells, total)))

    def results(self) -> Iterator[JoinableSum]:
        """Yield the joined sums that rule anything out."""
        while self._pairs:
            one, other, both = max(self._pairs, key=lambda pair: (pair[2].tightness, pair[2].cells))
            del self._sums[one.cells], self._sums[other.cells]
            gone = {one.cells, other.cells}
            self._pairs = [pair for pair in self._pairs if not gone & {pair[0].cells, pair[1].cells}]
            self._add(both)
        yield from (one for one in self._sums.values() if one.is_joined and one.tightness > 0)

    def _add(self, new: JoinableSum) -> None:
        """Add a sum, and the pairs that it makes with the others."""
        for other in ticked(self._sums.values(), every=1):
            if self._share_houses(new, other):
                cells, total = new.cells | other.cells, new.total + other.total
                both = JoinableSum(cells, total, is_joined=True, tightness=self._tightness(cells, total))
                if both.tightness > min(max(new.tightness, other.tightness), new.tightness + other.tightness):
                    self._pairs.append((new, other, both))
        self._sums[new.cells] = new

    def _share_houses(self, one: JoinableSum, other: JoinableSum) -> bool:
        """Return whether two sums have no cell in common, and many cells of the smaller differ from some of the larger."""
        small, large = sorted((one.cells, other.cells), key=int.bit_count)
        if small & large or small.bit_count() < LEAST_CELLS:
            return False
        return sum(bool(self._different[cell] & large) for cell in members(small)) >= LEAST_CELLS

    def _tightness(self, cells: CellSet, total: int) -> int:
        """Return how much bounds rule out of cells in groups that differ: their freedom less the slack to the nearer bound."""
        least = most = freedom = groups = 0
        for group in clique_cover(members(cells), self._different):
            values = members(union_of(group, self._domains))
            least += sum(values[: len(group)])
            most += sum(values[-len(group) :])
            freedom += len(group) * (len(values) - len(group))
            groups += 1
        return freedom - groups * min(total - least, most - total)
