"""Puzzles in a body: any text or our JSON, whose schema is made from the registry of rules.

The library's reader alone judges puzzles; pydantic sees a text, object or array. The schema is for readers and makers of clients.
"""

from __future__ import annotations

from dataclasses import MISSING, fields
from functools import cache
from typing import TYPE_CHECKING, Annotated, Any, ForwardRef, Literal, TypeAlias, Union

from pydantic import BaseModel, ConfigDict, Field, RootModel, create_model
from pydantic_core import core_schema

from sudoku_cp.grid import Cell
from sudoku_cp.service.sizes import MOST_CELLS

if TYPE_CHECKING:
    from pydantic import GetJsonSchemaHandler
    from pydantic.json_schema import JsonSchemaValue
    from pydantic_core import CoreSchema

    from sudoku_cp.rules import Rule
    from sudoku_cp.rules.field_types import FieldType

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
    from sudoku_cp.answer_json.listings import class_summary, example_grid  # noqa: PLC0415  # for the document alone
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
"""A puzzle as text in any of the formats that are read, or in our JSON."""
PuzzleSent: TypeAlias = Annotated[str | dict[str, Any] | Annotated[list[Any], Field(max_length=MOST_CELLS)], _ShownAs(rows=True)]
"""The same, or rows of cells in an array."""
PuzzleTold: TypeAlias = Annotated[str | dict[str, Any], _ShownAs()]
"""A puzzle in an answer: the line of text of a classic board, otherwise our JSON."""
