"""Unique rectangles: four open cells that would have two solutions if nothing but two values were left in them."""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

from sudoku_cp.logic.layout import CellSet, GroupIndex, HouseKind, Layout
from sudoku_cp.logic.step import CellsAndValues, Pattern, ProofGroup, ProofStatement, Step, Technique, distinct, once_in
from sudoku_cp.logic.techniques.basic import bounded_unions
from sudoku_cp.model import AllDifferent, Constraint, Count, DigitSet, Domain, Linear, cells_of, members, to_mask

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from sudoku_cp.grid import Cell
    from sudoku_cp.logic.candidate_board import CandidateBoard


# Rectangles in which two values can always be exchanged: if a solution has a, b / b, a there, then b, a / a, b makes another.
#
# That holds where every group, of whatever rule, meets both diagonals of the rectangle alike (in one cell of each, or in none),
# no other rule part can tell the two apart (see below), and no cell of it is given.


_LAST = 3
"""The values of a rectangle, and the index of its last corner: corners i and 3 - i are opposite."""


class CellRectangle(NamedTuple):
    """Where two rows and two columns cross: the corners line by line, so that corners i and 3 - i are opposite."""

    corners: tuple[Cell, Cell, Cell, Cell]
    mask: CellSet
    rows: tuple[GroupIndex, GroupIndex]
    columns: tuple[GroupIndex, GroupIndex]

    @property
    def lines(self) -> tuple[GroupIndex, ...]:
        """Its rows and columns."""
        return (*self.rows, *self.columns)

    def lines_of(self, corner: int) -> tuple[GroupIndex, GroupIndex]:
        """Return row and column of the corner of that index."""
        return self.rows[corner // 2], self.columns[corner % 2]

    def is_diagonal(self, cells: CellSet) -> bool:
        """Return whether ``cells`` are two opposite corners."""
        return any(cells == 1 << self.corners[corner] | 1 << self.corners[_LAST - corner] for corner in (0, 1))


class OpenRectangle(NamedTuple):
    """A rectangle of open cells that may all take the two values of ``pair``, judging by the filled cells.

    The ``floor`` has no candidates but these two, and in some cell of it both are left; the ``roof``, the other cells, has more.
    """

    rectangle: CellRectangle
    pair: Domain
    floor: CellSet
    roof: CellSet


def rectangles_of(layout: Layout, tick: Callable[[], object] = int) -> list[CellRectangle]:
    """Return the rectangles of a layout in which two values can be exchanged, looked for once.

    Then ``tick`` is called before each pair of rows.
    """
    known = _known_rectangles(layout)
    if not known:
        found: dict[CellSet, CellRectangle] = {}
        for pair in combinations(layout.houses_of_kind(HouseKind.ROW), 2):
            tick()
            for rectangle in _rectangles_between(layout, pair):
                found.setdefault(rectangle.mask, rectangle)
        known[:] = found.values()
    return known


@lru_cache(maxsize=64)
def _known_rectangles(_: Layout) -> list[CellRectangle]:
    """Return the rectangles of a layout if they have been looked for: else the list in which to note them."""
    return []


@lru_cache(maxsize=4096)
def _rectangles_between(layout: Layout, rows: tuple[GroupIndex, GroupIndex]) -> tuple[CellRectangle, ...]:
    """Return those of two rows."""
    found: list[CellRectangle] = []
    columns = layout.houses_of_kind(HouseKind.COLUMN)
    crossings = [(column, cells) for column in columns if (cells := _crossing_cells(layout, rows, column))]
    for (left, (p, r)), (right, (q, s)) in combinations(crossings, 2):
        if _is_exchangeable(layout, p, q, r, s):
            found.append(CellRectangle((p, q, r, s), to_mask((p, q, r, s)), rows, (left, right)))
    return tuple(found)


def open_rectangles(board: CandidateBoard) -> list[OpenRectangle]:
    """Return the rectangles of open cells, with every two values that fit."""
    return board.derive(_find_open)


def _crossing_cells(layout: Layout, rows: tuple[GroupIndex, GroupIndex], column: GroupIndex) -> tuple[Cell, Cell] | None:
    """Return the cells in which a column crosses both rows if they are two."""
    upper, lower = (layout.groups[row].mask & layout.groups[column].mask for row in rows)
    if upper.bit_count() != 1 or lower.bit_count() != 1 or upper == lower:
        return None
    return upper.bit_length() - 1, lower.bit_length() - 1


def _is_exchangeable(layout: Layout, p: Cell, q: Cell, r: Cell, s: Cell) -> bool:
    """Return whether each group meets the diagonals p, s and q, r in one cell each or not at all, and parts are indifferent."""
    first, second = 1 << p | 1 << s, 1 << q | 1 << r
    for cell in (p, q, r, s):
        for group in layout.groups_of[cell]:
            mask = layout.groups[group].mask
            if (mask & first).bit_count() != 1 or (mask & second).bit_count() != 1:
                return False
    return not layout.cells_of_parts & (first | second) or allows_exchange(layout, first, second)


def _find_open(board: CandidateBoard) -> list[OpenRectangle]:
    closed, bivalue = ~board.open, to_mask(cell for cell in members(board.open) if board.candidates[cell].bit_count() == _PAIR)
    return [
        found
        for rectangle in rectangles_of(board.layout, board.tick)
        if not rectangle.mask & closed and rectangle.mask & bivalue
        for found in _open_pairs(board, rectangle)
    ]


def _open_pairs(board: CandidateBoard, rectangle: CellRectangle) -> Iterator[OpenRectangle]:
    p, q, r, s = rectangle.corners
    allowed = board.allowed[p] & board.allowed[q] & board.allowed[r] & board.allowed[s]
    if not allowed & (allowed - 1):
        return
    for domain in {board.candidates[cell] for cell in rectangle.corners}:
        if domain & ~allowed or domain.bit_count() != _PAIR:
            continue
        roof = to_mask(cell for cell in members(rectangle.mask) if board.candidates[cell] & ~domain)
        yield OpenRectangle(rectangle, domain, rectangle.mask & ~roof, roof)


# Rule parts that hold in two solutions alike, so an argument from uniqueness may ignore them.
#
# A sum, a set of values or a count looks at the values of its cells together: it holds as before when these change places.


_BOTH = 2


def allows_exchange(layout: Layout, first: CellSet, second: CellSet) -> bool:
    """Return whether every rule part holds as before if the cells of ``first`` and those of ``second`` exchange their values.

    The cells of each of the two hold one value. Groups are not looked at.
    """
    for constraint in _constraints_over(layout, first | second):
        factors = _factors(constraint)
        if factors is None:
            return False
        if sum(factors.get(cell, 0) for cell in members(first)) != sum(factors.get(cell, 0) for cell in members(second)):
            return False
    return True


def allows_other_candidates(board: CandidateBoard) -> bool:
    """Return whether every rule part holds as before if each open cell of two candidates takes the other one.

    That is taken for granted where the open cells of a constraint are those of a group, two or more, in which each value has two
    places or none: there the values change places.
    """
    opened = {group.mask & board.open for group in board.layout.groups}
    for constraint in _constraints_over(board.layout, board.open):
        factors = _factors(constraint)
        cells = to_mask(cell for cell in factors or () if board.open >> cell & 1) if factors else 0
        if factors is None or cells not in opened or cells.bit_count() < _BOTH:
            return False
        if len({factors[cell] for cell in members(cells)}) > 1:
            return False
    return True


def _constraints_over(layout: Layout, cells: CellSet) -> Iterator[Constraint]:
    """Yield the constraints of rule parts about some of the cells."""
    for part in layout.parts:
        if to_mask(part.cells) & cells:
            yield from (one for one in part.constraints if to_mask(cells_of(one)) & cells)


def _factors(constraint: Constraint) -> dict[int, int] | None:
    """Return how often each cell counts in a constraint that looks at its values together; None if it does not."""
    match constraint:
        case AllDifferent(cells) | DigitSet(cells, _):
            return dict.fromkeys(cells, 1)
        case Count() if len(set(constraint.cells)) == len(constraint.cells):
            return dict.fromkeys(constraint.cells, 1)
        case Linear(terms, _, _) if len({cell for cell, _ in terms}) == len(terms):
            return dict(terms)
    return None


_TWO, _THREE = 2, 3
_WIDEST = 7
"""Other cells of a naked subset with the roof: in 9x9 there are no more."""


def unique_rectangles_1(board: CandidateBoard) -> Iterator[Step]:
    """Yield those with a single roof cell, which both values leave."""
    for found in open_rectangles(board):
        if found.roof.bit_count() == 1:
            yield from _steps(board, Technique.UNIQUE_RECTANGLE_1, found, [(value, found.roof) for value in members(found.pair)])


def unique_rectangles_2(board: CandidateBoard) -> Iterator[Step]:
    """Yield those with two roof cells in a line and one extra value in them: one of them has it."""
    for found in open_rectangles(board):
        if _has_straight_roof(found):
            yield from _extra_value(board, Technique.UNIQUE_RECTANGLE_2, found)


def unique_rectangles_3(board: CandidateBoard) -> Iterator[Step]:
    """Yield those whose extra values in two roof cells of a group make a naked subset with other cells of it."""
    for found in open_rectangles(board):
        if _has_straight_roof(found):
            for group in board.layout.groups_over(found.roof):
                yield from _roof_subsets(board, found, group)


def unique_rectangles_4(board: CandidateBoard) -> Iterator[Step]:
    """Yield those with two roof cells in a house in which one of the values has no other place: the other one leaves them."""
    for found in open_rectangles(board):
        if not _has_straight_roof(found):
            continue
        for house in board.layout.groups_over(found.roof):
            for value in members(found.pair) if house < board.layout.houses else ():
                if not board.places[value] & board.layout.groups[house].mask & ~found.roof:
                    other = (found.pair & ~(1 << value)).bit_length() - 1
                    proof = [ProofGroup(ProofStatement.HAS_PLACE, house, value)]
                    yield from _steps(board, Technique.UNIQUE_RECTANGLE_4, found, [(other, found.roof)], (house,), proof)


def unique_rectangles_5(board: CandidateBoard) -> Iterator[Step]:
    """Yield those with two opposite roof cells, or three, and one extra value in them: one of them has it."""
    for found in open_rectangles(board):
        if found.roof.bit_count() == _THREE or found.rectangle.is_diagonal(found.roof):
            yield from _extra_value(board, Technique.UNIQUE_RECTANGLE_5, found)


def unique_rectangles_6(board: CandidateBoard) -> Iterator[Step]:
    """Yield those with two opposite roof cells, and a value with no other place in their rows and columns: it leaves them."""
    for found in open_rectangles(board):
        if found.rectangle.is_diagonal(found.roof):
            for value in members(found.pair):
                if not _places_outside(board, found, value, found.rectangle.lines):
                    proof = [ProofGroup(ProofStatement.HAS_PLACE, line, value) for line in found.rectangle.lines]
                    removed = [(value, found.roof)]
                    yield from _steps(board, Technique.UNIQUE_RECTANGLE_6, found, removed, found.rectangle.lines, proof)


def hidden_rectangles(board: CandidateBoard) -> Iterator[Step]:
    """Yield those with a value that has no other place in row and column of a corner: the other value leaves that corner.

    The corner opposite is the whole floor, or both are.
    """
    for found in open_rectangles(board):
        if found.floor.bit_count() != 1 and not found.rectangle.is_diagonal(found.floor):
            continue
        for index, corner in enumerate(found.rectangle.corners):
            if not found.floor >> found.rectangle.corners[3 - index] & 1:
                continue
            lines = found.rectangle.lines_of(index)
            for value in members(found.pair):
                if not _places_outside(board, found, value, lines):
                    other = (found.pair & ~(1 << value)).bit_length() - 1
                    proof = [ProofGroup(ProofStatement.HAS_PLACE, line, value) for line in lines]
                    yield from _steps(board, Technique.HIDDEN_RECTANGLE, found, [(other, 1 << corner)], lines, proof)


def _has_straight_roof(found: OpenRectangle) -> bool:
    return found.roof.bit_count() == _TWO and not found.rectangle.is_diagonal(found.roof)


def _places_outside(board: CandidateBoard, found: OpenRectangle, value: int, lines: Iterable[GroupIndex]) -> CellSet:
    """Return the places of a value in lines of the rectangle, outside the rectangle."""
    union = 0
    for line in lines:
        union |= board.layout.groups[line].mask
    return board.places[value] & union & ~found.rectangle.mask


def _extra_value(board: CandidateBoard, technique: Technique, found: OpenRectangle) -> Iterator[Step]:
    """Yield the step if the roof has one extra value: that leaves what sees the whole roof."""
    extras = board.values_in(found.roof) & ~found.pair
    if extras.bit_count() == 1:
        seeing = board.layout.seen_by_all(found.roof) & ~found.rectangle.mask
        yield from _steps(board, technique, found, [(extras.bit_length() - 1, seeing)])


def _roof_subsets(board: CandidateBoard, found: OpenRectangle, group: GroupIndex) -> Iterator[Step]:
    """Yield what the extra values and other cells of a group remove there, then what they remove wherever all cells meet."""
    candidates, groups = board.candidates, board.layout.groups
    extras = board.values_in(found.roof) & ~found.pair
    pool = members(groups[group].mask & board.open & ~found.rectangle.mask)
    sets = [(1 << cell, candidates[cell]) for cell in pool if not candidates[cell] & found.pair]
    for size in range(max(1, extras.bit_count() - 1), min(len(sets), _WIDEST) + 1):
        for cells, values in bounded_unions(sets, size, size + 1, extras):
            whole = cells | found.roof
            everywhere = 0
            for index in board.layout.groups_over(whole):
                everywhere |= groups[index].mask
            for rest in {groups[group].mask: 0, everywhere: 0}:
                yield from _roof_subset(board, found, CellsAndValues(cells, values), group, rest & ~whole)


def _roof_subset(
    board: CandidateBoard, found: OpenRectangle, subset: CellsAndValues, group: GroupIndex, rest: CellSet
) -> Iterator[Step]:
    removed = [(value, rest) for value in members(subset.values)]
    proof = [ProofGroup(ProofStatement.HAS_VALUE, cell) for cell in members(subset.cells)]
    proof += [once_in(board.layout, value, group) for value in members(subset.values)]
    yield from _steps(board, Technique.UNIQUE_RECTANGLE_3, found, removed, (group,), proof, subset)


def _steps(
    board: CandidateBoard,
    technique: Technique,
    found: OpenRectangle,
    removed: Iterable[tuple[int, CellSet]],
    bases: tuple[GroupIndex, ...] = (),
    proof: Iterable[ProofGroup] = (),
    subset: CellsAndValues | None = None,
) -> Iterator[Step]:
    """Yield the step if it has an effect. Its proof names what is used besides uniqueness."""
    eliminations = board.eliminations(removed)
    if eliminations:
        sets = (CellsAndValues(found.rectangle.mask, found.pair), *((subset,) if subset else ()))
        cells = found.rectangle.mask | (subset.cells if subset else 0)
        values = found.pair | (subset.values if subset else to_mask(value for _, value in eliminations))
        full_proof = distinct([*(ProofGroup(ProofStatement.HAS_VALUE, cell) for cell in members(found.rectangle.mask)), *proof])
        yield Step(technique, values, cells, eliminations, (), Pattern(bases, fins=found.roof, sets=sets), full_proof)


# Avoidable rectangles: unique rectangles of which some cells are filled already, though none is given.


_SIDES = ((0, 1), (2, 3), (0, 2), (1, 3))
"""The corners at both ends of each side of a rectangle; corners i and 3 - i are opposite."""


def avoidable_rectangles_1(board: CandidateBoard) -> Iterator[Step]:
    """Yield rectangles with three placed cells a, b / b, in which the open corner cannot be a."""
    for rectangle in _not_given(board, open_corners=1):
        last = next(index for index, cell in enumerate(rectangle.corners) if board.open >> cell & 1)
        value, other, same = (board.values[rectangle.corners[index]] for index in (3 - last, *_neighbours(last)))
        if value is not None and other is not None and other == same != value:
            removed = [(value, 1 << rectangle.corners[last])]
            yield from _avoidable_steps(board, Technique.AVOIDABLE_RECTANGLE_1, rectangle, 1 << value | 1 << other, removed)


def avoidable_rectangles_2(board: CandidateBoard) -> Iterator[Step]:
    """Yield rectangles with one side placed as a, b and x as the only other candidate of the cells opposite: one is x."""
    for rectangle in _not_given(board, open_corners=2):
        for ends in _SIDES:
            a, b = (board.values[rectangle.corners[index]] for index in ends)
            first, second = (rectangle.corners[3 - index] for index in ends)
            if a is None or b is None:
                continue
            extra = board.candidates[first] & ~(1 << a)
            wanted = (1 << a | extra, 1 << b | extra)
            if extra.bit_count() == 1 and (board.candidates[first], board.candidates[second]) == wanted and not extra >> b & 1:
                seeing = board.layout.seen_by_all(1 << first | 1 << second)
                removed = [(extra.bit_length() - 1, seeing)]
                yield from _avoidable_steps(board, Technique.AVOIDABLE_RECTANGLE_2, rectangle, 1 << a | 1 << b, removed)


def _not_given(board: CandidateBoard, open_corners: int) -> Iterator[CellRectangle]:
    """Yield the rectangles with so many open corners of which none is given."""
    givens, is_open = board.givens, board.open
    for rectangle in rectangles_of(board.layout, board.tick):
        mask = rectangle.mask
        if not mask & givens and (mask & is_open).bit_count() == open_corners:
            yield rectangle


def _neighbours(corner: int) -> tuple[int, int]:
    """Return the corners next to one."""
    return (1, 2) if corner in {0, 3} else (0, 3)


def _avoidable_steps(
    board: CandidateBoard, technique: Technique, rectangle: CellRectangle, pair: Domain, removed: list[tuple[int, CellSet]]
) -> Iterator[Step]:
    """Yield the step if it has an effect, and if each of the four cells could take either of the two values."""
    eliminations = board.eliminations(removed)
    if eliminations and all(not pair & ~board.domains[cell] for cell in rectangle.corners):
        pattern = Pattern(fins=rectangle.mask & board.open, sets=(CellsAndValues(rectangle.mask, pair),))
        proof = tuple(ProofGroup(ProofStatement.HAS_VALUE, cell) for cell in members(rectangle.mask & board.open))
        values = pair | 1 << removed[0][0]
        yield Step(technique, values, rectangle.mask, eliminations, (), pattern, proof)


# BUG+1: but for one extra candidate, all open cells have two candidates and every value two places wherever it has any.
#
# If that candidate were false, taking in every open cell the candidate that a solution does not take would make another
# solution.


_PAIR, _TRIPLE = 2, 3


def bug_plus_1(board: CandidateBoard) -> Iterator[Step]:
    """Yield the cell with the extra candidate: its other two go."""
    others = [cell for cell in members(board.open) if board.candidates[cell].bit_count() != _PAIR]
    if len(others) != 1 or not allows_other_candidates(board):
        return
    (cell,) = others
    domain = board.candidates[cell]
    if domain.bit_count() != _TRIPLE:
        return
    for value in members(domain):
        if _is_grave_without(board, cell, value):
            removed = tuple((cell, other) for other in members(domain & ~(1 << value)))
            pattern = Pattern(fins=1 << cell, sets=(CellsAndValues(1 << cell, domain),))
            proof = tuple(ProofGroup(ProofStatement.HAS_VALUE, one) for one in members(board.open))
            yield Step(Technique.BUG_PLUS_1, 1 << value, 1 << cell, removed, (), pattern, proof)


def _is_grave_without(board: CandidateBoard, cell: Cell, value: int) -> bool:
    """Return whether without a candidate every value has two places or none in each group of two or more open cells.

    In a group that is no house that makes as many values as cells, so that there too each of them stands in one of its places.
    """
    for group in board.layout.groups:
        if not (group.mask & board.open) & ((group.mask & board.open) - 1):
            continue  # no two values can meet in it
        for other in board.layout.values:
            places = board.places[other] & group.mask
            if other == value:
                places &= ~(1 << cell)
            if places and places.bit_count() != _PAIR:
                return False
    return True
