"""A few questions that stand for the registry's: quick, slow, emitting, failing, and one that is not there yet."""

from __future__ import annotations

import os
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel, ConfigDict, Field

from sudoku_cp.errors import InvalidInput

if TYPE_CHECKING:
    from collections.abc import Callable


class Ask(BaseModel):
    """The body of every question here."""

    model_config = ConfigDict(extra="forbid")

    puzzle: str | dict[str, Any] = ""
    timeout: float | None = Field(None, gt=0, allow_inf_nan=False)
    job: bool = False
    seconds: float = Field(0.0, ge=0, le=100, description="How long to sleep.")
    items: int = Field(0, ge=0, le=1000)
    path: str = Field("", description="A file to which a line is added.")


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
    short: float | None = 0.3
    in_process: bool = False
    available: bool = True
    request: type[Ask] = Ask
    answer: type[Answer] = Answer
    summary: str = "Answer."

    @property
    def example(self) -> dict[str, Any]:
        """A body."""
        return {"puzzle": "." * 81}

    def unknown(self, body: dict[str, Any], reason: str) -> dict[str, Any]:
        """Return the answer where a limit came first."""
        return {"status": "unknown", "puzzle": body.get("puzzle"), "reason": reason}


def sleep(body: dict[str, Any], control: Any) -> dict[str, Any]:
    """Sleep so long, emit so many items, and say who answered."""
    if body.get("path"):
        with open(body["path"], "a", encoding="utf-8") as file:  # noqa: PTH123
            file.write(f"{os.getpid()}\n")
    for number in range(body.get("items", 0)):
        control.emit({"number": number})
        time.sleep(body.get("seconds", 0) / body["items"])
    if not body.get("items"):
        time.sleep(body.get("seconds", 0))
    return {"status": "solved", "puzzle": body.get("puzzle"), "pid": os.getpid(), "backend": "stub"}


def refuse(body: dict[str, Any], control: Any) -> dict[str, Any]:
    """Refuse any puzzle."""
    raise InvalidInput(["rules: [3]: cage, cells: expected a cell such as 'r4c7', got 'r10c1'", "expected a title"])


def fail(body: dict[str, Any], control: Any) -> dict[str, Any]:
    """Fail, which is a defect."""
    raise RuntimeError("a secret of /home/somebody")


def crash(body: dict[str, Any], control: Any) -> dict[str, Any]:
    """End the worker."""
    os._exit(3)


STUBS = {
    question.name: question
    for question in (
        StubQuestion("sleep", sleep),
        StubQuestion("refuse", refuse),
        StubQuestion("fail", fail),
        StubQuestion("crash", crash),
        StubQuestion("quick", sleep, in_process=True),
        StubQuestion("long", sleep, short=None),
        StubQuestion("later", sleep, available=False),
    )
}
