"""One attempt at a puzzle: a solution, the clues that families propose for it, and the selection among them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from sudoku_cp.generate.base import Span
from sudoku_cp.generate.variants.clue_solver import GIVEN, CandidateClue, ClueSolver, clues_from_proposals
from sudoku_cp.generate.variants.minimize_clues import SelectedClues, check_givens_singly, minimize_clues
from sudoku_cp.generate.variants.select_clues import estimate_bits, pack_clues, select_clues
from sudoku_cp.generate.variants.selection_spec import ANY_GIVENS, SelectionSpec
from sudoku_cp.generate.variants.tile_board import Tiler, tile_board
from sudoku_cp.puzzle import Puzzle
from sudoku_cp.puzzle.pattern_symmetry import orbits

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from random import Random

    from sudoku_cp.backends import Clock, Solution
    from sudoku_cp.generate.base import GenerateRequest
    from sudoku_cp.generate.variants.families.finder_family import FinderFamily
    from sudoku_cp.generate.variants.proposals import Style
    from sudoku_cp.grid import Cell
    from sudoku_cp.rules.base import Rule

LOOKS, MOST_LOOKS = 3, 6
"""How often a family proposes where the givens are bounded, at first and at most; where they are not it proposes once."""
SEVERAL = "the clues found allow several solutions, or a question ran out of conflicts"
REVERSIBLE = "the clues found also hold with the values reversed, so that no puzzle can do without givens"
TIRED = 5
"""Each time after this many attempts, families propose once more."""
DEAR = 10.0
"""The cost of a given."""


class AttemptResult(NamedTuple):
    """The selected clues, the pool of further clues, and the constraints on the selection."""

    selection: SelectedClues
    pool: Sequence[CandidateClue]
    spec: SelectionSpec


@dataclass(frozen=True)
class Attempt:
    """A ``board`` (grid and rules, no givens) with a ``solution``, and the request.

    ``number`` counts the attempts; later ones propose more clues.
    """

    request: GenerateRequest
    families: Mapping[str, FinderFamily]
    style: Style
    board: Puzzle
    solution: Solution
    random: Random
    clock: Clock
    number: int = 0

    def run(self) -> AttemptResult | str:
        """Return clues that allow no other solution, or in words why none were found."""
        found = self._select()
        if isinstance(found, str) or not self.request.minimal:
            return found
        return found._replace(selection=check_givens_singly(self.board, self.solution, found.selection, self.clock))

    def _select(self) -> AttemptResult | str:
        fixed, spare = self._split_givens()
        only = next(iter(self.families.values())) if len(self.families) == 1 else None
        if only is not None and self.style.tiled and only.tile is not None:
            return self._tile(Tiler(only.tile, only.name, self.random, self.solution, self.style), fixed, spare)
        pool = self._propose()
        if lacking := self.families.keys() - {clue.family for clue in pool}:
            return f"found no {' or '.join(sorted(lacking))} clues"
        if not (fixed or spare) and self._hold_reversed(pool):
            return REVERSIBLE
        solver = ClueSolver(self.board, self.solution, [*pool, *fixed, *spare], self.clock)
        spec = self._make_spec(fixed, estimate_bits(self.random, solver, [*pool, *fixed, *spare]))
        initial = [*pack_clues(self.random, pool, spec), *fixed]
        found = select_clues(self.random, solver, initial, [*pool, *spare], spec)
        if found is None:
            return SEVERAL
        selection = minimize_clues(self.random, solver, found, spec)
        if lacking := self.families.keys() - {clue.family for clue in selection.clues}:
            return f"found no need for {' or '.join(sorted(lacking))} clues"
        return AttemptResult(replace(selection, clues=self._enrich(found, selection.clues)), [*pool, *spare], spec)

    def _tile(self, tiler: Tiler, fixed: Sequence[CandidateClue], spare: Sequence[CandidateClue]) -> AttemptResult | str:
        found = tile_board(tiler, self.board, fixed, self.clock)
        if found is None:
            return SEVERAL
        solver, tiles = found
        spec = self._make_spec(fixed, {})
        clues = [*tiles, *fixed]
        selection = minimize_clues(self.random, solver, clues, spec) if self.request.minimal else SelectedClues(tuple(clues))
        return AttemptResult(selection, spare, spec)

    def _propose(self) -> list[CandidateClue]:
        """Return what the families propose, several times over where many clues may be needed."""
        bounded = self.request.pattern is not None or (self.request.givens is not None and self.request.givens.most is not None)
        looks = min(MOST_LOOKS, (LOOKS if bounded else 1) + self.number // TIRED)
        pool: list[CandidateClue] = []
        for name, family in self.families.items():
            context = (self.random, self.board.grid, self.solution, self.style)
            pool += clues_from_proposals(name, chain.from_iterable(family.propose(*context) for _ in range(looks)))
        return pool

    def _hold_reversed(self, pool: Sequence[CandidateClue]) -> bool:
        """Return whether the board and all clues also hold with the values reversed."""
        values = self.board.grid.values
        turned = tuple(values[0] + values[-1] - value for value in self.solution)
        return self.board.holds(turned) and not any(clue.excludes(self.board.grid, self.solution, turned) for clue in pool)

    def _make_spec(self, fixed: Sequence[CandidateClue], bits: Mapping[CandidateClue, float]) -> SelectionSpec:
        request = self.request
        most = {name: family.most(self.board.grid) for name, family in self.families.items()}
        givens = ANY_GIVENS if request.givens is None else request.givens
        if request.pattern is not None:
            givens = Span(0, len(request.pattern))
        return SelectionSpec(
            tuple(most), most, bits, givens, frozenset(fixed if request.pattern is not None else ()), request.minimal
        )

    def _split_givens(self) -> tuple[list[CandidateClue], list[CandidateClue]]:
        """Return the givens to begin with, and those that may be added."""
        request = self.request
        if request.pattern is not None:
            return [_given_clue((cell,)) for cell in request.pattern], []
        units = [_given_clue(cells) for cells in orbits(self.board.grid, request.symmetry)]
        self.random.shuffle(units)
        least, most = ANY_GIVENS if request.givens is None else request.givens
        initial: list[CandidateClue] = []
        for unit in units:
            cells = sum(len(one.cells) for one in initial)
            if cells < least and (most is None or cells + len(unit.cells) <= most):
                initial.append(unit)
        among = set(initial)
        return initial, [unit for unit in units if unit not in among and most != 0]

    def _enrich(self, chosen: Sequence[CandidateClue], kept: Sequence[CandidateClue]) -> tuple[CandidateClue, ...]:
        """Return the clues kept, and in a rich style some that are not needed, unless the puzzle must be minimal."""
        if self.request.minimal or not self.style.spare:
            return tuple(kept)
        among = set(kept)
        spare = [clue for clue in chosen if clue not in among and clue.family != GIVEN]
        return (*kept, *self.random.sample(spare, round(self.style.spare * len(spare))))

    def puzzle(self, clues: Sequence[CandidateClue]) -> Puzzle:
        """Return the puzzle with these clues, in the order of their families and cells."""
        rules: list[Rule] = []
        for name in self.families:
            rules += sorted((rule for clue in clues if clue.family == name for rule in clue.rules), key=repr)
        givens = {cell: self.solution[cell] for clue in clues for cell in clue.cells}
        return Puzzle(self.board.grid, (*self.board.rules, *rules), givens, solution=self.solution)


def _given_clue(cells: tuple[Cell, ...]) -> CandidateClue:
    return CandidateClue(GIVEN, cells=cells, cost=DEAR)
