"""Rule parts by themselves: candidates of a cage, a thermometer, an arrow that no filling of that part alone has.

Each technique looks at parts of some kinds of rules. It takes the plainest reasoning that eliminates anything from a part: its
constraints one at a time, then all of them together, then with the cells that see each other, whatever makes them differ.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

from sudoku_cp.logic.layout import HouseKind
from sudoku_cp.logic.part_candidates import left_by_all, left_by_each, left_with_sight, part_domains, part_proof, possible_sets
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
from sudoku_cp.model import DigitSet, members, to_mask

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from sudoku_cp.grid import Cell
    from sudoku_cp.logic.candidate_board import CandidateBoard
    from sudoku_cp.logic.layout import CellSet, GroupIndex, Layout, PartIndex, RulePart
    from sudoku_cp.logic.part_candidates import Narrow
    from sudoku_cp.logic.step import Candidate
    from sudoku_cp.model import Domain


_THERMOMETERS = frozenset({"thermometer", "slow-thermometer"})
_WHISPERS = frozenset({"whisper"})
_MOST_SETS = 12
"""More combinations are not listed in a step."""


def cage_combinations(board: CandidateBoard) -> Iterator[Step]:
    """Yield what no combination of values of a cage has, as those of its total are; also of other rules that list sets."""
    return _narrowed_parts(board, Technique.CAGE_COMBINATIONS, (left_by_each, left_by_all))


def thermometer_ends(board: CandidateBoard) -> Iterator[Step]:
    """Yield what is too high for its distance from the tip of a thermometer, or too low for that from the bulb."""
    return _narrowed_parts(board, Technique.THERMOMETER_ENDS, (left_by_each, left_with_sight))


def whispers(board: CandidateBoard) -> Iterator[Step]:
    """Yield what has no value far enough from it for its neighbours on a whisper line, or too few where those see each other."""
    return _narrowed_parts(board, Technique.WHISPER, (left_by_each, left_with_sight))


def rule_parts(board: CandidateBoard) -> Iterator[Step]:
    """Yield what no filling of any other rule part has, its constraints taken one at a time."""
    return _narrowed_parts(board, Technique.RULE_PART, (left_by_each,))


def joint_rule_parts(board: CandidateBoard) -> Iterator[Step]:
    """Yield what no filling of any rule part has, in which cells that see each other differ."""
    return _narrowed_parts(board, Technique.JOINT_RULE_PART, (left_by_all, left_with_sight))


def technique_of(part: RulePart) -> Technique:
    """Return the technique that looks first at the candidates of a rule part."""
    if any(isinstance(constraint, DigitSet) for constraint in part.constraints):
        return Technique.CAGE_COMBINATIONS
    if part.rule.kind in _THERMOMETERS:
        return Technique.THERMOMETER_ENDS
    return Technique.WHISPER if part.rule.kind in _WHISPERS else Technique.RULE_PART


def _narrowed_parts(board: CandidateBoard, technique: Technique, ways: tuple[Narrow, ...]) -> Iterator[Step]:
    layout = board.layout
    for index, part in enumerate(layout.parts):
        if technique is not Technique.JOINT_RULE_PART and technique_of(part) is not technique:
            continue
        domains = part_domains(board, index)
        if all(domain & (domain - 1) == 0 for domain in domains):
            continue
        board.tick()
        for narrow in ways:
            left = narrow(layout, index, domains)
            if left != domains:
                yield from _narrowed(board, technique, index, tuple(zip(part.cells, left, strict=True)), narrow)
                break


def _narrowed(
    board: CandidateBoard, technique: Technique, part: PartIndex, left: tuple[Candidate, ...], narrow: Narrow
) -> Iterator[Step]:
    """Yield the step that keeps of each cell only what is ``left`` of it, unless all that goes are values of filled cells."""
    gone = tuple((cell, value) for cell, kept in left for value in members(board.candidates[cell] & ~kept))
    if not gone:
        return
    cells = to_mask(board.layout.parts[part].cells)
    values = to_mask(value for _, value in gone)
    bounds = _rising_bounds(board, part, gone) if technique is Technique.THERMOMETER_ENDS else ()
    own = zip(board.layout.parts[part].cells, part_domains(board, part), strict=True)
    domains = tuple(CellsAndValues(1 << cell, domain) for cell, domain in own)
    pattern = Pattern(sets=_combinations(board, part, narrow), bounds=bounds, domains=domains)
    yield Step(technique, values, cells, gone, (), pattern, part_proof(board, part, narrow))


def _rising_bounds(board: CandidateBoard, part: PartIndex, gone: Sequence[Candidate]) -> tuple[Bound, ...]:
    """Return what the cells before and behind each cell of a thermometer leave it: bounds that rule out what goes.

    Values of a slow thermometer need not rise: what goes there by sight has no such bounds.
    """
    own = board.layout.parts[part]
    line = getattr(own.rule, "cells", ())
    if own.rule.kind != "thermometer" or set(line) != set(own.cells):
        return ()
    domains = dict(zip(own.cells, part_domains(board, part), strict=True))
    found: list[Bound] = []
    for cell in dict.fromkeys(cell for cell, _ in gone):
        place, lost = line.index(cell), to_mask(value for other, value in gone if other == cell)
        lows = [_bound_beside(cell, other, members(domains[other])[0], place - at) for at, other in enumerate(line[:place])]
        after = enumerate(line[place + 1 :], 1)
        highs = [_bound_beside(cell, other, domains[other].bit_length() - 1, -distance) for distance, other in after]
        tightest = [*sorted(lows, key=_value_of)[-1:], *sorted(highs, key=_value_of)[:1]]
        found += [bound for bound in tightest if any(bound.rules_out(value) for value in members(lost))]
    return tuple(found)


def _bound_beside(cell: Cell, other: Cell, end: int, distance: int) -> Bound:
    """Return what another cell, so many cells before it (after it if negative), leaves a cell of a thermometer."""
    return Bound(cell, distance > 0, end + distance, (end, distance), other)


def _value_of(bound: Bound) -> int:
    return bound.value


def _combinations(board: CandidateBoard, part: PartIndex, narrow: Narrow) -> tuple[CellsAndValues, ...]:
    """Return the sets of values that a part's cells may hold, if it lists any and they are few."""
    own = board.layout.parts[part]
    known = dict(zip(own.cells, part_domains(board, part), strict=True))
    for constraint in own.constraints:
        if isinstance(constraint, DigitSet) and max(constraint.cells) in known:
            sets = possible_sets(constraint, known, strict=narrow is not left_by_each)
            return tuple(CellsAndValues(to_mask(constraint.cells), one) for one in sets) if len(sets) <= _MOST_SETS else ()
    return ()


# Common sight: a cell that sees all places of a value in a house, perhaps for several reasons (knights, kings, diagonals).


_FEW = 3
"""Houses with so few places of a value come first: they are the easier ones to see."""


def common_sights(board: CandidateBoard) -> Iterator[Step]:
    """Yield values that leave cells which see all their places in a house, at least one through more groups than one.

    Where one group holds all the places the value is locked in it: that is another technique. Few places come first.
    """
    layout = board.layout
    houses = _seen_by_several_groups(layout)
    for least, most in ((1, _FEW), (_FEW + 1, len(board.values))):
        for value in board.searched_values if houses else ():
            for house in houses:
                places = board.places[value] & layout.groups[house].mask
                if least <= places.bit_count() <= most:
                    yield from _common_sight(board, value, house, places)


@lru_cache(maxsize=64)
def _seen_by_several_groups(layout: Layout) -> tuple[GroupIndex, ...]:
    """Return the houses of which some cell outside sees two cells that are in no group with it; plain grids have none."""
    return tuple(house for house in range(layout.houses) if any(_pairs_seen(layout, layout.groups[house].cells)))


def _pairs_seen(layout: Layout, house: tuple[Cell, ...]) -> Iterator[CellSet]:
    """Yield for each two cells of a house those outside that see both, but not in one group."""
    own = to_mask(house)
    for pair in combinations(house, 2):
        together = own
        for group in layout.groups_over(to_mask(pair)):
            together |= layout.groups[group].mask
        yield layout.seen_by_all(to_mask(pair)) & ~together


def _common_sight(board: CandidateBoard, value: int, house: GroupIndex, places: CellSet) -> Iterator[Step]:
    """Yield the step that removes a value from what sees all its places in a house, if there is any."""
    layout = board.layout
    outside, beyond = _seeing_all(layout, house, places)
    if beyond & board.places[value]:
        seeing = outside & board.places[value]
        removed = board.eliminations([(value, seeing)])
        proof = [ProofGroup(ProofStatement.HAS_PLACE, house, value)]
        proof += [group for cell in members(seeing) for group in sees(layout, value, cell, places)]
        yield Step(Technique.COMMON_SIGHT, 1 << value, places, removed, (), Pattern((house,)), distinct(proof))


@lru_cache(maxsize=20_000)
def _seeing_all(layout: Layout, house: GroupIndex, places: CellSet) -> tuple[CellSet, CellSet]:
    """Return the cells outside a house that see all of some places in it, and those of them that share no group with all."""
    outside = layout.seen_by_all(places) & ~layout.groups[house].mask
    together = 0
    for group in layout.groups_over(places):
        together |= layout.groups[group].mask
    return outside, outside & ~together


# Set equivalence: as many houses on one side as on the other hold each value equally often, and what they share cancels.
#
# So cells that one side counts more often hold the same values as those that the other does. Two ways to choose the sides:
# neighbouring rows (or columns) against irregular regions, the law of leftovers; and two rows and two columns against the boxes
# at their crossings, as in the ring around the centre box, which holds the same values as the corner squares (Phistomefel).


_LONGEST_RUN = 4
_MOST_CELLS = 12
"""Leftovers of more cells are not looked at."""


class HouseSide(NamedTuple):
    """Houses, and the cells that they count more often than the other side does: once, and twice more."""

    houses: tuple[GroupIndex, ...]
    cells: CellSet
    twice: CellSet


def leftovers(board: CandidateBoard) -> Iterator[Step]:
    """Yield what the law of leftovers eliminates: regions against neighbouring rows or columns, regions not all alike."""
    for sides in _leftover_sides(board.layout):
        yield from _equal_sets(board, Technique.LEFTOVERS, sides)


def set_equivalences(board: CandidateBoard) -> Iterator[Step]:
    """Yield what two rows and two columns against the four boxes where they cross eliminate."""
    for sides in _ring_sides(board.layout):
        yield from _equal_sets(board, Technique.SET_EQUIVALENCE, sides)


# --- sides ------------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=64)
def _leftover_sides(layout: Layout) -> tuple[tuple[HouseSide, HouseSide], ...]:
    boxes = layout.houses_of_kind(HouseKind.BOX)
    found = []
    for kind in (HouseKind.ROW, HouseKind.COLUMN):
        lines = layout.houses_of_kind(kind)
        shared = {(layout.groups[line].mask & layout.groups[box].mask).bit_count() for line in lines for box in boxes} - {0}
        if len(shared) <= 1:
            continue  # regular boxes: locked candidates and fish
        for size in range(1, _LONGEST_RUN + 1):
            for first in range(len(lines) - size + 1):
                run = tuple(lines[first : first + size])
                near = [box for box in boxes if layout.groups[box].mask & _union(layout, run)]
                found += [_sides(layout, run, chosen) for chosen in combinations(near, size)]
    usable = [sides for sides in found if 0 < sides[0].cells.bit_count() <= _MOST_CELLS]
    return tuple(sorted(usable, key=lambda sides: sides[0].cells.bit_count()))


@lru_cache(maxsize=64)
def _ring_sides(layout: Layout) -> tuple[tuple[HouseSide, HouseSide], ...]:
    found = []
    rows, columns = layout.houses_of_kind(HouseKind.ROW), layout.houses_of_kind(HouseKind.COLUMN)
    boxes = layout.houses_of_kind(HouseKind.BOX)
    for two_rows in combinations(rows, 2):
        across = [box for box in boxes if layout.groups[box].mask & _union(layout, two_rows)]
        for two_columns in combinations(columns, 2):
            chosen = tuple(box for box in across if layout.groups[box].mask & _union(layout, two_columns))
            if len(chosen) == len(two_rows) + len(two_columns):
                found.append(_sides(layout, (*two_rows, *two_columns), chosen))
    return tuple(found)


def _union(layout: Layout, houses: Iterable[GroupIndex]) -> CellSet:
    union = 0
    for house in houses:
        union |= layout.groups[house].mask
    return union


def _sides(layout: Layout, one: tuple[GroupIndex, ...], other: tuple[GroupIndex, ...]) -> tuple[HouseSide, HouseSide]:
    """Return both sides with the cells that each counts more often."""
    more: dict[int, CellSet] = {1: 0, 2: 0, -1: 0, -2: 0, 0: 0}
    for cell in members(_union(layout, (*one, *other))):
        counts = [sum(layout.groups[house].mask >> cell & 1 for house in side) for side in (one, other)]
        more[max(-2, min(2, counts[0] - counts[1]))] |= 1 << cell
    return HouseSide(one, more[1] | more[2], more[2]), HouseSide(other, more[-1] | more[-2], more[-2])


# --- steps ------------------------------------------------------------------------------------------------------------


def _equal_sets(board: CandidateBoard, technique: Technique, sides: tuple[HouseSide, HouseSide]) -> Iterator[Step]:
    """Yield what goes on either side because the other cannot hold more of a value than stand there already."""
    values, removed, proof, cells = 0, [], [], sides[0].cells | sides[1].cells
    for side, other in (sides, sides[::-1]):
        for value in board.searched_values:
            if not board.places[value] & side.cells:
                continue
            covers = _covers(board, other, value, _filled(board, side, value) - _filled(board, other, value))
            if covers is not None:
                values |= 1 << value
                removed.append((value, side.cells))
                proof += [once_in(board.layout, value, house) for house in side.houses]
                proof += _places(board, value, other.houses)
                proof += [once_in(board.layout, value, group) for group in covers]
    if removed:
        gone = board.eliminations(removed)
        pattern = Pattern(sides[0].houses, sides[1].houses, sets=(_held(board, sides[0]), _held(board, sides[1])))
        yield Step(technique, values, cells, gone, (), pattern, distinct(proof))


def _filled(board: CandidateBoard, side: HouseSide, value: int) -> int:
    """Return how often the filled cells of a side count for a value."""
    return sum(1 + (side.twice >> cell & 1) for cell in members(side.cells & ~board.open) if board.values[cell] == value)


def _covers(board: CandidateBoard, side: HouseSide, value: int, most: int) -> tuple[GroupIndex, ...] | None:
    """Return groups that hold all places of a value on a side and together count for ``most`` at most; None if there are none.

    A value stands at most once in a group, and then counts twice if it may stand in a cell that does.
    """
    layout, twice = board.layout, board.places[value] & side.twice
    waiting: list[tuple[CellSet, int, tuple[GroupIndex, ...]]] = [(board.places[value] & side.cells, most, ())]
    while waiting:
        left, budget, chosen = waiting.pop()
        if budget >= 0 and not left:
            return chosen
        if budget > 0:
            first = (left & -left).bit_length() - 1
            for group in layout.houses_of[first] or layout.groups_of[first]:
                mask = layout.groups[group].mask
                waiting.append((left & ~mask, budget - (2 if twice & left & mask else 1), (*chosen, group)))
    return None


def _places(board: CandidateBoard, value: int, houses: Iterable[GroupIndex]) -> Iterator[ProofGroup]:
    """Yield that a value has a place in those houses in which it does not stand yet."""
    for house in houses:
        if all(board.values[cell] != value for cell in board.layout.groups[house].cells):
            yield ProofGroup(ProofStatement.HAS_PLACE, house, value)


def _held(board: CandidateBoard, side: HouseSide) -> CellsAndValues:
    """Return the cells of a side and the values that they may hold, those of filled cells too."""
    held: Domain = board.values_in(side.cells)
    for cell in members(side.cells & ~board.open):
        held |= 1 << (board.values[cell] or 0)
    return CellsAndValues(side.cells, held)
