"""The table of questions. A new one is declared in `sudoku_cp.questions`, and has an entry here.

The models of answers are made, and the functions of listings imported, when they are needed: the service's own process needs
none of them, so that it is ready early.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import KW_ONLY, dataclass, replace
from importlib import import_module
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from sudoku_cp.questions.question import Question, answer_type, question_named, spell
from sudoku_cp.service.pool.tasks import Control, WorkerFunction
from sudoku_cp.service.questions.declared_models import answer_model, body_model
from sudoku_cp.service.questions.declared_run import CERTIFICATE, PNG, SHEETS, SVG, TEXT, AnswerFile, DeclaredCheck, DeclaredRun

if TYPE_CHECKING:
    from pydantic import BaseModel


SHORT = 2.0
"""Seconds for which a client is kept waiting, as a rule."""


@dataclass(frozen=True)
class ServedQuestion:
    """A question of the service: how it is asked and answered over HTTP.

    ``short`` are the seconds for which a client waits before it becomes a job: None for a job always. One that ``is_quick``
    searches for nothing, and so need not wait for those that do, unless it turns out to take longer.
    One that is not ``available`` is refused: the library cannot answer it yet.
    """

    name: str
    _: KW_ONLY
    short: float | None = SHORT
    is_quick: bool = False
    available: bool = True
    may_be_large: bool = False
    """Whether its body may be as large as a list of puzzles, as that with a certificate may."""
    needs_seed: bool = False
    """Whether a job of it gets a seed if it has none, so that it makes the same again should it be begun again."""
    files: tuple[AnswerFile, ...] = ()
    """What of its answer can be had as a file, in the order of preference."""

    @property
    def declaration(self) -> type[Question]:
        """The question itself."""
        return question_named(self.name)

    @property
    def request(self) -> type[BaseModel]:
        """The model of its body."""
        return body_model(self.declaration)

    @property
    def run(self) -> Callable[[Mapping[str, Any], Control], dict[str, Any]]:
        """What a worker runs."""
        return DeclaredRun(self.name)

    @property
    def check(self) -> Callable[[Mapping[str, Any], Control], dict[str, Any]]:
        """What a worker runs for the body alone before a question becomes a job."""
        return DeclaredCheck(self.name)

    @property
    def answer(self) -> type[BaseModel]:
        """The model of an answer."""
        return answer_model(answer_type(self.declaration))

    @property
    def summary(self) -> str:
        """What it does, in a sentence."""
        first = (self.declaration.__doc__ or "").partition("\n")[0].strip()
        return spell(first, lambda name: f"'{name}'", lambda name: f"/v1/{name}")

    @property
    def example(self) -> dict[str, Any]:
        """A body that can be sent as it is."""
        return dict(self.declaration.example)

    def unknown(
        self, body: Mapping[str, Any], reason: Any, seconds: float, report: Mapping[str, Any] | None = None
    ) -> dict[str, Any]:
        """Return the answer that a limit came first, after so many seconds, with what the last ``report`` before it knew.

        ``reason`` is deadline, nodes, cancelled, crashed or memory.
        """
        stopped = self.declaration.unknown_answer(body).stopped_by(reason)
        answer = (replace(stopped, **self.declaration.reported_fields(report)) if report else stopped).to_json()
        return answer | ({"seconds": round(seconds, 6)} if "seconds" in answer else {})


@dataclass(frozen=True)
class Listing:
    """What is answered without a body; a function of its name in `listings` tells it, of which the docstring says what it is."""

    name: str

    @property
    def run(self) -> WorkerFunction:
        """What a worker runs."""
        return WorkerFunction("sudoku_cp.service.questions.listings", self.name)

    @property
    def answer(self) -> type[BaseModel]:
        """The model of the answer."""
        return answer_model(import_module(self.run.module).ANSWERS[self.name])

    @property
    def summary(self) -> str:
        """What it does, in a sentence."""
        return (self.run.load().__doc__ or "").partition("\n")[0].strip()


_ALL = (
    ServedQuestion("solve"),
    ServedQuestion("count"),
    ServedQuestion("check"),
    ServedQuestion("validate"),
    ServedQuestion("candidates"),
    ServedQuestion("prove", files=(CERTIFICATE,)),
    ServedQuestion("verify", may_be_large=True),
    ServedQuestion("compare", may_be_large=True),
    ServedQuestion("audit", may_be_large=True),
    ServedQuestion("rate"),
    ServedQuestion("hint"),
    ServedQuestion("steps"),
    ServedQuestion("explain"),
    ServedQuestion("trace"),
    ServedQuestion("generate", short=None, may_be_large=True, needs_seed=True),
    ServedQuestion("fewest", short=None),
    ServedQuestion("convert", is_quick=True),
    ServedQuestion("picture", is_quick=True, files=(SVG, PNG, TEXT)),
    ServedQuestion("print", may_be_large=True, files=(SHEETS,)),
)
QUESTIONS: Mapping[str, ServedQuestion] = MappingProxyType({question.name: question for question in _ALL})
"""What is asked with a body: ``POST /v1/NAME``."""


LISTINGS: Mapping[str, Listing] = MappingProxyType({name: Listing(name) for name in ("rules", "formats", "backends", "limits")})
"""What is answered without a body: ``GET /v1/NAME``. Answers never change while the program runs."""
