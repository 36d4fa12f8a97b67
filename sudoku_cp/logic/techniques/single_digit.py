"""Patterns of one value over two conjugate pairs, or over a pair and a box: skyscrapers, kites, turbot fish, empty rectangles."""

from __future__ import annotations

from collections import defaultdict
from functools import reduce
from itertools import combinations, pairwise, permutations, product
from operator import and_, or_
from typing import TYPE_CHECKING, NamedTuple

from sudoku_cp.logic.layout import CellSet, GroupIndex, HouseKind, Layout
from sudoku_cp.logic.removable_places import removable_places, values_to_search
from sudoku_cp.logic.step import (
    ChainNode,
    Link,
    Pattern,
    ProofGroup,
    ProofStatement,
    Step,
    Technique,
    distinct,
    once,
    once_in,
    sees,
    united,
)
from sudoku_cp.model import Domain, members, to_mask

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from sudoku_cp.grid import Cell
    from sudoku_cp.logic.candidate_board import CandidateBoard, ConjugatePair


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


# Templates: all ways to place a value in every house at once, of those that agree with the templates of the other values.


_MOST = 50_000
"""A value with more templates is left alone: a blank 9x9 grid has 46,656."""
_MOST_STEPS = 400_000
"""Cells tried in the search for all templates, before the values still to come are left alone."""


def template_sets(board: CandidateBoard) -> Iterator[Step]:
    """Yield for each value the cells that hold it in all of its templates."""
    found = board.derive(_Templates)
    for value in board.searched_values:
        cells = found.in_all(value) & board.places[value]
        if cells:
            placements = tuple((cell, value) for cell in members(cells))
            yield Step(Technique.TEMPLATE_SET, 1 << value, cells, (), placements, Pattern(), found.proof(value))


def template_deletes(board: CandidateBoard) -> Iterator[Step]:
    """Yield for each value the candidates that are in none of its templates; cells in no house are in none anyway."""
    found = board.derive(_Templates)
    in_houses = reduce(or_, (group.mask for group in board.layout.groups[: board.layout.houses]), 0)
    for value in board.searched_values:
        cells = board.places[value] & in_houses & ~found.in_any(value)
        if cells:
            removed = board.eliminations([(value, cells)])
            yield Step(Technique.TEMPLATE_DELETE, 1 << value, cells, removed, (), Pattern(), found.proof(value))


class _Templates:
    """The templates of each value, without those that meet a cell which another value holds in all of its own.

    Values with none, as on a wrong board, or too many to list, have no say.
    """

    def __init__(self, board: CandidateBoard) -> None:
        """List the templates, and drop from them until nothing changes."""
        self._board = board
        self._open: dict[int, list[CellSet]] = {}
        self._in_all: dict[int, CellSet] = {}
        self._causes: dict[int, Domain] = {}
        steps = _MOST_STEPS
        for value in sorted(board.layout.values, key=lambda value: board.places[value].bit_count()):
            templates, steps = _list_templates(board, value, steps) if board.places[value] else ([], steps)
            if templates:
                self._open[value], self._in_all[value] = templates, reduce(and_, templates)
                self._causes[value] = 1 << value
        changed = True
        while changed:
            changed = False
            for value in list(self._open):
                changed |= self._drop(value)

    def in_all(self, value: int) -> CellSet:
        """Return the open cells that hold a value in all of its templates."""
        return self._in_all.get(value, 0)

    def in_any(self, value: int) -> CellSet:
        """Return the open cells that hold a value in some of its templates; all if these are unknown."""
        return reduce(or_, self._open.get(value, [-1]))

    def proof(self, value: int) -> tuple[ProofGroup, ...]:
        """Return the groups that make the templates of a value, and of the values for which some of them were dropped."""
        board, causes = self._board, self._causes[value]
        proof = [group for cause in members(causes) for group in _template_proof(board, cause)]
        if causes != 1 << value:
            fixed = reduce(or_, (self.in_all(cause) for cause in members(causes)))
            proof += [ProofGroup(ProofStatement.ONE_VALUE, cell) for cell in members(fixed)]
        return distinct(proof)

    def _drop(self, value: int) -> bool:
        """Drop the templates of a value that meet cells of others; return whether there were any."""
        before = left = self._open[value]
        for other, taken in self._in_all.items():
            if other != value and taken:
                fewer = [template for template in left if not template & taken]
                if len(fewer) < len(left):
                    self._causes[value] |= self._causes[other]
                left = fewer
        if not left:  # a board without solution
            del self._open[value], self._in_all[value]
        elif len(left) < len(before):
            self._open[value], self._in_all[value] = left, reduce(and_, left)
        return len(left) < len(before)


def _list_templates(board: CandidateBoard, value: int, steps: int) -> tuple[list[CellSet], int]:
    """Return the sets of places that fill every house still without the value, and the steps left; none if there are too many."""
    layout, places = board.layout, board.places[value]
    filled = to_mask(cell for cell, own in enumerate(board.values) if own == value)
    houses = [group.mask for group in layout.groups[: layout.houses] if not group.mask & filled]
    houses.sort(key=lambda mask: (mask & places).bit_count())
    found: list[CellSet] = []
    stack = [(0, places, 0)]
    while stack and len(found) <= _MOST and steps > 0:
        board.tick()
        chosen, left, depth = stack.pop()
        while depth < len(houses) and houses[depth] & chosen:
            depth += 1
        if depth == len(houses):
            found.append(chosen)
            continue
        for cell in members(houses[depth] & left):
            steps -= 1
            stack.append((chosen | 1 << cell, left & ~(layout.sight[cell] | 1 << cell), depth + 1))
    return ([] if stack else found), steps


def _template_proof(board: CandidateBoard, value: int) -> Iterable[ProofGroup]:
    """Yield the reasons why a value stands once in each house, and at most once in each other group."""
    layout = board.layout
    for index, group in enumerate(layout.groups):
        places = group.mask & board.places[value]
        if places and index < layout.houses:
            yield ProofGroup(ProofStatement.HAS_PLACE, index, value)
        if places & (places - 1):
            yield once_in(layout, value, index)
