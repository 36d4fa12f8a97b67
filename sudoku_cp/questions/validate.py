"""The question ``validate``: which rules does a position break?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from sudoku_cp import queries
from sudoku_cp.questions.answer import ABSENT, QuestionAnswer, answer_field, with_values
from sudoku_cp.questions.answer_parts import RuleJson
from sudoku_cp.questions.question import KILLER, Fields, Reading, Run, Start, Timed

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True, eq=False, kw_only=True)
class ValidateQuestion(Timed, Reading):
    """List the rules that the entries break, each by itself: a full cage with another sum, for example."""

    name = "validate"
    subject = "position"
    example: ClassVar[Fields] = {"puzzle": KILLER, "position": {"values": {"r2c2": 1}}}

    def answer(self, subject: Start, run: Run) -> ValidateAnswer:
        """Look at each rule."""
        broken = queries.broken_rules(subject.position, limits=run.limits)
        puzzle = subject.position.puzzle
        rules, undecided = ([RuleJson.of(puzzle, index) for index in part] for part in (broken.broken, broken.undecided))
        status: Any = "broken" if rules else "unknown" if undecided else "ok"
        return ValidateAnswer(status=status, broken=rules, **with_values(undecided=undecided))

    @classmethod
    def unknown_answer(cls, body: Mapping[str, Any]) -> ValidateAnswer:
        """Return that no rule is known to be broken."""
        del body
        return ValidateAnswer(status="unknown", broken=[], undecided=[])


@dataclass(frozen=True, eq=False, kw_only=True)
class ValidateAnswer(QuestionAnswer):
    """The answer of ``validate``."""

    status: Literal["ok", "broken", "unknown"] = answer_field()
    broken: list[RuleJson] = answer_field("Rules that no filling of the open cells obeys, each by itself.")
    undecided: list[RuleJson] = answer_field("Rules for which a limit came first.", ABSENT)
