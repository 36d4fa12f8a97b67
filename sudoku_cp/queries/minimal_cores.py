"""Minimal and smallest cores of parts that clash.

Theory of operation. A part is a number, and an oracle decides whether a set of parts is consistent. A minimal core is found
by deletion: parts are left out one by one. A smallest core is found by hitting sets: every core shares a part with every
correction set, which is a set of parts without which the others are consistent; so a smallest hitting set of the correction
sets known so far either clashes, and is a smallest core, or leads to another correction set (Ignatiev, Previti, Liffiton and
Marques-Silva, "Smallest MUS extraction with minimal hitting set dualization", 2015).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Protocol

from sudoku_cp.errors import LimitReached
from sudoku_cp.load_time import loading
from sudoku_cp.queries.delta_debugging import STEP, step_limits

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from sudoku_cp.backends import Clock, Solution
    from sudoku_cp.backends.hitting_sets import HittingSets


class CoreOracle(Protocol):
    """Decides whether parts are consistent, before a clock runs out."""

    def ask(self, held: Collection[int], *, clock: Clock) -> Solution | frozenset[int]:
        """Return a solution that obeys the parts ``held``, or some of them that clash; raises `LimitReached`."""
        ...

    def obeyed(self, solution: Solution) -> Iterable[int]:
        """Return parts that a solution obeys, those that are easily recognised."""
        ...


@dataclass(frozen=True)
class Core:
    """Parts that clash: ``minimal`` if none can be left out alone, ``smallest`` if no fewer parts clash."""

    parts: frozenset[int]
    minimal: bool = False
    smallest: bool = False


def minimal_core(oracle: CoreOracle, core: frozenset[int], clock: Clock) -> Core:
    """Return a minimal core within ``core``, which clashes; it may not be minimal if a limit comes first."""
    needed: set[int] = set()
    for patience in (GLANCE, STEP):
        undecided: set[int] = set()
        while open_ := core - needed - undecided:
            part = max(open_)
            try:
                found = oracle.ask(core - {part}, clock=_clock_of(patience, clock))
            except LimitReached:
                if clock.reached():
                    return Core(core)
                undecided.add(part)
                continue
            if isinstance(found, frozenset):
                core = found
            else:
                needed.add(part)
        if not undecided:
            return Core(core, minimal=True)
    return Core(core)


GLANCE = 0.1
"""Seconds for each question at first; those that take longer wait until the others have made the core smaller."""


def _clock_of(seconds: float, clock: Clock) -> Clock:
    """Return a clock for one question of at most ``seconds``: with fewer parts, some questions never end."""
    return step_limits(clock.left(), seconds).started()


def smallest_core(oracle: CoreOracle, number: int, known: Core, clock: Clock) -> Core:
    """Return a smallest core of ``number`` parts; ``known`` or a better one if a limit comes first."""
    with loading():
        from sudoku_cp.backends.hitting_sets import HittingSets  # noqa: PLC0415  # imports a solver library

    hitting, best = HittingSets(), known
    try:
        while True:
            hit = hitting.smallest(clock)
            if len(hit) >= len(best.parts):
                return replace(best, smallest=True)
            found = oracle.ask(hit, clock=clock)
            if isinstance(found, frozenset):
                return Core(found, minimal=True, smallest=True)
            core = _add_correction_sets(oracle, number, (hit, found), hitting, clock, most=len(best.parts))
            if core is not None and len(core) <= len(best.parts) + SLACK:
                better = minimal_core(oracle, core, clock)
                best = better if better.minimal and len(better.parts) < len(best.parts) else best
    except LimitReached:
        return best


SLACK = 3
"""A core of up to this many more parts than the best may still be minimized to a smaller one."""


def _add_correction_sets(
    oracle: CoreOracle, number: int, seed: tuple[frozenset[int], Solution], hitting: HittingSets, clock: Clock, *, most: int
) -> frozenset[int] | None:
    """Add at most ``most`` disjoint correction sets to ``hitting``, until the held parts clash; return a core of them, if any.

    As the sets are disjoint, as many of them as the best core has parts prove that it is a smallest one, if nothing was held at
    first. ``seed`` is what is held at first, with a solution that obeys it.
    """
    held, answer = seed
    for _ in range(most):
        correction = _correction_set(oracle, number, held, answer, clock)
        hitting.add(correction)
        held |= correction
        found = _ask_briefly(oracle, held, clock)
        if found is None or isinstance(found, frozenset):
            return found
        answer = found
    return None


def _correction_set(oracle: CoreOracle, number: int, held: frozenset[int], found: Solution, clock: Clock) -> frozenset[int]:
    """Return a nearly minimal correction set without any of the ``held`` parts, which ``found`` obeys.

    A part that is not decided quickly is included: the set may be larger than necessary, but is still a correction set.
    """
    obeyed = {*held, *oracle.obeyed(found)}
    correction = set()
    for part in range(number):
        if part not in obeyed:
            other = _ask_briefly(oracle, {*obeyed, part}, clock)
            if other is None or isinstance(other, frozenset):
                correction.add(part)
            else:
                obeyed |= {part, *oracle.obeyed(other)}
    return frozenset(correction)


def _ask_briefly(oracle: CoreOracle, held: Collection[int], clock: Clock) -> Solution | frozenset[int] | None:
    """Return the answer, None if it takes too long; raises `LimitReached` only for the limits of the clock itself."""
    try:
        return oracle.ask(held, clock=_clock_of(GLANCE, clock))
    except LimitReached:
        clock.check()
        return None
