"""What is answered about what a person could deduce: ratings, hints, steps, explanations."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from sudoku_cp.service.shapes.answers import (
    AnswerBody,
    CellValue,
    CellValues,
    ConflictTold,
    Count,
    LimitedAnswer,
    Reason,
    Solution,
    Status,
)


class ExplainerTold(BaseModel):
    """The rating on the scale of Sudoku Explainer 1.2.1."""

    model_config = ConfigDict(extra="forbid")

    er: float
    ep: float
    ed: float
    hardest: str


class ProofSizeTold(BaseModel):
    """The sizes of proofs."""

    model_config = ConfigDict(extra="forbid")

    largest: float
    squares: float
    rounds: Count
    hard: Count
    search: bool


class ScoreTold(BaseModel):
    """The score of HoDoKu 2.2."""

    model_config = ConfigDict(extra="forbid")

    score: Count
    level: str


class WaysTold(BaseModel):
    """How many steps there were at each moment of the path."""

    model_config = ConfigDict(extra="forbid")

    bottleneck: Count | None
    narrow: Count
    steps: list[Count]


class RateAnswer(LimitedAnswer):
    """The answer of ``rate``; a scale that is missing has its reason in ``missing``."""

    status: Literal["ok", "multiple", "none", "unknown"]
    se: ExplainerTold | None = None
    proof_size: ProofSizeTold | None = None
    hodoku: ScoreTold | None = None
    word: str | None = None
    ways: WaysTold | None = None
    missing: dict[str, str] = {}


class StepTold(BaseModel):
    """A step that a person could take, with what proves it."""

    model_config = ConfigDict(extra="forbid")

    technique: str
    code: str
    eliminations: list[CellValue]
    placements: list[CellValue]
    values: list[int]
    cells: list[str]
    needs_uniqueness: bool
    proof: list[str]
    text: str


class PositionAnswer(LimitedAnswer):
    """What is known of a position."""

    solutions: Status = Field(description="How many solutions the puzzle has.")
    wrong_values: list[CellValue] = []
    wrong_eliminations: list[CellValue] = []


class HintAnswer(PositionAnswer):
    """The answer of ``hint``: nothing that its level does not tell."""

    status: Literal["step", "wrong", "none", "solved", "stuck", "unknown"]
    level: int
    clash: ConflictTold | None = None
    place: str | None = None
    technique: str | None = None
    code: str | None = None
    cells: list[str] | None = None
    step: StepTold | None = None
    values: dict[str, int] | None = Field(
        None,
        description="At level 5, what is filled in after the step; for a position with errors, what is filled in without them.",
    )
    candidates: CellValues | None = Field(None, description="The candidates of the same position.")
    text: str


class StepsAnswer(PositionAnswer):
    """The answer of ``steps``."""

    status: Literal["ok"]
    steps: list[StepTold]
    complete: bool = Field(description="Whether it ended by itself, and not at a limit.")
    end: str | None = Field(
        None, description="How a path ended: solved, contradiction, limit, ambiguous or stuck; none or wrong if it never began."
    )
    clash: ConflictTold | None = None


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
