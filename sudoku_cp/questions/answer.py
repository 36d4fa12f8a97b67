"""What an answer is: a dataclass whose fields are those of its JSON, its words for people, and the exit code that it means."""

from __future__ import annotations

from dataclasses import MISSING, Field, dataclass, field, fields, is_dataclass, replace
from typing import Annotated, Any, Literal, Self, TypeAlias

from sudoku_cp.questions.exit_codes import RAN_OUT, YES

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

    found: Any = field(default=None, repr=False)
    """What the library has found, for those who draw it; it is no field of the JSON."""

    @property
    def exit_code(self) -> int:
        """The exit code that it means: that it is there is a yes."""
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
    return [one for one in fields(kind) if one.name != "found"]


def _is_optional(one: Any) -> bool:
    return one.default is not MISSING
