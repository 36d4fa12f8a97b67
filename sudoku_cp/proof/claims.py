"""What a prover is asked to refute: the formula of a puzzle, beside the one solution that it already knows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from sudoku_cp import queries
from sudoku_cp.errors import LimitReached, NotProved, WrongAnswer
from sudoku_cp.puzzle import solution_told

if TYPE_CHECKING:
    from sudoku_cp.backends import Clock, Solution
    from sudoku_cp.formats.dimacs import RulesText, Stated
    from sudoku_cp.puzzle import Puzzle

EMPTY = "0"
"""The line of the empty clause, with which a proof ends."""


@dataclass(frozen=True)
class Task:
    """The formula, in its two parts; ``known`` is the solution that it forbids, None where there is to be none."""

    puzzle: Puzzle
    rules: RulesText
    stated: Stated
    known: Solution | None

    def refuted_by(self, found: Solution) -> Exception:
        """Return the error that a prover found a solution, where there was to be none but the one known."""
        if not self.puzzle.holds(found) or found == self.known:
            return WrongAnswer(f"expected no solution of {self.puzzle!r} but {self.known!r}, got {found!r}")
        return not_proved(self.puzzle, (found,) if self.known is None else (self.known, found))


class Prover(Protocol):
    """A puzzle before an engine that can prove."""

    def solution(self, clock: Clock) -> Solution | None:
        """Return a solution, None where there is none; raises `LimitReached`."""
        ...

    def lemmas(self, task: Task, clock: Clock) -> list[str]:
        """Return the lemmas, ending in the empty clause, or raise what is wrong with the claim, or `LimitReached`."""
        ...


def solved(puzzle: Puzzle, clock: Clock) -> Solution | None:
    """Return a solution by the engine that suits, None where there is none; raises `LimitReached`."""
    answer = queries.solve(puzzle, solution_limit=1, limits=clock.left())
    if answer.reason is not None:
        raise LimitReached(answer.reason, f"{clock.elapsed:.3g} s")
    clock.nodes += answer.counters.get("nodes", 0)
    return answer.solution


def not_proved(puzzle: Puzzle, solutions: tuple[Solution, ...]) -> NotProved:
    """Return the error that says how many solutions there are, and names them."""
    told = " and ".join(_line(puzzle, solution) for solution in solutions)
    words = ("no solution, got none", "a puzzle without a solution, got one that has", "one solution, got two:")
    return NotProved(f"expected {words[len(solutions)]} {told}".rstrip(), solutions=solutions)


def _line(puzzle: Puzzle, solution: Solution) -> str:
    told = solution_told(puzzle, solution)
    return told if isinstance(told, str) else ",".join(map(str, told))
