"""The board on which techniques work: values, and the candidates of open cells."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sudoku_cp.logic.cell_groups import groups_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sudoku_cp.grid import Cell
    from sudoku_cp.logic.cell_groups import CellGroups
    from sudoku_cp.model import Domain
    from sudoku_cp.puzzle import Puzzle


class CandidateBoard:
    """A partly solved puzzle: the value of each cell, None while it is open, and its candidates until then."""

    def __init__(self, groups: CellGroups) -> None:
        """Start with every cell of the ``groups`` open."""
        self.groups = groups
        self.values: list[int | None] = [None] * len(groups.domains)
        self.candidates: list[Domain] = list(groups.domains)
        self._groups_of: list[list[tuple[Cell, ...]]] = [[] for _ in groups.domains]
        for group in groups.cells:
            for cell in group:
                self._groups_of[cell].append(group)

    def place(self, cell: Cell, value: int) -> None:
        """Fill a cell, and remove its value from the candidates of all cells that must differ from it."""
        self.values[cell], self.candidates[cell] = value, 0
        for group in self._groups_of[cell]:
            for other in group:
                self.candidates[other] &= ~(1 << value)

    @property
    def houses(self) -> Iterator[tuple[str, tuple[Cell, ...]]]:
        """The houses with their names."""
        return zip(self.groups.names[: self.groups.houses], self.groups.cells, strict=False)

    def open_cells(self) -> int:
        """Return how many cells are open; all, if the grid is full but wrong."""
        filled = [value for value in self.values if value is not None]
        if len(filled) == len(self.values) and not self.groups.hold(filled):
            return len(filled)
        return len(self.values) - len(filled)


def make_board(puzzle: Puzzle) -> CandidateBoard:
    """Return the board of a puzzle; raise `Unsupported` if the rules say more than which cells differ."""
    board = CandidateBoard(groups_of(puzzle))
    for cell, value in puzzle.givens.items():
        if board.groups.domains[cell] >> value & 1:
            board.place(cell, value)
        else:  # no technique can ever fill it
            board.candidates[cell] = 0
    return board
