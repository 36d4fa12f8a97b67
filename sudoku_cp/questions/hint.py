"""The question ``hint``: what could a person do next?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from sudoku_cp.questions.answer import ABSENT, NO, RAN_OUT, YES, answer_field
from sudoku_cp.questions.answer_parts import PositionAnswer, StepJson, cell_names, position_fields
from sudoku_cp.questions.question import EASY, Fields, Patient, Reading, option

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sudoku_cp.logic.hints import Hint, HintLevel
    from sudoku_cp.questions.question import Run, Start


@dataclass(frozen=True, eq=False, kw_only=True)
class HintQuestion(Patient, Reading):
    """Give a hint: the next step by the easiest technique, in as much detail as `level` asks for.

    A library line of HoDoKu is a position. If entries are wrong, they are named first, with the smallest clash and (as JSON, or
    with `level` 5) the position without them. The exit code is 1 if there is no step to take, 3 if the time ran out first.
    """

    name = "hint"
    subject = "position"
    example: ClassVar[Fields] = {
        "puzzle": EASY,
        "level": 4,
        "position": {"values": {"r1c3": 4}, "marks": {"r1c4": [2, 6]}},
    }

    level: int = option(
        "How much to show: 1 where to look, 2 the technique, 3 its cells, 4 the step, 5 the grid after it.",
        1,
        ge=1,
        le=5,
        metavar="LEVEL",
    )
    skip: int = option("Skip this many steps, easiest first, and give the next one.", 0, ge=0, le=1_000, metavar="NUMBER")

    def answer(self, subject: Start, run: Run) -> HintAnswer:
        """Look for the step."""
        from sudoku_cp.logic.hints import hint  # noqa: PLC0415  # techniques, for answers alone

        return HintAnswer.of(hint(subject.position, skip=self.skip, limits=run.limits), self.level)

    @classmethod
    def unknown_answer(cls, body: Mapping[str, Any]) -> HintAnswer:
        """Return that no step has been found yet."""
        words = "The time ran out before a step was found."
        return HintAnswer(status="unknown", level=body.get("level", 1), solutions="unknown", text=words)


@dataclass(frozen=True, eq=False, kw_only=True)
class HintAnswer(PositionAnswer):
    """The answer of ``hint``, up to its level of detail."""

    status: Literal["step", "wrong", "none", "solved", "stuck", "unknown"] = answer_field()
    level: int = answer_field()
    named: bool = answer_field("False where no named step leads on: the step is a supposition, or what a search shows.", True)
    place: str = answer_field("", ABSENT)
    technique: str = answer_field("", ABSENT)
    code: str = answer_field("", ABSENT)
    cells: list[str] = answer_field("At most six cells by which the step is found.", ABSENT)
    step: StepJson = answer_field("", ABSENT)
    values: dict[str, int] = answer_field(
        "At level 5, what is filled in after the step; for a position with errors, what is filled in without them.", ABSENT
    )
    candidates: dict[str, list[int]] = answer_field("The candidates of the same position.", ABSENT)
    text: str = answer_field()

    @classmethod
    def of(cls, found: Hint, level: int) -> HintAnswer:
        """Return a hint up to a level of detail; of a wrong position, also what is left without the errors."""
        from sudoku_cp.logic.hints import HintLevel  # noqa: PLC0415  # techniques, for answers alone

        wanted = HintLevel(level)
        return cls(
            status=found.answer,
            level=level,
            reason=found.reason or found.check.reason,
            **position_fields(found.start, found.check, found.clash),
            **_step_fields(found, wanted),
            **_grid_fields(found, wanted),
            text=found.text(wanted),
            found=found,
        )

    @property
    def hint(self) -> Hint:
        """What the library has found."""
        found: Hint = self.found
        return found

    @property
    def exit_code(self) -> int:
        """Yes for a step to take."""
        return {"step": YES, "unknown": RAN_OUT}.get(self.status, NO)


def _step_fields(found: Hint, level: HintLevel) -> dict[str, Any]:
    """Return what a level shows of the step."""
    from sudoku_cp.logic.hints import HintLevel  # noqa: PLC0415  # techniques, for answers alone
    from sudoku_cp.logic.layout import layout_of  # noqa: PLC0415  # as above
    from sudoku_cp.model import members  # noqa: PLC0415  # as above

    if found.step is None:
        return {}
    puzzle = found.start.puzzle
    step = StepJson.of(layout_of(puzzle), puzzle, found.step)
    fields: dict[str, Any] = {"place": found.place.name, "named": found.is_named}
    if level >= HintLevel.TECHNIQUE:
        fields |= {"technique": step.technique, "code": step.code}
    if level >= HintLevel.CELLS:
        fields["cells"] = cell_names(puzzle, members(found.key_cells))
    return fields | ({"step": step} if level >= HintLevel.STEP else {})


def _grid_fields(found: Hint, level: HintLevel) -> dict[str, Any]:
    """Return the position after the step, or without its errors."""
    from sudoku_cp.logic.hints import HintLevel  # noqa: PLC0415  # as above
    from sudoku_cp.model import members  # noqa: PLC0415  # as above

    if not found.position or (level < HintLevel.APPLY and found.step):
        return {}
    name = found.start.puzzle.grid.cell_name
    return {
        "values": {name(cell): value for cell, value in enumerate(found.position.values) if value is not None},
        "candidates": {name(cell): members(marks) for cell, marks in enumerate(found.position.marks) if marks},
    }
