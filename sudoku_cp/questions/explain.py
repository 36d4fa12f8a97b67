"""The question ``explain``: why can a cell not hold a value?"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar

from sudoku_cp.errors import InvalidInput, LimitReached, Problem, placed
from sudoku_cp.puzzle import solution_to_short_json
from sudoku_cp.questions.answer import ABSENT, NO, RAN_OUT, YES, QuestionAnswer, Reason, Solution, answer_field
from sudoku_cp.questions.question import EASY, Fields, Patient, Reading, Run, Start, option

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from sudoku_cp.grid import Cell
    from sudoku_cp.logic.candidate_board import CandidateBoard
    from sudoku_cp.logic.explanations import Explanation
    from sudoku_cp.logic.proofs import Claim, ProofLine
    from sudoku_cp.puzzle import Puzzle


@dataclass(frozen=True, eq=False, kw_only=True)
class Explaining(Patient, Reading):
    """How explanations are looked for."""

    patience: float = option("Seconds to spend looking for the smallest proof.", 1.0, ge=0, metavar="SECONDS")


@dataclass(frozen=True, eq=False, kw_only=True)
class ExplainQuestion(Explaining):
    """Explain why a cell cannot hold a value: which few facts contradict it, for any rules.

    Questions such as r5c7=4 stand after the puzzle. If a value is possible after all, because it is given or
    a solution has it, the answer shows that, and the exit code is 1. It is 3 if time ran out first.
    """

    name = "explain"
    subject = "position"
    example: ClassVar[Fields] = {"puzzle": EASY, "cell": "r1c3", "value": 1}

    cell: str = option("The cell, such as r5c7.", examples=("r5c7",))
    value: int | str = option("The value: a number, or its sign in the puzzle.", examples=(4,))

    def misfits(self, subject: Start) -> Iterator[Problem]:
        """Yield that the puzzle has no such cell, or no such value."""
        puzzle = subject.position.puzzle
        try:
            puzzle.grid.parse_cell(self.cell)
        except InvalidInput as error:
            yield from (placed(problem, "cell", cell=self.cell[:20]) for problem in error.problems)
        try:
            self._value_in(puzzle)
        except InvalidInput as error:
            yield from (placed(problem, "value") for problem in error.problems)

    def answer(self, subject: Start, run: Run) -> ExplainAnswer:
        """Look for the facts."""
        from sudoku_cp.logic.explanations import explain  # noqa: PLC0415  # techniques, for answers alone

        puzzle = subject.position.puzzle
        cell, value = puzzle.grid.parse_cell(self.cell), self._value_in(puzzle)
        found: Explanation | LimitReached
        try:
            found = explain(subject.position, cell, value, patience=self.patience, limits=run.limits)
        except LimitReached as reached:
            found = reached
        return ExplainAnswer(answers=[ExplanationJson.of(puzzle, cell, value, found)], found=found)

    def _value_in(self, puzzle: Puzzle) -> int:
        value = puzzle.symbols.parse(self.value) if isinstance(self.value, str) else self.value
        if value is None or value not in puzzle.grid.values:
            signs = "".join(map(puzzle.symbols.sign, puzzle.grid.values))
            raise InvalidInput(f"expected a value of the puzzle, one of {signs}, got {self.value!r:.40}")
        return value

    @classmethod
    def unknown_answer(cls, body: Mapping[str, Any]) -> ExplainAnswer:
        """Return the question, without an answer to it."""
        return ExplainAnswer(answers=[ExplanationJson(cell=body.get("cell", ""), value=body.get("value", ""), answer="unknown")])


@dataclass(frozen=True, eq=False, kw_only=True)
class FactJson:
    """A line of an explanation."""

    fact: str = answer_field()
    uses: list[tuple[str, int, bool]] = answer_field("Cell, value, and whether the cell holds it.")
    forces: list[tuple[str, int, bool]] = answer_field("The same.")
    text: str = answer_field()

    @classmethod
    def of(cls, puzzle: Puzzle, board: CandidateBoard, line: ProofLine) -> FactJson:
        """Return a line of the proof of an explanation."""
        from sudoku_cp.logic.words import describe_group, describe_line  # noqa: PLC0415  # techniques, for answers alone

        return cls(
            fact=describe_group(board.layout, puzzle.symbols, line.group),
            uses=_claims_to_json(puzzle, line.uses),
            forces=_claims_to_json(puzzle, line.forces),
            text=describe_line(puzzle.symbols, board, line),
        )


def _claims_to_json(puzzle: Puzzle, claims: Iterable[Claim]) -> list[tuple[str, int, bool]]:
    return [(puzzle.grid.cell_name(cell), value, holds) for cell, value, holds in claims]


@dataclass(frozen=True, eq=False, kw_only=True)
class ExplanationJson:
    """Why a cell cannot hold a value, or that it can."""

    cell: str = answer_field()
    value: int | str = answer_field()
    answer: str = answer_field()
    reason: Reason = answer_field("", ABSENT)
    text: list[str] = answer_field("", ABSENT)
    size: int = answer_field("", ABSENT, ge=0)
    smallest: bool = answer_field("", ABSENT)
    by_cases: bool = answer_field("", ABSENT)
    proof: list[str] = answer_field("", ABSENT)
    lines: list[FactJson] = answer_field("", ABSENT)
    solution: Solution = answer_field("", ABSENT)

    @classmethod
    def of(cls, puzzle: Puzzle, cell: Cell, value: int, found: Explanation | LimitReached) -> ExplanationJson:
        """Return what is found; values are integers, whatever symbols they are written with."""
        fields: dict[str, Any] = {"cell": puzzle.grid.cell_name(cell), "value": value}
        if isinstance(found, LimitReached):
            return cls(**fields, answer="unknown", reason=found.reason)
        if found.lines:
            fields |= _proof_fields(puzzle, found)
        if found.solution:
            fields["solution"] = solution_to_short_json(puzzle, found.solution)
        return cls(**fields, answer=found.reply, text=found.sentences())


def _proof_fields(puzzle: Puzzle, found: Explanation) -> dict[str, Any]:
    from sudoku_cp.logic.words import describe_group  # noqa: PLC0415  # techniques, for answers alone

    board = found.board
    fields: dict[str, Any] = {"size": found.size, "smallest": found.smallest, "by_cases": found.by_cases}
    fields["proof"] = [describe_group(board.layout, puzzle.symbols, group) for group in found.proof]
    return fields | ({} if found.by_cases else {"lines": [FactJson.of(puzzle, board, line) for line in found.lines]})


@dataclass(frozen=True, eq=False, kw_only=True)
class ExplainAnswer(QuestionAnswer):
    """The answer of ``explain``."""

    answers: list[ExplanationJson] = answer_field()

    @property
    def exit_code(self) -> int:
        """Yes for a value that cannot be there."""
        (answer,) = self.answers
        return {"unknown": RAN_OUT, "given": NO, "placed": NO, "holds": NO}.get(answer.answer, YES)

    def stopped_by(self, reason: Any) -> ExplainAnswer:
        """Return the same answer with the limit that came first."""
        return replace(self, answers=[replace(one, reason=reason) for one in self.answers])
