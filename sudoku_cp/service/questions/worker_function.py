"""A function that is named, so that only the process that calls it imports it: a worker, as a rule."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from sudoku_cp.service.pool.tasks import Control


@dataclass(frozen=True)
class WorkerFunction:
    """A function of a module of `questions`; it is small when it is pickled, and needs no pydantic."""

    module: str
    name: str

    def __call__(self, body: Mapping[str, Any], control: Control) -> dict[str, Any]:
        """Return the answer to a validated body as plain JSON, in which options that were not sent may be missing."""
        answer: dict[str, Any] = self.load()(body, control)
        return answer

    def load(self) -> Callable[..., Any]:
        """Return the function itself."""
        function: Callable[..., Any] = getattr(import_module(f"sudoku_cp.service.questions.{self.module}"), self.name)
        return function
