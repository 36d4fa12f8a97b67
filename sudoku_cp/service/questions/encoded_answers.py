"""Answers as the bytes that clients get: workers encode them, since a large one would silence the event loop for long."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from sudoku_cp.service.pool.tasks import Control
    from sudoku_cp.service.questions import ServedQuestion
    from sudoku_cp.service.shapes.answer_files import AnswerFile

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

    def __call__(self, content: bytes, control: Control | None = None) -> EncodedAnswer:
        """Return the answer to a validated body, which is JSON."""
        del control
        return encode_answer(self.question.unknown(json.loads(content), self.reason))


def encode_answer(answer: Mapping[str, Any]) -> EncodedAnswer:
    """Return an answer, plain JSON, as bytes."""
    engine = answer.get("backend")
    return EncodedAnswer(json.dumps(answer).encode(), engine[:LONGEST_NAME] if isinstance(engine, str) else None)


def file_of_answer(content: bytes, file: AnswerFile, control: Control | None = None) -> bytes | None:
    """Return a file that is in an encoded answer, None if it is not."""
    del control
    return file.content(json.loads(content))
