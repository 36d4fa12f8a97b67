"""What answers of engines have in common: a status, solutions, how they were found, and the sentence for people."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from sudoku_cp.questions.answer import PuzzleJson, QuestionAnswer, Solution, Stated, Status, answer_field
from sudoku_cp.questions.exit_codes import NO, RAN_OUT, YES

if TYPE_CHECKING:
    from collections.abc import Mapping


class SomeAnswer(Protocol):
    """What the sentence for people is made of: an `Answer` of the queries, or one of this room."""

    @property
    def status(self) -> Status | None:
        """What is known of the solutions."""

    @property
    def count(self) -> int:
        """The solutions found."""

    @property
    def exact(self) -> bool:
        """Whether these are all."""

    @property
    def backend(self) -> str | None:
        """The engine."""

    @property
    def seconds(self) -> float | None:
        """How long it took."""

    @property
    def reason(self) -> str | None:
        """The limit that came first."""

    @property
    def stated(self) -> Stated | None:
        """Whether the solution that came with the puzzle is one."""


@dataclass(frozen=True, eq=False, kw_only=True)
class FoundAnswer(QuestionAnswer):
    """What an engine finds."""

    puzzle: PuzzleJson = answer_field()
    status: Status = answer_field()
    solutions: list[Solution] = answer_field()
    count: int = answer_field("The solutions found; all of them if 'exact'.", ge=0)
    exact: bool = answer_field()
    backend: str = answer_field()
    seconds: float = answer_field()
    stated_solution: Stated | None = answer_field("Whether the solution that came with it is one.", None)
    counters: dict[str, int] | None = answer_field("", None)

    @property
    def stated(self) -> Stated | None:
        """Whether the solution that came with the puzzle is one."""
        return self.stated_solution

    @property
    def exit_code(self) -> int:
        """Yes for one solution."""
        return found_exit_code(self)

    def in_words(self) -> str:
        """Return the answer in a sentence."""
        return answer_sentence(self)


def nothing_found(body: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields of a `FoundAnswer` to a body before anything is known."""
    known = {"puzzle": body.get("puzzle", ""), "status": "unknown", "solutions": [], "count": 0, "exact": False}
    return known | {"backend": body.get("backend", "auto"), "seconds": 0.0, "counters": {}}


def found_exit_code(answer: SomeAnswer, *, any_number: bool = False) -> int:
    """Return the exit code: yes for one solution, or for any number of them where ``any_number`` is fine."""
    if answer.status == "unknown":
        return RAN_OUT
    if answer.status in {"unique", "solved"} or (any_number and answer.status == "multiple"):
        return RAN_OUT if answer.reason else YES
    return NO


_SENTENCES = {
    "unique": "unique",
    "none": "no solution",
    "solved": "solved; not checked for other solutions",
}


def answer_sentence(answer: SomeAnswer) -> str:
    """Return the answer in words: ``unique (native, 3.1 ms)``."""
    seconds = answer.seconds or 0.0
    if answer.status == "multiple":
        words = f"{'' if answer.exact else 'at least '}{answer.count:,} solutions"
    elif answer.status in _SENTENCES:
        words = _SENTENCES[answer.status]
    else:
        found = "a solution, but not whether it is the only one" if answer.count else "no answer"
        words = f"unknown: the limit ({answer.reason}) came after {seconds:.3g} s, with {found}"
    if answer.reason and answer.status != "unknown":
        words += f", stopped by the limit ({answer.reason})"
    if answer.stated:
        words += ", the stated solution is right" if answer.stated == "right" else ", the stated solution is WRONG"
    return f"{words} ({answer.backend}, {seconds * 1e3:.3g} ms)"
