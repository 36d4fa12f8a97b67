"""One solution, what families say of it, and the clues chosen among that."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from sudoku_cp.generate.base import Span
from sudoku_cp.generate.variants.choosing import bits, enough, packed
from sudoku_cp.generate.variants.clues import GIVEN, Asking, Clue, clues_of
from sudoku_cp.generate.variants.needs import Choice, each_needed, needed
from sudoku_cp.generate.variants.proposals import Tiles
from sudoku_cp.generate.variants.terms import FREELY, Terms
from sudoku_cp.generate.variants.tiling import Tiler, tiled
from sudoku_cp.puzzle import Puzzle
from sudoku_cp.puzzle.symmetry import orbits

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from random import Random

    from sudoku_cp.backends import Clock, Solution
    from sudoku_cp.generate.base import Wishes
    from sudoku_cp.generate.variants.proposals import Family, Style
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


class Chosen(NamedTuple):
    """A choice, the clues that it was made of, and its terms."""

    choice: Choice
    pool: Sequence[Clue]
    terms: Terms


@dataclass(frozen=True)
class Attempt:
    """A ``board`` (grid and rules, no givens) with a ``solution``, and what is wished for.

    ``number`` counts the attempts; the later it is, the more is proposed.
    """

    wishes: Wishes
    families: Mapping[str, Family]
    style: Style
    board: Puzzle
    solution: Solution
    random: Random
    clock: Clock
    number: int = 0

    def chosen(self) -> Chosen | str:
        """Return clues that allow no other solution, or why there are none."""
        found = self._chosen()
        if isinstance(found, str) or not self.wishes.minimal:
            return found
        return found._replace(choice=each_needed(self.board, self.solution, found.choice, self.clock))

    def _chosen(self) -> Chosen | str:
        fixed, spare = self._givens()
        only = next(iter(self.families.values())) if len(self.families) == 1 else None
        if only is not None and self.style.tiled and isinstance(only, Tiles):
            return self._tiled(Tiler(only, only.name, self.random, self.solution, self.style), fixed, spare)
        pool = self._proposed()
        if lacking := self.families.keys() - {clue.family for clue in pool}:
            return f"found no clues that are {' or '.join(sorted(lacking))}"
        if not (fixed or spare) and self._hold_backwards(pool):
            return BACKWARDS
        asking = Asking(self.board, self.solution, [*pool, *fixed, *spare], self.clock)
        terms = self._terms(fixed, bits(self.random, asking, [*pool, *fixed, *spare]))
        begun = [*packed(self.random, pool, terms), *fixed]
        found = enough(self.random, asking, begun, [*pool, *spare], terms)
        if found is None:
            return SEVERAL
        choice = needed(self.random, asking, found, terms)
        if lacking := self.families.keys() - {clue.family for clue in choice.clues}:
            return f"found no need for clues that are {' or '.join(sorted(lacking))}"
        return Chosen(replace(choice, clues=self._enriched(found, choice.clues)), [*pool, *spare], terms)

    def _tiled(self, tiler: Tiler, fixed: Sequence[Clue], spare: Sequence[Clue]) -> Chosen | str:
        found = tiled(tiler, self.board, fixed, self.clock)
        if found is None:
            return SEVERAL
        asking, tiles = found
        terms = self._terms(fixed, {})
        clues = [*tiles, *fixed]
        choice = needed(self.random, asking, clues, terms) if self.wishes.minimal else Choice(tuple(clues))
        return Chosen(choice, spare, terms)

    def _proposed(self) -> list[Clue]:
        """Return what the families propose, each several times where much must come of it."""
        bounded = self.wishes.pattern is not None or (self.wishes.givens is not None and self.wishes.givens.most is not None)
        looks = min(MOST_LOOKS, (LOOKS if bounded else 1) + self.number // TIRED)
        pool: list[Clue] = []
        for name, family in self.families.items():
            asked = [(self.random, self.board.grid, self.solution, self.style)] * looks
            pool += clues_of(name, chain.from_iterable(family.propose(*each) for each in asked))
        return pool

    def _hold_backwards(self, pool: Sequence[Clue]) -> bool:
        """Say whether the board and all clues hold as well with the first value for the last, and so on."""
        values = self.board.grid.values
        turned = tuple(values[0] + values[-1] - value for value in self.solution)
        return self.board.holds(turned) and not any(clue.excludes(self.board.grid, self.solution, turned) for clue in pool)

    def _terms(self, fixed: Sequence[Clue], told: Mapping[Clue, float]) -> Terms:
        wishes = self.wishes
        most = {name: family.most(self.board.grid) for name, family in self.families.items()}
        givens = FREELY if wishes.givens is None else wishes.givens
        if wishes.pattern is not None:
            givens = Span(0, len(wishes.pattern))
        return Terms(tuple(most), most, told, givens, frozenset(fixed if wishes.pattern is not None else ()), wishes.minimal)

    def _givens(self) -> tuple[list[Clue], list[Clue]]:
        """Return the givens to begin with, and those that may be added."""
        wishes = self.wishes
        if wishes.pattern is not None:
            return [_given((cell,)) for cell in wishes.pattern], []
        units = [_given(cells) for cells in orbits(self.board.grid, wishes.symmetry)]
        self.random.shuffle(units)
        least, most = FREELY if wishes.givens is None else wishes.givens
        begun: list[Clue] = []
        for unit in units:
            cells = sum(len(one.cells) for one in begun)
            if cells < least and (most is None or cells + len(unit.cells) <= most):
                begun.append(unit)
        among = set(begun)
        return begun, [unit for unit in units if unit not in among and most != 0]

    def _enriched(self, chosen: Sequence[Clue], kept: Sequence[Clue]) -> tuple[Clue, ...]:
        """Return the clues kept, and where the style is rich and nothing is to be minimal, some of those that were not needed."""
        if self.wishes.minimal or not self.style.spare:
            return tuple(kept)
        among = set(kept)
        spare = [clue for clue in chosen if clue not in among and clue.family != GIVEN]
        return (*kept, *self.random.sample(spare, round(self.style.spare * len(spare))))

    def puzzle(self, clues: Sequence[Clue]) -> Puzzle:
        """Return the puzzle with these clues, in the order of their families and cells."""
        rules = [rule for name in self.families for rule in sorted(_rules(clues, name), key=repr)]
        givens = {cell: self.solution[cell] for clue in clues for cell in clue.cells}
        return Puzzle(self.board.grid, (*self.board.rules, *rules), givens, solution=self.solution)


def _given(cells: tuple[Cell, ...]) -> Clue:
    return Clue(GIVEN, cells=cells, cost=DEAR)


def _rules(clues: Sequence[Clue], family: str) -> list[Rule]:
    return [rule for clue in clues if clue.family == family for rule in clue.rules]
