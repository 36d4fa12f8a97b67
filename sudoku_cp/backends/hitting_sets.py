"""Smallest hitting sets, by core-guided MaxSAT (RC2; Ignatiev, Morgado, Marques-Silva, JSAT 2019)."""

from __future__ import annotations

from contextlib import suppress
from threading import Thread
from typing import TYPE_CHECKING

from pysat.examples.rc2 import RC2
from pysat.formula import WCNF

from sudoku_cp.interrupts import start_thread

if TYPE_CHECKING:
    from collections.abc import Collection

    from sudoku_cp.backends.base import Clock


class HittingSets:
    """Finds a smallest set of numbers that meets every set added so far."""

    def __init__(self) -> None:
        """Start without sets."""
        # MiniSat reacts to an interrupt at its next conflict, Glucose at its next restart, which may be seconds away.
        self._solver = RC2(WCNF(), solver="minisat22")
        self._known: set[int] = set()

    def add(self, numbers: Collection[int]) -> None:
        """Require one of ``numbers`` in every set from now on."""
        self._solver.add_clause([number + 1 for number in numbers])
        for number in set(numbers) - self._known:
            self._solver.add_clause([-number - 1], weight=1)
        self._known.update(numbers)

    def smallest(self, clock: Clock) -> frozenset[int]:
        """Return a smallest set, or raise `LimitReached`; after that this object must not be used again."""
        clock.check()
        if not self._known:
            return frozenset()
        models: list[list[int] | None] = []
        thread = Thread(target=lambda: models.append(self._solver.compute(expect_interrupt=True)))
        with clock.on_cancel(self._solver.interrupt):
            try:
                start_thread(thread)
                thread.join(clock.seconds_left)
            finally:  # on the answer, the deadline, or Ctrl-C, even twice
                while thread.is_alive():
                    self._solver.interrupt()
                    with suppress(KeyboardInterrupt):
                        thread.join(0.05)
        clock.check()
        return frozenset(literal - 1 for literal in models[0] or () if literal > 0)
