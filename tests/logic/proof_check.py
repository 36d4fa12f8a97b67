"""Proofs of steps checked by a SAT solver: pencil marks, the groups of a proof and the negation of a result are contradictory.

Independent of what the package does with proof groups, but for the clauses of rule parts.
"""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

from pysat.solvers import Solver

from sudoku_cp.logic.step import ProofStatement
from sudoku_cp.model import Automaton, Count, Linear, Table, cells_of, members
from sudoku_cp.model.model import AUXILIARY
from sudoku_cp.model.rewrite import as_clauses

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sudoku_cp.logic.candidate_board import CandidateBoard
    from sudoku_cp.logic.step import Candidate, ProofGroup, Step


class _Formula:
    """Clauses over the candidates of a board."""

    def __init__(self, board: CandidateBoard) -> None:
        self.board = board
        self.numbers: dict[tuple[int, int], int] = {}
        self.domains = [
            domain if value is None else 1 << value for domain, value in zip(board.candidates, board.values, strict=True)
        ] + [AUXILIARY] * board.layout.auxiliaries

    def literal(self, cell: int, value: int) -> int:
        """Return the variable of a candidate; an auxiliary has one, which is true for 1."""
        if cell >= len(self.board.values):
            return self.numbers.setdefault((cell, 1), len(self.numbers) + 1) * (1 if value else -1)
        return self.numbers.setdefault((cell, value), len(self.numbers) + 1)

    def filled(self) -> Iterator[list[int]]:
        """Yield the values of filled cells as clauses."""
        for cell, value in enumerate(self.board.values):
            if value is not None:
                yield [self.literal(cell, value)]

    def clauses(self, group: ProofGroup) -> Iterator[list[int]]:
        """Yield what a proof group says of the live candidates."""
        board, (statement, index, value) = self.board, group
        if statement is ProofStatement.PART:
            yield from self._part_clauses(index)
            return
        if statement in {ProofStatement.HAS_VALUE, ProofStatement.ONE_VALUE}:
            literals = [self.literal(index, one) for one in members(board.candidates[index])]
        else:
            literals = [self.literal(cell, value) for cell in members(board.places[value] & board.layout.groups[index].mask)]
            assert statement is ProofStatement.ONCE or board.layout.groups[index].kind, "only in a house has each value a place"
        if statement in {ProofStatement.HAS_VALUE, ProofStatement.HAS_PLACE}:
            yield literals
        else:
            yield from ([-one, -other] for one, other in combinations(literals, 2))

    def _part_clauses(self, index: int) -> Iterator[list[int]]:
        def fresh() -> int:
            self.domains.append(AUXILIARY)
            return len(self.domains) - 1

        for constraint in self.board.layout.parts[index].constraints:
            if isinstance(constraint, Linear | Count | Table | Automaton):
                # What they say of values they say of cells that have one; their clauses leave that out of some cells.
                for cell in cells_of(constraint):
                    yield [self.literal(cell, value) for value in members(self.domains[cell])]
            for clause in as_clauses(constraint, self.domains, fresh):
                yield [self.literal(cell, value) * (1 if equal else -1) for cell, value, equal in clause]


def unproved_results(board: CandidateBoard, step: Step) -> list[Candidate]:
    """Return the eliminations and placements of a step that do not follow from the pencil marks and the groups of its proof."""
    formula = _Formula(board)
    clauses = [*formula.filled(), *(clause for group in step.proof for clause in formula.clauses(group))]
    negated = [(candidate, formula.literal(*candidate)) for candidate in step.eliminations]
    negated += [(candidate, -formula.literal(*candidate)) for candidate in step.placements]
    with Solver("cadical153", bootstrap_with=clauses) as solver:
        return [candidate for candidate, literal in negated if solver.solve([literal])]
