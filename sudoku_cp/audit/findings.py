"""Findings: what an audit can find wrong with a puzzle."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sudoku_cp.errors import Reason
    from sudoku_cp.formats import Record
    from sudoku_cp.queries import Answer


Kind: TypeAlias = Literal[
    "unreadable",
    "malformed",
    "warning",
    "contradictory",
    "not-unique",
    "wrong-solution",
    "wrong-label",
    "not-minimal",
    "duplicate",
    "isomorphic",
    "same-solution",
    "contains",
]

KINDS: Mapping[Kind, str] = MappingProxyType(
    {
        "unreadable": "a source without any puzzle that can be read: no such file, no known format",
        "malformed": "a puzzle that cannot be read",
        "warning": "something besides the puzzle that was not understood and does not seem to be a rule",
        "contradictory": "no solution",
        "not-unique": "several solutions",
        "wrong-solution": "the solution that the source states is wrong",
        "wrong-label": "the difficulty that the source states (easy, medium, hard, ...) is not that of its hardest step",
        "not-minimal": "one solution, even without some of the givens",
        "duplicate": "the same puzzle as an earlier one",
        "isomorphic": "an earlier puzzle in another guise: turned, mirrored, its bands, rows and values exchanged",
        "same-solution": "the solution grid of an earlier puzzle, though not its givens",
        "contains": "all givens of an earlier puzzle and more, or some of its givens and no others",
    }
)
"""Every kind of finding, in the order of reports, and what it means."""


@dataclass(frozen=True)
class Finding:
    """One thing that is wrong with a puzzle: its kind, a description, and its details as plain data."""

    kind: Kind
    text: str
    details: Mapping[str, Any] = field(default_factory=dict, hash=False)


@dataclass(frozen=True)
class Audited:
    """What was found out about the puzzle of a record, number ``index`` of all, from 0.

    ``answer`` is about its solutions, None if no check needed it. ``undecided`` names the findings that a limit, ``reason``, left
    open: the puzzle may have them or not.
    """

    index: int
    record: Record
    findings: tuple[Finding, ...] = ()
    answer: Answer | None = None
    undecided: tuple[Kind, ...] = ()
    reason: Reason | None = None

    @property
    def status(self) -> str:
        """What is known of the solutions; ``error`` for a record that cannot be read, ``unasked`` if no check needed them."""
        if self.record.error is not None:
            return "error"
        return self.answer.status if self.answer else "unasked"

    @property
    def fine(self) -> bool:
        """Whether every check was completed and found nothing."""
        return not self.findings and not self.undecided


@dataclass
class Summary:
    """How many puzzles were audited, and what was found.

    ``faulty`` have findings; ``undecided`` have none, but a limit came first; ``fine`` are all others. ``kinds`` counts the
    puzzles with each kind of finding.
    """

    fine: int = 0
    faulty: int = 0
    undecided: int = 0
    kinds: Counter[Kind] = field(default_factory=Counter)

    def add(self, audited: Audited) -> None:
        """Count an audited puzzle."""
        self.faulty += bool(audited.findings)
        self.undecided += bool(audited.undecided and not audited.findings)
        self.fine += audited.fine
        self.kinds.update({finding.kind for finding in audited.findings})

    @property
    def puzzles(self) -> int:
        """How many there were, including those that cannot be read."""
        return self.fine + self.faulty + self.undecided

    def to_json(self) -> dict[str, Any]:
        """Return the counts as JSON, the kinds in the order of `KINDS`."""
        counts = {"puzzles": self.puzzles, "fine": self.fine, "faulty": self.faulty, "undecided": self.undecided}
        return counts | {"found": {kind: self.kinds[kind] for kind in KINDS if self.kinds[kind]}}
