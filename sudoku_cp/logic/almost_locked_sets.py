"""Almost locked sets: n cells of a house with n + 1 values. The index of all on a board is made once a position, on demand."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from sudoku_cp.model import members

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sudoku_cp.logic.candidate_board import CandidateBoard
    from sudoku_cp.logic.layout import CellSet, GroupIndex
    from sudoku_cp.model import Domain


_ALL_SUBSETS, _WIDEST = 9, 6
"""In houses of up to 9 cells all sets are found; in larger ones, which have too many, those of up to 6 cells."""


class AlmostLockedSet:
    """Open cells of ``house`` with one value more than there are cells; of several houses that hold them all, the first."""

    def __init__(self, board: CandidateBoard, cells: CellSet, values: Domain, house: GroupIndex) -> None:
        """Take the cells and all values that are candidates in them."""
        self._board = board
        self.cells = cells
        self.values = values
        self.house = house

    @cached_property
    def places(self) -> dict[int, CellSet]:
        """The cells of the set that may hold each of its values."""
        return {value: self._board.places[value] & self.cells for value in members(self.values)}

    @cached_property
    def seen(self) -> dict[int, CellSet]:
        """For each value its places on the board that see all its places in the set."""
        board = self._board
        return {value: board.layout.seen_by_all(cells) & board.places[value] for value, cells in self.places.items()}


def almost_locked_sets(board: CandidateBoard) -> list[AlmostLockedSet]:
    """Return every almost locked set of the board, single cells of two values included, each once."""
    return board.derive(_find_all)


def _find_all(board: CandidateBoard) -> list[AlmostLockedSet]:
    found: dict[CellSet, AlmostLockedSet] = {}
    for house in range(board.layout.houses):
        for cells, values in _subsets(board, board.layout.groups[house].mask & board.open):
            if values.bit_count() == cells.bit_count() + 1 and cells not in found:
                found[cells] = AlmostLockedSet(board, cells, values, house)
    return list(found.values())


def _subsets(board: CandidateBoard, mask: CellSet) -> Iterator[tuple[CellSet, Domain]]:
    """Yield every set of some cells of a house with its values; of many cells only sets that are small, and hold few values."""
    known, pool = [(0, 0)], members(mask)
    for cell in pool:
        board.tick()
        more = [(cells | 1 << cell, values | board.candidates[cell]) for cells, values in known]
        if len(pool) > _ALL_SUBSETS:
            more = [one for one in more if one[0].bit_count() <= _WIDEST and one[1].bit_count() <= _WIDEST + 1]
        yield from more
        known += more
