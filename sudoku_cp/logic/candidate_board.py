"""The board on which techniques work: values, the candidates of open cells, and what the filled cells alone leave."""

from __future__ import annotations

from copy import copy
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from sudoku_cp.backends import UNLIMITED, Clock
from sudoku_cp.logic.layout import CellSet, GroupIndex, Layout, layout_of
from sudoku_cp.model import Domain, members, to_mask
from sudoku_cp.puzzle import Origin, Position
from sudoku_cp.time_limits import ticked, ticking

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from sudoku_cp.grid import Cell
    from sudoku_cp.logic.step import Candidate, Step
    from sudoku_cp.puzzle import Puzzle

_T = TypeVar("_T")


class ConjugatePair(NamedTuple):
    """The only two cells of a house that may hold a value."""

    cells: CellSet
    house: GroupIndex


class CandidateBoard:
    """A partly solved puzzle, as `layout` sees it.

    - ``values``: the value of each cell, None while it is open; ``givens`` (a cell set) are those of the puzzle.
    - ``domains``: the values that each cell may take before any is filled.
    - ``candidates``: the values that each open cell may still take; ``places``, the same by value: a cell set for each.
    - ``allowed``: what the filled cells alone leave, before any deduction; uniqueness is argued from it.
    - ``searched``: the values to which techniques of one value keep; all of them unless somebody asks for less.
    - ``clock``: the running limits of whoever asks; none at first.

    Placing a value removes it from the cells that see it: that is upkeep, never a step. Boards are equal if their layouts say the
    same and so do their cells; as they change, they have no hash.
    """

    __hash__ = None  # type: ignore[assignment]

    def __init__(self, layout: Layout, domains: Iterable[Domain] = ()) -> None:
        """Begin with every cell open; a puzzle's own pencil marks make ``domains`` narrower than the layout's."""
        self.layout = layout
        self.givens: CellSet = 0
        self.values: list[int | None] = [None] * len(layout.domains)
        self.domains: tuple[Domain, ...] = tuple(domains) or layout.domains
        self.candidates: list[Domain] = list(self.domains)
        self.allowed: list[Domain] = list(self.candidates)
        self.open: CellSet = (1 << len(layout.domains)) - 1
        self.searched: Domain = to_mask(layout.values)
        self.clock: Clock = UNLIMITED.started()
        self.places: list[CellSet] = list(_places_by_value(self.domains, max(layout.values, default=0)))
        self._derived: dict[Callable[[CandidateBoard], object], object] = {}

    def __eq__(self, other: object) -> bool:
        """Return whether two boards show the same, whatever their clocks say and whatever is searched for on them."""
        return self._content() == other._content() if isinstance(other, CandidateBoard) else NotImplemented

    def _content(self) -> tuple[object, ...]:
        layout = self.layout  # mostly one object for both, and then so are its fields, which are equal at a glance
        rules = (layout.grid, layout.domains, layout.auxiliaries, layout.groups, layout.parts)
        return (self.givens, self.values, self.domains, self.candidates, self.allowed, rules)

    # --- changes ------------------------------------------------------------------------------------------------

    def place(self, cell: Cell, value: int) -> None:
        """Fill a cell, and remove its value from all cells that see it."""
        self._derived.clear()
        for other in members(self.candidates[cell]):
            self.places[other] &= ~(1 << cell)
        self.values[cell], self.candidates[cell], self.allowed[cell] = value, 0, 0
        self.open &= ~(1 << cell)
        sight, others = self.layout.sight[cell], ~(1 << value)
        for other in members(sight & self.open):
            self.allowed[other] &= others
        self.remove(sight & self.places[value], value)

    def remove(self, cells: CellSet, value: int) -> None:
        """Remove a value from the candidates of cells."""
        self._derived.clear()
        self.places[value] &= ~cells
        others = ~(1 << value)
        for cell in members(cells):
            self.candidates[cell] &= others

    def keep_candidates(self, cell: Cell, domain: Domain) -> None:
        """Remove all other values from a cell."""
        for value in members(self.candidates[cell] & ~domain):
            self.remove(1 << cell, value)

    def apply(self, step: Step) -> None:
        """Do what a step says."""
        for cell, value in step.eliminations:
            self.remove(1 << cell, value)
        for cell, value in step.placements:
            self.place(cell, value)

    def is_changed_by(self, step: Step) -> bool:
        """Return whether a step does anything that has not been done yet."""
        return any(self.candidates[cell] >> value & 1 for cell, value in (*step.eliminations, *step.placements))

    def copy(self) -> CandidateBoard:
        """Return a board that changes apart from this one."""
        other = copy(self)
        for name in ("values", "candidates", "allowed", "places"):
            setattr(other, name, list(getattr(self, name)))
        other._derived = {}  # noqa: SLF001  # its own
        return other

    def tick(self) -> None:
        """Raise `LimitReached` if the clock has reached a limit; long searches call this now and then."""
        if self.clock.limits is not UNLIMITED:
            self.clock.check()

    # --- what techniques ask --------------------------------------------------------------------------------------

    def derive(self, make: Callable[[CandidateBoard], _T]) -> _T:
        """Return what ``make`` computes from this board; it is computed once, until the board changes."""
        if make not in self._derived:
            self._derived[make] = make(self)
        return self._derived[make]  # type: ignore[return-value]

    @property
    def searched_values(self) -> list[int]:
        """The values that techniques of one value look at: those searched for that still have a place."""
        return [value for value in members(self.searched) if self.places[value]]

    def values_in(self, cells: CellSet) -> Domain:
        """Return the values that are candidates in some of ``cells``."""
        union = 0
        for cell in members(cells):
            union |= self.candidates[cell]
        return union

    def conjugate_pairs(self, value: int) -> list[ConjugatePair]:
        """Return the houses in which a value has just two places."""
        return self.derive(_conjugate_pairs)[value]

    def eliminations(self, removed: Iterable[tuple[int, CellSet]]) -> tuple[Candidate, ...]:
        """Return those of the (value, cells) that are candidates now, in the order of cells and values."""
        found = {(cell, value) for value, cells in removed for cell in members(cells & self.places[value])}
        return tuple(sorted(found))

    # --- the end --------------------------------------------------------------------------------------------------

    def open_cells(self) -> int:
        """Return how many cells are open; all, if the grid is full but wrong."""
        size = len(self.values)
        return size if not self.open and not self.is_consistent() else self.open.bit_count()

    def is_consistent(self) -> bool:
        """Return whether no group holds a value twice and no filled cell a value outside its domain."""
        layout = self.layout
        for group in layout.groups:
            filled = [self.values[cell] for cell in group.cells if self.values[cell] is not None]
            if len(filled) != len(set(filled)):
                return False
        return all(value is None or domain >> value & 1 for value, domain in zip(self.values, layout.domains, strict=True))


@lru_cache(maxsize=64)
def _places_by_value(domains: tuple[Domain, ...], greatest: int) -> tuple[CellSet, ...]:
    """Return for each value up to the greatest the cells that it may stand in; most boards begin with those of the layout."""
    places = [0] * (greatest + 1)
    for cell, domain in enumerate(domains):
        for value in members(domain):
            places[value] |= 1 << cell
    return tuple(places)


def _conjugate_pairs(board: CandidateBoard) -> list[list[ConjugatePair]]:
    houses = [(index, group.mask) for index, group in enumerate(board.layout.groups[: board.layout.houses])]
    return [
        [ConjugatePair(places & mask, index) for index, mask in houses if (places & mask).bit_count() == 2]  # noqa: PLR2004
        for places in board.places
    ]


def make_board(start: Puzzle | Position, clock: Clock | None = None) -> CandidateBoard:
    """Return the board of a puzzle's givens and candidates, or of a position: its values and pencil marks too.

    Candidates of the puzzle are part of it, and narrow ``allowed``; pencil marks are deductions, and do not. A value that its
    cell cannot hold leaves it open, without any candidate. With a ``clock`` the board is made within its limits, which then hold
    for whatever is looked for on it; raises `LimitReached`.
    """
    position = start if isinstance(start, Position) else Position.of(start)
    if clock is None:
        return _fill_board(position)
    with ticking(clock.check):
        board = _fill_board(position)
    board.clock = clock
    return board


def _fill_board(position: Position) -> CandidateBoard:
    puzzle, layout = position.puzzle, layout_of(position.puzzle)
    domains = [domain & puzzle.candidates.get(cell, domain) for cell, domain in enumerate(layout.domains)]
    board = CandidateBoard(layout, domains)
    for cell, value in ticked(enumerate(position.values)):
        if value is None:
            continue
        if position.origins[cell] is Origin.GIVEN:
            board.givens |= 1 << cell
        if domains[cell] >> value & 1:
            board.place(cell, value)
        else:
            board.keep_candidates(cell, 0)
    for cell, domain in enumerate(position.marks):
        if domain:
            board.keep_candidates(cell, domain)
    return board
