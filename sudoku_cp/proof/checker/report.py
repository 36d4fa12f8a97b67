"""What is claimed, and the answer: the verdict on a folder, and the ways to come to one."""

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
CODES = {"verified": 0, "rejected": 1, "absent": 2, "unchecked": 3}
"""The exit code of each verdict."""


@dataclass(frozen=True)
class Report:
    """The verdict on a folder, everything wrong with it, and what had to be taken on trust.

    "verified": the claim is proved. "rejected": something is wrong. "absent": no certificate is there. "unchecked": nothing is
    wrong with what was checked, but a limit came first, or the rest would have to be taken on trust.
    """

    verdict: str
    claim: str | None = None
    problems: tuple[str, ...] = ()
    trusted: tuple[str, ...] = ()
    facts: dict[str, Any] = field(default_factory=dict)


@dataclass
class Findings:
    """What has been found so far."""

    claim: str | None = None
    problems: list[str] = field(default_factory=list)
    trusted: list[str] = field(default_factory=list)
    facts: dict[str, Any] = field(default_factory=dict)


class Bad(Exception):
    """The certificate is wrong; each argument is a problem."""


class LimitReached(Exception):
    """A limit came before the answer."""


def need(truth: object, problem: str) -> None:
    """Raise `Bad` unless something is as it must be."""
    if not truth:
        raise Bad(problem)


Tick = Callable[[], None]
"""Looks at the time, and raises `LimitReached` when it is up."""


def is_number(data: Any) -> bool:
    """Say whether plain data is a whole number; true and false are none."""
    return type(data) is int
