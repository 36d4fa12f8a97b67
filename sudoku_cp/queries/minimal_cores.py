"""Of parts that clash: some of which none can be left out, and a smallest choice of such.

A part is a number, and an oracle says of any choice of parts whether they can be held together. Minimal choices are found by
leaving out one part after the other; smallest ones by hitting sets: whatever clashes has one part at least of every correction
set, that is of what must be left out for the rest to be held together (Ignatiev, Previti, Liffiton and Marques-Silva,
"Smallest MUS extraction with minimal hitting set dualization", 2015).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Protocol

from sudoku_cp.errors import LimitReached
from sudoku_cp.load_time import loading
from sudoku_cp.queries.delta_debugging import STEP

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from sudoku_cp.backends import Clock, Solution
    from sudoku_cp.backends.hitting_sets import HittingSets


class PartsOracle(Protocol):
    """Says whether parts can be held together, within what is left of a clock."""

    def ask(self, held: Collection[int], *, clock: Clock) -> Solution | frozenset[int]:
        """Return a solution, or some of the parts ``held`` that clash; raises `LimitReached`."""
        ...

    def obeyed(self, solution: Solution) -> Iterable[int]:
        """Return parts that a solution obeys, those that are easily seen to be."""
        ...


@dataclass(frozen=True)
class Core:
    """Parts that clash: ``minimal`` if none can be left out alone, ``smallest`` if no fewer parts clash."""

    parts: frozenset[int]
    minimal: bool = False
    smallest: bool = False


def minimal_core(oracle: PartsOracle, core: frozenset[int], clock: Clock) -> Core:
    """Return parts of ``core``, which clashes, none of which can be left out; not minimal where a limit came first."""
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
"""Seconds for a question at first; those that take longer wait until the others have made the clash smaller."""


def _clock_of(seconds: float, clock: Clock) -> Clock:
    """Return a clock for one question: with fewer parts some never end, and then show nothing."""
    left = clock.left()
    return replace(left, seconds=seconds if left.seconds is None else min(seconds, left.seconds)).started()


def smallest_core(oracle: PartsOracle, number: int, known: Core, clock: Clock) -> Core:
    """Return the fewest of ``number`` parts that clash; ``known`` or a better choice where a limit comes first."""
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
"""A clash of so many more parts than the best may still become a smaller one."""


def _add_correction_sets(
    oracle: PartsOracle, number: int, seed: tuple[frozenset[int], Solution], hitting: HittingSets, clock: Clock, *, most: int
) -> frozenset[int] | None:
    """Tell ``hitting`` of ``most`` correction sets at most, until what is held clashes; return that, if it is found.

    They have no part in common, so that as many as the best clash has parts show, when nothing is held, that it is a smallest.
    ``seed`` is what is held at first, with a solution that obeys it.
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


def _correction_set(oracle: PartsOracle, number: int, held: frozenset[int], found: Solution, clock: Clock) -> frozenset[int]:
    """Return parts without which all others can be held, and few of which can; ``found`` obeys those that are ``held``.

    A part that no glance decides is among them: then more may be left out than must, and whatever clashes has one of them still.
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


def _ask_briefly(oracle: PartsOracle, held: Collection[int], clock: Clock) -> Solution | frozenset[int] | None:
    """Return the answer, None where it takes long; raises `LimitReached` only for the clock's own limits."""
    try:
        return oracle.ask(held, clock=_clock_of(GLANCE, clock))
    except LimitReached:
        clock.check()
        return None
