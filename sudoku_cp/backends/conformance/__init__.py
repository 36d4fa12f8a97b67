"""The conformance kit: the promises of the contract as checks that every backend must pass, ours and third parties' alike.

``check(backend)`` returns a list of what is wrong, empty if nothing is. It takes a minute at most for an engine that keeps its
limits. `CHECKS` has the same checks by name, for a test runner; they take as long as they need. An engine that supports only some
models raises `Unsupported` when another is opened, and is checked on the rest; every engine must support plain grids.
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
"""Seconds that the kit allows an engine by default; a fast engine needs two."""
GENEROUS = 3
"""A check may take this multiple of its even share of the patience left."""


def check(backend: Backend, *, patience: float = PATIENCE, report: Callable[[str], object] = print) -> list[str]:
    """Return every promise of the contract that ``backend`` breaks, in words.

    The kit takes ``patience`` seconds: a check that would take too large a share of them is ended, and the text says at which
    question. A question that cannot be ended, because the engine ignores limits, is passed to ``report`` as text.
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
        except Exception as error:  # noqa: BLE001  # whatever an engine raises is its failure; the next check follows
            problems.append(f"{name}: raised {error!r}")
    return problems
