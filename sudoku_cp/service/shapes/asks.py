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
    MOST_PUZZLES,
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


# --- new puzzles -------------------------------------------------------------------------------------------------


class GenerateAsk(Body):
    """The body of ``generate``."""

    count: int | None = Field(None, ge=1, le=MOST_PUZZLES, description="How many puzzles.")
    size: int | Name | None = Field(None, description="The side of the board, such as 16; or ROWSxCOLUMNS.")
    boxes: Name | None = Field(None, description="The boxes, such as 3x2 at 6; 'none' for no boxes.")
    rules: Text | Rules = Field(
        "", description="Rules of the whole board (diagonals), kinds of clues (killer, thermo), jigsaw; or rules as JSON."
    )
    style: Name = Field("", description="How clues look together: usual, sparse, rich, symmetric.")
    difficulty: Name | None = Field(
        None,
        description="easy (hidden singles solve it), medium (naked ones too), hard (singles do not); several: easy,hard;"
        " or a number of each: easy:50,hard:50.",
    )
    guesses: int | Name | None = Field(None, description="How many guesses the reference search takes: 2..5, 3.., or 0.")
    givens: int | Name | None = Field(None, description="How many givens: 24, 22..25, ..22.")
    singles_only: bool = Field(default=False, description="Singles alone solve the puzzle.")
    symmetry: Name = Field(
        "none", description="The symmetry of the givens: rot180, rot90, mirror, diagonal, mirrors, diagonals, full."
    )
    pattern: Text | None = Field(None, description="The cells of givens as text: # for given and . for blank cells.")
    minimal: bool = Field(default=False, description="No given, and no clue, can be left out.")
    rating: Name | None = Field(
        None, description="The rating: se:6.6..7.2 (Sudoku Explainer 1.2.1), proof:5..9, hodoku:1000..1600 (HoDoKu 2.2)."
    )
    needs: Names = Field([], description="Techniques (names or codes) that the path by the easiest steps needs.")
    seed: Number | None = Field(None, description="With the same options, a seed makes the same puzzles.")
    cross_check: float = Field(
        1.0, ge=0, le=1, allow_inf_nan=False, description="Prove only this share of the puzzles by another engine: 0.01, say."
    )
    timeout: Seconds | None = Field(None, description="Give up if no puzzle is found for this many seconds.")
    stop_after: Seconds | None = Field(None, description="End the whole run after this many seconds.")


# --- what solves nothing -----------------------------------------------------------------------------------------


class PictureAsk(PositionAsk):
    """The body of ``picture``."""

    cell: int = Field(50, ge=10, le=500, description="The side of a cell in pixels.")
    words: bool = Field(default=False, description="Title and rules in words below the picture.")
    layers: bool = Field(default=False, description="Answer with what a page needs to draw the puzzle itself.")
    link: Text | None = Field(None, description="A link to the puzzle: answer with its QR code instead of the picture.")


class PrintAsk(Reading):
    """The body of ``print``."""

    puzzles: list[PuzzleSent] = Field(min_length=1, max_length=MOST_PUZZLES, description="The puzzles, in their order.")
    per_page: Literal[1, 2, 4, 6, 9] = Field(1, description="Puzzles on a page.")
    paper: Name = Field("a4", description="a4, letter, a3, a5, legal, or WIDTHxHEIGHT in millimetres.")
    landscape: bool = Field(default=False, description="The paper lies on its long side.")
    solutions: Literal["none", "end", "same", "upside-down"] = Field(
        "none", description="Where solutions are: none, end, same (small, on the same page), or upside-down (so, but turned)."
    )
    title: Name = Field("", description="The title of the sheets or the booklet.")
    author: Name = Field("", description="Their author.")
    numbering: Name = Field("1", description="The number of the first puzzle, or none.")
    rules_in_words: bool = Field(default=False, description="The rules in words below each puzzle.")
    marks: bool = Field(default=False, description="Entries and pencil marks too, where a puzzle has any.")
    positions: list[Entries | None] = Field(
        [], max_length=MOST_PUZZLES, description="What has been filled in, in the order of the puzzles, for 'marks'."
    )
    symbols: Name | None = Field(None, description="Values as digits, letters, hex, or in your own signs.")
    margin: float = Field(15.0, ge=0, le=1000, description="The margin in millimetres.")
    bleed: float = Field(0.0, ge=0, le=20, description="The bleed around the trimmed page in millimetres.")
    qr: bool = Field(default=False, description="QR codes with links to play.")
    booklet: bool = Field(default=False, description="A cover, contents, a section for each level; an even number of pages.")
    preview: bool = Field(default=False, description="Answer with the first page as SVG, and the number of pages, instead.")


class NothingAsked(BaseModel):
    """No body."""

    model_config = ConfigDict(extra="forbid")
