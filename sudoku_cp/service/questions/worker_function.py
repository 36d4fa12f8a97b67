"""A function that is named, so that only the process that calls it imports it: a worker, as a rule."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable


@dataclass(frozen=True)
class WorkerFunction:
    """A function of a module; it is small when it is pickled, and needs no pydantic."""

    module: str
    name: str

    def __call__(self, *arguments: Any) -> Any:
        """Call the function: with a validated body and a control, as a rule, for the answer as plain JSON.

        Options that were not sent may be missing in both.
        """
        return self.load()(*arguments)

    def load(self) -> Callable[..., Any]:
        """Return the function itself."""
        function: Callable[..., Any] = getattr(import_module(self.module), self.name)
        return function
