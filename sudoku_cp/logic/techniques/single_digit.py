"""Patterns of one value over two conjugate pairs, or over a pair and a box: skyscrapers, kites, turbot fish, empty rectangles."""

from __future__ import annotations

from collections import defaultdict
from itertools import combinations, pairwise, permutations, product
from typing import TYPE_CHECKING, NamedTuple

from sudoku_cp.logic.layout import HouseKind
from sudoku_cp.logic.proof_groups import distinct, once, once_in, sees
from sudoku_cp.logic.removable_places import removable_places, values_to_search
from sudoku_cp.logic.step import ChainNode, Link, Pattern, ProofGroup, ProofStatement, Step
from sudoku_cp.logic.technique import Technique
from sudoku_cp.logic.unions import united
from sudoku_cp.model import members

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from sudoku_cp.grid import Cell
    from sudoku_cp.logic.candidate_board import CandidateBoard, ConjugatePair
    from sudoku_cp.logic.layout import CellSet, GroupIndex, Layout

_LINES = ((HouseKind.ROW, HouseKind.COLUMN), (HouseKind.COLUMN, HouseKind.ROW))


class _TwoPairs(NamedTuple):
    """Two conjugate pairs, ``first`` = ``near`` and ``far`` = ``last``, joined where near and far see each other."""

    value: int
    first: Cell
    near: Cell
    far: Cell
    last: Cell
    houses: tuple[GroupIndex, GroupIndex]


def skyscrapers(board: CandidateBoard) -> Iterator[Step]:
    """Yield pairs in two lines of a kind that have one end each in a line of the other kind."""
    for kind, across in _LINES:
        yield from _steps(board, Technique.SKYSCRAPER, _joined_pairs(board, values_to_search(board), kind, kind, across))


def two_string_kites(board: CandidateBoard) -> Iterator[Step]:
    """Yield a pair in a row and a pair in a column that have one end each in a box."""
    yield from _steps(board, Technique.TWO_STRING_KITE, _kites(board, values_to_search(board)))


def turbot_fish(board: CandidateBoard) -> Iterator[Step]:
    """Yield pairs in any two houses of which one end sees one end."""
    yield from _steps(board, Technique.TURBOT_FISH, _joined_pairs(board, values_to_search(board)))


def dual_two_string_kites(board: CandidateBoard) -> Iterator[Step]:
    """Yield what two kites, of any values, on the same two cells of a box eliminate together.

    A search for one value is content if one of the two is of that value.
    """
    by_cells: dict[CellSet, list[Step]] = defaultdict(list)
    for kite in _kites(board, [value for value in board.layout.values if removable_places(board, value)]):
        step = _step(board, Technique.DUAL_TWO_STRING_KITE, kite)
        if step.eliminations:
            by_cells[1 << kite.near | 1 << kite.far].append(step)
    yield from (dual for dual in _duals(by_cells.values()) if dual.values & board.searched)


def empty_rectangles(board: CandidateBoard) -> Iterator[Step]:
    """Yield boxes in which a value lies in a row and a column only, with a conjugate pair that meets one of these."""
    for _, step in _empty_rectangles(board, Technique.EMPTY_RECTANGLE):
        yield step


def dual_empty_rectangles(board: CandidateBoard) -> Iterator[Step]:
    """Yield what two empty rectangles of one value and one box eliminate together."""
    by_box: dict[tuple[int, GroupIndex], list[Step]] = defaultdict(list)
    for box, step in _empty_rectangles(board, Technique.DUAL_EMPTY_RECTANGLE):
        by_box[step.values, box].append(step)
    yield from _duals(by_box.values())


def _duals(families: Iterable[list[Step]]) -> Iterator[Step]:
    """Yield the unions of any two steps of a family that eliminate different things."""
    for family in families:
        for one, other in combinations(family, 2):
            if one.eliminations != other.eliminations:
                yield united(one.technique, one, other)


# --- two pairs --------------------------------------------------------------------------------------------------------


def _kites(board: CandidateBoard, values: list[int]) -> Iterator[_TwoPairs]:
    """Yield the pairs of two-string kites."""
    return _joined_pairs(board, values, HouseKind.ROW, HouseKind.COLUMN, HouseKind.BOX)


def _joined_pairs(
    board: CandidateBoard,
    values: list[int],
    kind: HouseKind | None = None,
    other_kind: HouseKind | None = None,
    joint: HouseKind | None = None,
) -> Iterator[_TwoPairs]:
    """Yield two pairs in houses of the two kinds without a common cell, joined in a house of the kind ``joint``; None is any."""
    layout = board.layout
    for value in values:
        pairs = board.conjugate_pairs(value)
        some = [pair for pair in pairs if kind in {None, layout.groups[pair.house].kind}]
        others = [pair for pair in pairs if other_kind in {None, layout.groups[pair.house].kind}]
        both = combinations(some, 2) if kind == other_kind else product(some, others)
        for one, other in both:
            if not one.cells & other.cells:
                yield from _joints(layout, value, one, other, joint)


def _joints(layout: Layout, value: int, one: ConjugatePair, other: ConjugatePair, joint: HouseKind | None) -> Iterator[_TwoPairs]:
    """Yield two pairs with each end of one that is joined to an end of the other."""
    for first, near in permutations(members(one.cells)):
        for far, last in permutations(members(other.cells)):
            if _are_joined(layout, near, far, joint):
                yield _TwoPairs(value, first, near, far, last, (one.house, other.house))


def _are_joined(layout: Layout, near: Cell, far: Cell, joint: HouseKind | None) -> bool:
    """Return whether two cells lie in a house of the kind ``joint``, or see each other if that is None."""
    if joint is None:
        return bool(layout.sight[near] >> far & 1)
    return any(layout.groups[house].kind is joint and layout.groups[house].mask >> far & 1 for house in layout.houses_of[near])


def _steps(board: CandidateBoard, technique: Technique, pairs: Iterable[_TwoPairs]) -> Iterator[Step]:
    """Yield the steps of pairs that eliminate anything."""
    for found in pairs:
        if board.layout.sight[found.first] & board.layout.sight[found.last] & board.places[found.value]:
            step = _step(board, technique, found)
            if step.eliminations:
                yield step


def _step(board: CandidateBoard, technique: Technique, pairs: _TwoPairs) -> Step:
    """Return the step of two pairs: the value leaves what sees both ends, outside the pairs."""
    layout, value, chain = board.layout, pairs.value, pairs[1:5]
    cells = sum(1 << cell for cell in chain)
    ends = 1 << pairs.first | 1 << pairs.last
    found = board.eliminations([(value, layout.seen_by_all(ends) & ~cells)])
    proof = [ProofGroup(ProofStatement.HAS_PLACE, house, value) for house in pairs.houses]
    proof.append(once(layout, value, 1 << pairs.near | 1 << pairs.far))
    proof += [group for cell, _ in found for group in sees(layout, value, cell, ends)]
    nodes = [ChainNode(value, 1 << cell) for cell in chain]
    links = tuple(Link(start, end, strong=start != nodes[1]) for start, end in pairwise(nodes))
    return Step(technique, 1 << value, cells, found, (), Pattern(bases=pairs.houses, links=links), distinct(proof))


# --- empty rectangles -------------------------------------------------------------------------------------------------


class _Rectangle(NamedTuple):
    """A box in which all places of a value lie in two crossing lines, some of them in each outside their crossing."""

    value: int
    box: GroupIndex
    line: GroupIndex
    across: GroupIndex


def _empty_rectangles(board: CandidateBoard, technique: Technique) -> Iterator[tuple[GroupIndex, Step]]:
    """Yield the empty rectangles with their boxes."""
    groups = board.layout.groups
    for rectangle in _rectangles(board):
        kind = groups[rectangle.across].kind
        for pair in board.conjugate_pairs(rectangle.value):
            if groups[pair.house].kind is kind and pair.house != rectangle.across:
                step = _rectangle_step(board, technique, rectangle, pair)
                if step is not None:
                    yield rectangle.box, step


def _rectangles(board: CandidateBoard) -> Iterator[_Rectangle]:
    """Yield the rectangles, each with either line in front: that in which the pair has an end."""
    layout = board.layout
    lines = [board.layout.houses_of_kind(kind) for kind in (HouseKind.ROW, HouseKind.COLUMN)]
    for value, box in product(values_to_search(board), layout.houses_of_kind(HouseKind.BOX)):
        places = board.places[value] & layout.groups[box].mask
        if places.bit_count() < 2:  # noqa: PLR2004
            continue
        rows, columns = ([line for line in some if layout.groups[line].mask & places] for some in lines)
        for row, column in product(rows, columns):
            in_row, in_column = places & layout.groups[row].mask, places & layout.groups[column].mask
            if in_row | in_column == places and in_row & ~in_column and in_column & ~in_row:
                yield _Rectangle(value, box, row, column)
                yield _Rectangle(value, box, column, row)


def _rectangle_step(board: CandidateBoard, technique: Technique, rectangle: _Rectangle, pair: ConjugatePair) -> Step | None:
    """Return the step of a rectangle and a pair with one end in its first line; the value leaves the crossing of two lines.

    These are the rectangle's other line, and the line through the other end that runs along the first.
    """
    layout, (value, box, line, across) = board.layout, rectangle
    groups, kind = layout.groups, layout.groups[line].kind
    near = pair.cells & groups[line].mask & ~groups[box].mask
    far = pair.cells & ~near & ~groups[box].mask
    if near.bit_count() != 1 or not far:
        return None
    own = [house for house in layout.houses_of[far.bit_length() - 1] if groups[house].kind is kind]
    for along in own:
        found = board.eliminations([(value, groups[along].mask & groups[across].mask & ~groups[box].mask & ~far)])
        if found:
            proof = [ProofGroup(ProofStatement.HAS_PLACE, house, value) for house in (box, pair.house)]
            proof += [once_in(layout, value, house) for house in (line, across, along)]
            cells = board.places[value] & groups[box].mask | pair.cells
            pattern = Pattern((box, pair.house), (line, across, along), links=_rectangle_links(board, rectangle, near, far))
            return Step(technique, 1 << value, cells, found, (), pattern, distinct(proof))
    return None


def _rectangle_links(board: CandidateBoard, rectangle: _Rectangle, near: CellSet, far: CellSet) -> tuple[Link, ...]:
    """Return the chain from the pair's far end through its near end to the box."""
    value, box, line, across = rectangle
    masks = [group.mask for group in board.layout.groups]
    places = board.places[value] & masks[box]
    beside, end = ChainNode(value, places & masks[line]), ChainNode(value, places & masks[across] & ~masks[line])
    start, entry = ChainNode(value, far), ChainNode(value, near)
    return Link(start, entry, strong=True), Link(entry, beside, strong=False), Link(beside, end, strong=True)
