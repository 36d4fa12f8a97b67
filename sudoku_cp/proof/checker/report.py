"""Claims, the report with its verdict, and the exceptions that end a check."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

FORMAT, VERSION = "sudoku-cp certificate", 1
CLAIMS = {
    "unique": "the puzzle has exactly one solution",
    "none": "the puzzle has no solution",
    "minimal": "the puzzle has exactly one solution, and without any one of its givens more than one",
}
EXIT_CODES = {"verified": 0, "rejected": 1, "absent": 2, "unchecked": 3}
"""The exit code of each verdict."""


@dataclass(frozen=True)
class Report:
    """The verdict on a folder, everything wrong with it, and what had to be taken on trust.

    "verified": the claim is proved. "rejected": something is wrong. "absent": there is no certificate. "unchecked": nothing is
    wrong with what was checked, but a limit came first, or the rest would have to be taken on trust.
    """

    verdict: str
    claim: str | None = None
    problems: tuple[str, ...] = ()
    trusted: tuple[str, ...] = ()
    facts: dict[str, Any] = field(default_factory=dict)


@dataclass
class CheckFindings:
    """What the stages have found so far."""

    claim: str | None = None
    problems: list[str] = field(default_factory=list)
    trusted: list[str] = field(default_factory=list)
    facts: dict[str, Any] = field(default_factory=dict)


class Rejected(Exception):
    """The certificate is wrong; each argument is a problem."""


class CheckLimitReached(Exception):
    """A limit came before the answer."""


def require(condition: object, problem: str) -> None:
    """Raise `Rejected` with this problem unless the condition is true."""
    if not condition:
        raise Rejected(problem)


Tick = Callable[[], None]
"""Looks at the clock, and raises `CheckLimitReached` when the time is up."""


def is_number(data: Any) -> bool:
    """Say whether JSON data is a whole number; true and false are not."""
    return type(data) is int
