"""The kit that every backend passes, ours and a third party's alike: what the contract promises, asked of an engine.

``check(backend)`` returns what is wrong, an empty list where nothing is; `CHECKS` has the same questions by name, for a
test runner. An engine that takes only some models raises `Unsupported` when another is opened, and is asked about the rest;
plain grids every engine takes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sudoku_cp.backends.conformance.asking import CHECKS, LATE, Check
from sudoku_cp.backends.conformance.cases import (
    AUXILIARIES,
    HARD,
    MAKERS,
    RELATIONS,
    SOLVED,
    VALUES,
    Case,
    crowded,
    cyclic,
    empty_board,
    givens,
    pigeons,
    random_cases,
    small_board,
)

if TYPE_CHECKING:
    from sudoku_cp.backends.base import Backend

__all__ = [
    "AUXILIARIES",
    "CHECKS",
    "HARD",
    "LATE",
    "MAKERS",
    "RELATIONS",
    "SOLVED",
    "VALUES",
    "Case",
    "Check",
    "check",
    "crowded",
    "cyclic",
    "empty_board",
    "givens",
    "pigeons",
    "random_cases",
    "small_board",
]


def check(backend: Backend) -> list[str]:
    """Return every promise of the contract that ``backend`` breaks, in words."""
    problems = []
    for name, asked in CHECKS.items():
        try:
            asked(backend)
        except AssertionError as error:
            problems.append(f"{name}: {error}")
        except Exception as error:  # noqa: BLE001  # whatever an engine dies of is its failure, and the next check's no matter
            problems.append(f"{name}: raised {error!r}")
    return problems
