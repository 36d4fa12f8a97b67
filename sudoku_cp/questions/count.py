"""The question ``count``: how many solutions are there?"""

from __future__ import annotations

from dataclasses import dataclass
from math import isfinite
from typing import TYPE_CHECKING, Any, ClassVar

from sudoku_cp import queries
from sudoku_cp.errors import LimitReached, Problem
from sudoku_cp.puzzle import Puzzle, puzzle_to_short_json
from sudoku_cp.questions.answer import (
    NO,
    RAN_OUT,
    YES,
    PuzzleJson,
    QuestionAnswer,
    Reason,
    Solution,
    Stated,
    Status,
    answer_field,
    answer_sentence,
    found_fields,
    unknown_fields,
)
from sudoku_cp.questions.question import KILLER, Fields, PacedReports, Run, Solving, option, seed_option, seed_problems

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from sudoku_cp.queries import Estimate

LONG = 1_000_000
"""Estimates from here on are shown with about three digits."""


@dataclass(frozen=True, eq=False, kw_only=True)
class CountQuestion(Solving):
    """Count the solutions, exactly up to `limit`, or estimate how many there are.

    Where all rules only require cells to differ, even numbers far too large to enumerate are counted (`backend` frontier does
    only this). The exit code is 1 if there is no solution, 3 if a time or node limit came first (what is known is printed); an
    estimate with an interval is an answer, however wide.
    """

    name = "count"
    example: ClassVar[Fields] = {"puzzle": KILLER, "limit": 1000}
    more_engines: ClassVar[tuple[str, ...]] = ("frontier",)

    limit: int | None = option("Count no further than this.", None, ge=1, metavar="NUMBER")
    estimate: bool = option("Estimate the number by random probes, with a confidence interval.", False)
    error: float | None = option(
        "With `estimate`, the relative half-width of the interval at which to stop.",
        None,
        ge=0.0001,
        le=1,
        metavar="SHARE",
        shown_default="0.05",
    )
    seed: int | None = seed_option("Make `estimate` repeatable.")

    def contradictions(self) -> Iterator[Problem]:
        """Yield what estimates alone have, and what they have not."""
        yield from super().contradictions()
        yield from self.only_with("error", "estimate")
        yield from self.only_with("seed", "estimate")
        yield from self.only_without("estimate", "limit", "backend")
        yield from seed_problems(self.seed)

    @property
    def unit(self) -> str:
        """What its reports count."""
        return "probes" if self.estimate else "solutions"

    def answer(self, subject: Puzzle, run: Run) -> CountAnswer:
        """Count, or estimate; a lower bound, or the estimate as it becomes narrower, is reported on the way."""
        progress = PacedReports(run.report)
        if self.estimate:
            return CountAnswer.of_estimate(subject, self._estimate(subject, run, progress))
        found = queries.count(
            subject,
            backend=self.backend,
            limits=run.limits,
            solution_limit=self.limit,
            expected_count=run.expected_count,
            progress=lambda number: progress.show(number, lambda: {"count": number}),
        )
        return CountAnswer(**found_fields(subject, found))

    def _estimate(self, puzzle: Puzzle, run: Run, progress: PacedReports) -> Estimate | LimitReached:
        options = {} if self.error is None else {"error": self.error}
        last = None
        try:
            for last in queries.estimates(puzzle, limits=run.limits, seed=self.seed, **options):
                progress.show(last.samples, lambda found=last: EstimateJson.of(found))  # type: ignore[misc]
        except LimitReached as reached:
            return reached
        assert last is not None  # noqa: S101  # it yields or raises
        return last

    @classmethod
    def unknown_answer(cls, body: Mapping[str, Any]) -> CountAnswer:
        """Return that no solution has been found yet."""
        return CountAnswer(**unknown_fields(body))


@dataclass(frozen=True, eq=False, kw_only=True)
class EstimateJson:
    """An estimate of the number of solutions; the interval covers it with 95 %."""

    estimate: int = answer_field(ge=0)
    stderr: float | None = answer_field()
    iterations: int = answer_field(ge=0)
    ci95_lower: int = answer_field(ge=0)
    ci95_upper: int | None = answer_field(ge=0)

    @classmethod
    def of(cls, found: Estimate) -> EstimateJson:
        """Return the fields of an estimate."""
        return cls(
            estimate=found.value,
            stderr=found.stderr if isfinite(found.stderr) else None,
            iterations=found.samples,
            ci95_lower=found.low,
            ci95_upper=found.high,
        )

    def in_words(self, least: int, reason: Reason | None, how: str) -> str:
        """Return the estimate with its interval; at ``least`` so many solutions are certain."""
        if self.ci95_upper is None:
            return f"at least {least:,} solutions ({self.iterations} probes are too few to say more; {how})"
        interval = f"95%: {_format_number(self.ci95_lower)} to {_format_number(self.ci95_upper)}"
        limited = f", stopped by the limit ({reason})" if reason else ""
        return f"about {_format_number(self.estimate)} solutions ({interval}; {self.iterations:,} probes{limited}; {how})"


def _format_number(number: int) -> str:
    """Return a number with about three digits, ``6.67e21``, or in full if it is short."""
    if number < LONG:
        return f"{number:,}"
    digits = str(number)
    return f"{digits[0]}.{digits[1:3]}e{len(digits) - 1}"


@dataclass(frozen=True, eq=False, kw_only=True)
class CountAnswer(QuestionAnswer):
    """The answer of ``count``; of an estimate it has no status and no solutions."""

    puzzle: PuzzleJson = answer_field()
    status: Status | None = answer_field("", None)
    solutions: list[Solution] | None = answer_field("", None)
    count: int = answer_field("The number of solutions if 'exact', otherwise how many there are at least.", ge=0)
    exact: bool = answer_field()
    backend: str | None = answer_field("", None)
    seconds: float | None = answer_field("", None)
    stated_solution: Stated | None = answer_field("", None)
    counters: dict[str, int] | None = answer_field("", None)
    estimate: EstimateJson | None = answer_field("", None)

    @classmethod
    def of_estimate(cls, puzzle: Puzzle, found: Estimate | LimitReached) -> CountAnswer:
        """Return an estimate; its ``count`` is certain: the exact number, or a lower bound."""
        short = puzzle_to_short_json(puzzle)
        if isinstance(found, LimitReached):
            return cls(puzzle=short, count=0, exact=False, reason=found.reason)
        return cls(
            puzzle=short,
            count=found.value if found.exact else found.least,
            exact=found.exact,
            backend=found.backend,
            seconds=round(found.seconds, 6),
            estimate=EstimateJson.of(found),
            reason=found.reason,
        )

    @property
    def stated(self) -> Stated | None:
        """Whether the solution that came with the puzzle is one."""
        return self.stated_solution

    @property
    def exit_code(self) -> int:
        """Yes for a puzzle that has a solution; an estimate with an interval is an answer, even if a limit ended it."""
        if self.reason if self.estimate is None else self.estimate.ci95_upper is None:
            return RAN_OUT
        return YES if self.count or (self.estimate and self.estimate.estimate) else NO

    @property
    def remark(self) -> str:
        """What else there is where counting is not finished."""
        if self.status is None or not self.reason:
            return ""
        return f"{answer_sentence(self)}; `estimate` shows about how many there are"

    def in_words(self) -> str:
        """Return the number, or the estimate with its interval."""
        if self.status is not None:
            return f"{'' if self.exact else 'at least '}{self.count}"
        if self.estimate is None:
            return f"unknown: stopped by {self.reason}"
        how = f"{self.backend}, {(self.seconds or 0.0) * 1e3:.3g} ms"
        if self.exact:
            return f"{self.count:,} solution{'' if self.count == 1 else 's'} ({how})"
        return self.estimate.in_words(self.count, self.reason, how)
