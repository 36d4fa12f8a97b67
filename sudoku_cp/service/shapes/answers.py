"""What is answered: a model for the object of each question, which is the object of the command line's ``--json``."""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, Field

from sudoku_cp.service.shapes.documents import PuzzleTold

Reason: TypeAlias = Literal["deadline", "nodes", "cancelled", "crashed", "memory"]
"""Why a question has no answer, or only a part of one."""
Status: TypeAlias = Literal["unique", "multiple", "none", "solved", "unknown"]
Solution: TypeAlias = str | dict[str, int]
"""A line of text, or values by cell."""
CellValue: TypeAlias = tuple[str, int]
CellValues: TypeAlias = dict[str, list[int]]
Count: TypeAlias = Annotated[int, Field(ge=0)]


class AnswerBody(BaseModel):
    """What every answer may say."""

    model_config = ConfigDict(extra="forbid")

    warnings: list[str] = Field([], description="What of the text was not read, because it is not a rule.")


class LimitedAnswer(AnswerBody):
    """An answer that a limit may have kept from being complete."""

    reason: Reason | None = Field(None, description="The limit that came first, if one did. It never means 'no'.")


# --- solutions ---------------------------------------------------------------------------------------------------


# --- proofs ------------------------------------------------------------------------------------------------------


class ProofTold(BaseModel):
    """A proof of a certificate."""

    model_config = ConfigDict(extra="forbid")

    prover: str
    lemmas: Count
    file: str


class ProveAnswer(LimitedAnswer):
    """The answer of ``prove``."""

    puzzle: PuzzleTold
    status: Literal["proved", "not proved", "unknown"]
    claim: Literal["unique", "none", "minimal"] | None = None
    solution: Solution | None = None
    proofs: list[ProofTold] = []
    seconds: float | None = None
    verdict: str | None = Field(None, description="What the independent checker says of the certificate.")
    trusted: list[str] = []
    certificate: str | None = Field(None, description="The certificate: a tar.gz of its folder in base64.")
    error: str | None = None
    solutions: list[Solution] = Field([], description="What refutes the claim.")
    unnecessary: list[str] = Field([], description="The givens that are not needed.")


class VerifyAnswer(BaseModel):
    """The answer of ``verify``."""

    model_config = ConfigDict(extra="forbid")

    verdict: Literal["verified", "rejected", "absent", "unchecked"]
    claim: Literal["unique", "none", "minimal"] | None
    problems: list[str]
    trusted: list[str]
    facts: dict[str, Any]
