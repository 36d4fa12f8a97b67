"""Singles, one step at a time, for every puzzle whose rules only say which cells differ.

`LADDER` is the order in which techniques are tried: after each step from its lowest rung again. A technique is a function
from a board to the steps it sees there, so a further one is a function and a line.
"""

from __future__ import annotations

from enum import IntEnum, StrEnum
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from sudoku_cp.errors import UnknownName
from sudoku_cp.logic.groups import Groups, groups_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from sudoku_cp.grid import Cell, Grid
    from sudoku_cp.model import Domain
    from sudoku_cp.puzzle import Puzzle


class Technique(StrEnum):
    """What a step is called."""

    FULL_HOUSE = "full house"
    HIDDEN_SINGLE = "hidden single"
    NAKED_SINGLE = "naked single"


class Step(NamedTuple):
    """A value that a cell must hold, how one sees it, and in which house; a naked single needs none."""

    technique: Technique
    cell: Cell
    value: int
    house: str = ""

    def told(self, grid: Grid) -> str:
        """Return the step in words, with the cell's name on its grid."""
        place = f" in {self.house}" if self.house else ""
        return f"{grid.cell_name(self.cell)} = {self.value}: {self.technique}{place}"


class Level(IntEnum):
    """How hard a puzzle is, in the three old words.

    Easy: hidden singles alone solve it. Medium: naked singles are needed too. Hard: singles alone do not solve it.
    """

    EASY = 0
    MEDIUM = 1
    HARD = 2

    def __str__(self) -> str:
        """Return the word."""
        return self.name.lower()


def parse_level(word: str) -> Level:
    """Return the level called ``easy``, ``medium`` or ``hard`` (any case)."""
    for level in Level:
        if str(level) == word.strip().lower():
            return level
    raise UnknownName("difficulty", word, map(str, Level))


class Left(NamedTuple):
    """How many cells stay open when hidden singles go no further, and when all singles do not; all of them in a wrong grid.

    Neither hangs on the order of the steps, as long as the puzzle has a solution.
    """

    after_hidden: int
    after_all: int

    @property
    def level(self) -> Level:
        """The word for it."""
        return Level.HARD if self.after_all else Level.MEDIUM if self.after_hidden else Level.EASY


class Board:
    """A puzzle on the way to its solution: the value of each cell, None while it is open, and its candidates until then."""

    def __init__(self, groups: Groups) -> None:
        """Start with every cell open."""
        self.groups = groups
        self.values: list[int | None] = [None] * len(groups.domains)
        self.candidates: list[Domain] = list(groups.domains)
        self._groups_of: list[list[tuple[Cell, ...]]] = [[] for _ in groups.domains]
        for group in groups.cells:
            for cell in group:
                self._groups_of[cell].append(group)

    def place(self, cell: Cell, value: int) -> None:
        """Fill a cell, and take its value from the candidates of all that must differ from it."""
        self.values[cell], self.candidates[cell] = value, 0
        for group in self._groups_of[cell]:
            for other in group:
                self.candidates[other] &= ~(1 << value)

    @property
    def houses(self) -> Iterator[tuple[str, tuple[Cell, ...]]]:
        """The houses with their names."""
        return zip(self.groups.names[: self.groups.houses], self.groups.cells, strict=False)

    def left(self) -> int:
        """Return how many cells are open; all, if the grid is full but wrong."""
        filled = [value for value in self.values if value is not None]
        if len(filled) == len(self.values) and not self.groups.hold(filled):
            return len(filled)
        return len(self.values) - len(filled)


Finder: TypeAlias = "Callable[[Board], Iterator[Step]]"
"""A technique: yields the steps it sees on a board, which it does not change."""


def full_houses(board: Board) -> Iterator[Step]:
    """Yield the last open cell of each house that has a single one."""
    for name, house in board.houses:
        cells = [cell for cell in house if board.values[cell] is None]
        if len(cells) == 1 and (domain := board.candidates[cells[0]]):
            yield Step(Technique.FULL_HOUSE, cells[0], domain.bit_length() - 1, name)


def hidden_singles(board: Board) -> Iterator[Step]:
    """Yield the values that have a single place left in a house."""
    for name, house in board.houses:
        once = twice = 0
        for cell in house:
            twice |= once & board.candidates[cell]
            once |= board.candidates[cell]
        for cell in house:
            if hidden := board.candidates[cell] & once & ~twice:
                yield Step(Technique.HIDDEN_SINGLE, cell, hidden.bit_length() - 1, name)


def naked_singles(board: Board) -> Iterator[Step]:
    """Yield the cells with a single candidate."""
    for cell, domain in enumerate(board.candidates):
        if domain and not domain & (domain - 1):
            yield Step(Technique.NAKED_SINGLE, cell, domain.bit_length() - 1)


LADDER: tuple[Finder, ...] = (full_houses, hidden_singles, naked_singles)
"""The techniques, those tried first in front."""
HIDDEN: tuple[Finder, ...] = (full_houses, hidden_singles)
"""The techniques of easy puzzles."""


def steps(puzzle: Puzzle, ladder: tuple[Finder, ...] = LADDER) -> Iterator[Step]:
    """Yield step after step, each the first that the lowest rung sees, until none sees any.

    Raises `Unsupported` if the rules say more than which cells differ.
    """
    return climbed(_board(puzzle), ladder)


def climbed(board: Board, ladder: tuple[Finder, ...]) -> Iterator[Step]:
    """Yield the steps on a board as they are made there."""
    while step := next(chain.from_iterable(find(board) for find in ladder), None):
        board.place(step.cell, step.value)
        yield step


def left_of(puzzle: Puzzle) -> Left:
    """Return how many cells singles leave open; raise `Unsupported` if the rules say more than which cells differ."""
    board = _board(puzzle)
    number = []
    for ladder in (HIDDEN, LADDER):
        for _ in climbed(board, ladder):
            pass
        number.append(board.left())
    return Left(*number)


def level_of(puzzle: Puzzle) -> Level:
    """Return the word for how hard a puzzle is; easy and medium ones have one solution, whatever was known of them before.

    Raises `Unsupported` if the rules say more than which cells differ.
    """
    return left_of(puzzle).level


def _board(puzzle: Puzzle) -> Board:
    board = Board(groups_of(puzzle))
    for cell, value in puzzle.givens.items():
        if board.groups.domains[cell] >> value & 1:
            board.place(cell, value)
        else:  # it stays open for ever
            board.candidates[cell] = 0
    return board
