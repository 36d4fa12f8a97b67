"""What is answered about what a person could deduce: ratings, hints, steps, explanations."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict

from sudoku_cp.service.shapes.answers import (
    AnswerBody,
    Count,
    Reason,
    Solution,
)


class FactTold(BaseModel):
    """A line of an explanation."""

    model_config = ConfigDict(extra="forbid")

    fact: str
    uses: list[tuple[str, int, bool]]
    forces: list[tuple[str, int, bool]]
    text: str


class ExplanationTold(BaseModel):
    """Why a cell cannot hold a value, or that it can."""

    model_config = ConfigDict(extra="forbid")

    cell: str
    value: int | str
    answer: str
    reason: Reason | None = None
    text: list[str] = []
    size: Count | None = None
    smallest: bool | None = None
    by_cases: bool | None = None
    proof: list[str] = []
    lines: list[FactTold] = []
    solution: Solution | None = None


class ExplainAnswer(AnswerBody):
    """The answer of ``explain``."""

    answers: list[ExplanationTold]
