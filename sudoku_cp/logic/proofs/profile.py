"""The size profile of a puzzle: how large the proofs are that a person needs, for any rules."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sudoku_cp.backends import UNLIMITED, Limits
from sudoku_cp.logic.candidate_board import make_board
from sudoku_cp.logic.proofs.rounds import make_rounds

if TYPE_CHECKING:
    from sudoku_cp.logic.proofs.rounds import Round
    from sudoku_cp.puzzle import Position, Puzzle

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
