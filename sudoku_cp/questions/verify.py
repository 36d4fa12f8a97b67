"""The question ``verify``: does a certificate prove what it claims?"""

from __future__ import annotations

from base64 import b64encode
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, Literal

from sudoku_cp.questions.answer import BAD_INPUT, NO, RAN_OUT, YES, QuestionAnswer, answer_field
from sudoku_cp.questions.question import SMALL, Fields, Run, Timed, option

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sudoku_cp.proof import Report


@dataclass(frozen=True, eq=False, kw_only=True)
class Verifying(Timed):
    """How certificates are checked."""

    trust: bool = option("Accept parts that must be taken on trust (unknown rules, or too large to check), and list them.", False)

    def verdict_on(self, folder: str, seconds: float | None) -> VerifyAnswer:
        """Return the answer about a folder."""
        from sudoku_cp.proof import verify  # noqa: PLC0415  # for answers alone

        report = verify(folder, seconds=seconds, trust=self.trust)
        fields = {name: getattr(report, name) for name in ("verdict", "claim", "problems", "trusted", "facts")}
        return VerifyAnswer(**fields, found=report)


class _SmallCertificate:
    """A body with the certificate of a small puzzle, which is proved when somebody reads it."""

    def __get__(self, instance: object, owner: type) -> Fields:
        """Return the body."""
        return {"certificate": _small_certificate()}


@cache
def _small_certificate() -> str:
    from sudoku_cp.proof import prove  # noqa: PLC0415  # for answers alone
    from sudoku_cp.puzzle import Puzzle  # noqa: PLC0415  # as above
    from sudoku_cp.questions.archives import pack  # noqa: PLC0415  # as above

    return b64encode(pack(prove(Puzzle.parse(SMALL)).files())).decode()


@dataclass(frozen=True, eq=False, kw_only=True)
class VerifyQuestion(Verifying):
    """Check certificates with the independent checker, which shares no code with what makes them.

    The exit code is 0 if the claim is proved, 1 if anything is wrong, 2 if there is no certificate, 3 if not everything could
    be checked: a limit came first, or the rest would have to be taken on trust.
    """

    name = "verify"
    subject = "certificate"
    example = _SmallCertificate()

    def answer(self, subject: Mapping[str, bytes], run: Run) -> VerifyAnswer:
        """Check the files of a certificate; where the report names their folder, the answer says "the certificate"."""
        with TemporaryDirectory(prefix="sudoku-cp-", ignore_cleanup_errors=True) as folder:
            for name, data in subject.items():
                (Path(folder) / name).write_bytes(data)
            answer = self.verdict_on(folder, run.limits.seconds)
        return replace(answer, problems=[problem.replace(folder, "the certificate") for problem in answer.problems])

    @classmethod
    def unknown_answer(cls, body: Mapping[str, Any]) -> VerifyAnswer:
        """Return that nothing is wrong with what was checked, which was not everything."""
        del body
        return VerifyAnswer(verdict="unchecked", claim=None, problems=["the limit came first"], trusted=[], facts={})


@dataclass(frozen=True, eq=False, kw_only=True)
class VerifyAnswer(QuestionAnswer):
    """The answer of ``verify``."""

    verdict: Literal["verified", "rejected", "absent", "unchecked"] = answer_field()
    claim: Literal["unique", "none", "minimal"] | None = answer_field()
    problems: list[str] = answer_field()
    trusted: list[str] = answer_field()
    facts: dict[str, Any] = answer_field()

    @property
    def report(self) -> Report:
        """The checker's report."""
        found: Report = self.found
        return found

    @property
    def exit_code(self) -> int:
        """Yes for a claim that is proved."""
        return {"verified": YES, "rejected": NO, "absent": BAD_INPUT, "unchecked": RAN_OUT}[self.verdict]

    def stopped_by(self, reason: Any) -> VerifyAnswer:
        """Return the same answer with the limit that came first."""
        return replace(self, problems=[f"the limit ({reason}) came first"])
