"""The question ``convert``: how is a puzzle written in another format?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from sudoku_cp.errors import InvalidInput, Problem, placed
from sudoku_cp.questions.answer import ABSENT, NO, RAN_OUT, YES, QuestionAnswer, answer_field
from sudoku_cp.questions.question import KILLER, Fields, Reading, Run, option

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from sudoku_cp.formats import Record


@dataclass(frozen=True, eq=False, kw_only=True)
class Converting(Reading):
    """How puzzles are written in another format."""

    to: str = option(
        "The format to write (see <formats>).", metavar="FORMAT", completion="complete_format_written", examples=("fpuzzles",)
    )


@dataclass(frozen=True, eq=False, kw_only=True)
class ConvertQuestion(Converting):
    """Write puzzles in another format.

    A puzzle that the format cannot express (its grid, its rules, its givens) is refused by its number, with exit code 1 at the
    end; the others are written. Titles, authors and other texts that the format has no place for are left out, with a remark
    on standard error; with `strict` they are errors too.
    """

    name = "convert"
    subject = "text"
    most = 100
    example: ClassVar[Fields] = {"puzzle": KILLER, "to": "fpuzzles"}

    def contradictions(self) -> Iterator[Problem]:
        """Yield that there is no such format, or that it is only read."""
        from sudoku_cp.formats import format_to_write  # noqa: PLC0415  # for answers alone

        try:
            format_to_write(self.to)
        except InvalidInput as error:
            yield from (placed(problem, "to") for problem in error.problems)

    def answer(self, subject: Sequence[Record], run: Run) -> ConvertAnswer:
        """Write the puzzles, or report why the format cannot express them."""
        from sudoku_cp.formats import format_puzzles  # noqa: PLC0415  # as above

        del run
        puzzles = [record.position().puzzle for record in subject]
        pieces = list(format_puzzles(puzzles, self.to, strict=self.strict))
        if refused := next((one for one in pieces if one.error), None):
            return ConvertAnswer(status="refused", error=str(refused.error))
        left_out = list(dict.fromkeys(one for piece in pieces for one in piece.left_out))
        return ConvertAnswer(status="written", left_out=left_out, text="".join(one.text for one in pieces))

    @classmethod
    def unknown_answer(cls, body: Mapping[str, Any]) -> ConvertAnswer:
        """Return that nothing has been written."""
        del body
        return ConvertAnswer(status="unknown")


@dataclass(frozen=True, eq=False, kw_only=True)
class ConvertAnswer(QuestionAnswer):
    """The answer of ``convert``."""

    status: Literal["written", "refused", "unknown"] = answer_field()
    left_out: list[str] = answer_field("What the format has no place for.", ABSENT)
    error: str = answer_field("", ABSENT)
    text: str = answer_field("", ABSENT)

    @property
    def exit_code(self) -> int:
        """Yes for what is written."""
        return {"written": YES, "refused": NO}.get(self.status, RAN_OUT)
