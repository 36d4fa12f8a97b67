"""Candidate clues, and one solver in which any of them can be switched on or off."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

from sudoku_cp.backends.assumption_cores import AssumptionSolver
from sudoku_cp.errors import LimitReached
from sudoku_cp.model import Clause, Literal, Model, Statement, join_blocks, make_block, shift_auxiliaries

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from sudoku_cp.backends import Clock, Solution
    from sudoku_cp.generate.variants.proposals import Proposal, Spot
    from sudoku_cp.grid import Cell, Grid, Place
    from sudoku_cp.puzzle import Puzzle
    from sudoku_cp.rules.base import Rule

GIVEN = "given"
"""The family of the cells that are given."""
INK = frozenset({"cage", "line", "sign"})
"""Layers that cover cells; clues of different layers can share cells, but look better apart."""


@dataclass(frozen=True, eq=False)
class CandidateClue:
    """A clue that a puzzle may get: the ``rules`` of a proposal, or ``cells`` that are given together. Equal only to itself."""

    family: str
    rules: tuple[Rule, ...] = ()
    cells: tuple[Cell, ...] = ()
    cost: float = 1.0
    spots: tuple[Spot, ...] = ()

    @cached_property
    def places(self) -> frozenset[Place]:
        """The places that it covers."""
        return frozenset((row, column) for layer, row, column in self.spots if layer in INK)

    def excludes(self, grid: Grid, solution: Solution, other: Solution) -> bool:
        """Return whether it does not hold for another solution of the board."""
        return any(other[cell] != solution[cell] for cell in self.cells) or not all(
            rule.holds(grid, other) for rule in self.rules
        )


def clues_from_proposals(family: str, proposals: Iterable[Proposal]) -> list[CandidateClue]:
    """Return the proposals of a family as clues, one for each set of rules."""
    once = {proposal.rules: proposal for proposal in proposals}
    return [CandidateClue(family, proposal.rules, (), proposal.cost, tuple(sorted(proposal.spots))) for proposal in once.values()]


class ClueSolver:
    """One solver for all clues of an attempt. Its counter-solutions depend on the questions asked before, and on nothing else."""

    def __init__(self, board: Puzzle, solution: Solution, clues: Sequence[CandidateClue], clock: Clock) -> None:
        """Translate the board (which has no givens) and every clue."""
        self.grid, self.solution = board.grid, solution
        self._numbers = {clue: number for number, clue in enumerate(clues)}
        self._clues = clues
        self._clock = clock
        model, parts = _model_with_parts(board, solution, clues, clock)
        self._parts = AssumptionSolver(model, parts, limits=clock.left())
        self._besides = dict(enumerate(solution))
        self.spent = 0

    def other(self, held: Collection[CandidateClue], nodes: int) -> Solution | list[CandidateClue] | None:
        """Return another solution that the clues ``held`` allow, or a core: those of them that together allow no other.

        Return None after ``nodes`` conflicts without an answer. Raises `LimitReached` for the limits of the attempt.
        """
        self._clock.check()
        left = self._clock.left()
        own = replace(left, nodes=nodes if left.nodes is None else min(nodes, left.nodes)).started()
        try:
            found = self._parts.ask([self._numbers[clue] for clue in held], self._besides, clock=own)
        except LimitReached as reached:
            if reached.reason != "nodes":
                raise
            found = None
        self.spent += own.nodes
        self._clock.nodes += own.nodes
        self._clock.check()
        return [clue for clue in held if self._numbers[clue] in found] if isinstance(found, frozenset) else found

    def check(self) -> None:
        """Raise `LimitReached` if a limit of the attempt has been reached."""
        self._clock.check()

    def excludes(self, clue: CandidateClue, other: Solution) -> bool:
        """Return whether a clue excludes a counter-solution."""
        return clue.excludes(self.grid, self.solution, other)


def _model_with_parts(
    board: Puzzle, solution: Solution, clues: Sequence[CandidateClue], clock: Clock
) -> tuple[Model, list[tuple[Statement, ...]]]:
    """Return the model of the board with the auxiliaries of all clues, and the statements of each clue."""
    model = board.model(clock.check)
    domains, size = list(model.domains), model.board
    parts = []
    for clue in clues:
        statements: list[Statement] = []
        for rule in clue.rules:
            own = join_blocks(model.domains[:size], [make_block(rule.kind, rule.lower(board.grid), clock.check)])
            statements += shift_auxiliaries(own, len(domains) - size)
            domains += own.domains[size:]
        statements += [Statement(Clause((Literal(cell, solution[cell]),)), GIVEN, GIVEN) for cell in clue.cells]
        parts.append(tuple(statements))
    return Model(tuple(domains), model.statements, size), parts
