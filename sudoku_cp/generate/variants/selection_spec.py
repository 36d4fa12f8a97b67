"""What a selection of clues may contain, and which places of the board are taken."""

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
"""Any number of givens."""


@dataclass(frozen=True)
class SelectionSpec:
    """What a selection may contain: clues of ``families``, at ``most`` so many of each, and a number of ``givens``.

    ``fixed`` givens always stay. ``bits`` is the approximate information of each clue.
    """

    families: tuple[str, ...]
    most: Mapping[str, int]
    bits: Mapping[CandidateClue, float]
    givens: Span = ANY_GIVENS
    fixed: frozenset[CandidateClue] = frozenset()
    minimal: bool = False


class Occupancy:
    """Which spots of a board are taken by which clue, and how many clues of each family there are."""

    def __init__(self, clues: Iterable[CandidateClue], spec: SelectionSpec) -> None:
        """Put ``clues`` on the board; ``spec`` says how many there may be."""
        self._spec = spec
        self._taken: dict[Spot, CandidateClue] = {}
        self._covered: set[Place] = set()
        self._clues: list[CandidateClue] = []
        self.numbers: Counter[str] = Counter()
        for clue in clues:
            self.add(clue)

    def add(self, clue: CandidateClue) -> None:
        """Put another clue on the board."""
        self._clues.append(clue)
        self._taken.update(dict.fromkeys(clue.spots, clue))
        self._covered |= clue.places
        self.numbers[clue.family] += len(clue.cells) or 1

    def displaced(self, clue: CandidateClue) -> list[CandidateClue]:
        """Return the clues that it would replace: those that share a spot, and the last of its family if that is full."""
        going = list(dict.fromkeys(self._taken[spot] for spot in clue.spots if spot in self._taken))
        if self.full(clue) and not any(one.family == clue.family for one in going):
            going.append(next(one for one in reversed(self._clues) if one.family == clue.family))
        return going

    def overlaps(self, clue: CandidateClue) -> int:
        """Return how many of its cells are covered by others."""
        return len(self._covered & clue.places)

    def full(self, clue: CandidateClue) -> bool:
        """Return whether its family is full."""
        number = self.numbers[clue.family] + (len(clue.cells) or 1)
        most = self._spec.givens.most if clue.family == GIVEN else self._spec.most[clue.family]
        return most is not None and number > most

    def takes(self, clue: CandidateClue) -> bool:
        """Return whether it fits with the others."""
        return not self.full(clue) and not any(spot in self._taken for spot in clue.spots)
