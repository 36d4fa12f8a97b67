"""Claims, the report with its verdict, and the exceptions that end a check."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from reprlib import Repr
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


def report_lines(report: Report) -> list[str]:
    """Return the report in lines for people: what is wrong or on trust, or what was checked, and what was not."""
    lines = [*report.problems, *(f"on trust: {one}" for one in report.trusted)]
    facts = report.facts
    if report.verdict != "verified" or report.claim is None:
        return lines + ([f"puzzle: {facts['puzzle']}"] if "puzzle" in facts else [])
    how = f"{facts['rebuilt']:,} rebuilt, {facts['compared']:,} compared with the rules' meaning, {facts['trusted']:,} on trust"
    lemmas = f"{facts['lemmas']:,} lemma{'s' * (facts['lemmas'] != 1)}"
    return [
        f"claim: {CLAIMS[report.claim]}",
        f"puzzle: {facts['puzzle']}",
        f"checked: {facts['clauses']:,} clauses ({how}), {lemmas}; {facts['seconds']:.2f} s",
        "not checked: README.md, titles and other texts for people",
        *lines,
    ]


MAX_PROBLEMS = 200
"""The most problems that are listed; after that many, the rest is not looked at."""


@dataclass
class CheckFindings:
    """What the stages have found so far."""

    claim: str | None = None
    problems: list[str] = field(default_factory=list)
    trusted: dict[str, None] = field(default_factory=dict)
    facts: dict[str, Any] = field(default_factory=dict)

    def add_problems(self, problems: Iterable[str]) -> None:
        """Add problems one by one; raise `Rejected` once there are too many to list."""
        for problem in problems:
            self.problems.append(problem)
            if len(self.problems) >= MAX_PROBLEMS:
                raise Rejected("there may be more problems: the rest was not looked at")

    def trust(self, what: str) -> None:
        """Note something that has to be taken on trust; of very many, only that there are more."""
        self.trusted[what if len(self.trusted) < MAX_PROBLEMS else "and more of the kind"] = None


class Rejected(Exception):
    """The certificate is wrong; each argument is a problem."""


class CheckLimitReached(Exception):
    """A limit came before the answer."""


def require(condition: object, problem: str) -> None:
    """Raise `Rejected` with this problem unless the condition is true."""
    if not condition:
        raise Rejected(problem)


MAX_HELD_BYTES, TICK_EVERY = 700_000_000, 2000
"""The most memory that what has been read may take, as estimated; and the work (some hundred microseconds) between two ticks."""


class CheckBudget:
    """The time and memory of one check: all work and storage is counted here first, and a limit ends the check.

    Work is counted in units of about a microsecond, memory as an estimate of what is about to be stored.
    """

    def __init__(self, tick: Callable[[], object] = lambda: None, most: float = MAX_HELD_BYTES) -> None:
        """Look at the clock by ``tick``, which raises `CheckLimitReached` when the time is up; hold at most ``most`` bytes."""
        self.tick, self.most = tick, most
        self.held = self._worked = 0

    def spend(self, work: int) -> None:
        """Count work, and look at the clock every now and then."""
        self._worked += work
        if self._worked > TICK_EVERY:
            self._worked = 0
            self.tick()

    def hold(self, size: int) -> None:
        """Count bytes that are about to be stored, or raise `CheckLimitReached` where they would be too many."""
        self.held += size
        if self.held > self.most:
            raise CheckLimitReached(f"checking it would take more than {self.most:,} bytes of memory")

    def release(self, size: int) -> None:
        """Count bytes that are no longer stored."""
        self.held -= size


def is_number(data: Any) -> bool:
    """Return whether JSON data is a whole number; true and false are not."""
    return type(data) is int


_SHORT = Repr()
_SHORT.maxlist, _SHORT.maxlevel = 20, 3
_SHORT.maxstring = _SHORT.maxlong = _SHORT.maxother = 160


def shown(data: Any) -> str:
    """Return JSON data as Python writes it, at most 80 characters, however large it is."""
    return f"{_SHORT.repr(data):.80}"


def printable(text: str) -> str:
    """Return a text with escapes for all that does not print: what a folder holds must not steer the terminal that shows it."""
    return text if text.isprintable() else repr(text)[1:-1]
