"""The question ``check``: is a puzzle consistent, unique and minimal, and if not, why?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from sudoku_cp import queries
from sudoku_cp.answer_json.query_answers import check_to_json
from sudoku_cp.questions.answer import ABSENT, FoundAnswer, answer_field, nothing_found
from sudoku_cp.questions.options import Solving
from sudoku_cp.questions.question import EASY, Fields

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sudoku_cp.puzzle import Puzzle
    from sudoku_cp.queries import Check
    from sudoku_cp.questions.question import Run


@dataclass(frozen=True, eq=False, kw_only=True)
class CheckQuestion(Solving):
    """Check whether a puzzle is well-formed, consistent, unique and minimal, and show why if it is not.

    No solution: the fewest givens and rules that clash. Several: where two differ, what is the same in all, and the fewest
    further givens that would leave one. One: what could be left out. Without `timeout` these searches end after 10 seconds.
    """

    name = "check"
    example: ClassVar[Fields] = {"puzzle": EASY}

    def answer(self, subject: Puzzle, run: Run) -> CheckAnswer:
        """Check."""
        checked = queries.check(subject, backend=self.backend, limits=run.limits)
        return CheckAnswer(**check_to_json(subject, checked), found=checked)

    @classmethod
    def unanswered(cls, body: Mapping[str, Any]) -> CheckAnswer:
        """Return that nothing has been found yet."""
        return CheckAnswer(**nothing_found(body))


@dataclass(frozen=True, eq=False, kw_only=True)
class ConflictTold:
    """Givens and rules that cannot all hold."""

    givens: list[str] = answer_field(examples=[["r1c1=5", "r1c2=5"]])
    rules: list[str] = answer_field()
    candidates: list[str] = answer_field("", ABSENT)
    minimal: bool = answer_field("None of them can be left out.")
    smallest: bool = answer_field("No fewer clash.")


@dataclass(frozen=True, eq=False, kw_only=True)
class RuleTold:
    """A rule of the puzzle."""

    kind: str = answer_field()
    part: str = answer_field()
    index: int = answer_field(ge=0)


@dataclass(frozen=True, eq=False, kw_only=True)
class CheckAnswer(FoundAnswer):
    """The answer of ``check``."""

    conflict: ConflictTold = answer_field("Why there is no solution.", ABSENT)
    differ: dict[str, tuple[int, int]] = answer_field("The cells in which two solutions differ.", ABSENT)
    frozen: list[str] = answer_field("What is the same in all solutions.", ABSENT)
    additions: list[str] | None = answer_field("Further givens that would leave one solution.", ABSENT)
    fewest: bool | None = answer_field("", ABSENT)
    minimal: bool | None = answer_field("Whether every given is needed.", ABSENT)
    unnecessary: list[str] = answer_field("Givens that can be left out, each alone.", ABSENT)
    unnecessary_rules: list[RuleTold] = answer_field("", ABSENT)
    unnecessary_candidates: list[str] = answer_field("", ABSENT)
    undecided: list[str] = answer_field("", ABSENT)

    @property
    def checked(self) -> Check:
        """What the library has found."""
        found: Check = self.found
        return found
