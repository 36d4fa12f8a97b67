"""What questions are tested with: a worker's control that keeps what is sent, and the command line in this process."""

from __future__ import annotations

import io
import json
import logging
import sys
from collections.abc import Callable
from contextlib import suppress
from typing import Any, TypeAlias

import pytest

from sudoku_cp.backends import Cancellation, Limits
from sudoku_cp.cli import main
from sudoku_cp.service.questions import LISTINGS, QUESTIONS

Json: TypeAlias = dict[str, Any]
SECONDS = 60.0


class KeptControl:
    """A control with a minute's time, which keeps the items that are sent."""

    def __init__(self, seconds: float = SECONDS) -> None:
        """Begin with no items."""
        self.cancel = Cancellation()
        self.items: list[Any] = []
        self.known: tuple[bytes, ...] = ()
        self.learnt: bytes | None = None
        self._seconds = seconds

    def limits(self, nodes: int | None = None) -> Limits:
        """Return the limits of a task."""
        return Limits(self._seconds, nodes, self.cancel)

    def emit(self, item: Any) -> None:
        """Keep an item, which JSON can say."""
        self.items.append(json.loads(json.dumps(item)))


@pytest.fixture
def control() -> KeptControl:
    """Return a control for one question."""
    return KeptControl()


@pytest.fixture
def ask(control) -> Callable[..., Json]:
    """Return a function that asks a question as the server does, and checks the answer against its model."""

    def asked(verb: str, body: Json) -> Json:
        question = {**QUESTIONS, **LISTINGS}[verb]
        if verb in QUESTIONS:
            assert QUESTIONS[verb].request.model_validate(body).model_dump(mode="json", exclude_unset=True) == body
        text = json.dumps(question.run(body, control))
        question.answer.model_validate_json(text)
        answer: Json = json.loads(text)
        return answer

    return asked


@pytest.fixture
def printed(monkeypatch, tmp_path) -> Callable[..., list[Json]]:
    """Return a function that returns the objects which a call of the command line prints with ``--json``."""

    def call(verb: str, *arguments: str) -> list[Json]:
        streams = {name: io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True) for name in ("stdout", "stderr")}
        log = logging.getLogger("sudoku_cp")
        level = log.level
        with monkeypatch.context() as patch:
            patch.chdir(tmp_path)
            patch.setattr(sys, "argv", ["sudoku-cp", verb, "--json", *arguments])
            for name, stream in streams.items():
                patch.setattr(sys, name, stream)
            with suppress(SystemExit):
                main()
        log.setLevel(level)
        lines = streams["stdout"].buffer.getvalue().decode().splitlines()  # type: ignore[attr-defined]
        return [json.loads(line) for line in lines]

    return call
