"""A question as it came, with what its worker may use."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from sudoku_cp.backends import backend
from sudoku_cp.backends.external import NAMES
from sudoku_cp.errors import UnknownName
from sudoku_cp.questions.body_reader import PROGRAMS, BodyReader, Restrictions
from sudoku_cp.questions.options import AUTO
from sudoku_cp.service.sizes import MOST_CELLS, MOST_PUZZLES, MOST_RULES

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sudoku_cp.backends import Limits
    from sudoku_cp.service.pool.tasks import Control

STRANGERS = Restrictions(cells=MOST_CELLS, rules=MOST_RULES, puzzles=MOST_PUZZLES, only_listed_programs=True)
"""What nobody may ask a service."""


class Asked(BodyReader):
    """The body of a question and what its worker may use."""

    def __init__(self, body: Mapping[str, Any], control: Control) -> None:
        """Take the body, whose fields have the right types; options that were not sent are not in it."""
        super().__init__(body, STRANGERS)
        self.control = control

    def engine(self, default: str = AUTO) -> str:
        """Return the name of the engine, which exists."""
        name: str = self.get("backend", default)
        if name != AUTO:
            self.read(lambda: check_engine(name), "", "backend")
        return name

    def limits(self) -> Limits:
        """Return the limits of one puzzle: the time until the answer is due, the question's own, and its nodes."""
        return self.limits_of(self.get("nodes"))

    def limits_of(self, nodes: int | None) -> Limits:
        """Return the limits of one puzzle, with so many nodes."""
        return limits_within(self.control, nodes, self.get("timeout"))


def limits_within(control: Control, nodes: int | None, seconds: float | None) -> Limits:
    """Return the limits of a question: the time until its answer is due, or its own ``seconds`` if these are fewer."""
    limits = control.limits(nodes)
    wanted = [one for one in (limits.seconds, seconds) if one is not None]
    return replace(limits, seconds=min(wanted, default=None))


def check_engine(name: str) -> str:
    """Return the name of an engine that exists, or raise `InvalidInput`; of programs, only those that are listed are ever run."""
    family, _, kind = name.partition(":")
    if family in PROGRAMS and kind and name not in NAMES:
        raise UnknownName("program", name, NAMES)
    backend(name)
    return name
