"""The question ``steps``: by which steps could a person solve it?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Literal

from sudoku_cp.errors import InvalidInput, placed
from sudoku_cp.questions.answer import ABSENT, NO, RAN_OUT, YES, answer_field, with_values
from sudoku_cp.questions.answer_parts import PositionAnswer, StepJson, position_fields
from sudoku_cp.questions.question import EASY, Fields, Patient, Reading, option

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from sudoku_cp.errors import Problem
    from sudoku_cp.logic.ladder import Rung
    from sudoku_cp.logic.paths import PathFinder, SolvePath
    from sudoku_cp.questions.question import Run, Start


@dataclass(frozen=True, eq=False, kw_only=True)
class StepsQuestion(Patient, Reading):
    """Show the steps that a person could take, easiest techniques first, each with its proof.

    A library line of HoDoKu is a position: digits placed and candidates deleted count. Techniques that argue from uniqueness
    are left out unless the puzzle has exactly one solution. The exit code is 1 if no technique leads further, 3 if the time ran
    out first (what was found is printed).
    """

    name = "steps"
    subject = "position"
    example: ClassVar[Fields] = {"puzzle": EASY}

    all: bool = option("List every step that is possible now, instead of a path to the solution.", False)
    technique: str | list[str] = option(
        "Use only this technique (its name or code, such as 0300); repeatable.",
        (),
        metavar="NAME",
        completion="complete_technique",
    )

    def contradictions(self) -> Iterator[Problem]:
        """Yield the names that no technique has."""
        names = [self.technique] if isinstance(self.technique, str) else self.technique
        for index, name in enumerate(names):
            try:
                _rungs_named([name])
            except InvalidInput as error:
                place = ("technique",) if isinstance(self.technique, str) else ("technique", index)
                yield from (placed(problem, *place) for problem in error.problems)

    def answer(self, subject: Start, run: Run) -> StepsAnswer:
        """Look for the steps."""
        finder = self.finder(subject, run)
        return self.answer_of(finder)

    def finder(self, subject: Start, run: Run) -> PathFinder:
        """Return what finds the steps; it has checked the position."""
        from sudoku_cp.logic.paths import PathFinder  # noqa: PLC0415  # techniques, for answers alone

        return PathFinder(subject.position, run.limits, searched=subject.searched)

    def answer_of(self, finder: PathFinder) -> StepsAnswer:
        """Return the steps that are found."""
        from sudoku_cp.logic.ladder import LAST_RESORT, RUNGS, TAUGHT  # noqa: PLC0415  # as above

        names = [self.technique] if isinstance(self.technique, str) else self.technique
        rungs = _rungs_named(names) or ([*RUNGS] if self.all else [*TAUGHT, LAST_RESORT])
        path = finder.possible(rungs) if self.all else finder.path(rungs)
        return StepsAnswer.of(path)

    @classmethod
    def unknown_answer(cls, body: Mapping[str, object]) -> StepsAnswer:
        """Return no steps."""
        del body
        return StepsAnswer(status="ok", steps=[], complete=False, solutions="unknown")


def _rungs_named(names: list[str]) -> list[Rung]:
    from sudoku_cp.logic.ladder import rungs_named  # noqa: PLC0415  # techniques, which are named rarely

    return rungs_named(names)


@dataclass(frozen=True, eq=False, kw_only=True)
class StepsAnswer(PositionAnswer):
    """The answer of ``steps``."""

    status: Literal["ok"] = answer_field()
    steps: list[StepJson] = answer_field()
    complete: bool = answer_field("Whether it ended by itself, and not at a limit.")
    end: str = answer_field(
        "How a path ended: solved, contradiction, limit, ambiguous or stuck; none or wrong if it never began.", ABSENT
    )

    @classmethod
    def of(cls, path: SolvePath) -> StepsAnswer:
        """Return a path or a list of steps, with the solutions that there are and what is wrong with the position."""
        return cls(
            status="ok",
            steps=_steps_to_json(path),
            complete=path.complete,
            **with_values(end=path.end),
            reason=path.reason or path.check.reason,
            **position_fields(path.start, path.check, path.clash),
            found=path,
        )

    @property
    def path(self) -> SolvePath:
        """What the library has found."""
        found: SolvePath = self.found
        return found

    @property
    def exit_code(self) -> int:
        """Yes for a path to the solution, and for a list."""
        if not self.complete:
            return RAN_OUT
        return YES if not self.end or self.end == "solved" else NO


def _steps_to_json(path: SolvePath) -> list[StepJson]:
    from sudoku_cp.logic.layout import layout_of  # noqa: PLC0415  # techniques, for answers alone

    if not path.steps:
        return []  # a layout takes long where there are many rules
    puzzle = path.start.puzzle
    layout = layout_of(puzzle)
    return [StepJson.of(layout, puzzle, step) for step in path.steps]
