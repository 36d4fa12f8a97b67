"""Two or three almost locked sets in a row. If a value left both ends, some set would have fewer values than cells."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

from sudoku_cp.logic.restricted_commons import restricted_commons
from sudoku_cp.logic.technique import Technique
from sudoku_cp.logic.techniques.als_steps import loop_step, row_step
from sudoku_cp.model import members, to_mask

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from sudoku_cp.logic.candidate_board import CandidateBoard
    from sudoku_cp.logic.restricted_commons import Reach, RestrictedCommons
    from sudoku_cp.logic.step import Step


def als_xz(board: CandidateBoard) -> Iterator[Step]:
    """Yield two sets with a restricted common: any other common value is in one of them. Two such lock all values."""
    commons = restricted_commons(board)
    found: dict[Reach, int] = {}
    for one in range(len(commons.sets)) if commons.ends else ():
        board.tick()
        others = _union(commons.partners[one].values()) >> one << one
        for other in members(others if commons.ends >> one & 1 else others & commons.ends):
            values = commons.between(one, other)
            common = commons.reaches[one] & commons.reaches[other]
            for value in members(values) if common else ():
                reach = common & ~commons.field(1 << value)
                if reach and _is_smaller(commons, found, reach, (one, other)):
                    yield row_step(board, Technique.ALS_XZ, commons, (one, other), (value,), reach)
            for pair in combinations(members(values), 2):
                reach = common | _locked_reach(commons, one, other, pair) | _locked_reach(commons, other, one, pair)
                if reach and _is_smaller(commons, found, reach, (one, other)):
                    yield loop_step(board, commons, (one, other), pair, reach)


def als_xy_wings(board: CandidateBoard) -> Iterator[Step]:
    """Yield two sets with different restricted commons with a third: any other value common to the two is in one of them.

    Where the third has several with one of them, that without any of these is listed too.
    """
    commons = restricted_commons(board)
    found: dict[Reach, int] = {}
    for one, other in combinations(members(commons.ends), 2):
        common = commons.reaches[one] & commons.reaches[other]
        united = commons.sets[one].cells | commons.sets[other].cells
        if not common or united in {commons.sets[one].cells, commons.sets[other].cells}:
            continue
        board.tick()
        for first, last in _pairs_with_middles(commons, one, other):
            reach = common & ~commons.field(1 << first | 1 << last)
            for middle in _worthwhile(commons, (one, first), (other, last), found.get(reach)) if reach else ():
                for left_out in (1 << first | 1 << last, commons.between(one, middle) | commons.between(middle, other)):
                    reach = common & ~commons.field(left_out)
                    if reach and _is_smaller(commons, found, reach, (one, middle, other)):
                        yield row_step(board, Technique.ALS_XY_WING, commons, (one, middle, other), (first, last), reach)


def _pairs_with_middles(commons: RestrictedCommons, one: int, other: int) -> Iterator[tuple[int, int]]:
    """Yield different restricted commons of two sets with a third."""
    for first, near in commons.partners[one].items():
        for last, far in commons.partners[other].items():
            if first != last and near & far:
                yield first, last


def _worthwhile(commons: RestrictedCommons, start: tuple[int, int], end: tuple[int, int], smallest: int | None) -> list[int]:
    """Return the third sets to try between two, each given with its restricted common; fewer if a step is known.

    ``smallest`` is the number of cells of the smallest step known that rules out the same. If it has no more cells than the two
    sets together, only a third set with several restricted commons, which may rule out something else, can be of use.
    """
    (one, first), (other, last) = start, end
    near, far = commons.partners[one], commons.partners[other]
    middles = near[first] & far[last]
    if smallest is not None and smallest <= (commons.sets[one].cells | commons.sets[other].cells).bit_count():
        middles &= commons.manifold[one] | commons.manifold[other]
    return members(middles)


def _locked_reach(commons: RestrictedCommons, one: int, other: int, pair: tuple[int, int]) -> Reach:
    """Return what the values of a set rule out outside both, if it holds one of the pair, and the other set the other."""
    values = commons.sets[one].values & ~to_mask(pair)
    return commons.reaches[one] & commons.field(values) & ~commons.spread(commons.sets[other].cells, values)


def _is_smaller(commons: RestrictedCommons, found: dict[Reach, int], reach: Reach, numbers: tuple[int, ...]) -> bool:
    """Return whether no instance with fewer cells, or as many, has been found for that reach; note this one if so."""
    size = _union(commons.sets[number].cells for number in numbers).bit_count()
    if size >= found.get(reach, 1 + size):
        return False
    found[reach] = size
    return True


def _union(masks: Iterable[int]) -> int:
    union = 0
    for mask in masks:
        union |= mask
    return union
