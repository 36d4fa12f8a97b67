"""The table of questions. A new one is a function of a worker, two models of `shapes`, and an entry here.

Functions and the models of answers are named, and imported by whoever needs them: the service's own process runs few of the
functions, and no answer's model, so that it is ready early.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from sudoku_cp.service.questions import examples, unknown
from sudoku_cp.service.questions.worker_function import WorkerFunction
from sudoku_cp.service.shapes import asks
from sudoku_cp.service.shapes.answer_files import CERTIFICATE, PICTURE, SHEETS, AnswerFile

if TYPE_CHECKING:
    from pydantic import BaseModel

SHORT = 2.0
"""Seconds for which a client is kept waiting, as a rule."""


@dataclass(frozen=True)
class Question:
    """A question of the service, with the models of its body and its answer, and the function that a worker runs for it.

    ``short`` are the seconds for which a client waits before it becomes a job: None for a job always. One that ``is_quick``
    searches for nothing, and so need not wait for those that do, unless it turns out to take longer.
    One that is not ``available`` is refused: the library cannot answer it yet.
    """

    name: str
    request: type[BaseModel]
    answer_name: str
    function_name: str
    unanswered: Callable[[Mapping[str, Any]], dict[str, Any]]
    """Makes the answer that nothing is known yet, which `unknown` completes with the reason."""
    short: float | None = SHORT
    is_quick: bool = False
    available: bool = True
    may_be_large: bool = False
    """Whether its body may be as large as a list of puzzles, as that with a certificate may."""
    needs_seed: bool = False
    """Whether a job of it gets a seed if it has none, so that it makes the same again should it be begun again."""
    check_name: str = ""
    """The function that judges its options before it becomes a job, as `run` does first; without one they wait for that."""
    files: tuple[AnswerFile, ...] = ()
    """What of its answer can be had as a file, in the order of preference."""

    @cached_property
    def run(self) -> WorkerFunction:
        """What a worker runs."""
        return _worker_function(self.function_name)

    @cached_property
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
        """Return the answer that a limit came first: ``reason`` is deadline, nodes, cancelled, crashed or memory."""
        return unknown.with_reason(self.unanswered(body), reason)


def _worker_function(place: str) -> WorkerFunction:
    """Return the function that is named with its module."""
    module, name = place.split(".")
    return WorkerFunction(f"sudoku_cp.service.questions.{module}", name)


def _by_name(*questions: Question) -> Mapping[str, Question]:
    return MappingProxyType({question.name: question for question in questions})


QUESTIONS: Mapping[str, Question] = _by_name(
    Question("solve", asks.SolveAsk, "answers.SolveAnswer", "solving.solve", unknown.found),
    Question("count", asks.CountAsk, "answers.CountAnswer", "solving.count", unknown.found),
    Question("check", asks.CheckAsk, "answers.CheckAnswer", "solving.check", unknown.found),
    Question("validate", asks.ValidateAsk, "answers.ValidateAnswer", "solving.validate", unknown.validate),
    Question("candidates", asks.CandidatesAsk, "answers.CandidatesAnswer", "solving.candidates", unknown.candidates),
    Question("prove", asks.ProveAsk, "answers.ProveAnswer", "proving.prove", unknown.prove, files=(CERTIFICATE,)),
    Question("verify", asks.VerifyAsk, "answers.VerifyAnswer", "proving.verify", unknown.verify, may_be_large=True),
    Question("compare", asks.CompareAsk, "answers.CompareAnswer", "solving.compare", unknown.compare, may_be_large=True),
    Question("rate", asks.RateAsk, "deduced_answers.RateAnswer", "reasoning.rate", unknown.status),
    Question("hint", asks.HintAsk, "deduced_answers.HintAnswer", "reasoning.hint", unknown.hint),
    Question("steps", asks.StepsAsk, "deduced_answers.StepsAnswer", "reasoning.steps", unknown.steps),
    Question("explain", asks.ExplainAsk, "deduced_answers.ExplainAnswer", "reasoning.explain", unknown.explain),
    Question("trace", asks.TraceAsk, "answers.TraceAnswer", "tracing.trace", unknown.found),
    Question(
        "generate",
        asks.GenerateAsk,
        "other_answers.GenerateAnswer",
        "generating.generate",
        unknown.generate,
        short=None,
        may_be_large=True,
        needs_seed=True,
        check_name="generating.check",
    ),
    Question("convert", asks.ConvertAsk, "other_answers.ConvertAnswer", "showing.convert", unknown.status, is_quick=True),
    Question(
        "picture",
        asks.PictureAsk,
        "other_answers.PictureAnswer",
        "showing.picture",
        unknown.nothing,
        is_quick=True,
        files=(PICTURE,),
    ),
    Question(
        "print",
        asks.PrintAsk,
        "other_answers.PrintAnswer",
        "printing.print_sheets",
        unknown.nothing,
        may_be_large=True,
        files=(SHEETS,),
    ),
)
"""What is asked with a body: ``POST /v1/NAME``."""


def _listing(name: str, answer: str, function: str) -> Question:
    return Question(name, asks.NothingAsked, answer, function, unknown.nothing, is_quick=True)


LISTINGS: Mapping[str, Question] = _by_name(
    _listing("rules", "other_answers.RulesAnswer", "showing.rules"),
    _listing("formats", "other_answers.FormatsAnswer", "showing.formats"),
    _listing("backends", "other_answers.BackendsAnswer", "showing.backends"),
    _listing("limits", "other_answers.LimitsAnswer", "showing.limits"),
)
"""What is told without a body: ``GET /v1/NAME``. Answers are the same as long as the program runs."""
