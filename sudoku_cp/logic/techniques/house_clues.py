"""A house with all its clues: what no way to fill its cells has that obeys each clue in it, found by one search."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from sudoku_cp.logic.part_candidates import (
    cell_proof,
    constraint_domains,
    count_ways,
    filling_layers,
    order_of,
    part_domains,
    sight_proof,
    values_on_ways,
)
from sudoku_cp.logic.step import CellsAndValues, Pattern, ProofGroup, ProofStatement, Step, Technique, distinct
from sudoku_cp.model import AllDifferent, members, to_mask

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from sudoku_cp.grid import Cell
    from sudoku_cp.logic.candidate_board import CandidateBoard
    from sudoku_cp.logic.layout import CellSet, GroupIndex, Layout, PartIndex
    from sudoku_cp.logic.step import Candidate
    from sudoku_cp.model import Domain

_MOST_VALUES = 10
"""In larger houses the ways to fill them are too many."""
_MOST_PARTS = 8
_MOST_OUTSIDE = 3
"""The clues of a house may have so many open cells outside it, all together."""
_MOST_STATES = 500
"""A search with more states after a cell is given up."""

PartsAndDomains: TypeAlias = "tuple[tuple[PartIndex, tuple[Domain, ...]], ...]"
"""Parts, and what the cells of each may hold."""


class _Filled(NamedTuple):
    """What is left of each cell, and in how many ways."""

    left: Mapping[Cell, Domain]
    ways: int


def houses_with_clues(board: CandidateBoard) -> Iterator[Step]:
    """Yield what the cells of a house and of the clues in it cannot hold, all of them looked at together."""
    layout = board.layout
    if not layout.parts or len(layout.values) > _MOST_VALUES:
        return
    for house in range(layout.houses):
        parts = _parts_in(board, house)
        opened = layout.house_masks[house] & board.open
        if not parts or opened & (opened - 1) == 0:
            continue
        board.tick()
        found = _filled(board, house, parts)
        if found is not None and found.ways:
            gone = _gone(board, found)
            if gone:
                yield _step(board, house, *_fewest_clues(board, house, parts, gone[0]))


def _filled(board: CandidateBoard, house: GroupIndex, parts: Sequence[PartIndex]) -> _Filled | None:
    """Return what is left of a house and some clues, if that is not too much to find out."""
    own = tuple([board.candidates[cell] or 1 << (board.values[cell] or 0) for cell in board.layout.groups[house].cells])
    return _fill(board.layout, house, own, tuple((part, part_domains(board, part)) for part in parts))


def _gone(board: CandidateBoard, found: _Filled) -> tuple[Candidate, ...]:
    """Return the candidates that no way has."""
    return tuple((cell, value) for cell in sorted(found.left) for value in members(board.candidates[cell] & ~found.left[cell]))


def _fewest_clues(
    board: CandidateBoard, house: GroupIndex, parts: Sequence[PartIndex], target: Candidate
) -> tuple[list[PartIndex], _Filled]:
    """Return clues none of which can be left out if a candidate is to go, and what they leave."""
    chosen, best = list(parts), _filled(board, house, parts)
    for part in reversed(parts):
        fewer = [one for one in chosen if one != part]
        found = _filled(board, house, fewer) if fewer else None
        if found is not None and found.ways and target in _gone(board, found):
            chosen, best = fewer, found
    assert best is not None  # noqa: S101  # it was found for all of them
    return chosen, best


def _parts_in(board: CandidateBoard, house: GroupIndex) -> list[PartIndex]:
    """Return the parts with several open cells in a house, those first that stick out least, while few cells do."""
    mask, outside, chosen = board.layout.house_masks[house] & board.open, 0, []
    near = []
    for part, cells in enumerate(_part_masks(board.layout)):
        inside = cells & mask
        if inside & (inside - 1):
            near.append((cells & board.open & ~mask, part))
    for beyond, part in sorted(near, key=lambda one: (one[0].bit_count(), one[1]))[:_MOST_PARTS]:
        if (outside | beyond).bit_count() <= _MOST_OUTSIDE:
            outside |= beyond
            chosen.append(part)
    return chosen


@lru_cache(maxsize=64)
def _part_masks(layout: Layout) -> tuple[CellSet, ...]:
    """Return the cells of each part."""
    return tuple(to_mask(part.cells) for part in layout.parts)


@lru_cache(maxsize=20_000)
def _fill(layout: Layout, house: GroupIndex, own: tuple[Domain, ...], parts: PartsAndDomains) -> _Filled | None:
    """Return what the ways to fill a house leave that obey some parts, if the search is short; cells that see others differ."""
    cells = layout.groups[house].cells
    known = dict(zip(cells, own, strict=True))
    for part, domains in parts:
        known |= constraint_domains(layout, part, domains)
    constraints = [constraint for part, _ in parts for constraint in layout.parts[part].constraints]
    constraints.append(AllDifferent(cells))
    board = [cell for cell in known if cell < len(layout.domains)]
    beyond = to_mask(board) & ~layout.house_masks[house]
    sight = None
    if beyond:
        every = to_mask(board)
        sight = {cell: layout.sight[cell] & (every if beyond >> cell & 1 else beyond) for cell in board}
    layers = filling_layers(constraints, known, sight, most=_MOST_STATES)
    if layers is None:
        return None
    left = values_on_ways(order_of(constraints), layers)
    return _Filled({cell: left[cell] for cell in board}, count_ways(layers))


def _step(board: CandidateBoard, house: GroupIndex, parts: Sequence[PartIndex], found: _Filled) -> Step:
    """Return the step that keeps what is left."""
    layout, gone, cells = board.layout, _gone(board, found), to_mask(found.left) & board.open
    proof = [ProofGroup(ProofStatement.PART, part) for part in parts]
    proof += [
        ProofGroup(ProofStatement.HAS_PLACE, house, value)
        for value in layout.grid.values
        if board.places[value] & layout.house_masks[house]
    ]
    proof += [*cell_proof(cells), *sight_proof(board, cells)]
    left = tuple(CellsAndValues(1 << cell, found.left[cell]) for cell in members(cells))
    pattern = Pattern((house,), sets=left, total=found.ways)
    return Step(Technique.HOUSE_WITH_CLUES, to_mask(value for _, value in gone), cells, gone, (), pattern, distinct(proof))
