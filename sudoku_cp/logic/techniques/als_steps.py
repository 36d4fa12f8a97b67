"""The steps of almost locked sets in a row: how they are drawn and proved."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from sudoku_cp.logic.proof_groups import distinct, once_in, sees, sees_each_other
from sudoku_cp.logic.step import CellsAndValues, ChainNode, Link, Pattern, ProofGroup, ProofStatement, Step
from sudoku_cp.logic.technique import Technique
from sudoku_cp.model import members, to_mask

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sudoku_cp.logic.almost_locked_sets import AlmostLockedSet
    from sudoku_cp.logic.candidate_board import CandidateBoard
    from sudoku_cp.logic.layout import Layout
    from sudoku_cp.logic.restricted_commons import Reach, RestrictedCommons
    from sudoku_cp.logic.step import Candidate
    from sudoku_cp.model import Domain


def row_step(
    board: CandidateBoard,
    technique: Technique,
    commons: RestrictedCommons,
    numbers: tuple[int, ...],
    between: tuple[int, ...],
    reach: Reach,
) -> Step:
    """Return the step of sets in a row, with the restricted commons between neighbours, that has this reach."""
    sets = [commons.sets[number] for number in numbers]
    removed = commons.cells_by_value(reach)
    eliminations = board.eliminations(removed)
    ends = [value for value, _ in removed]
    links = tuple(_row_links(sets, (ends[0], *between, ends[0])))
    proof = distinct([*_row_proof(board.layout, sets, between, ends), *_removal_proof(board.layout, sets, eliminations)])
    return Step(technique, to_mask([*between, *ends]), _all_cells(sets), eliminations, (), _pattern(sets, links), proof)


def loop_step(
    board: CandidateBoard, commons: RestrictedCommons, numbers: tuple[int, int], pair: tuple[int, int], reach: Reach
) -> Step:
    """Return the step of two sets with two restricted commons: each set holds one of them, and all of its other values."""
    sets = [commons.sets[number] for number in numbers]
    eliminations = board.eliminations(commons.cells_by_value(reach))
    first, second = pair
    links = [*_row_links(sets, (second, first, second)), Link(_node(sets[1], second), _node(sets[0], second), strong=False)]
    proof = [group for one in sets for group in set_proof(board.layout, one, 0)]
    for value in pair:
        proof += sees_each_other(board.layout, value, sets[0].places[value], sets[1].places[value])
    for cell, value in eliminations:
        for one in sets:
            if one.sight.get(value, 0) >> cell & 1:
                proof += sees(board.layout, value, cell, one.places[value])
    values = sets[0].values | sets[1].values
    return Step(Technique.ALS_XZ, values, _all_cells(sets), eliminations, (), _pattern(sets, tuple(links)), distinct(proof))


def set_proof(layout: Layout, one: AlmostLockedSet, without: Domain) -> Iterator[ProofGroup]:
    """Yield the reasons why the cells of a set have values, those of them not ``without`` once each."""
    yield from (ProofGroup(ProofStatement.HAS_VALUE, cell) for cell in members(one.cells))
    yield from (once_in(layout, value, one.house) for value in members(one.values & ~without))


def _row_proof(layout: Layout, sets: list[AlmostLockedSet], between: tuple[int, ...], ends: list[int]) -> Iterator[ProofGroup]:
    """Yield the reasons why some set in a row keeps a value at its ends: the value removed, or a restricted common."""
    end = ends[0] if len(ends) == 1 else None  # of several values removed, each needs the others
    for one, entry, way_out in zip(sets, (end, *between), (*between, end), strict=True):
        yield from set_proof(layout, one, to_mask(value for value in (entry, way_out) if value is not None))
    for (one, other), value in zip(pairwise(sets), between, strict=True):
        yield from sees_each_other(layout, value, one.places[value], other.places[value])


def _removal_proof(layout: Layout, sets: list[AlmostLockedSet], eliminations: tuple[Candidate, ...]) -> Iterator[ProofGroup]:
    """Yield the reasons why an eliminated candidate takes its value from both ends of a row."""
    for cell, value in eliminations:
        yield from sees(layout, value, cell, sets[0].places[value] | sets[-1].places[value])


def _row_links(sets: list[AlmostLockedSet], values: tuple[int, ...]) -> Iterator[Link]:
    """Yield the links of a row: strong in each set, from one value to the next, and weak from set to set."""
    for index, (one, (entry, way_out)) in enumerate(zip(sets, pairwise(values), strict=True)):
        if index:
            yield Link(_node(sets[index - 1], entry), _node(one, entry), strong=False)
        yield Link(_node(one, entry), _node(one, way_out), strong=True)


def _node(one: AlmostLockedSet, value: int) -> ChainNode:
    return ChainNode(value, one.places[value])


def _pattern(sets: list[AlmostLockedSet], links: tuple[Link, ...]) -> Pattern:
    return Pattern(links=links, sets=tuple(CellsAndValues(one.cells, one.values) for one in sets))


def _all_cells(sets: list[AlmostLockedSet]) -> int:
    union = 0
    for one in sets:
        union |= one.cells
    return union
