"""What an answer is: a dataclass whose fields are those of its JSON, its words for people, and the exit code that it means."""

from __future__ import annotations

from dataclasses import MISSING, Field, dataclass, field, fields, is_dataclass, replace
from typing import TYPE_CHECKING, Annotated, Any, Literal, Protocol, Self, TypeAlias

from sudoku_cp.errors import SudokuError, WrongAnswer
from sudoku_cp.puzzle import puzzle_to_short_json, solution_to_short_json

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from sudoku_cp.puzzle import Puzzle
    from sudoku_cp.queries import Answer


PuzzleJson: TypeAlias = Annotated[str | dict[str, Any], "puzzle"]
"""A puzzle in an answer: the line of text of a classic board, otherwise our JSON."""
PositionJson: TypeAlias = Annotated[dict[str, Any], "position"]
"""What somebody has filled in: ``values`` and ``marks`` by cell."""
Reason: TypeAlias = Literal["deadline", "nodes", "cancelled", "crashed", "memory"]
"""Why a question has no answer, or only a part of one."""
Status: TypeAlias = Literal["unique", "multiple", "none", "solved", "unknown"]
Stated: TypeAlias = Literal["right", "wrong"]
"""What the solution is that came with a puzzle."""
Solution: TypeAlias = str | dict[str, int]
"""A line of text, or values by cell."""


class Absent:
    """What stands for a field that an answer does not have, where None is something that it can say."""

    def __bool__(self) -> bool:
        """Return False, as for None."""
        return False


ABSENT = Absent()


def answer_field(words: str = "", default: Any = MISSING, **more: Any) -> Any:
    """Return a field of an answer: what it means, and the ``default`` with which it is left out; ``more`` are bounds."""
    return field(default=default, metadata={"description": words or None, **more})


@dataclass(frozen=True, eq=False, kw_only=True)
class QuestionAnswer:
    """What every answer may hold; those of each kind say the rest."""

    warnings: tuple[str, ...] = answer_field("What of the text was not read, because it is not a rule.", ())
    reason: Reason | None = answer_field("The limit that came first, if one did. It never means 'no'.", None)

    found: Any = field(default=None, repr=False, metadata={"is_json": False})
    """What the library has found, for those who draw it; it is no field of the JSON."""

    @property
    def exit_code(self) -> int:
        """Yes unless a limit came first."""
        return RAN_OUT if self.reason else YES

    def stopped_by(self, reason: Any) -> Self:
        """Return the same answer with the limit that came first."""
        return replace(self, reason=reason)

    @property
    def remark(self) -> str:
        """What else helps people, if anything does; options are named as in a `Question`."""
        return ""

    def in_words(self) -> str:
        """Return the answer for people, on a line; the command line draws longer ones itself."""
        raise NotImplementedError

    def to_json(self) -> dict[str, Any]:
        """Return the fields of its JSON: those that are required, and others that are not as usual."""
        return dict(to_json(self))


def to_json(value: Any) -> Any:
    """Return a value of an answer, or a part of one, as JSON."""
    if is_dataclass(value):
        required_first = sorted(json_fields(type(value)), key=_is_optional)
        return {one.name: to_json(getattr(value, one.name)) for one in required_first if getattr(value, one.name) != one.default}
    if isinstance(value, dict):
        return {key: to_json(one) for key, one in value.items()}
    return [to_json(one) for one in value] if isinstance(value, list | tuple) else value


def json_fields(kind: type) -> list[Field[Any]]:
    """Return the fields of the JSON of an answer."""
    return [one for one in fields(kind) if one.metadata.get("is_json", True)]


def _is_optional(one: Any) -> bool:
    return one.default is not MISSING


def with_values(**fields: Any) -> dict[str, Any]:
    """Return those of the fields that are not empty."""
    return {name: value for name, value in fields.items() if value}


def error_to_json(error: SudokuError) -> dict[str, Any]:
    """Return the JSON in the place of an answer, where a puzzle could not be read or an engine failed."""
    message = str(error).encode("utf-8", "backslashreplace").decode()  # bytes that are not text stay visible
    return {"status": "error", "error": message}


# The exit codes: what an answer, or the want of one, means to a script.
#
# 0 done, the answer is yes; 1 done, the answer is no; 2 bad usage, bad input, or an output that cannot be written; 3 a limit
# came before the answer; 4 an engine failed, which is a defect; 130 interrupted. With many puzzles the worst wins: 4, then 2,
# then 3, then 1.


YES, NO, BAD_INPUT, RAN_OUT, ENGINE_ERRED, INTERRUPTED = 0, 1, 2, 3, WrongAnswer.exit_code, 130
_BETTER_TO_WORSE = (YES, NO, RAN_OUT, BAD_INPUT, ENGINE_ERRED)


def worst(codes: Iterable[int]) -> int:
    """Return the exit code that stands for all of them."""
    return max(codes, key=_BETTER_TO_WORSE.index, default=YES)


# What answers of engines have in common: a status, solutions, how they were found, and the sentence for people.


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

    @classmethod
    def of(cls, puzzle: Puzzle, found: Answer, **more: Any) -> Self:
        """Return what an engine has found of a puzzle, with ``more`` fields of this kind of answer."""
        return cls(**found_fields(puzzle, found), **more)

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


def found_fields(puzzle: Puzzle, found: Answer) -> dict[str, Any]:
    """Return the fields of a `FoundAnswer` by which an engine's answer is known."""
    return {
        "puzzle": puzzle_to_short_json(puzzle),
        "status": found.status,
        "solutions": [solution_to_short_json(puzzle, solution) for solution in found.solutions],
        "count": found.count,
        "exact": found.exact,
        "backend": found.backend,
        "seconds": round(found.seconds, 6),
        "reason": found.reason,
        "stated_solution": found.stated,
        "counters": dict(found.counters),
    }


def unknown_fields(body: Mapping[str, Any]) -> dict[str, Any]:
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
