"""A few questions that stand for the registry's: quick, slow, emitting, failing, and one that is not there yet."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel, ConfigDict, Field

from sudoku_cp.service.questions.declared_run import CERTIFICATE
from tests.service.http.stub_functions import accept, archive, crash, fail, fail_in_engine, refuse, sleep

if TYPE_CHECKING:
    from collections.abc import Callable

    from sudoku_cp.service.questions.declared_run import AnswerFile


class Ask(BaseModel):
    """The body of every question here."""

    model_config = ConfigDict(extra="forbid")

    puzzle: str | dict[str, Any] = ""
    timeout: float | None = Field(None, gt=0, allow_inf_nan=False)
    job: bool = False
    seconds: float = Field(0.0, ge=0, le=100, description="How long to sleep.")
    items: int = Field(0, ge=0, le=1000)
    path: str = Field("", description="A file to which a line is added.")


class Echo(BaseModel):
    """A body that can say nothing that takes long."""

    model_config = ConfigDict(extra="forbid")

    puzzle: str | dict[str, Any]
    job: bool = False


class Answer(BaseModel):
    """The answer of every question here."""

    model_config = ConfigDict(extra="forbid")

    status: str
    puzzle: str | dict[str, Any] | None = None
    pid: int | None = None
    reason: str | None = None
    backend: str | None = None


@dataclass(frozen=True)
class StubQuestion:
    """A question as the registry has them."""

    name: str
    run: Callable[[dict[str, Any], Any], dict[str, Any]]
    short: float | None = 60  # on a busy machine, too, an answer is no job
    available: bool = True
    may_be_large: bool = False
    needs_seed: bool = False
    files: tuple[AnswerFile, ...] = ()
    request: type[BaseModel] = Ask
    answer: type[Answer] = Answer
    summary: str = "Answer."
    is_quick: bool = False
    check: Callable[[dict[str, Any], Any], dict[str, Any]] = accept

    @property
    def example(self) -> dict[str, Any]:
        """A body."""
        return {"puzzle": "." * 81}

    def unknown(self, body: dict[str, Any], reason: str, seconds: float, report: object = None) -> dict[str, Any]:
        """Return the answer where a limit came first."""
        return {"status": "unknown", "puzzle": body.get("puzzle"), "reason": reason, "seconds": seconds}


STUBS = {
    question.name: question
    for question in (
        StubQuestion("sleep", sleep, short=0.3),
        StubQuestion("patient", sleep),
        StubQuestion("refuse", refuse),
        StubQuestion("fail", fail),
        StubQuestion("fail-in-engine", fail_in_engine),
        StubQuestion("crash", crash),
        StubQuestion("archive", archive, files=(CERTIFICATE,)),
        StubQuestion("quick", sleep, is_quick=True),
        StubQuestion("hasty", sleep, short=0.3, is_quick=True),
        StubQuestion("many", sleep, may_be_large=True),
        StubQuestion("echo", sleep, request=Echo),
        StubQuestion("long", sleep, short=None),
        StubQuestion("checked", sleep, short=None, check=refuse),
        StubQuestion("later", sleep, available=False, request=Echo),
    )
}
