"""Why a link holds: where a strong link comes from, and the proof groups of both kinds of link."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from sudoku_cp.logic.part_candidates import cell_proof
from sudoku_cp.logic.step import ProofGroup, ProofStatement, once_in, sees, sees_each_other
from sudoku_cp.model import members, to_mask

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from sudoku_cp.grid import Cell
    from sudoku_cp.logic.almost_locked_sets import AlmostLockedSet
    from sudoku_cp.logic.candidate_board import CandidateBoard
    from sudoku_cp.logic.layout import CellSet, GroupIndex, Layout, PartIndex
    from sudoku_cp.logic.step import ChainNode


@dataclass(frozen=True)
class InCell:
    """The two nodes are the only candidates of a cell."""

    cell: Cell


@dataclass(frozen=True)
class InHouse:
    """The two nodes are together all places of their value in a house."""

    house: GroupIndex


@dataclass(frozen=True)
class InPart:
    """A rule part needs one of the two nodes."""

    part: PartIndex


@dataclass(frozen=True)
class ThroughSet:
    """Two values of an almost locked set; or one, and the only value that the set leaves to a cell, its ``exit_cell``.

    Each other value of that cell is one of the set, and the cell sees all its places there: so if the set is locked, and has all
    these values, the one is left. It may be a value of the set too, if the cell does not see all places of that.
    """

    almost: AlmostLockedSet
    exit_cell: Cell | None = None

    @property
    def cells(self) -> CellSet:
        """The cells of the set, and the exit cell."""
        return self.almost.cells | (0 if self.exit_cell is None else 1 << self.exit_cell)

    def removed(self, board: CandidateBoard, start: ChainNode, end: ChainNode) -> Iterator[tuple[int, CellSet]]:
        """Yield what goes where just one of the two nodes holds: the other values then have their places here."""
        for value in members(self.almost.values & ~(1 << start.value | 1 << end.value)):
            seen = self.almost.sight[value] & board.places[value]
            if self.exit_cell is not None and board.candidates[self.exit_cell] >> value & 1:
                seen &= board.layout.sight[self.exit_cell]
            yield value, seen

    def places(self, board: CandidateBoard, value: int) -> CellSet:
        """The cells of the set, and the exit cell, that may hold a value."""
        return self.cells & board.places[value]


StrongReason: TypeAlias = InCell | InHouse | InPart | ThroughSet
"""Why at least one of two nodes is true."""


def strong_proof(board: CandidateBoard, start: ChainNode, end: ChainNode, reason: StrongReason) -> Iterator[ProofGroup]:
    """Yield the groups by which at least one of two nodes is true."""
    match reason:
        case InCell(cell):
            yield ProofGroup(ProofStatement.HAS_VALUE, cell)
        case InHouse(house):
            yield ProofGroup(ProofStatement.HAS_PLACE, house, start.value)
        case InPart(part):
            yield from part_with_cells(board, part)
        case ThroughSet(almost, None):
            yield from (ProofGroup(ProofStatement.HAS_VALUE, cell) for cell in members(almost.cells))
            yield from _all_once(board.layout, almost, members(almost.values & ~(1 << start.value | 1 << end.value)))
        case ThroughSet(almost, int(exit_cell)):
            of_set, of_cell = (end, start) if start.cells == 1 << exit_cell else (start, end)
            yield from (ProofGroup(ProofStatement.HAS_VALUE, cell) for cell in members(reason.cells))
            yield from _all_once(board.layout, almost, members(almost.values & ~(1 << of_set.value)))
            for value in members(board.candidates[exit_cell] & ~(1 << of_cell.value)):
                yield from sees(board.layout, value, exit_cell, almost.places[value])


def _all_once(layout: Layout, almost: AlmostLockedSet, values: Iterable[int]) -> Iterator[ProofGroup]:
    """Yield the reasons why each of some values stands at most once in a set; one with a single place needs none."""
    return (once_in(layout, value, almost.house) for value in values if almost.places[value].bit_count() > 1)


def part_with_cells(board: CandidateBoard, part: PartIndex) -> Iterator[ProofGroup]:
    """Yield a rule part, and that its cells have one value each."""
    yield ProofGroup(ProofStatement.PART, part)
    yield from cell_proof(to_mask(board.layout.parts[part].cells) & board.open)


def weak_proof(board: CandidateBoard, start: ChainNode, end: ChainNode, part: PartIndex | None) -> Iterator[ProofGroup]:
    """Yield the groups by which not both nodes are true: a rule part if one is named, else groups, or a cell."""
    if part is not None:
        yield from part_with_cells(board, part)
    elif start.value == end.value:
        yield from sees_each_other(board.layout, start.value, start.cells, end.cells)
    else:
        yield ProofGroup(ProofStatement.ONE_VALUE, start.cells.bit_length() - 1)
