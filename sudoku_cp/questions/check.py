"""The question ``check``: is a puzzle consistent, unique and minimal, and if not, why?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from sudoku_cp import queries
from sudoku_cp.questions.answer import ABSENT, FoundAnswer, answer_field, found_fields, unknown_fields
from sudoku_cp.questions.answer_parts import ConflictJson, RuleJson, cell_names, format_values
from sudoku_cp.questions.question import EASY, Fields, Run, Solving

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from sudoku_cp.grid import Cell
    from sudoku_cp.puzzle import Puzzle
    from sudoku_cp.queries import Check


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
        return CheckAnswer.of_check(subject, queries.check(subject, backend=self.backend, limits=run.limits))

    @classmethod
    def unknown_answer(cls, body: Mapping[str, Any]) -> CheckAnswer:
        """Return that nothing has been found yet."""
        return CheckAnswer(**unknown_fields(body))


@dataclass(frozen=True, eq=False, kw_only=True)
class CheckAnswer(FoundAnswer):
    """The answer of ``check``."""

    conflict: ConflictJson = answer_field("Why there is no solution.", ABSENT)
    differ: dict[str, tuple[int, int]] = answer_field("The cells in which two solutions differ.", ABSENT)
    frozen: list[str] = answer_field("What is the same in all solutions.", ABSENT)
    additions: list[str] | None = answer_field("Further givens that would leave one solution.", ABSENT)
    fewest: bool | None = answer_field("", ABSENT)
    minimal: bool | None = answer_field("Whether every given is needed.", ABSENT)
    unnecessary: list[str] = answer_field("Givens that can be left out, each alone.", ABSENT)
    unnecessary_rules: list[RuleJson] = answer_field("", ABSENT)
    unnecessary_candidates: list[str] = answer_field("", ABSENT)
    undecided: list[str] = answer_field("", ABSENT)

    @classmethod
    def of_check(cls, puzzle: Puzzle, checked: Check) -> CheckAnswer:
        """Return what is found of a puzzle, and the reasons for it."""
        fields = found_fields(puzzle, checked.answer)
        if checked.conflict:
            fields["conflict"] = ConflictJson.of(puzzle, checked.conflict)
        if checked.answer.status == "multiple":
            fields |= _ambiguity_fields(puzzle, checked)
        if checked.answer.status == "unique":
            fields |= _need_fields(puzzle, checked)
        if checked.undecided:
            fields |= {"undecided": list(checked.undecided), "reason": checked.answer.reason or checked.reason}
        return cls(**fields, found=checked)

    @property
    def checked(self) -> Check:
        """What the library has found."""
        found: Check = self.found
        return found


def _ambiguity_fields(puzzle: Puzzle, checked: Check) -> dict[str, Any]:
    """Return what solutions have in common, and what would leave one."""
    return {
        "differ": {puzzle.grid.cell_name(cell): (one, other) for cell, one, other in differing_values(checked)},
        "frozen": format_values(puzzle, checked.frozen),
        "additions": None if checked.additions is None else format_values(puzzle, checked.additions),
        "fewest": checked.fewest,
    }


def _need_fields(puzzle: Puzzle, checked: Check) -> dict[str, Any]:
    """Return what a puzzle with one solution could do without."""
    return {
        "minimal": checked.minimal,
        "unnecessary": format_values(puzzle, puzzle.givens, checked.unnecessary),
        "unnecessary_rules": [RuleJson.of(puzzle, index) for index in checked.unnecessary_rules],
        "unnecessary_candidates": cell_names(puzzle, checked.unnecessary_candidates),
    }


def differing_values(checked: Check) -> Iterator[tuple[Cell, int, int]]:
    """Yield each cell in which the first two solutions differ, with its value in either."""
    one, other = checked.answer.solutions[:2]
    return ((cell, one[cell], other[cell]) for cell in checked.differ)
