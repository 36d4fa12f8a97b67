"""The protocol of provers, and their task: to refute the formula of a puzzle without its known solution."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from sudoku_cp import queries
from sudoku_cp.arguments import checked
from sudoku_cp.backends import Clock, Limits, Solution
from sudoku_cp.errors import LimitReached, NotProved, WrongAnswer
from sudoku_cp.proof.checker import Report, check
from sudoku_cp.puzzle import solution_to_short_json

if TYPE_CHECKING:
    from sudoku_cp.formats.solver_export import PuzzleClauses, RulesText
    from sudoku_cp.puzzle import Puzzle


EMPTY_CLAUSE = "0"
"""The line of the empty clause, which ends a proof."""


@dataclass(frozen=True)
class RefutationTask:
    """The formula in two parts (``rules``, ``stated``); ``known`` is the solution that it forbids, None if there is none."""

    puzzle: Puzzle
    rules: RulesText
    stated: PuzzleClauses
    known: Solution | None

    def refutation_error(self, found: Solution) -> Exception:
        """Return the error for a solution that a prover found where only the known one should exist."""
        if not self.puzzle.holds(found) or found == self.known:
            return WrongAnswer(f"expected no solution of {self.puzzle!r} but {self.known!r}, got {found!r}")
        return not_proved_error(self.puzzle, (found,) if self.known is None else (self.known, found))


class Prover(Protocol):
    """A prover, opened for one puzzle."""

    def solution(self, clock: Clock) -> Solution | None:
        """Return a solution, None if there is none; raises `LimitReached`."""
        ...

    def lemmas(self, task: RefutationTask, clock: Clock) -> list[str]:
        """Return the lemmas, ending in the empty clause; raise an error if the claim is wrong, or `LimitReached`."""
        ...


def find_solution(puzzle: Puzzle, clock: Clock) -> Solution | None:
    """Return a solution from the engine that suits the puzzle, None if there is none; raises `LimitReached`."""
    answer = queries.solve(puzzle, solution_limit=1, limits=clock.left())
    if answer.reason is not None:
        raise LimitReached(answer.reason, f"{clock.elapsed:.3g} s")
    clock.nodes += answer.counters.get("nodes", 0)
    return answer.solution


def not_proved_error(puzzle: Puzzle, solutions: tuple[Solution, ...]) -> NotProved:
    """Return the error that counts the solutions and lists them."""
    listed = " and ".join(_format_solution(puzzle, solution) for solution in solutions)
    words = ("no solution, got none", "a puzzle without a solution, got one that has", "one solution, got two:")
    return NotProved(f"expected {words[len(solutions)]} {listed}".rstrip(), solutions=solutions)


def _format_solution(puzzle: Puzzle, solution: Solution) -> str:
    text = solution_to_short_json(puzzle, solution)
    return text if isinstance(text, str) else ",".join(map(str, text))


# `verify`: the independent checker under the library's name, with checked arguments.


__all__ = ["MOST_CELLS_VERIFIED", "Report", "verify"]

MOST_CELLS_VERIFIED = 256
"""Cells of the largest board whose certificate is verified by default: the checker is plain Python."""


@checked
def verify(folder: str | Path, *, seconds: float | None = None, trust: bool = False) -> Report:
    """Return the independent checker's report on the certificate in ``folder``; with ``trust``, parts may be taken on trust."""
    return check(folder, seconds=Limits(seconds).seconds, trust=trust)
