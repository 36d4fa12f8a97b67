"""The question ``compare``: do several engines agree?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from sudoku_cp.backends import Limits, backend
from sudoku_cp.errors import InvalidInput, Problem, placed
from sudoku_cp.puzzle import puzzle_to_short_json, solution_to_short_json
from sudoku_cp.questions.answer import (
    ABSENT,
    BAD_INPUT,
    ENGINE_ERRED,
    NO,
    RAN_OUT,
    PuzzleJson,
    QuestionAnswer,
    Solution,
    answer_field,
    with_values,
    worst,
)
from sudoku_cp.questions.question import EASY, Fields, Limited, Reading, Run, option

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from sudoku_cp.compare import Comparison, CrossCheck, Disagreement, Verdict
    from sudoku_cp.formats import Record
    from sudoku_cp.puzzle import Puzzle

DEFAULT_ENGINES = "native,sat,cpsat"
DEFAULT_LIMIT = 2
"""Two solutions show that there are several."""


@dataclass(frozen=True, eq=False, kw_only=True)
class CompareQuestion(Limited, Reading):
    """Compare several engines on the same puzzles: whether they agree, and how fast each is.

    A disagreement is shown on the smallest puzzle found that still has it, and makes the exit code 1; an engine that fails is
    named with its error, and makes it 4.
    """

    name = "compare"
    subject = "puzzles"
    example: ClassVar[Fields] = {"puzzle": EASY, "backends": "native,sat"}

    backends: str | None = option(
        "The engines, comma-separated.",
        None,
        metavar="NAMES",
        shown_default=DEFAULT_ENGINES,
        completion="complete_backends",
    )
    limit: int | None = option(
        "Find at most this many solutions of a puzzle.", None, ge=1, le=1_000, metavar="NUMBER", shown_default=f"{DEFAULT_LIMIT}"
    )

    @property
    def engines(self) -> list[str]:
        """The names of the engines."""
        return [name.strip() for name in (self.backends or DEFAULT_ENGINES).split(",") if name.strip()]

    def contradictions(self) -> Iterator[Problem]:
        """Yield engines that there are not, and that there are too few to compare."""
        for name in self.engines:
            try:
                backend(name)
            except InvalidInput as error:
                yield from (placed(problem, "backends") for problem in error.problems)
        if len(self.engines) < 2:  # noqa: PLR2004
            yield Problem(f"expected at least two engines to compare, got {len(self.engines)}", ["backends"])

    def cross_check(self, limits: Limits) -> CrossCheck:
        """Return what compares puzzle by puzzle."""
        from sudoku_cp.compare import CrossCheck  # noqa: PLC0415  # for answers alone

        return CrossCheck(self.engines, limits=limits, solution_limit=self.limit or DEFAULT_LIMIT)

    def answer(self, subject: Sequence[Record], run: Run) -> CompareAnswer:
        """Compare; if time runs out, report the puzzles compared until then, with the reason."""
        cross, clock, reason = self.cross_check(run.limits), run.limits.started(), None
        for record in subject:
            assert record.puzzle is not None  # noqa: S101  # others have been refused
            cross.limits = clock.left()
            if cross.limits.seconds is not None and cross.limits.seconds <= 0:
                reason = "deadline"
                break
            cross.add(record.puzzle)
            counts = {"puzzles": cross.compared.puzzles, "disagreed": cross.compared.disagreed}
            run.report(cross.compared.puzzles, counts)
        return CompareAnswer.of(cross.compared, reason)

    @classmethod
    def unknown_answer(cls, body: Mapping[str, Any]) -> CompareAnswer:
        """Return the comparison of no puzzle."""
        del body
        numbers: dict[str, Any] = dict.fromkeys(("puzzles", "disagreed", "unknown", "refused", "failed"), 0)
        return CompareAnswer(agreed=None, **numbers, backends=[], disagreements=[])


@dataclass(frozen=True, eq=False, kw_only=True)
class TallyJson:
    """How an engine did."""

    backend: str = answer_field()
    solved: int = answer_field(ge=0)
    statuses: dict[str, int] = answer_field()
    median: float = answer_field()
    p95: float = answer_field()
    max: float = answer_field()
    total: float = answer_field()
    nodes: int = answer_field(ge=0)
    failure: str = answer_field("How the engine failed first, if it did.", ABSENT)


@dataclass(frozen=True, eq=False, kw_only=True)
class VerdictJson:
    """What an engine says of a puzzle."""

    backend: str = answer_field()
    status: str = answer_field()
    solutions: list[Solution] = answer_field("", ABSENT)
    error: str = answer_field("", ABSENT)

    @classmethod
    def of(cls, puzzle: Puzzle, verdict: Verdict) -> VerdictJson:
        """Return what an engine says of a puzzle."""
        fields = with_values(error=verdict.problem)
        if verdict.answer:
            fields["solutions"] = [solution_to_short_json(puzzle, solution) for solution in verdict.answer.solutions]
        return cls(backend=verdict.engine, status=verdict.status, **fields)


@dataclass(frozen=True, eq=False, kw_only=True)
class DisagreementJson:
    """A puzzle on which engines differ, and the least that still shows it."""

    index: int = answer_field(ge=0)
    puzzle: PuzzleJson = answer_field()
    verdicts: list[VerdictJson] = answer_field()
    shrunk: PuzzleJson = answer_field()
    shrunk_verdicts: list[VerdictJson] = answer_field()

    @classmethod
    def of(cls, one: Disagreement) -> DisagreementJson:
        """Return a disagreement."""
        return cls(
            index=one.index,
            puzzle=puzzle_to_short_json(one.puzzle),
            verdicts=[VerdictJson.of(one.puzzle, verdict) for verdict in one.verdicts],
            shrunk=puzzle_to_short_json(one.least),
            shrunk_verdicts=[VerdictJson.of(one.least, verdict) for verdict in one.least_verdicts],
        )


@dataclass(frozen=True, eq=False, kw_only=True)
class CompareAnswer(QuestionAnswer):
    """The answer of ``compare``."""

    puzzles: int = answer_field(ge=0)
    agreed: bool | None = answer_field("Whether engines agreed on all puzzles compared; null if no engine answered one.")
    disagreed: int = answer_field(ge=0)
    unknown: int = answer_field(ge=0)
    refused: int = answer_field(ge=0)
    failed: int = answer_field(ge=0)
    backends: list[TallyJson] = answer_field()
    disagreements: list[DisagreementJson] = answer_field()

    @classmethod
    def of(cls, compared: Comparison, reason: Any = None) -> CompareAnswer:
        """Return the fields of a comparison."""
        return cls(
            puzzles=compared.puzzles,
            agreed=compared.agreed if any(tally.solved for tally in compared.tallies) or not compared.agreed else None,
            disagreed=compared.disagreed,
            unknown=compared.unknown,
            refused=compared.refused,
            failed=compared.failed,
            backends=[
                TallyJson(**tally.to_json(), **with_values(failure=compared.failures.get(tally.engine, "")))
                for tally in compared.tallies
            ],
            disagreements=[DisagreementJson.of(one) for one in compared.disagreements],
            reason=reason,
            found=compared,
        )

    @property
    def compared(self) -> Comparison:
        """What the library has found."""
        found: Comparison = self.found
        return found

    @property
    def exit_code(self) -> int:
        """Yes if all engines agree."""
        codes = {
            NO: self.agreed is False,
            RAN_OUT: self.unknown or self.reason,
            BAD_INPUT: self.refused,
            ENGINE_ERRED: self.failed,
        }
        return worst(code for code, so in codes.items() if so)
