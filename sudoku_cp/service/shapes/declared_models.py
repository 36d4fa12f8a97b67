"""The models of bodies and answers, made from the declarations of questions."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import MISSING, is_dataclass
from dataclasses import Field as DataclassField
from functools import cache, partial
from types import UnionType
from typing import Annotated, Any, TypeAlias, TypeVar, Union, get_args, get_origin, get_type_hints

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, create_model, model_validator
from pydantic_core import PydanticCustomError

from sudoku_cp.questions.answer import ABSENT, PositionJson, PuzzleJson, json_fields
from sudoku_cp.questions.question import (
    SUBJECTS,
    CertificateInput,
    Option,
    PositionsInput,
    PuzzleInput,
    Question,
    SeveralInput,
    SheetsInput,
    answer_type,
    options_of,
    spell,
)
from sudoku_cp.questions.registry import NAMES, question_named
from sudoku_cp.service.shapes.documents import CellName, PuzzleSent, PuzzleText, PuzzleTold
from sudoku_cp.service.sizes import MOST_CELLS, MOST_CERTIFICATE_TEXT, MOST_FIELDS, MOST_MARKS, MOST_NAMES, MOST_RULES

Name: TypeAlias = Annotated[str, Field(max_length=200)]
Text: TypeAlias = Annotated[str, Field(max_length=5_000_000)]


def _require_few(data: Any, most: int) -> Any:
    """Return data, unless it is an object of more than ``most`` fields: each that does not fit would become a problem."""
    if isinstance(data, dict) and len(data) > most:
        raise PydanticCustomError("too_many_fields", f"Object should have at most {most:,} fields, not {len(data):,}")
    return data


_T = TypeVar("_T")
ByCell: TypeAlias = Annotated[
    dict[CellName, _T], Field(max_length=MOST_CELLS), BeforeValidator(partial(_require_few, most=MOST_CELLS))
]
"""Something for each cell."""


class FewFields(BaseModel):
    """An object of few fields: of many unknown ones, only their number is a problem."""

    @model_validator(mode="before")
    @classmethod
    def _require_few(cls, data: Any) -> Any:
        return _require_few(data, MOST_FIELDS)


class Body(FewFields):
    """What every body may say."""

    model_config = ConfigDict(extra="forbid", serialize_by_alias=True, validate_by_alias=True, strict=True, defer_build=True)

    timeout: Annotated[float, Field(ge=0, allow_inf_nan=False)] | None = Field(
        None, description="Give up on a puzzle after this many seconds, and report that time ran out."
    )
    job: bool = Field(default=False, description="Answer with a job at once, instead of waiting.")


class Entries(FewFields):
    """Somebody's entries in a puzzle."""

    model_config = ConfigDict(extra="forbid", strict=True)

    values: ByCell[int] = Field({}, description="Values by cell; givens need not be repeated.")
    marks: ByCell[Annotated[list[int], Field(max_length=MOST_MARKS)]] = Field(
        {}, description="The candidates that are left in a cell."
    )


# --- bodies -----------------------------------------------------------------------------------------------------

_KNOWN = (
    "A name of your own for a series of questions about a puzzle in the making: each begins with what the last ones"
    " found, where that still holds."
)
_ENDING = "Ask"
"""How the name of a model of a body ends."""


def _make_body_model(question: type[Question]) -> type[BaseModel]:
    options = (*SUBJECTS[question.subject], *options_of(question))
    contents: dict[str, Any] = {one.field: (_sent(one, question.most), _body_field(one, question.most)) for one in options}
    if question.is_series:
        contents["known"] = (Name | None, Field(None, description=_KNOWN))
    name = question.__name__.removesuffix("Question") + _ENDING
    words = f"The body of ``{question.name}``."
    return create_model(name, __base__=Body, __module__=__name__, __doc__=words, **contents)


body_model: Callable[[Any], type[BaseModel]] = cache(_make_body_model)
"""Return the model of the body of a question: what it is about, its options, and what every body may say."""


def __getattr__(name: str) -> object:
    """Return a model of a body by its name, by which workers find it again."""
    if (stem := name.removesuffix(_ENDING)) != name and stem.lower() in NAMES:
        return body_model(question_named(stem.lower()))
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def _body_field(one: Option, most: int) -> Any:
    bounds = {name: bound for name in ("ge", "le", "lt") if (bound := getattr(one, name)) is not None}
    words = f"{one.words} By default {one.shown_default}." if one.shown_default else one.words
    words = f"{words[:-1]} (at most {most:,})." if one.hint == SeveralInput else words
    return Field(
        ... if one.default is MISSING else _default(one),
        alias=None if one.name == one.field else one.name,
        description=spell(words, lambda name: f"'{name}'", lambda name: f"/v1/{name}"),
        examples=[*one.examples] or None,
        **bounds,
    )


def _default(one: Option) -> Any:
    """Return the default; that of the time is the service's own."""
    return None if one.name == "timeout" else one.default


def _sent(one: Option, most: int) -> Any:
    """Return the type of an option with the sizes that a stranger may send."""
    if one.hint == PuzzleInput:
        return PuzzleSent
    if one.hint == CertificateInput:
        return Annotated[str, Field(max_length=MOST_CERTIFICATE_TEXT)]
    if one.hint == SeveralInput:
        return PuzzleText | Annotated[list[PuzzleText | list[Any]], Field(max_length=most)]
    if one.hint == SheetsInput:
        return Annotated[list[PuzzleSent], Field(min_length=1, max_length=most)]
    if one.hint == PositionsInput:
        return Annotated[list[Entries | None], Field(max_length=most)]
    if one.hint == PositionJson | None:
        return Entries | None
    return _bounded(one.hint, Text if one.is_long else Name, MOST_RULES if one.name == "rules" else MOST_NAMES)


def _bounded(hint: Any, text: Any, most: int) -> Any:
    if hint is str:
        return text
    if hint is float:
        return Annotated[float, Field(allow_inf_nan=False)]
    origin, inside = get_origin(hint), get_args(hint)
    if origin in {Union, UnionType}:
        return Union[tuple(_bounded(one, text, most) for one in inside)]  # noqa: UP007  # of as many as there are
    if origin is list:
        return Annotated[list[_bounded(inside[0], Name, most)], Field(max_length=most)]  # type: ignore[misc]
    return hint


# --- answers ----------------------------------------------------------------------------------------------------


def answer_model(question: type[Question]) -> type[BaseModel]:
    """Return the model of the answer of a question."""
    return _model_of(answer_type(question))


def _make_model(kind: type) -> type[BaseModel]:
    hints = get_type_hints(kind, include_extras=True)
    contents: dict[str, Any] = {one.name: (_model_hint(hints[one.name]), _answer_field(one)) for one in json_fields(kind)}
    return create_model(kind.__name__, __config__=ConfigDict(extra="forbid"), __doc__=kind.__doc__, **contents)


_model_of: Callable[[type], type[BaseModel]] = cache(_make_model)
"""Return the model of a dataclass of an answer, with those inside of it."""


def _answer_field(one: DataclassField[Any]) -> Any:
    default = None if one.default is ABSENT else ... if one.default is MISSING else one.default
    return Field(default, **one.metadata)


def _model_hint(hint: Any) -> Any:
    if hint == PuzzleJson:
        return PuzzleTold
    if is_dataclass(hint):
        return _model_of(hint)  # type: ignore[arg-type]
    origin, inside = get_origin(hint), get_args(hint)
    if origin in {Union, UnionType}:
        return Union[tuple(map(_model_hint, inside))]  # noqa: UP007  # as above
    if origin is not None and any(is_dataclass(one) for one in inside):
        return origin[tuple(map(_model_hint, inside))]
    return hint
