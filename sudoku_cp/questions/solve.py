"""The question ``solve``: what is the solution, and is it the only one?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from sudoku_cp import queries
from sudoku_cp.questions.answer import FoundAnswer, answer_field, found_fields, unknown_fields
from sudoku_cp.questions.question import EASY, Fields, Run, Solving, option, seed_option, seed_problems

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from sudoku_cp.errors import Problem
    from sudoku_cp.puzzle import Puzzle
    from sudoku_cp.queries import Answer

MOST_TOLD = 1_000
"""Solutions that an answer lists; others are only counted."""


@dataclass(frozen=True, eq=False, kw_only=True)
class SolveQuestion(Solving):
    """Find the solution, and prove whether it is the only one."""

    name = "solve"
    example: ClassVar[Fields] = {"puzzle": EASY}

    all: bool = option("Find every solution.", False)
    limit: int | None = option(
        "Find at most this many solutions, instead of 2, which prove uniqueness.", None, ge=1, metavar="NUMBER"
    )
    first: bool = option("Find a solution without asking whether it is the only one.", False)
    random: bool = option("Find a random solution, for example of an empty grid.", False)
    seed: int | None = seed_option("Make `random` repeatable.")

    @property
    def wanted(self) -> int | None:
        """How many solutions are looked for at most; None for all."""
        return None if self.all else 1 if self.first or self.random else self.limit or 2

    @property
    def takes_any_number(self) -> bool:
        """Whether several solutions are as good an answer as one."""
        return self.all or self.first or self.random

    def contradictions(self) -> Iterator[Problem]:
        """Yield what asks for different solutions."""
        yield from super().contradictions()
        yield from self.only_one_of("all", "first", "random", "limit")
        yield from self.only_with("seed", "random")
        yield from seed_problems(self.seed)

    def parts(self, puzzle: Puzzle, run: Run) -> Iterator[Answer]:
        """Yield the answer; of very many solutions, in parts, each with those found since the one before."""
        if self.random:
            yield queries.random_solution(puzzle, seed=self.seed, backend=self.backend, limits=run.limits)
        else:
            yield from queries.solve_stream(
                puzzle,
                backend=self.backend,
                limits=run.limits,
                solution_limit=self.wanted,
                expected_count=run.expected_count,
            )

    def answer(self, subject: Puzzle, run: Run) -> SolveAnswer:
        """Solve; report on the way how many solutions have been found, and the first of them."""
        solutions: list[Any] = []
        fields: dict[str, Any] = {}
        for part in self.parts(subject, run):
            fields = found_fields(subject, part)
            solutions += fields["solutions"][: MOST_TOLD - len(solutions)]
            if part.partial:
                run.report(part.count, {"count": part.count})
        truncated = len(solutions) < fields["count"]
        return SolveAnswer(**fields | {"solutions": solutions, "truncated": truncated})

    @classmethod
    def unknown_answer(cls, body: Mapping[str, Any]) -> SolveAnswer:
        """Return that no solution has been found yet."""
        return SolveAnswer(**unknown_fields(body))


@dataclass(frozen=True, eq=False, kw_only=True)
class SolveAnswer(FoundAnswer):
    """The answer of ``solve``."""

    truncated: bool = answer_field("Whether more solutions were found than are listed.", False)
    partial: bool = answer_field("Whether other objects follow, with more solutions of the same puzzle.", False)
