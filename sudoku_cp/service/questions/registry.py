"""The table of questions. A new one is declared in `sudoku_cp.questions`, and has an entry here.

Functions and the models of answers are named, and imported by whoever needs them: the service's own process runs few of the
functions, and no answer's model, so that it is ready early.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import KW_ONLY, dataclass
from functools import cached_property
from importlib import import_module
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from sudoku_cp.questions.question import spell
from sudoku_cp.questions.registry import question_named
from sudoku_cp.service.questions import examples, unknown
from sudoku_cp.service.questions.declared_run import DeclaredCheck, DeclaredRun
from sudoku_cp.service.questions.worker_function import WorkerFunction
from sudoku_cp.service.shapes import asks
from sudoku_cp.service.shapes.answer_files import CERTIFICATE, PICTURE, SHEETS, AnswerFile
from sudoku_cp.service.shapes.declared_models import answer_model, body_model

if TYPE_CHECKING:
    from pydantic import BaseModel

    from sudoku_cp.questions.question import Question
    from sudoku_cp.service.pool.tasks import Control

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
    def check(self) -> Callable[[Mapping[str, Any], Control], dict[str, Any]] | None:
        """What a worker runs for the body alone before a question becomes a job."""
        return DeclaredCheck(self.name)

    @property
    def answer(self) -> type[BaseModel]:
        """The model of an answer."""
        return answer_model(self.declaration)

    @property
    def summary(self) -> str:
        """What it does, in a sentence."""
        first = (self.declaration.__doc__ or "").partition("\n")[0].strip()
        return spell(first, lambda name: f"'{name}'", lambda name: f"/v1/{name}")

    @property
    def example(self) -> dict[str, Any]:
        """A body that can be sent as it is."""
        return dict(self.declaration.example)

    def unknown(self, body: Mapping[str, Any], reason: Any) -> dict[str, Any]:
        """Return the answer that a limit came first: ``reason`` is deadline, nodes, cancelled, crashed or memory."""
        return self.declaration.unanswered(body).stopped_by(reason).to_json()


@dataclass(frozen=True)
class FunctionQuestion(ServedQuestion):
    """A question that is described by two models and a function of a worker, which are named."""

    body: type[BaseModel]
    answer_name: str
    function_name: str
    unanswered: Callable[[Mapping[str, Any]], dict[str, Any]]
    """Makes the answer that nothing is known yet, which `unknown` completes with the reason."""
    check_name: str = ""
    """The function that judges its options before it becomes a job, as `run` does first; without one they wait for that."""

    @property
    def request(self) -> type[BaseModel]:
        """The model of its body."""
        return self.body

    @property
    def run(self) -> WorkerFunction:
        """What a worker runs."""
        return _worker_function(self.function_name)

    @property
    def check(self) -> WorkerFunction | None:
        """What a worker runs for the options alone, if there is such a function."""
        return _worker_function(self.check_name) if self.check_name else None

    @cached_property
    def answer(self) -> type[BaseModel]:
        """The model of an answer."""
        module, name = self.answer_name.split(".")
        model: type[BaseModel] = getattr(import_module(f"sudoku_cp.service.shapes.{module}"), name)
        return model

    @cached_property
    def summary(self) -> str:
        """What it does, in a sentence."""
        return (self.run.load().__doc__ or "").partition("\n")[0].strip()

    @property
    def example(self) -> dict[str, Any]:
        """A body that can be sent as it is."""
        return examples.example_of(self.name)

    def unknown(self, body: Mapping[str, Any], reason: str) -> dict[str, Any]:
        """Return the answer that a limit came first."""
        return unknown.with_reason(self.unanswered(body), reason)


def _worker_function(place: str) -> WorkerFunction:
    """Return the function that is named with its module."""
    module, name = place.split(".")
    return WorkerFunction(f"sudoku_cp.service.questions.{module}", name)


def _by_name(*questions: ServedQuestion) -> Mapping[str, ServedQuestion]:
    return MappingProxyType({question.name: question for question in questions})


QUESTIONS: Mapping[str, ServedQuestion] = _by_name(
    ServedQuestion("solve"),
    ServedQuestion("count"),
    ServedQuestion("check"),
    ServedQuestion("validate"),
    ServedQuestion("candidates"),
    FunctionQuestion("prove", asks.ProveAsk, "answers.ProveAnswer", "proving.prove", unknown.prove, files=(CERTIFICATE,)),
    FunctionQuestion("verify", asks.VerifyAsk, "answers.VerifyAnswer", "proving.verify", unknown.verify, may_be_large=True),
    ServedQuestion("compare", may_be_large=True),
    ServedQuestion("rate"),
    ServedQuestion("hint"),
    ServedQuestion("steps"),
    ServedQuestion("explain"),
    ServedQuestion("trace"),
    ServedQuestion("generate", short=None, may_be_large=True, needs_seed=True),
    ServedQuestion("convert", is_quick=True),
    ServedQuestion("picture", is_quick=True, files=(PICTURE,)),
    ServedQuestion("print", may_be_large=True, files=(SHEETS,)),
)
"""What is asked with a body: ``POST /v1/NAME``."""


def _listing(name: str, answer: str, function: str) -> ServedQuestion:
    return FunctionQuestion(name, asks.NothingAsked, answer, function, unknown.nothing, is_quick=True)


LISTINGS: Mapping[str, ServedQuestion] = _by_name(
    _listing("rules", "other_answers.RulesAnswer", "showing.rules"),
    _listing("formats", "other_answers.FormatsAnswer", "showing.formats"),
    _listing("backends", "other_answers.BackendsAnswer", "showing.backends"),
    _listing("limits", "other_answers.LimitsAnswer", "showing.limits"),
)
"""What is told without a body: ``GET /v1/NAME``. Answers are the same as long as the program runs."""
