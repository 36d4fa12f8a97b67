"""Layouts: clues that are drawn before there is a solution, as setters draw them, so that they are symmetric and keep apart.

A random solution has few clues of which the images hold too. So drafts are put on an empty board first, together with their
images, as long as a solver finds solutions for all of them; then one of these is drawn.
"""

from __future__ import annotations

from dataclasses import replace
from math import log2, sqrt
from typing import TYPE_CHECKING, NamedTuple

from sudoku_cp.backends.assumption_cores import AssumptionSolver
from sudoku_cp.errors import LimitReached
from sudoku_cp.generate.variants.families.finder_family import FinderContext, join_images
from sudoku_cp.generate.variants.select_clues import (
    CandidateClue,
    Occupancy,
    SelectionSpec,
    clues_from_proposals,
    estimate_bits,
    model_with_parts,
)
from sudoku_cp.puzzle.pattern_symmetry import is_symmetric, orbits, symmetry_names
from sudoku_cp.rules.composite import AnyOf

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from random import Random

    from sudoku_cp.backends import Clock, Solution
    from sudoku_cp.generate.base import GenerateRequest
    from sudoku_cp.generate.variants.families.finder_family import FinderFamily
    from sudoku_cp.generate.variants.proposals import Style
    from sudoku_cp.grid import Grid
    from sudoku_cp.puzzle import Puzzle

SYMMETRIES: Mapping[str, int] = {"rot180": 4, "rot90": 2, "mirror": 1, "diagonal": 1, "antidiagonal": 1}
"""The symmetries of beautiful puzzles unless one is requested, and how often each is drawn."""
SHARE = 0.28
"""The information of a plain board's solution, as a share of that of its cells by themselves: 0.282 at 9x9, 0.266 at 6x6."""
FILLED = 0.9
"""The share of that information that a layout gives: with much more, hardly any layout has a solution."""
PLANS = 3
"""How often further drafts are tried in place of those that no solution has."""
NODES = 1_000
"""Conflicts after which a clue is taken to have no solution with those before it."""
COMPARED = 8
"""How many clues are compared for each that is put on the board."""
TOUCH = 0.12
"""The cost of each cell of another clue that touches a clue."""
PERSISTENT = 12
"""Attempts at a symmetric puzzle before others are tried too."""
LOOKS = 2
"""How often a family drafts clues for one layout, each time shorter ones."""
LENGTHS = (4, 6)
"""The fewest and the most cells of lines on a 9x9 board; all lines of a puzzle are alike."""


def choose_symmetry(random: Random, request: GenerateRequest, number: int) -> str:
    """Return the symmetry of clues and givens at attempt ``number``: that requested, or one that its givens can have.

    In minimal puzzles, where each clue of a group must be needed, only a symmetry that is requested is used. After `PERSISTENT`
    attempts every second one does without.
    """
    grid = request.grid
    if request.symmetry != "none" or request.minimal:
        return request.symmetry
    able = [name for name in SYMMETRIES if name in symmetry_names(grid) and _can_have(request, name)]
    if not able or (number > PERSISTENT and number % 2):
        return "none"
    return random.choices(able, [SYMMETRIES[name] for name in able])[0]


def _can_have(request: GenerateRequest, name: str) -> bool:
    """Return whether the givens requested can have a symmetry: those of a pattern, or their number."""
    if request.pattern is not None:
        return is_symmetric(request.grid, name, request.pattern)
    if request.givens is None:
        return True
    able = 1  # which numbers of givens there can be, as bits
    for orbit in orbits(request.grid, name):
        able |= able << len(orbit)
    least, most = request.givens
    return any(able >> number & 1 for number in range(least, len(request.grid.cells) + 1 if most is None else most + 1))


def draft_clues(
    random: Random, grid: Grid, families: Mapping[str, FinderFamily], style: Style, symmetry: str
) -> list[CandidateClue]:
    """Return drafts of every family that has any, each with its images; lines are about equally long, the longer ones first."""
    shortest, longest = LENGTHS
    length = round(style.size * random.randint(shortest, longest) * sqrt(len(grid.values) / 9))
    found: list[CandidateClue] = []
    for name, draft in ((name, family.draft) for name, family in families.items() if family.draft):
        for shorter in range(LOOKS):
            context = FinderContext(random, grid, (), style, symmetry, max(3, length - shorter))
            found += clues_from_proposals(name, join_images(context, draft(context)))
    return found


class LayoutContext(NamedTuple):
    """What a layout is drawn on: a board without givens, solutions of it by which clues are judged, what a layout may contain."""

    random: Random
    board: Puzzle
    samples: Sequence[Solution]
    spec: SelectionSpec
    clock: Clock

    def bits(self, clue: CandidateClue) -> float:
        """Return what a draft will say; if it is one of several clues, half a bit for each more than that it is any."""
        said = estimate_bits(self.board.grid, self.samples, [clue])[clue]
        return said + sum(isinstance(rule, AnyOf) for rule in clue.rules) / 2


def compose_layout(context: LayoutContext, drafts: Sequence[CandidateClue]) -> list[CandidateClue]:
    """Return drafts that keep apart and that some solution has together.

    There are so many that they say nearly as much as makes a solution unique, or that no other fits.
    """
    found: list[CandidateClue] = []
    left = list(drafts)
    for _ in range(PLANS):
        plan = _plan_layout(context, found, left)
        if not plan:
            break
        solver = _DraftSolver(context, [*found, *plan])
        for clue in plan:
            if solver.have_solution([*found, clue]):
                found.append(clue)
        gone = set(plan)
        left = [clue for clue in left if clue not in gone]
    return found


def _plan_layout(context: LayoutContext, found: Sequence[CandidateClue], drafts: Sequence[CandidateClue]) -> list[CandidateClue]:
    """Return drafts that fit together with those ``found``, families taking turns; whether a solution has them is open."""
    grid = context.board.grid
    wanted = FILLED * SHARE * len(grid.cells) * log2(len(grid.values)) / len(context.spec.families)
    plan: list[CandidateClue] = []
    for family in dict.fromkeys(clue.family for clue in drafts):
        own = [clue for clue in drafts if clue.family == family]
        said = sum(context.bits(clue) for clue in found if clue.family == family)
        while said < wanted and (clue := _choose_draft(context, [*found, *plan], own)):
            plan.append(clue)
            said += context.bits(clue)
    return plan


def _choose_draft(context: LayoutContext, found: Sequence[CandidateClue], left: Sequence[CandidateClue]) -> CandidateClue | None:
    """Return the prettiest of a few random drafts that fit with those ``found``; None where none fits."""
    occupancy = Occupancy(found, context.spec)
    able = [clue for clue in left if occupancy.takes(clue)]
    some = context.random.sample(able, min(COMPARED, len(able)))
    covered = {place for clue in found for place in clue.places}
    return min(some, key=lambda clue: clue.cost / clue.count + TOUCH * len(covered.intersection(_beside(clue))), default=None)


def _beside(clue: CandidateClue) -> Iterator[tuple[int, int]]:
    for row, column in sorted(clue.places):
        yield from ((row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1))


class _DraftSolver:
    """One solver in which every draft can be switched on or off."""

    def __init__(self, context: LayoutContext, drafts: Sequence[CandidateClue]) -> None:
        model, parts = model_with_parts(context.board, (), drafts, context.clock)
        self._numbers = {clue: number for number, clue in enumerate(drafts)}
        self._parts = AssumptionSolver(model, parts, limits=context.clock.left())
        self._clock = context.clock

    def have_solution(self, clues: Sequence[CandidateClue]) -> bool:
        """Return whether a solution has all these clues, and is found quickly."""
        self._clock.check()
        own = replace(self._clock.left(), nodes=NODES).started()
        try:
            return isinstance(self._parts.ask([self._numbers[clue] for clue in clues], clock=own), tuple)
        except LimitReached as reached:
            if reached.reason != "nodes":
                raise
            return False
