"""A declared question, answered by a worker."""

from __future__ import annotations

import json
from base64 import b64decode
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from sudoku_cp.questions.answer import to_json
from sudoku_cp.questions.question import CertificateSizes, Run, question_named
from sudoku_cp.service.settings import (
    MOST_CELLS,
    MOST_CERTIFICATE_BYTES,
    MOST_CERTIFICATE_FILES,
    MOST_CERTIFICATE_TEXT,
    MOST_PUZZLES,
    MOST_RULES,
)

if TYPE_CHECKING:
    from sudoku_cp.backends import Limits
    from sudoku_cp.questions.body_reader import Restrictions
    from sudoku_cp.service.pool.tasks import Control
    from sudoku_cp.service.questions import ServedQuestion


# What of an answer can be had as a file: a certificate, a picture, printed sheets.
#
# As JSON, an answer has it in a field; whoever asks for the file's media type (``Accept``) gets the file itself.


@dataclass(frozen=True)
class AnswerFile:
    """A field of an answer that is a file."""

    field: str
    media_type: str
    name: str
    """The name under which it is saved."""
    is_text: bool = False
    """Whether the field is the text of the file; otherwise it is its bytes in base64."""
    option: tuple[str, str] | None = None
    """The option, and its value, without which there is no such file: a request for the file sets it."""

    def content(self, answer: Mapping[str, Any]) -> bytes | None:
        """Return the bytes of the file, None if this answer has none."""
        value = answer.get(self.field)
        if value is None:
            return None
        return str(value).encode() if self.is_text else b64decode(value)


CERTIFICATE = AnswerFile("certificate", "application/gzip", "certificate.tar.gz")
SHEETS = AnswerFile("pdf", "application/pdf", "sudoku.pdf")
SVG = AnswerFile("svg", "image/svg+xml", "sudoku.svg", is_text=True)
PNG = AnswerFile("png", "image/png", "sudoku.png", option=("to", "png"))
TEXT = AnswerFile("text", "text/plain", "sudoku.txt", is_text=True, option=("to", "text"))


CERTIFICATES = CertificateSizes(MOST_CERTIFICATE_FILES, MOST_CERTIFICATE_BYTES, MOST_CERTIFICATE_TEXT)
"""Certificates that are taken and sent."""


@dataclass(frozen=True)
class DeclaredRun:
    """Answers the question of a name; it is small when it is pickled, and only who calls it imports what answers."""

    name: str

    def __call__(self, body: Mapping[str, Any], control: Control) -> dict[str, Any]:
        """Return the answer to a validated body, as plain JSON; options that were not sent may be missing in both."""
        from sudoku_cp.questions.plain_call import answer_body  # noqa: PLC0415  # the service's own process answers nothing

        def run_of(question: Any) -> Run:
            limits = _limits_within(control, getattr(question, "nodes", None), getattr(question, "timeout", None))
            return replace(quiet_run(limits, control), report=lambda _number, part: control.emit(to_json(part)))

        return answer_body(question_named(self.name), body, run_of, strangers())


@dataclass(frozen=True)
class DeclaredCheck:
    """Judges the body of the question of a name, as `DeclaredRun` does before it answers."""

    name: str

    def __call__(self, body: Mapping[str, Any], control: Control) -> dict[str, Any]:
        """Return nothing for a body that can be answered; otherwise raise `InvalidInput`."""
        from sudoku_cp.questions.plain_call import read_body  # noqa: PLC0415  # as above

        del control
        read_body(question_named(self.name), body, strangers())
        return {}


def quiet_run(limits: Limits, control: Control) -> Run:
    """Return what a worker lends to a question of which nobody hears parts: limits, and what a series of questions has learnt."""

    def learn(what: bytes) -> None:
        control.learnt = what

    return Run(limits, earlier=control.known, learn=learn, certificate=CERTIFICATES)


@cache
def strangers() -> Restrictions:
    """Return what nobody may ask a service."""
    from sudoku_cp.questions.body_reader import Restrictions  # noqa: PLC0415  # as above

    return Restrictions(
        cells=MOST_CELLS, rules=MOST_RULES, puzzles=MOST_PUZZLES, certificate=CERTIFICATES, only_listed_programs=True
    )


def _limits_within(control: Control, nodes: int | None, seconds: float | None) -> Limits:
    """Return the limits of a question: the time until its answer is due, or its own ``seconds`` if these are fewer."""
    limits = control.limits(nodes)
    wanted = [one for one in (limits.seconds, seconds) if one is not None]
    return replace(limits, seconds=min(wanted, default=None))


# Answers as the bytes that clients get: workers encode them, since a large one would silence the event loop for long.


LONGEST_NAME = 40
"""Characters of an engine's name that are kept."""


class EncodedAnswer(NamedTuple):
    """An answer as JSON, which is ASCII, and the engine that it names."""

    content: bytes
    engine: str | None


@dataclass(frozen=True)
class EncodedRun:
    """The function of a question, whose answer is encoded where it runs."""

    run: Callable[[Mapping[str, Any], Control], Mapping[str, Any]]

    def __call__(self, content: bytes, control: Control) -> EncodedAnswer:
        """Return the answer to a validated body, which is JSON."""
        return encode_answer(self.run(json.loads(content), control))


@dataclass(frozen=True)
class UnknownAnswer:
    """Makes the answer to a question that a limit ended; it repeats the puzzle, which may be large."""

    question: ServedQuestion
    reason: str
    seconds: float
    """How long the question took until then."""
    report: Mapping[str, Any] | None = None
    """The last report before that."""

    def __call__(self, content: bytes, control: Control | None = None) -> EncodedAnswer:
        """Return the answer to a validated body, which is JSON."""
        del control
        return encode_answer(self.question.unknown(json.loads(content), self.reason, self.seconds, self.report))


def encode_answer(answer: Mapping[str, Any]) -> EncodedAnswer:
    """Return an answer, plain JSON, as bytes."""
    engine = answer.get("backend")
    return EncodedAnswer(json.dumps(answer).encode(), engine[:LONGEST_NAME] if isinstance(engine, str) else None)


def file_of_answer(content: bytes, file: AnswerFile, control: Control | None = None) -> bytes | None:
    """Return a file that is in an encoded answer, None if it is not."""
    del control
    return file.content(json.loads(content))
