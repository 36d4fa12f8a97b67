"""The answers of the listings: rules, formats, engines, limits."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from sudoku_cp.rules.base import GESTURES


class Thumbnail(BaseModel):
    """What the first rule of a small puzzle draws; lengths are in hundredths of a cell."""

    model_config = ConfigDict(extra="forbid")

    box: tuple[int, int, int, int] = Field(description="Left, top, width and height: a square around what is drawn.")
    cells: list[tuple[int, int]] = Field(description="Row and column of each cell in sight.")
    under: str = Field(description="Elements of SVG.")
    over: str
    outside: str


class RuleListed(BaseModel):
    """A kind of rule."""

    model_config = ConfigDict(extra="forbid")

    kind: str
    meaning: str
    fields: dict[str, str] = Field(description="The type of each field.")
    defaults: dict[str, Any] = Field(description="The value that a field has when it is left out; the others are required.")
    gesture: str = Field(description="How it is made on a drawn board: " + ", ".join(GESTURES) + ".")
    family: str
    example: dict[str, Any]
    thumbnail: Thumbnail | None = Field(description="The picture of an example; null for a rule that draws nothing.")
    values: tuple[int, int]
    elsewhere: dict[str, str]


class RulesAnswer(BaseModel):
    """Every kind of rule."""

    model_config = ConfigDict(extra="forbid")

    rules: list[RuleListed]


class FormatListed(BaseModel):
    """A format of puzzles."""

    model_config = ConfigDict(extra="forbid")

    format: str
    reads: bool
    writes: bool
    summary: str


class FormatsAnswer(BaseModel):
    """Every format."""

    model_config = ConfigDict(extra="forbid")

    formats: list[FormatListed]


class BackendListed(BaseModel):
    """An engine."""

    model_config = ConfigDict(extra="forbid")

    backend: str
    installed: bool
    takes: list[str]
    summary: str


class BackendsAnswer(BaseModel):
    """Every engine that is known."""

    model_config = ConfigDict(extra="forbid")

    backends: list[BackendListed]


class LimitsAnswer(BaseModel):
    """How much may be asked: sizes, seconds, and how often."""

    model_config = ConfigDict(extra="forbid")

    limits: dict[str, float]
