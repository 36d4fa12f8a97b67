"""Count solutions by dynamic programming over a frontier: partly filled boards with the same rest are counted together.

Theory of operation. A sweep fills one open cell after the other, in a fixed order, in all boards at once.
State: for each value the set of open cells that it may still take. Where the only rule is that cells differ, these sets alone
decide in how many ways a board can be completed, and the names of the values do not matter: a state is the *multiset* of the
sets, with the number of ways that lead to it. The different sets are numbered, so a state is a sorted row of small numbers
(`frontier_states` packs, sorts and merges millions of them).
Step: filling a cell with some value leaves that value the set "takes", all others "rests", which depend on the set alone. So
each step computes both once for each different set (`_transitions`), not for each state, and the rest is array work.
Invariants: after each step the ways of all states add up to the number of partly filled boards that are still alive; equal states
are merged (if some stay apart, that costs room but no correctness).
Why it is fast: 10**16 grids of 8x8 share so few states that one sweep counts them; renamed values, and sets narrowed to the
places that houses leave (`without_dead_places`), make many boards equal. The width depends on the order of the cells, which
`sweep_orders` chooses. The empty 9x9 board is out of reach: three million states after 30 cells.
Source: the transfer-matrix method; frontier search as in Knuth's Simpath (TAOCP 4A, 7.1.4).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from sudoku_cp.errors import Unsupported
from sudoku_cp.model import AllDifferent, Domain, Model, members
from sudoku_cp.queries.frontier_states import DEAD, FrontierStates

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from sudoku_cp.backends import Assumed
    from sudoku_cp.grid import Cell

CellSet: TypeAlias = int
"""A set of cells as bits."""
FEW = 10_000
"""States below which it pays to find out which sets of cells still occur."""
LOOK = 64
"""Sets of cells between two checks of the clock."""


@dataclass(frozen=True)
class OpenBoard:
    """What propagation leaves of a board: for each value the open cells it may take, and which cells exclude each other.

    ``needs`` are the houses with as many cells as values, in which every value must occur.
    """

    cells: tuple[Cell, ...]
    values: tuple[CellSet, ...]
    peers: tuple[CellSet, ...]
    needs: tuple[CellSet, ...]

    def without_dead_places(self, places: CellSet, needs: Sequence[CellSet]) -> CellSet:
        """Return ``places`` without those that leave the value no place in a house that needs it; -1 if a house has none left."""
        while True:
            before = places
            for house in needs:
                left = places & house
                if not left:
                    return -1
                if not left & (left - 1):
                    places &= ~self.peers[left.bit_length() - 1]
            if places == before:
                return places

    def after(self, places: CellSet, cell: Cell) -> tuple[CellSet, CellSet]:
        """Return what is left of a value's places if it takes ``cell``, and if it does not; -1 if it cannot."""
        needs = [house for house in self.needs if places & house]
        here = 1 << cell
        rest = self.without_dead_places(places & ~here, needs)
        if not places & here:
            return -1, rest
        return self.without_dead_places(places & ~here & ~self.peers[cell], [house for house in needs if not house & here]), rest


def open_board(model: Model, assume: Assumed, tick: Callable[[], object] = int) -> OpenBoard | None:
    """Return the board under ``assume`` after naked and hidden singles; None if there is plainly no solution.

    Raises `Unsupported` for a model with constraints other than that cells differ.
    """
    if not model.is_houses or model.board < len(model.domains):
        raise Unsupported("frontier: expected a puzzle whose rules only require cells to differ; got other rules")
    domains = [domain & assume.get(cell, domain) for cell, domain in enumerate(model.domains)]
    houses = [constraint.cells for constraint in model.constraints if isinstance(constraint, AllDifferent)]
    sets = [sum(1 << cell for cell in set(house)) for house in houses]
    kinds = [_union_of_domains(domains, house).bit_count() for house in houses]
    if not all(domains) or any(kind < len(house) for kind, house in zip(kinds, houses, strict=True)):
        return None
    peers = [0] * len(domains)
    for house, cells in zip(houses, sets, strict=True):
        for cell in house:
            peers[cell] |= cells & ~(1 << cell)
    whole = _union_of_domains(domains, range(len(domains)))
    # A smaller house that happens to have only as many values left as cells needs these, but not the others.
    needs = tuple(cells for cells in sets if cells.bit_count() == whole.bit_count())
    values = tuple(sum(1 << cell for cell, domain in enumerate(domains) if domain >> value & 1) for value in members(whole))
    return _take_singles(OpenBoard(tuple(range(len(domains))), values, tuple(peers), needs), tick)


def _union_of_domains(domains: Sequence[Domain], cells: Iterable[Cell]) -> Domain:
    found = 0
    for cell in cells:
        found |= domains[cell]
    return found


def _take_singles(board: OpenBoard, tick: Callable[[], object]) -> OpenBoard | None:
    """Take all singles; decided cells are no longer open, and their houses need one value less."""
    values = list(board.values)
    decided = 0
    while True:
        tick()
        before = list(values)
        values = [board.without_dead_places(places, board.needs) for places in values]
        if min(values) < 0:
            return None
        for cell in board.cells:
            takers = [index for index, places in enumerate(values) if places >> cell & 1]
            if not takers:
                return None
            only = [i for i in takers if len(takers) == 1 or any(values[i] & house == 1 << cell for house in board.needs)]
            for index in takers if only else ():
                values[index] &= ~board.peers[cell] if index == only[0] else ~(1 << cell)
            decided |= bool(only) << cell
        if values == before:
            break
    still = tuple(cell for cell in board.cells if not decided >> cell & 1)
    needs = tuple(dict.fromkeys(house & ~decided for house in board.needs if house & ~decided))
    return OpenBoard(still, tuple(places & ~decided for places in values), board.peers, needs)


class FrontierSweep:
    """A pass over the open cells in a given order, with the states of all partly filled boards."""

    def __init__(self, board: OpenBoard, order: Iterable[Cell]) -> None:
        """Start before the first cell of ``order``; cells that are not open are skipped."""
        self._board = board
        self._left = [cell for cell in order if cell in set(board.cells)][::-1]
        self._kinds = list(dict.fromkeys(board.values))
        numbers = np.array([[self._kinds.index(places) for places in board.values]], np.int32)
        self.states = FrontierStates.of(numbers, len(self._kinds))
        self.widths: list[int] = []

    @property
    def done(self) -> bool:
        """Whether all cells are filled."""
        return not self._left or not len(self.states)

    @property
    def total(self) -> int:
        """The number of ways to all states: the number of solutions, once it is done."""
        return self.states.total()

    def advance(self, tick: Callable[[], object] = int) -> None:
        """Fill the next cell in every state; if ``tick`` raises, nothing has changed."""
        kinds, takes, rests = self._transitions(self._left[-1], tick)
        self.states = self.states.fill_cell(takes, rests, len(kinds), tick)
        self._kinds = kinds
        self._left.pop()
        self.widths.append(len(self.states))

    def _transitions(self, cell: Cell, tick: Callable[[], object]) -> tuple[list[CellSet], np.ndarray, np.ndarray]:
        """Return the sets of cells after ``cell``, and which of them each set becomes if its value takes the cell or not."""
        numbers: dict[CellSet, int] = {-1: DEAD}
        became = np.full((2, len(self._kinds)), DEAD, np.int32)
        # In few states many sets of cells no longer occur.
        used_numbers = self.states.used_numbers().tolist() if len(self.states) < FEW else range(len(self._kinds))
        for turn, index in enumerate(used_numbers):
            if turn % LOOK == 0:
                tick()
            after = self._board.after(self._kinds[index], cell)
            became[:, index] = [numbers.setdefault(places, len(numbers) - 1) for places in after]
        takes, rests = became
        del numbers[-1]
        return list(numbers), takes, rests


def count_solutions(board: OpenBoard, order: Iterable[Cell], tick: Callable[[], object] = int) -> int:
    """Return the number of solutions."""
    sweep = FrontierSweep(board, order)
    while not sweep.done:
        sweep.advance(tick)
    return sweep.total
