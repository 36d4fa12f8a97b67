"""The models of bodies and answers, made from the declarations of questions."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import MISSING, fields, is_dataclass
from dataclasses import Field as DataclassField
from functools import cache, partial
from types import UnionType
from typing import (
    TYPE_CHECKING,
    Annotated,
    Any,
    ForwardRef,
    Literal,
    TypeAlias,
    TypeVar,
    Union,
    get_args,
    get_origin,
    get_type_hints,
)

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, RootModel, create_model, model_validator
from pydantic_core import PydanticCustomError, core_schema

from sudoku_cp.grid import Cell
from sudoku_cp.questions.answer import ABSENT, PositionJson, PuzzleJson, json_fields
from sudoku_cp.questions.question import (
    NAMES,
    SUBJECTS,
    CertificateInput,
    Option,
    PositionsInput,
    PuzzleInput,
    Question,
    SeveralInput,
    SheetsInput,
    options_of,
    question_named,
    spell,
)
from sudoku_cp.service.settings import MOST_CELLS, MOST_CERTIFICATE_TEXT, MOST_FIELDS, MOST_MARKS, MOST_NAMES, MOST_RULES

if TYPE_CHECKING:
    from pydantic import GetJsonSchemaHandler
    from pydantic.json_schema import JsonSchemaValue
    from pydantic_core import CoreSchema

    from sudoku_cp.rules import Rule
    from sudoku_cp.rules.base import FieldType


# Puzzles in a body: any text or our JSON, whose schema is made from the registry of rules.
#
# The library's reader alone judges puzzles; pydantic sees a text, object or array. The schema is for readers and makers of
# clients.


CellName: TypeAlias = Annotated[str, Field(pattern=r"^[rR]\d+[cC]\d+$", examples=["r4c7"])]

RULE_DOCUMENT = "RuleDocument"
"""The model of any rule, to which those that are made of rules refer."""


class BoardDocument(BaseModel):
    """A board, or several that overlap."""

    model_config = ConfigDict(extra="forbid")

    rows: int | None = Field(None, ge=1, le=36)
    columns: int | None = Field(None, ge=1, le=36)
    boxes: tuple[int, int] | None = Field(None, description="Height and width of the boxes.")
    regions: list[list[int | None]] | None = Field(None, description="The region of each cell, row by row.")
    at: tuple[int, int] | None = Field(None, description="Row and column of its first cell in the plane, from 0.")
    values: tuple[int, int] | None = Field(None, description="The lowest and the highest value.")
    boards: list[dict[str, Any]] | None = Field(None, description="Several boards, each with its rows, columns and place.")


@cache
def puzzle_document() -> type[BaseModel]:
    """Return the model of our JSON of a puzzle, in which a rule is one of all kinds."""
    rule: Any = _rule_document()
    contents: dict[str, Any] = {
        "format": (Literal["sudoku-cp puzzle"], "sudoku-cp puzzle"),
        "version": (Literal[1], 1),
        "grid": (BoardDocument | None, Field(None, description="Without it, 9x9 with boxes.")),
        "rules": (list[rule], Field(["houses"], description="All rules, the houses included; or kinds by name.")),
        "givens": (dict[CellName, int], Field({}, examples=[{"r1c1": 5}])),
        "candidates": (dict[CellName, list[int]], Field({}, description="The values that a cell may still take.")),
        "symbols": (str | dict[str, Any] | None, Field(None, description="digits, letters, hex, or signs of one's own.")),
        "solution": (list[int] | None, Field(None, description="A stated solution, cell by cell.")),
        "drawings": (list[dict[str, Any]], Field([], description="What is drawn apart from rules, without a meaning.")),
        "play": (dict[str, Any] | None, Field(None, description="A game of the puzzle as the page saves it; passed over.")),
    }
    contents |= dict.fromkeys(("title", "author", "source", "ruleset"), (str, ""))
    config = ConfigDict(extra="forbid")
    return create_model("PuzzleDocument", __config__=config, __doc__="A puzzle in the project's own JSON.", **contents)


@cache
def _rule_document() -> Any:
    """Return the model of any rule, within another one too: one of all kinds, or the name of a kind that needs no fields."""
    from sudoku_cp.rules import RULES  # noqa: PLC0415  # every rule, for the document alone

    kinds = tuple(_kind_document(RULES[kind]) for kind in RULES)
    rule: Any = Annotated[Union[kinds], Field(discriminator="kind")]  # noqa: UP007  # of as many as there are
    document = create_model(RULE_DOCUMENT, __base__=RootModel[rule | str], __doc__="A rule: an object, or its kind alone.")
    for kind in kinds:
        kind.model_rebuild(_types_namespace={RULE_DOCUMENT: document})
    document.model_rebuild(force=True)
    return document


def _kind_document(rule: type[Rule]) -> type[BaseModel]:
    """Return the model of a kind of rule: its fields, with its docstring and an example."""
    from sudoku_cp.questions.listings import class_summary, example_grid  # noqa: PLC0415  # for the document alone
    from sudoku_cp.rules import rule_to_json  # noqa: PLC0415  # as above

    grid = example_grid(rule, 9)
    contents: dict[str, Any] = {"kind": (Literal[rule.kind], ...)}
    for field in fields(rule):
        contents[field.name] = (_python_type(rule.field_types[field.name]), _default_of(field))
    config = ConfigDict(extra="forbid", json_schema_extra={"examples": [rule_to_json(rule.example(grid), grid)]})
    return create_model(f"{rule.__name__}Rule", __config__=config, __doc__=class_summary(rule), **contents)


def _default_of(field: Any) -> Any:
    """Return a field's default where JSON can say it: a value, or nothing at all."""
    if field.default is MISSING:
        return ...
    return Field(field.default) if isinstance(field.default, bool | int | str | None) else Field(default_factory=list)


def _python_type(field: FieldType) -> Any:
    plain: Any = {Cell: CellName, int: int, bool: bool, str: str}.get(field.plain, ForwardRef(RULE_DOCUMENT))  # type: ignore[call-overload]
    for _ in range(field.depth):
        plain = list.__class_getitem__(plain)
    return plain | None if field.optional else plain


class _ShownAs:
    """Shows a text, an object or (``rows``) an array in schemas as a text, a puzzle document or rows of cells."""

    def __init__(self, *, rows: bool = False) -> None:
        self._rows = rows

    def __get_pydantic_json_schema__(self, schema: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        del schema
        kinds: list[CoreSchema] = [core_schema.str_schema(), puzzle_document().__pydantic_core_schema__]
        return handler(core_schema.union_schema([*kinds, *[core_schema.list_schema(max_length=MOST_CELLS)] * self._rows]))


PuzzleText: TypeAlias = Annotated[str | dict[str, Any], _ShownAs()]
"""A puzzle as text in any of the formats that are read, or in our JSON; in an answer, a line of text or our JSON."""
PuzzleBody: TypeAlias = Annotated[str | dict[str, Any] | Annotated[list[Any], Field(max_length=MOST_CELLS)], _ShownAs(rows=True)]
"""The same, or rows of cells in an array."""


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
    contents: dict[str, Any] = {one.field: (_body_type(one, question.most), _body_field(one, question.most)) for one in options}
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


def _body_type(one: Option, most: int) -> Any:
    """Return the type of an option with the sizes that a stranger may send."""
    subjects = {
        PuzzleInput: PuzzleBody,
        PuzzleInput | None: PuzzleBody | None,
        CertificateInput: Annotated[str, Field(max_length=MOST_CERTIFICATE_TEXT)],
        SeveralInput: PuzzleText | Annotated[list[PuzzleText | list[Any]], Field(max_length=most)],
        SheetsInput: Annotated[list[PuzzleBody], Field(min_length=1, max_length=most)],
        PositionsInput: Annotated[list[Entries | None], Field(max_length=most)],
        PositionJson | None: Entries | None,
    }
    if one.hint in subjects:
        return subjects[one.hint]
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


def _make_model(kind: type) -> type[BaseModel]:
    hints = get_type_hints(kind, include_extras=True)
    contents: dict[str, Any] = {one.name: (_model_hint(hints[one.name]), _answer_field(one)) for one in json_fields(kind)}
    return create_model(kind.__name__, __config__=ConfigDict(extra="forbid"), __doc__=kind.__doc__, **contents)


answer_model: Callable[[type], type[BaseModel]] = cache(_make_model)
"""Return the model of a dataclass of an answer, with those inside of it."""


def _answer_field(one: DataclassField[Any]) -> Any:
    default = None if one.default is ABSENT else ... if one.default is MISSING else one.default
    return Field(default, **one.metadata)


def _model_hint(hint: Any) -> Any:
    if hint == PuzzleJson:
        return PuzzleText
    if is_dataclass(hint):
        return answer_model(hint)  # type: ignore[arg-type]
    origin, inside = get_origin(hint), get_args(hint)
    if origin in {Union, UnionType}:
        return Union[tuple(map(_model_hint, inside))]  # noqa: UP007  # as above
    if origin is not None and any(is_dataclass(one) for one in inside):
        return origin[tuple(map(_model_hint, inside))]
    return hint
