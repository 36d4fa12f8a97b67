"""A declared question, answered by a worker."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING, Any

from sudoku_cp.questions.answer import to_json
from sudoku_cp.questions.question import CertificateSizes, Run
from sudoku_cp.questions.registry import question_named
from sudoku_cp.service.sizes import (
    MOST_CELLS,
    MOST_CERTIFICATE_BYTES,
    MOST_CERTIFICATE_FILES,
    MOST_CERTIFICATE_TEXT,
    MOST_PUZZLES,
    MOST_RULES,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sudoku_cp.backends import Limits
    from sudoku_cp.questions.body_reader import Restrictions
    from sudoku_cp.service.pool.tasks import Control

CERTIFICATES = CertificateSizes(MOST_CERTIFICATE_FILES, MOST_CERTIFICATE_BYTES, MOST_CERTIFICATE_TEXT)
"""Certificates that are taken and sent."""


@dataclass(frozen=True)
class DeclaredRun:
    """Answers the question of a name; it is small when it is pickled, and only who calls it imports what answers."""

    name: str

    def __call__(self, body: Mapping[str, Any], control: Control) -> dict[str, Any]:
        """Return the answer to a validated body, as plain JSON; options that were not sent may be missing in both."""
        from sudoku_cp.questions.plain_call import answer_body  # noqa: PLC0415  # the service's own process answers nothing

        def run_of(question: Any) -> Run:
            limits = _limits_within(control, getattr(question, "nodes", None), getattr(question, "timeout", None))
            return replace(quiet_run(limits, control), report=lambda _number, part: control.emit(to_json(part)))

        return answer_body(question_named(self.name), body, run_of, strangers())


@dataclass(frozen=True)
class DeclaredCheck:
    """Judges the body of the question of a name, as `DeclaredRun` does before it answers."""

    name: str

    def __call__(self, body: Mapping[str, Any], control: Control) -> dict[str, Any]:
        """Return nothing for a body that can be answered; otherwise raise `InvalidInput`."""
        from sudoku_cp.questions.plain_call import read_body  # noqa: PLC0415  # as above

        del control
        read_body(question_named(self.name), body, strangers())
        return {}


def quiet_run(limits: Limits, control: Control) -> Run:
    """Return what a worker lends to a question of which nobody hears parts: limits, and what a series of questions has learnt."""

    def learn(what: bytes) -> None:
        control.learnt = what

    return Run(limits, earlier=control.known, learn=learn, certificate=CERTIFICATES)


@cache
def strangers() -> Restrictions:
    """Return what nobody may ask a service."""
    from sudoku_cp.questions.body_reader import Restrictions  # noqa: PLC0415  # as above

    return Restrictions(
        cells=MOST_CELLS, rules=MOST_RULES, puzzles=MOST_PUZZLES, certificate=CERTIFICATES, only_listed_programs=True
    )


def _limits_within(control: Control, nodes: int | None, seconds: float | None) -> Limits:
    """Return the limits of a question: the time until its answer is due, or its own ``seconds`` if these are fewer."""
    limits = control.limits(nodes)
    wanted = [one for one in (limits.seconds, seconds) if one is not None]
    return replace(limits, seconds=min(wanted, default=None))
