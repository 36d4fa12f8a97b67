"""Answers as the bytes that clients get: workers encode them, since a large one would silence the event loop for long."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from sudoku_cp.service.pool.tasks import Control
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

    def __call__(self, body: Mapping[str, Any], control: Control) -> EncodedAnswer:
        """Return the answer to a validated body."""
        return encode_answer(self.run(body, control))


def encode_answer(answer: Mapping[str, Any]) -> EncodedAnswer:
    """Return an answer, plain JSON, as bytes."""
    engine = answer.get("backend")
    return EncodedAnswer(json.dumps(answer).encode(), engine[:LONGEST_NAME] if isinstance(engine, str) else None)


def file_of_answer(content: bytes, file: AnswerFile, control: Control | None = None) -> bytes | None:
    """Return a file that is in an encoded answer, None if it is not."""
    del control
    return file.content(json.loads(content))
