"""What may be asked: a model for the body of each question.

Options have the names, defaults and bounds of the command line, and its words where these fit; a test compares them.
"""

from __future__ import annotations

from functools import partial
from typing import Annotated, Any, Literal, TypeAlias, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, model_validator
from pydantic_core import PydanticCustomError

from sudoku_cp.service.shapes.documents import CellName, PuzzleSent
from sudoku_cp.service.sizes import (
    MOST_CELLS,
    MOST_CERTIFICATE_TEXT,
    MOST_FIELDS,
    MOST_MARKS,
    MOST_NAMES,
    MOST_RULES,
)

Seconds: TypeAlias = Annotated[float, Field(ge=0, allow_inf_nan=False)]
Name: TypeAlias = Annotated[str, Field(max_length=200)]
Number: TypeAlias = Annotated[int, Field(ge=0, lt=1 << 64)]
Text: TypeAlias = Annotated[str, Field(max_length=5_000_000)]


Names: TypeAlias = Annotated[list[Name], Field(max_length=MOST_NAMES)]
Rules: TypeAlias = Annotated[list[Name | dict[str, Any]], Field(max_length=MOST_RULES)]


def require_few(data: Any, most: int) -> Any:
    """Return data, unless it is an object of more than ``most`` fields: each that does not fit would become a problem."""
    if isinstance(data, dict) and len(data) > most:
        raise PydanticCustomError("too_many_fields", f"Object should have at most {most:,} fields, not {len(data):,}")
    return data


_T = TypeVar("_T")
ByCell: TypeAlias = Annotated[
    dict[CellName, _T], Field(max_length=MOST_CELLS), BeforeValidator(partial(require_few, most=MOST_CELLS))
]
"""Something for each cell."""


class FewFields(BaseModel):
    """An object of few fields: of many unknown ones, only their number is a problem."""

    @model_validator(mode="before")
    @classmethod
    def _require_few(cls, data: Any) -> Any:
        return require_few(data, MOST_FIELDS)


class Body(FewFields):
    """What every body may say."""

    model_config = ConfigDict(extra="forbid", serialize_by_alias=True, validate_by_alias=True, strict=True, defer_build=True)

    timeout: Seconds | None = Field(None, description="Give up on a puzzle after this many seconds, and say so.")
    job: bool = Field(default=False, description="Answer with a job at once, instead of waiting.")


class Reading(Body):
    """A question about puzzles, and how they are read."""

    format: Name | None = Field(None, alias="from", description="The format of the input; by default it is recognised.")
    size: int | Name | None = Field(None, description="The side of plain grids, such as 16; or ROWSxCOLUMNS, such as 6x8.")
    boxes: Name | None = Field(None, description="The boxes of plain grids, such as 4x3 at 12x12; 'none' for no boxes.")
    alphabet: Name | None = Field(None, description="The symbols of values: digits, letters, hex (from 0), or your own.")
    rules: Text | Rules = Field(
        "", description="Rules to add: names such as diagonals,anti-knight, or rules as JSON (see /v1/rules)."
    )
    strict: bool = Field(default=False, description="Treat warnings about what cannot be read as errors.")


class Ask(Reading):
    """A question about a puzzle."""

    puzzle: PuzzleSent = Field(
        description="A puzzle as text in any format that is read, in the project's JSON, or as rows of cells."
    )


class Solving(Ask):
    """A question that an engine answers."""

    backend: Name = Field(
        "auto",
        description="The engine: fast (plain grids), native, sat, cpsat, race, a kind of one such as sat:cadical153, or auto.",
    )
    nodes: Number | None = Field(
        None, description="Give up on a puzzle after this many nodes (guesses or conflicts, as the engine counts)."
    )


class Entries(FewFields):
    """Somebody's entries in a puzzle."""

    model_config = ConfigDict(extra="forbid", strict=True)

    values: ByCell[int] = Field({}, description="Values by cell; givens need not be repeated.")
    marks: ByCell[Annotated[list[int], Field(max_length=MOST_MARKS)]] = Field(
        {}, description="The candidates that are left in a cell."
    )


class PositionAsk(Ask):
    """A question about a position."""

    position: Entries | None = Field(None, description="What has been filled in; without it, what the puzzle's text says.")


# --- solutions ---------------------------------------------------------------------------------------------------


# --- proofs ------------------------------------------------------------------------------------------------------


class ProveAsk(Ask):
    """The body of ``prove``."""

    claim: Literal["auto", "unique", "none", "minimal"] = Field(
        "auto", description="unique, none, minimal (unique, and every given is needed), or auto: whichever is true."
    )
    backend: Name = Field(
        "sat",
        description="The provers, comma-separated: sat (sat:glucose4, ...), and native where houses are the only rules.",
    )
    no_verify: bool = Field(default=False, description="Do not check the certificate after it is written.")
    nodes: Number | None = Field(None, description=Solving.model_fields["nodes"].description)


class VerifyAsk(Body):
    """The body of ``verify``."""

    certificate: str = Field(
        max_length=MOST_CERTIFICATE_TEXT,
        description="The certificate: a tar.gz of its folder in base64, as 'prove' answers it.",
    )
    trust: bool = Field(
        default=False, description="Accept parts that have to be taken on trust (unknown rules, too large), and name them."
    )


class NothingAsked(BaseModel):
    """No body."""

    model_config = ConfigDict(extra="forbid")
