"""The question ``audit``: what is wrong with the puzzles of a collection?"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from itertools import takewhile
from time import perf_counter
from typing import TYPE_CHECKING, Any, ClassVar

from sudoku_cp.audit import KINDS, Summary
from sudoku_cp.errors import Problem
from sudoku_cp.name_table import NameTable
from sudoku_cp.puzzle import puzzle_to_short_json
from sudoku_cp.questions.answer import (
    ABSENT,
    BAD_INPUT,
    NO,
    RAN_OUT,
    YES,
    PuzzleJson,
    QuestionAnswer,
    Reason,
    answer_field,
    error_to_json,
    with_values,
)
from sudoku_cp.questions.question import Fields, Levelled, PacedReports, Run, Solving, option

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from sudoku_cp.audit import Audited, Finding
    from sudoku_cp.backends import Limits
    from sudoku_cp.formats import Record

OPTIONAL_KINDS = tuple(kind for kind in KINDS if kind != "unreadable")
"""The kinds of findings that can be ignored."""
BLOCK = 64
"""Puzzles that are audited together, where the whole has a deadline: the fewer, the more is known when it comes."""
ENDING = 0.5
"""Seconds for the end of a block."""
_TWINS = "12..3412..434.21\n21..4321..343.12\n"
"""Two puzzles that are one in two guises."""


@dataclass(frozen=True, eq=False, kw_only=True)
class AuditQuestion(Levelled, Solving):
    """Audit collections: find puzzles that are malformed, contradictory, not unique, not minimal, repeated or wrongly solved.

    The exit code is 1 if anything was found, and 3 if nothing was but a limit left something undecided.
    """

    name = "audit"
    subject = "collection"
    example: ClassVar[Fields] = {"puzzle": _TWINS}

    ignore: str | list[str] = option(
        f"Kinds of findings to ignore, comma-separated: {', '.join(OPTIONAL_KINDS)}.", "", metavar="KINDS"
    )
    minimal: bool = option("Also report puzzles with symmetric givens that are not minimal; few are minimal.", False)
    limit: int = option("Count the solutions of a puzzle no further than this.", 100, ge=2, metavar="NUMBER")

    def contradictions(self) -> Iterator[Problem]:
        """Yield that there is no such engine, and the names that no kind of finding has."""
        yield from super().contradictions()
        yield from self.level_problems()
        table = _kind_table()
        if unknown := [name for name in self._ignored_names() if table.find(name) is None]:
            near = " or ".join(dict.fromkeys(kind for name in unknown for kind in table.nearest(name)))
            meant = f" (did you mean {near}?)" if near else ""
            yield Problem(f"expected some of {', '.join(OPTIONAL_KINDS)}; got {', '.join(unknown)}{meant}", ["ignore"])

    def _ignored_names(self) -> list[str]:
        texts = [self.ignore] if isinstance(self.ignore, str) else self.ignore
        return [name.strip() for text in texts for name in text.split(",") if name.strip()]

    def results(self, records: Iterable[Record], limits: Limits, block: int | None = None) -> Iterator[Audited]:
        """Yield what is found out about each record, ``block`` of them at a time; the limits are for each puzzle."""
        from sudoku_cp.audit import audit  # noqa: PLC0415  # for answers alone

        table = _kind_table()
        ignored = {table.find(name) for name in self._ignored_names()}
        checks = [kind for kind in KINDS if kind not in ignored]
        more: dict[str, Any] = {"backend": self.backend, "limits": limits, "most": self.limit, "minimal": self.minimal}
        more["levels"] = self.find_levels()
        return audit(records, checks=checks, **more, block=block)

    def answer(self, subject: Sequence[Record], run: Run) -> AuditAnswer:
        """Audit; when the time is over, what is left of a block is undecided, and no other is begun. Counts are reported."""
        start, summary, reports = perf_counter(), Summary(), PacedReports(run.report)
        puzzles: list[PuzzleFindings] = []
        with run.cancellation(_time_for_search(run.limits.seconds)) as cancel:
            records = takewhile(lambda _: not cancel.cancelled, subject)
            for one in self.results(records, replace(run.limits, cancel=cancel), BLOCK):
                in_time = replace(one, reason="deadline") if one.reason == "cancelled" else one  # what `run.cancellation` does
                summary.add(in_time)
                puzzles.append(PuzzleFindings.of(in_time, lambda index: Place(line=subject[index].line)))
                reports.show(summary.puzzles, summary.to_json)
        counts = AuditSummary.of(summary, perf_counter() - start, interrupted=len(puzzles) < len(subject))
        reason = "deadline" if counts.interrupted else next((one.reason for one in puzzles if one.undecided), None)
        return AuditAnswer(puzzles=puzzles, summary=counts, reason=reason)

    @classmethod
    def unknown_answer(cls, body: Mapping[str, Any]) -> AuditAnswer:
        """Return that no puzzle has been audited."""
        del body
        return AuditAnswer(puzzles=[], summary=replace(AuditSummary.of(Summary(), 0.0), interrupted=True))


def _time_for_search(seconds: float | None) -> float | None:
    """Return the seconds after which no search is begun, so that the answer comes in time."""
    return None if seconds is None else max(seconds / 2, seconds - ENDING)


def _kind_table() -> NameTable[str]:
    return NameTable("kind of finding", [(kind, (), kind) for kind in OPTIONAL_KINDS])


@dataclass(frozen=True, eq=False, kw_only=True)
class Place:
    """Where a puzzle is."""

    file: str = answer_field("On the command line, the file, 'argument' or 'standard input'.", ABSENT)
    line: int = answer_field("The line of the file or text at which it begins.")


@dataclass(frozen=True, eq=False, kw_only=True)
class FindingJson:
    """One thing that is wrong with a puzzle; which details there are depends on its kind."""

    kind: str = answer_field(", ".join(KINDS) + ".")
    text: str = answer_field()
    column: int = answer_field("Where the text cannot be read.", ABSENT)
    clash: list[str] = answer_field("Givens that clash.", ABSENT)
    part: str | list[str] = answer_field("The part of a rule that they, or the stated solution, break.", ABSENT)
    solutions: int = answer_field("How many were counted.", ABSENT)
    exact: bool = answer_field("Whether these are all.", ABSENT)
    givens: str | list[str] = answer_field(
        "The givens that the stated solution contradicts; or 'more' or 'fewer' than those of the 'first' puzzle.", ABSENT
    )
    wrong: list[str] = answer_field("The cells in which the stated solution is wrong.", ABSENT)
    stated: str = answer_field("The difficulty that the source states.", ABSENT)
    difficulty: str = answer_field("The difficulty.", ABSENT)
    unnecessary: list[str] = answer_field("The givens that could be left out, each by itself.", ABSENT)
    first: int = answer_field("The index of the earlier puzzle.", ABSENT)
    of: Place = answer_field("Where that is.", ABSENT)

    @classmethod
    def from_finding(cls, finding: Finding, find_place: Callable[[int], Place]) -> FindingJson:
        """Return a finding; ``find_place`` returns where the puzzle of an index is."""
        of = with_values(of=find_place(finding.details["first"]) if "first" in finding.details else None)
        return cls(kind=finding.kind, text=finding.text, **finding.details, **of)


@dataclass(frozen=True, eq=False, kw_only=True)
class PuzzleFindings(Place):
    """What was found out about a puzzle."""

    index: int = answer_field("Its number among all, from 0.", ge=0)
    puzzle: PuzzleJson = answer_field("", ABSENT)
    status: str = answer_field(
        "As of 'solve'; error if it cannot be read, unasked if no finding that is looked for depends on it."
    )
    title: str = answer_field("", ABSENT)
    error: str = answer_field("Why it cannot be read.", ABSENT)
    count: int = answer_field("The solutions found; all of them if 'exact'.", ABSENT, ge=0)
    exact: bool = answer_field("", ABSENT)
    backend: str = answer_field("", ABSENT)
    findings: list[FindingJson] = answer_field()
    undecided: list[str] = answer_field("The kinds of findings that a limit left open.", ABSENT)
    reason: Reason = answer_field("That limit.", ABSENT)

    @classmethod
    def of(cls, one: Audited, find_place: Callable[[int], Place]) -> PuzzleFindings:
        """Return what was found out; ``find_place`` returns where the puzzle of an index is."""
        record, place = one.record, find_place(one.index)
        fields: Fields = {"status": one.status}
        if record.error is not None:
            fields |= error_to_json(record.error)
        elif record.puzzle is not None:
            fields |= {"puzzle": puzzle_to_short_json(record.puzzle)} | with_values(title=record.puzzle.title)
        if one.answer:
            fields |= {"count": one.answer.count, "exact": one.answer.exact, "backend": one.answer.backend}
        if one.undecided:
            fields |= {"undecided": list(one.undecided), "reason": one.reason}
        findings = [FindingJson.from_finding(finding, find_place) for finding in one.findings]
        return cls(index=one.index, file=place.file, line=place.line, **fields, findings=findings)


@dataclass(frozen=True, eq=False, kw_only=True)
class AuditSummary:
    """How many puzzles there were, and what was found."""

    puzzles: int = answer_field("All, those that cannot be read among them.", ge=0)
    fine: int = answer_field(ge=0)
    faulty: int = answer_field("With findings.", ge=0)
    undecided: int = answer_field("Without findings, but not fully known.", ge=0)
    found: dict[str, int] = answer_field("How many puzzles have each kind of finding.")
    seconds: float = answer_field()
    interrupted: bool = answer_field("Whether more puzzles would have come.")

    @classmethod
    def of(cls, summary: Summary, seconds: float, *, interrupted: bool = False) -> AuditSummary:
        """Return the counts."""
        return cls(**summary.to_json(), seconds=round(seconds, 3), interrupted=interrupted)

    @property
    def exit_code(self) -> int:
        """Yes if there is no finding."""
        if Counter(self.found)["unreadable"]:
            return BAD_INPUT
        return NO if self.faulty else RAN_OUT if self.undecided or self.interrupted else YES


@dataclass(frozen=True, eq=False, kw_only=True)
class AuditAnswer(QuestionAnswer):
    """The answer of ``audit``."""

    puzzles: list[PuzzleFindings] = answer_field("Every puzzle, with or without findings.")
    summary: AuditSummary = answer_field()

    @property
    def exit_code(self) -> int:
        """Yes if there is no finding."""
        return self.summary.exit_code
