"""What a choice of clues may hold, and the room there is for more of them."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sudoku_cp.generate.base import Span
from sudoku_cp.generate.variants.clue_solver import GIVEN, CandidateClue

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from sudoku_cp.generate.variants.proposals import Spot
    from sudoku_cp.grid import Place

ANY_GIVENS = Span(0)
"""As many givens as there are cells, or none."""


@dataclass(frozen=True)
class SelectionSpec:
    """What a choice may hold: clues of ``families``, at the ``most`` so many of each, so many cells in ``givens``.

    ``fixed`` givens stay whatever happens. ``bits`` is about how much each clue says.
    """

    families: tuple[str, ...]
    most: Mapping[str, int]
    bits: Mapping[CandidateClue, float]
    givens: Span = ANY_GIVENS
    fixed: frozenset[CandidateClue] = frozenset()
    minimal: bool = False


class Occupancy:
    """What is taken of a board, and how many clues of each family there are."""

    def __init__(self, clues: Iterable[CandidateClue], terms: SelectionSpec) -> None:
        """Put these clues on the board."""
        self._terms = terms
        self._taken: dict[Spot, CandidateClue] = {}
        self._covered: set[Place] = set()
        self._clues: list[CandidateClue] = []
        self.numbers: Counter[str] = Counter()
        for clue in clues:
            self.add(clue)

    def add(self, clue: CandidateClue) -> None:
        """Put one more on the board."""
        self._clues.append(clue)
        self._taken.update(dict.fromkeys(clue.spots, clue))
        self._covered |= clue.places
        self.numbers[clue.family] += len(clue.cells) or 1

    def displaced(self, clue: CandidateClue) -> list[CandidateClue]:
        """Return the clues that must go for it: those that share a spot with it, and the last of its family if that is full."""
        going = list(dict.fromkeys(self._taken[spot] for spot in clue.spots if spot in self._taken))
        if self.full(clue) and not any(one.family == clue.family for one in going):
            going.append(next(one for one in reversed(self._clues) if one.family == clue.family))
        return going

    def overlaps(self, clue: CandidateClue) -> int:
        """Return how many cells it covers that others cover too."""
        return len(self._covered & clue.places)

    def full(self, clue: CandidateClue) -> bool:
        """Say whether there are as many of its family as there may be."""
        number = self.numbers[clue.family] + (len(clue.cells) or 1)
        most = self._terms.givens.most if clue.family == GIVEN else self._terms.most[clue.family]
        return most is not None and number > most

    def takes(self, clue: CandidateClue) -> bool:
        """Say whether it goes with the others."""
        return not self.full(clue) and not any(spot in self._taken for spot in clue.spots)
