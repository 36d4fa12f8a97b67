"""One solution, what families say of it, and the clues chosen among that."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from sudoku_cp.generate.base import Span
from sudoku_cp.generate.variants.clue_solver import GIVEN, CandidateClue, ClueSolver, clues_from_proposals
from sudoku_cp.generate.variants.minimize_clues import SelectedClues, check_givens_singly, minimize_clues
from sudoku_cp.generate.variants.proposals import CanTile
from sudoku_cp.generate.variants.select_clues import estimate_bits, pack_clues, select_clues
from sudoku_cp.generate.variants.selection_spec import ANY_GIVENS, SelectionSpec
from sudoku_cp.generate.variants.tile_board import Tiler, tile_board
from sudoku_cp.puzzle import Puzzle
from sudoku_cp.puzzle.symmetry import orbits

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from random import Random

    from sudoku_cp.backends import Clock, Solution
    from sudoku_cp.generate.base import Wishes
    from sudoku_cp.generate.variants.proposals import ClueFamily, Style
    from sudoku_cp.grid import Cell
    from sudoku_cp.rules.base import Rule

LOOKS, MOST_LOOKS = 3, 6
"""Times that a family proposes where givens are bounded, and at the most; where they are not it proposes once."""
SEVERAL = "the clues found allow several solutions, or nobody told within the conflicts of a question"
BACKWARDS = "the clues found hold as well with the values in the reverse order, so that no puzzle can do without givens"
TIRED = 5
"""After so many attempts families propose once more in each."""
DEAR = 10.0
"""What a given costs."""


class AttemptResult(NamedTuple):
    """A choice, the clues that it was made of, and its terms."""

    choice: SelectedClues
    pool: Sequence[CandidateClue]
    terms: SelectionSpec


@dataclass(frozen=True)
class Attempt:
    """A ``board`` (grid and rules, no givens) with a ``solution``, and what is wished for.

    ``number`` counts the attempts; the later it is, the more is proposed.
    """

    wishes: Wishes
    families: Mapping[str, ClueFamily]
    style: Style
    board: Puzzle
    solution: Solution
    random: Random
    clock: Clock
    number: int = 0

    def chosen(self) -> AttemptResult | str:
        """Return clues that allow no other solution, or why there are none."""
        found = self._chosen()
        if isinstance(found, str) or not self.wishes.minimal:
            return found
        return found._replace(choice=check_givens_singly(self.board, self.solution, found.choice, self.clock))

    def _chosen(self) -> AttemptResult | str:
        fixed, spare = self._givens()
        only = next(iter(self.families.values())) if len(self.families) == 1 else None
        if only is not None and self.style.tiled and isinstance(only, CanTile):
            return self._tiled(Tiler(only, only.name, self.random, self.solution, self.style), fixed, spare)
        pool = self._proposed()
        if lacking := self.families.keys() - {clue.family for clue in pool}:
            return f"found no clues that are {' or '.join(sorted(lacking))}"
        if not (fixed or spare) and self._hold_backwards(pool):
            return BACKWARDS
        asking = ClueSolver(self.board, self.solution, [*pool, *fixed, *spare], self.clock)
        terms = self._terms(fixed, estimate_bits(self.random, asking, [*pool, *fixed, *spare]))
        begun = [*pack_clues(self.random, pool, terms), *fixed]
        found = select_clues(self.random, asking, begun, [*pool, *spare], terms)
        if found is None:
            return SEVERAL
        choice = minimize_clues(self.random, asking, found, terms)
        if lacking := self.families.keys() - {clue.family for clue in choice.clues}:
            return f"found no need for clues that are {' or '.join(sorted(lacking))}"
        return AttemptResult(replace(choice, clues=self._enriched(found, choice.clues)), [*pool, *spare], terms)

    def _tiled(self, tiler: Tiler, fixed: Sequence[CandidateClue], spare: Sequence[CandidateClue]) -> AttemptResult | str:
        found = tile_board(tiler, self.board, fixed, self.clock)
        if found is None:
            return SEVERAL
        asking, tiles = found
        terms = self._terms(fixed, {})
        clues = [*tiles, *fixed]
        choice = minimize_clues(self.random, asking, clues, terms) if self.wishes.minimal else SelectedClues(tuple(clues))
        return AttemptResult(choice, spare, terms)

    def _proposed(self) -> list[CandidateClue]:
        """Return what the families propose, each several times where much must come of it."""
        bounded = self.wishes.pattern is not None or (self.wishes.givens is not None and self.wishes.givens.most is not None)
        looks = min(MOST_LOOKS, (LOOKS if bounded else 1) + self.number // TIRED)
        pool: list[CandidateClue] = []
        for name, family in self.families.items():
            asked = [(self.random, self.board.grid, self.solution, self.style)] * looks
            pool += clues_from_proposals(name, chain.from_iterable(family.propose(*each) for each in asked))
        return pool

    def _hold_backwards(self, pool: Sequence[CandidateClue]) -> bool:
        """Say whether the board and all clues hold as well with the first value for the last, and so on."""
        values = self.board.grid.values
        turned = tuple(values[0] + values[-1] - value for value in self.solution)
        return self.board.holds(turned) and not any(clue.excludes(self.board.grid, self.solution, turned) for clue in pool)

    def _terms(self, fixed: Sequence[CandidateClue], told: Mapping[CandidateClue, float]) -> SelectionSpec:
        wishes = self.wishes
        most = {name: family.most(self.board.grid) for name, family in self.families.items()}
        givens = ANY_GIVENS if wishes.givens is None else wishes.givens
        if wishes.pattern is not None:
            givens = Span(0, len(wishes.pattern))
        return SelectionSpec(
            tuple(most), most, told, givens, frozenset(fixed if wishes.pattern is not None else ()), wishes.minimal
        )

    def _givens(self) -> tuple[list[CandidateClue], list[CandidateClue]]:
        """Return the givens to begin with, and those that may be added."""
        wishes = self.wishes
        if wishes.pattern is not None:
            return [_given_clue((cell,)) for cell in wishes.pattern], []
        units = [_given_clue(cells) for cells in orbits(self.board.grid, wishes.symmetry)]
        self.random.shuffle(units)
        least, most = ANY_GIVENS if wishes.givens is None else wishes.givens
        begun: list[CandidateClue] = []
        for unit in units:
            cells = sum(len(one.cells) for one in begun)
            if cells < least and (most is None or cells + len(unit.cells) <= most):
                begun.append(unit)
        among = set(begun)
        return begun, [unit for unit in units if unit not in among and most != 0]

    def _enriched(self, chosen: Sequence[CandidateClue], kept: Sequence[CandidateClue]) -> tuple[CandidateClue, ...]:
        """Return the clues kept, and where the style is rich and nothing is to be minimal, some of those that were not needed."""
        if self.wishes.minimal or not self.style.spare:
            return tuple(kept)
        among = set(kept)
        spare = [clue for clue in chosen if clue not in among and clue.family != GIVEN]
        return (*kept, *self.random.sample(spare, round(self.style.spare * len(spare))))

    def puzzle(self, clues: Sequence[CandidateClue]) -> Puzzle:
        """Return the puzzle with these clues, in the order of their families and cells."""
        rules = [rule for name in self.families for rule in sorted(_rules_of_family(clues, name), key=repr)]
        givens = {cell: self.solution[cell] for clue in clues for cell in clue.cells}
        return Puzzle(self.board.grid, (*self.board.rules, *rules), givens, solution=self.solution)


def _given_clue(cells: tuple[Cell, ...]) -> CandidateClue:
    return CandidateClue(GIVEN, cells=cells, cost=DEAR)


def _rules_of_family(clues: Sequence[CandidateClue], family: str) -> list[Rule]:
    return [rule for clue in clues if clue.family == family for rule in clue.rules]
