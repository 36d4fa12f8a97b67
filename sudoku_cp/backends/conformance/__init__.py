"""The conformance kit: what the contract promises, as questions that every backend must pass, ours and a third party's alike.

``check(backend)`` returns what is wrong, an empty list where nothing is. It takes a minute at most for an engine that keeps its
limits. `CHECKS` has the same questions by name, for a test runner, and waits as long as they take. An engine that takes only some
models raises `Unsupported` when another is opened, and is asked about the rest; every engine must take plain grids.
"""

from __future__ import annotations

from time import perf_counter
from typing import TYPE_CHECKING

from sudoku_cp.backends.conformance.checks import CHECKS, LATE, Check
from sudoku_cp.backends.conformance.time_budget import CheckTimeout, within_time

if TYPE_CHECKING:
    from collections.abc import Callable

    from sudoku_cp.backends.base import Backend

__all__ = ["CHECKS", "LATE", "PATIENCE", "Check", "CheckTimeout", "check"]

PATIENCE = 60.0
"""Seconds that the kit takes for an engine by default; a fast engine needs two."""
GENEROUS = 3
"""A check may take this multiple of its even share of the patience left."""


def check(backend: Backend, *, patience: float = PATIENCE, report: Callable[[str], object] = print) -> list[str]:
    """Return every promise of the contract that ``backend`` breaks, in words.

    The kit takes ``patience`` seconds: a check that would take too large a part of them is ended, and the text says at which
    question. A question that cannot be ended, because the engine keeps no limit, is passed to ``report`` as text.
    """
    problems = []
    start = perf_counter()
    for number, (name, run_check) in enumerate(CHECKS.items()):
        left = max(0.0, start + patience - perf_counter())
        try:
            with within_time(name, min(left, GENEROUS * left / (len(CHECKS) - number)), report):
                run_check(backend)
        except AssertionError as error:
            problems.append(f"{name}: {error}")
        except Exception as error:  # noqa: BLE001  # whatever an engine raises is its failure, and the next check goes on
            problems.append(f"{name}: raised {error!r}")
    return problems
