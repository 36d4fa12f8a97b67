"""The 45 rule (totals of houses less those of cages), and what the combinations of cages need and take up."""

from __future__ import annotations

from functools import lru_cache, partial, reduce
from itertools import combinations
from operator import and_
from typing import TYPE_CHECKING, NamedTuple

from sudoku_cp.logic.house_totals import CageSets, HouseTotal, cages, house_totals, left_cages, total_proof
from sudoku_cp.logic.part_candidates import cell_proof, completions, sight_proof
from sudoku_cp.logic.removable_places import BarrenSearches
from sudoku_cp.logic.step import (
    Bound,
    CellsAndValues,
    Pattern,
    ProofGroup,
    ProofStatement,
    Step,
    Technique,
    distinct,
    once_in,
    sees,
)
from sudoku_cp.logic.techniques.clue_cases import needed_values
from sudoku_cp.model import Domain, Linear, members, to_mask
from sudoku_cp.time_limits import ticked

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from sudoku_cp.grid import Cell
    from sudoku_cp.logic.candidate_board import CandidateBoard
    from sudoku_cp.logic.layout import CellSet, GroupIndex, Layout, PartIndex


# What the combinations of cages need and take up: in the cells that see them, and among all cages of a house.


_SIZES = (2, 3, 4)
"""The numbers of values of killer subsets that are looked for."""
_barren = BarrenSearches()


def needed_digits(board: CandidateBoard) -> Iterator[Step]:
    """Yield values in every combination of a cage: they leave the cells that see all their places in it.

    Cages that are written come first, then cells of which the totals of houses leave the sum, then all clues that are short.
    """
    for find in (cages, left_cages):
        for cage in find(board):
            for value in members(reduce(and_, cage.sets)):
                places = board.places[value] & cage.open
                removed = board.eliminations([(value, board.layout.seen_by_all(places) & ~cage.cells)]) if places else ()
                if removed:
                    seen = [group for cell, _ in removed for group in sees(board.layout, value, cell, places)]
                    sets = tuple(CellsAndValues(cage.cells, one) for one in cage.sets)
                    pattern = Pattern(cage.houses, fins=places, sets=sets, total=cage.total)
                    proof = distinct([*cage.prove(), *seen])
                    yield Step(Technique.NEEDED_DIGIT, 1 << value, cage.cells, removed, (), pattern, proof)
    yield from needed_values(board)


def killer_subsets(board: CandidateBoard) -> Iterator[Step]:
    """Yield values of a house that cages in it and cells with no other candidates take up: they leave the rest of the house.

    A cage counts for as many cells as it holds of the values in every combination. Cells of which the totals of houses leave the
    sum are cages too; of those that overlap, written ones and then smaller ones count.
    """
    layout = board.layout
    every = [*cages(board), *left_cages(board)]
    for house in range(layout.houses if every else 0):
        board.tick()
        mask = layout.groups[house].mask
        inside = [cage for cage in every if not cage.cells & ~mask]
        own = [layout.readers[house](entries) for entries in (board.values, board.candidates)]
        key = layout, house, *own, tuple([(cage.cells, cage.sets) for cage in inside])
        if inside:
            yield from _barren.steps_of(key, partial(_killer_subsets, board, house, inside))


def _killer_subsets(board: CandidateBoard, house: GroupIndex, inside: list[CageSets]) -> Iterator[Step]:
    """Yield the killer subsets of a house with those of its cages."""
    mask = board.layout.groups[house].mask
    placed = to_mask(value for cell in members(mask & ~board.open) if (value := board.values[cell]) is not None)
    left = [value for value in board.layout.values if not placed >> value & 1]
    for size in _SIZES:
        for chosen in combinations(left, size):
            yield from _killer_subset(board, house, inside, to_mask(chosen))


def _killer_subset(board: CandidateBoard, house: GroupIndex, inside: list[CageSets], values: Domain) -> Iterator[Step]:
    """Yield the subset of these values if cages and cells hold as many of them as there are."""
    layout, mask = board.layout, board.layout.groups[house].mask
    used, taken, count = [], 0, 0
    for cage in inside:
        least = 0 if cage.cells & taken else cage.least(values)
        if least:
            used.append(cage)
            taken |= cage.cells
            count += least
    if not used:
        return
    cells = to_mask(cell for cell in members(mask & board.open & ~taken) if not board.candidates[cell] & ~values)
    if count + cells.bit_count() != values.bit_count():
        return
    removed = board.eliminations((value, mask & ~taken & ~cells) for value in members(values))
    if removed:
        proof = [group for cage in used for group in cage.prove()]
        proof += [ProofGroup(ProofStatement.HAS_VALUE, cell) for cell in members(cells)]
        proof += [once_in(layout, value, house) for value in members(values)]
        sets = [CellsAndValues(cage.cells, values) for cage in used]
        sets += [CellsAndValues(1 << cell, board.candidates[cell]) for cell in members(cells)]
        pattern = Pattern((house,), sets=tuple(sets))
        yield Step(Technique.KILLER_SUBSET, values, taken | cells, removed, (), pattern, distinct(proof))


_MOST_CELLS = 4
"""People add up no more cells than these; of more they see the parity."""
_MODULI = (2, 3)


def house_sums(board: CandidateBoard) -> Iterator[Step]:
    """Yield what up to four cells cannot hold whose sum, or the difference of two such sums, the totals of houses give."""
    for found in house_totals(board):
        if found.size > _MOST_CELLS:
            return
        cells = found.inside | found.outside
        domains = tuple([board.candidates[cell] for cell in members(cells)])
        left, by_sight = _left_by_sum(board.layout, (found.inside, found.outside), found.total, domains)
        if left:
            differ = sight_proof(board, cells) if by_sight else ()
            proof = [*total_proof(board, found), *cell_proof(cells), *differ]
            yield _step(board, Technique.HOUSE_TOTAL, found, left, proof)


@lru_cache(maxsize=20_000)
def _left_by_sum(
    layout: Layout, sides: tuple[CellSet, CellSet], total: int, domains: tuple[Domain, ...]
) -> tuple[dict[Cell, Domain] | None, bool]:
    """Return what is left of the cells inside and outside, if that is less, and whether it takes that some see each other."""
    cells = sides[0] | sides[1]
    known = dict(zip(members(cells), domains, strict=True))
    sight = {cell: layout.sight[cell] & cells for cell in known}
    sums = [Linear(tuple(_terms(*sides).items()), "==", total)]
    left = completions(sums, known, sight)
    if left is None or left == known:
        return None, False
    return left, left != completions(sums, known)


def parities(board: CandidateBoard) -> Iterator[Step]:
    """Yield what more cells cannot hold because their sum, which the totals of houses give, would leave another remainder."""
    totals = [found for found in house_totals(board) if found.size > _MOST_CELLS]
    mixed = [(modulus, _mixed_cells(board, modulus)) for modulus in _MODULI] if totals else ()
    for found in totals:
        cells = found.inside | found.outside
        for modulus, unknown in mixed:
            if (cells & unknown).bit_count() == 1:
                cell = (cells & unknown).bit_length() - 1
                left = _left_by_remainder(board, _terms(found.inside, found.outside), cell, modulus, found.total)
                if left != board.candidates[cell]:
                    proof = [*total_proof(board, found), *cell_proof(cells)]
                    yield _step(board, Technique.PARITY, found, {cell: left}, proof)


def _mixed_cells(board: CandidateBoard, modulus: int) -> CellSet:
    """Return the cells whose candidates leave different remainders."""
    return to_mask(
        cell for cell in members(board.open) if len({value % modulus for value in members(board.candidates[cell])}) > 1
    )


def _terms(inside: CellSet, outside: CellSet) -> dict[Cell, int]:
    """Return how often each open cell counts."""
    return dict.fromkeys(members(inside), 1) | dict.fromkeys(members(outside), -1)


def _left_by_remainder(board: CandidateBoard, terms: Mapping[Cell, int], cell: Cell, modulus: int, total: int) -> Domain:
    """Return the candidates of the only cell whose remainder is not known that make the right one."""
    for other, factor in terms.items():
        if other != cell:
            total -= factor * (board.candidates[other].bit_length() - 1)
    return to_mask(value for value in members(board.candidates[cell]) if (terms[cell] * value - total) % modulus == 0)


def _step(
    board: CandidateBoard, technique: Technique, found: HouseTotal, left: Mapping[Cell, Domain], proof: list[ProofGroup]
) -> Step:
    cells = found.inside | found.outside
    gone = tuple((cell, value) for cell in members(cells) for value in members(board.candidates[cell] & ~left.get(cell, -1)))
    sets = tuple(CellsAndValues(one.cells, 0) for one in found.sums)
    domains = tuple(CellsAndValues(1 << cell, board.candidates[cell]) for cell in members(cells))
    pattern = Pattern(found.houses, fins=found.outside, sets=sets, total=found.total, domains=domains)
    return Step(technique, to_mask(value for _, value in gone), cells, gone, (), pattern, distinct(proof))


# House combinations: the cages of a house, whole or in part, and its other cells share out its values: not all sets fit.


_MOST_SETS = 400
"""A cage with more ways to fill its cells in a house is taken for single cells."""
_MOST_VALUES = 10
"""In larger houses the ways to share out the values are too many."""


class _Share(NamedTuple):
    """Open cells of a house, the sets of values that they may get, and the cage that they are of, if of any."""

    cells: CellSet
    sets: tuple[Domain, ...]
    cage: CageSets | None


def house_combinations(board: CandidateBoard) -> Iterator[Step]:
    """Yield what the cells of a cage cannot hold because what it would take leaves the rest of a house without a way to share."""
    if not cages(board) and not left_cages(board):
        return
    for house in range(board.layout.houses):
        mask = board.layout.groups[house].mask
        if len(board.layout.groups[house].cells) > _MOST_VALUES or not mask & board.open:
            continue
        board.tick()
        shares = _shares(board, mask)
        if any(share.cage for share in shares):
            yield from _shared_out(board, house, shares)


def _shares(board: CandidateBoard, mask: CellSet) -> list[_Share]:
    """Return the parts in which cages divide a house, those with the fewest sets first; the cells in no cage singly."""
    found, free = [], mask & board.open
    own = [_share(board, cage, mask) for find in (cages, left_cages) for cage in find(board) if cage.open & mask]
    for share in sorted(own, key=lambda share: len(share.sets)):
        if not share.cells & ~free and 0 < len(share.sets) <= _MOST_SETS:
            found.append(share)
            free &= ~share.cells
    return found + [
        _Share(1 << cell, tuple(1 << value for value in members(board.candidates[cell])), None) for cell in members(free)
    ]


def _share(board: CandidateBoard, cage: CageSets, mask: CellSet) -> _Share:
    """Return the cells of a cage in a house, and the sets that leave its cells outside their values."""
    inside, outside = cage.open & mask, cage.open & ~mask
    filled = to_mask(value for cell in members(cage.cells & ~board.open) if (value := board.values[cell]) is not None)
    here, there = board.values_in(inside), board.values_in(outside)
    return _Share(inside, _sets_inside(cage.sets, filled, inside.bit_count(), here, there), cage)


@lru_cache(maxsize=20_000)
def _sets_inside(sets: tuple[Domain, ...], filled: Domain, size: int, here: Domain, there: Domain) -> tuple[Domain, ...]:
    """Return the parts of so many values of some sets that may stand ``here`` while the rest is ``filled`` in, or ``there``."""
    found = {
        to_mask(chosen)
        for one in sets
        if not filled & ~one
        for chosen in combinations(members(one & ~filled & here), size)
        if not one & ~filled & ~to_mask(chosen) & ~there
    }
    return tuple(sorted(found))


def _shared_out(board: CandidateBoard, house: GroupIndex, shares: Sequence[_Share]) -> Iterator[Step]:
    """Yield what is in no way to share out the values that the house has left."""
    mask = board.layout.groups[house].mask
    placed = to_mask(value for cell in members(mask & ~board.open) if (value := board.values[cell]) is not None)
    left = _sets_that_fit(tuple([share.sets for share in shares]), to_mask(board.layout.grid.values) & ~placed)
    removed = []
    for share, sets in zip(shares, left, strict=True):
        union = 0
        for one in sets:
            union |= one
        removed += [(cell, value) for cell in members(share.cells) for value in members(board.candidates[cell] & ~union)]
    if removed:
        used = [(share, sets) for share, sets in zip(shares, left, strict=True) if share.cage]
        proof = [group for share, _ in used if share.cage for group in share.cage.prove()]
        proof += [
            ProofGroup(ProofStatement.HAS_PLACE, house, value) for value in board.layout.grid.values if not placed >> value & 1
        ]
        cells = mask & board.open
        for share, _ in used:
            cells |= share.cage.open if share.cage else 0
        proof += cell_proof(cells)
        pattern = Pattern((house,), sets=tuple(CellsAndValues(share.cells, one) for share, sets in used for one in sorted(sets)))
        values = to_mask(value for _, value in removed)
        yield Step(Technique.HOUSE_COMBINATIONS, values, mask & board.open, tuple(sorted(removed)), (), pattern, distinct(proof))


@lru_cache(maxsize=2_000)
def _sets_that_fit(shares: tuple[tuple[Domain, ...], ...], whole: Domain) -> list[set[Domain]]:
    """Return of each share the sets with which all of them, one of each, make up a whole without overlapping."""
    layers: list[set[Domain]] = [{0}]
    for sets in shares:
        layers.append({used | one for used in layers[-1] for one in sets if not used & one})
    alive = layers[-1] & {whole}
    found: list[set[Domain]] = []
    for sets, before in zip(reversed(shares), reversed(layers[:-1]), strict=True):
        ways = [(used, one) for used in before for one in sets if not used & one and used | one in alive]
        found.append({one for _, one in ways})
        alive = {used for used, _ in ways}
    return found[::-1]


# Minimum and maximum: what a cell of a sum cannot hold because of the least and the most that the other cells add up to.


_UNBOUNDED = ("!=",)


class _Range(NamedTuple):
    """The numbers of which the least and the most consist that something adds up to."""

    least: tuple[int, ...]
    most: tuple[int, ...]


def minimum_and_maximum(board: CandidateBoard) -> Iterator[Step]:
    """Yield what the bounds of sums rule out, cells that see each other holding different values (three hold 1+2+3 at least)."""
    for index, part in enumerate(board.layout.parts):
        for constraint in part.constraints:
            if (
                isinstance(constraint, Linear)
                and constraint.relation not in _UNBOUNDED
                and set(part.cells) >= set(_cells(constraint))
            ):
                yield from _bounded(board, index, constraint)


def _cells(constraint: Linear) -> list[Cell]:
    return [cell for cell, _ in constraint.terms]


def _bounded(board: CandidateBoard, part: PartIndex, constraint: Linear) -> Iterator[Step]:
    domains = {cell: board.candidates[cell] or 1 << (board.values[cell] or 0) for cell in _cells(constraint)}
    cells = to_mask(domains)
    for sight in (False, True):
        inside = ticked(sorted(domains), every=1)
        bounds = [bound for cell in inside for bound in _bounds_of(cell, board, constraint, domains, sight=sight)]
        gone = tuple(
            (cell, value)
            for cell in ticked(sorted(domains), every=1)
            for value in members(board.candidates[cell])
            if any(bound.cell == cell and bound.rules_out(value) for bound in bounds)
        )
        if gone:
            proof = [ProofGroup(ProofStatement.PART, part)]
            if sight:
                proof += [*cell_proof(cells & board.open), *sight_proof(board, cells & board.open, part)]
            telling = tuple(
                bound for bound in bounds if any(bound.cell == cell and bound.rules_out(value) for cell, value in gone)
            )
            pattern = Pattern(sets=(CellsAndValues(cells, board.values_in(cells)),), bounds=telling)
            values = to_mask(value for _, value in gone)
            yield Step(Technique.MINIMUM_AND_MAXIMUM, values, cells, gone, (), pattern, distinct(proof))
            return


def _bounds_of(
    cell: Cell, board: CandidateBoard, constraint: Linear, domains: Mapping[Cell, Domain], *, sight: bool
) -> Iterator[Bound]:
    """Yield the least and the most that a cell can hold, given the others."""
    factors = dict.fromkeys(domains, 0)
    for other, amount in constraint.terms:
        factors[other] += amount
    factor = factors.pop(cell)
    others = _range_of(factors, board, domains, sight=sight)
    # factor * value + others = total: others at their most leave the least, and the other way round if the factor is negative
    for left, relation in ((others.most, ">="), (others.least, "<=")):
        if factor and constraint.relation in {"==", relation}:
            is_least = (relation == ">=") == (factor > 0)
            terms = (constraint.total, *(-term for term in left))
            signed = terms if factor > 0 else tuple(-term for term in terms)
            value = -(-sum(signed) // abs(factor)) if is_least else sum(signed) // abs(factor)
            yield Bound(cell, is_least, value, signed if abs(factor) == 1 else ())


def _range_of(factors: Mapping[Cell, int], board: CandidateBoard, domains: Mapping[Cell, Domain], *, sight: bool) -> _Range:
    least: list[int] = []
    most: list[int] = []
    for factor in dict.fromkeys(factors.values()):
        alike = to_mask(cell for cell in factors if factors[cell] == factor)
        for clique in _cliques(board, alike) if sight else (1 << cell for cell in members(alike)):
            own = _distinct_range([domains[cell] for cell in members(clique)])
            low, high = sorted(([factor * value for value in end] for end in own), key=sum)
            least += low
            most += high
    return _Range(tuple(least), tuple(most))


def _cliques(board: CandidateBoard, cells: CellSet) -> Iterator[CellSet]:
    """Yield the cells in sets that see each other, the largest first."""
    groups = [group.mask for group in board.layout.groups if group.mask & cells]
    while cells:
        largest = max((mask & cells for mask in groups), key=int.bit_count, default=0) or cells & -cells
        yield largest
        cells &= ~largest


def _distinct_range(domains: Iterable[Domain]) -> _Range:
    """Return different values that are bounds: one after the other, each more than the last, then each less."""
    ends = [(members(domain)[0], domain.bit_length() - 1) for domain in domains if domain]
    least: list[int] = []
    most: list[int] = []
    for low, _ in sorted(ends):
        least.append(max(low, least[-1] + 1) if least else low)
    for _, high in sorted(ends, key=lambda end: -end[1]):
        most.append(min(high, most[-1] - 1) if most else high)
    return _Range(tuple(least), tuple(most))
