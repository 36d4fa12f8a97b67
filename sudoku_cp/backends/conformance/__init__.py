"""The kit that every backend passes, ours and a third party's alike: what the contract promises, asked of an engine.

``check(backend)`` returns what is wrong, an empty list where nothing is. It takes a minute at most, of an engine that keeps its
limits. `CHECKS` has the same questions by name, for a test runner, and waits as long as they take. An engine that takes only some
models raises `Unsupported` when another is opened, and is asked about the rest; plain grids every engine takes.
"""

from __future__ import annotations

from time import perf_counter
from typing import TYPE_CHECKING

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
from sudoku_cp.backends.conformance.checks import CHECKS, LATE, Check
from sudoku_cp.backends.conformance.patience import OutOfPatience, within_patience

if TYPE_CHECKING:
    from collections.abc import Callable

    from sudoku_cp.backends.base import Backend

__all__ = [
    "AUXILIARIES",
    "CHECKS",
    "HARD",
    "LATE",
    "MAKERS",
    "PATIENCE",
    "RELATIONS",
    "SOLVED",
    "VALUES",
    "Case",
    "Check",
    "OutOfPatience",
    "check",
    "crowded",
    "cyclic",
    "empty_board",
    "givens",
    "pigeons",
    "random_cases",
    "small_board",
]


PATIENCE = 60.0
"""Seconds that the kit takes for an engine where nobody says more; a quick engine needs two."""
GENEROUS = 3
"""A check may take so many times its even share of what is left of the patience."""


def check(backend: Backend, *, patience: float = PATIENCE, report: Callable[[str], object] = print) -> list[str]:
    """Return every promise of the contract that ``backend`` breaks, in words.

    The kit takes ``patience`` seconds: a check that would take too large a part of them is ended, and the words say at which
    question. A question that cannot be ended, because the engine keeps no limit, is handed to ``report`` as text.
    """
    problems = []
    start = perf_counter()
    for number, (name, run_check) in enumerate(CHECKS.items()):
        left = max(0.0, start + patience - perf_counter())
        try:
            with within_patience(name, min(left, GENEROUS * left / (len(CHECKS) - number)), report):
                run_check(backend)
        except AssertionError as error:
            problems.append(f"{name}: {error}")
        except Exception as error:  # noqa: BLE001  # whatever an engine dies of is its failure, and the next check's no matter
            problems.append(f"{name}: raised {error!r}")
    return problems
