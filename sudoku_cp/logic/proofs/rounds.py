"""The path of rounds by which the proof-size engine solves a board, each round the smallest steps there are, all at once.

A round is the first of these that finds something: hidden singles in boxes (size 1); candidates that one rule part refutes alone
(1); hidden singles in other houses (1.25); naked singles (2); all candidates that the fewest groups refute (as many); and where
propagation refutes nothing, what deletion finds by SAT. As everything of a size is done at once, the path depends on no order.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from sudoku_cp.backends import UNLIMITED, Limits
from sudoku_cp.logic.candidate_board import make_board
from sudoku_cp.logic.layout import HouseKind
from sudoku_cp.logic.proofs.refutations import lone_refutations, smallest_refutations
from sudoku_cp.model import members
from sudoku_cp.time_limits import loading

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from sudoku_cp.backends import Clock
    from sudoku_cp.logic.candidate_board import CandidateBoard
    from sudoku_cp.logic.layout import GroupIndex
    from sudoku_cp.logic.proofs.refutations import Refutation
    from sudoku_cp.logic.step import Candidate
    from sudoku_cp.puzzle import Position, Puzzle


# The size profile of a puzzle: how large the proofs are that a person needs, for any rules.


EASY = 2
"""The size of the largest rounds that are not hard: naked singles, and what two groups refute."""


@dataclass(frozen=True)
class ProofProfile:
    """The rounds of a puzzle, and whether they end in a full grid that obeys the rules."""

    path: tuple[Round, ...]
    solved: bool

    @property
    def largest(self) -> float:
        """The size of the largest round, by which puzzles are ordered first; 0 without rounds."""
        return max((found.size for found in self.path), default=0)

    @property
    def squares(self) -> float:
        """The sum of the squares of all sizes, by which puzzles are ordered next."""
        return sum(found.size**2 for found in self.path)

    @property
    def rounds(self) -> int:
        """How many rounds there are."""
        return len(self.path)

    @property
    def hard(self) -> int:
        """How many rounds are larger than `EASY`."""
        return sum(found.size > EASY for found in self.path)

    @property
    def search(self) -> bool:
        """Whether some round took more than propagation."""
        return any(found.search for found in self.path)


def proof_profile(start: Puzzle | Position, limits: Limits = UNLIMITED) -> ProofProfile:
    """Return the profile of a puzzle or position; the path ends early if there is no solution, or not only one.

    Raises `LimitReached`.
    """
    clock = limits.started()
    board = make_board(start, clock)
    path = tuple(make_rounds(board, clock))
    return ProofProfile(path, not board.open and board.is_consistent())


IN_A_BOX, ALONE, IN_A_HOUSE, NAKED = 1, 1, 1.25, 2
"""The sizes of rounds that are not cones."""


class Round(NamedTuple):
    """All steps of one size: the values placed, or the candidates refuted; ``search`` if SAT found them."""

    size: float
    placements: tuple[Candidate, ...] = ()
    refutations: tuple[Refutation, ...] = ()
    search: bool = False


def make_rounds(board: CandidateBoard, clock: Clock) -> Iterator[Round]:
    """Yield round after round, each once it has been made on the board, which is full at the end.

    Ends early at a contradictory board, and where no candidate can be refuted. Raises `LimitReached`.
    """
    board.clock = clock
    while board.open and all(board.candidates[cell] for cell in members(board.open)):
        found = next_round(board, clock)
        if found is None:
            return
        apply_round(board, found)
        yield found


def apply_round(board: CandidateBoard, found: Round) -> None:
    """Do what a round says."""
    for cell, value in found.placements:
        board.place(cell, value)
    for refutation in found.refutations:
        board.remove(1 << refutation.cell, refutation.value)


def next_round(board: CandidateBoard, clock: Clock) -> Round | None:
    """Return the next round; None if no candidate can be refuted: there are several solutions, or the singles clash."""
    clock.check()
    layout = board.layout
    boxes = layout.houses_of_kind(HouseKind.BOX)
    if found := _hidden_singles(board, boxes):
        return _placing(IN_A_BOX, found)
    if refutations := lone_refutations(board):
        return Round(ALONE, refutations=tuple(refutations))
    if found := _hidden_singles(board, [house for house in range(layout.houses) if house not in boxes]):
        return _placing(IN_A_HOUSE, found)
    if found := _naked_singles(board):
        return _placing(NAKED, found)
    return _refuting(board, clock)


def _refuting(board: CandidateBoard, clock: Clock) -> Round | None:
    """Return the round that propagation finds, or else SAT."""
    if refutations := smallest_refutations(board):
        return Round(refutations[0].size, refutations=tuple(refutations))
    with loading():
        from sudoku_cp.logic.proofs.searched_refutations import searched_refutations  # noqa: PLC0415  # imports a solver library

    if refutations := searched_refutations(board, clock):
        return Round(refutations[0].size, refutations=tuple(refutations), search=True)
    return None


def _placing(size: float, found: set[Candidate]) -> Round | None:
    """Return the round that places these; None if a cell would get two values."""
    cells = {cell for cell, _ in found}
    return Round(size, tuple(sorted(found))) if len(cells) == len(found) else None


def _hidden_singles(board: CandidateBoard, houses: Iterable[GroupIndex]) -> set[Candidate]:
    candidates, found = board.candidates, set()
    for house in houses:
        once = twice = 0
        group = board.layout.groups[house]
        for cell in group.cells:
            twice |= once & candidates[cell]
            once |= candidates[cell]
        found |= {((board.places[value] & group.mask).bit_length() - 1, value) for value in members(once & ~twice)}
    return found


def _naked_singles(board: CandidateBoard) -> set[Candidate]:
    return {
        (cell, domain.bit_length() - 1)
        for cell in members(board.open)
        if (domain := board.candidates[cell]) and not domain & (domain - 1)
    }
