"""The readable tier's search: propagate, choose a cell, try its values one after the other, on an explicit stack."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sudoku_cp.backends.base import NOTHING, UNLIMITED, Assumed, Clock, Limits, Solution
from sudoku_cp.backends.native.propagators import propagator
from sudoku_cp.errors import LimitReached
from sudoku_cp.model import Domain, Model, cells_of
from sudoku_cp.ticks import ticking

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from sudoku_cp.backends.native.narrowing import Domains, Propagator
    from sudoku_cp.backends.search_tree import PathTree, Recorder, Stop
    from sudoku_cp.grid import Cell

LOOK = 4
"""Propagator runs between two checks of the clock, within a node."""
COUNTERS = ("nodes", "guesses", "backtracks", "depth", "propagations")
ORDERS: dict[str, Callable[[list[Cell], Domains], Cell]] = {
    "fewest": lambda open_cells, domains: min(open_cells, key=lambda cell: domains[cell].bit_count()),
    "first": lambda open_cells, _: open_cells[0],
}
"""How to select the cell to guess in: the one with fewest candidates, or the first in reading order."""


@dataclass(slots=True)
class _SearchFrame:
    """A guess: its cell, the domains before it, the values not tried yet, and the tree's node at that point."""

    domains: Domains
    cell: Cell
    untried: Domain
    node: int


@dataclass(slots=True)
class _SearchState:
    """Where the search of one question is: its guesses, and the domains now."""

    stack: list[_SearchFrame]
    domains: Domains


class ReadableSession:
    """One model with its constraints' propagators, and the watchers of each cell."""

    def __init__(self, model: Model, choose: Callable[[list[Cell], Domains], Cell]) -> None:
        """Index the propagators by cell; the first question prepares them, within its own limits."""
        self._model = model
        self._choose = choose
        self._propagators: list[Propagator] = []
        self._watchers: list[list[int]] = [[] for _ in model.domains]
        for number, constraint in enumerate(model.constraints):
            for cell in cells_of(constraint):
                self._watchers[cell].append(number)
        self._counts = dict.fromkeys(COUNTERS, 0)
        self._last = _SearchState([], [])

    def counters(self) -> Mapping[str, int]:
        """Return nodes, guesses, backtracks, the greatest depth and propagator runs of the last question."""
        return dict(self._counts)

    def solutions(self, assume: Assumed = NOTHING, *, limits: Limits = UNLIMITED) -> Iterator[Solution]:
        """Yield every solution that agrees with ``assume``."""
        yield from self.search(assume, limits.started())

    def search(self, assume: Assumed, clock: Clock) -> Iterator[Solution]:
        """Yield every solution that agrees with ``assume``, within the limits of a running clock."""
        yield from self._search(assume, clock, None)

    def unsearched(self) -> list[Assumed]:
        """Return grids, as candidates, that together have the solutions not yet found when a limit stopped the last question."""
        board, stack = self._model.board, self._last.stack
        # Below the first guess of an auxiliary there is a single grid.
        guessed = next((depth for depth, frame in enumerate(stack) if frame.cell >= board), len(stack))
        here = stack[guessed].domains if guessed < len(stack) else self._last.domains
        left = [[*frame.domains[: frame.cell], frame.untried, *frame.domains[frame.cell + 1 :]] for frame in stack[:guessed]]
        return [dict(enumerate(domains[:board])) for domains in (*left, here) if domains and all(domains)]  # none at the end

    def trace(self, assume: Assumed = NOTHING, *, limits: Limits = UNLIMITED, stop_after: int | None = 1) -> PathTree:
        """Return the path tree of the search up to ``stop_after`` solutions."""
        from sudoku_cp.backends.search_tree import Recorder  # noqa: PLC0415  # 3 ms that only a trace needs

        recorder = Recorder(self._start(assume))
        found: list[Solution] = []
        stopped: Stop | None = None
        try:
            for solution in self._search(assume, limits.started(), recorder):
                found.append(solution)
                if len(found) == stop_after:
                    stopped = "solutions"
                    break
        except LimitReached as limit:
            stopped = limit.reason
        return recorder.tree(self._model.board, tuple(found), stopped)

    # --- the search ---------------------------------------------------------------------------------------------

    def _start(self, assume: Assumed) -> Domains:
        domains = list(self._model.domains)
        for cell, allowed in assume.items():
            domains[cell] &= allowed
        return domains

    def _search(self, assume: Assumed, clock: Clock, recorder: Recorder | None) -> Iterator[Solution]:
        self._counts = counts = dict.fromkeys(COUNTERS, 0)
        board = self._model.board
        domains = self._start(assume)
        stack: list[_SearchFrame] = []
        self._last = state = _SearchState(stack, domains)
        for constraint in self._model.constraints[len(self._propagators) :]:
            clock.check()
            with ticking(clock.check):
                self._propagators.append(propagator(constraint, self._model.domains))
        alive = all(domains) and self._propagate(domains, range(len(self._propagators)), recorder, clock)
        while True:
            clock.nodes += 1
            counts["nodes"] += 1
            clock.check()
            if not alive:
                counts["backtracks"] += 1
                if recorder:
                    recorder.end_branch("dead")
            elif (cell := self._select_variable(domains)) is not None:
                stack.append(_SearchFrame(domains, cell, domains[cell], recorder.here if recorder else 0))
                counts["depth"] = max(counts["depth"], len(stack))
            else:
                if recorder:
                    recorder.end_branch("solution")
                yield tuple(domain.bit_length() - 1 for domain in domains[:board])
                self._last = state  # other questions may have been asked meanwhile
                # Other values of the auxiliaries would give the same grid again.
                while stack and stack[-1].cell >= board:
                    stack.pop()
            while stack and not stack[-1].untried:
                stack.pop()
            if not stack:
                state.domains = []
                return
            state.domains = domains = self._guess(stack[-1], recorder)
            alive = self._propagate(domains, self._watchers[stack[-1].cell], recorder, clock)

    def _select_variable(self, domains: Domains) -> Cell | None:
        """Return the cell to guess in: one of the board while any is open, then an auxiliary."""
        board = self._model.board
        open_cells = [cell for cell in range(board) if domains[cell] & (domains[cell] - 1)]
        if not open_cells:
            open_cells = [cell for cell in range(board, len(domains)) if domains[cell] & (domains[cell] - 1)]
        return self._choose(open_cells, domains) if open_cells else None

    def _guess(self, frame: _SearchFrame, recorder: Recorder | None) -> Domains:
        """Return the domains with the frame's next value in its cell."""
        bit = frame.untried & -frame.untried
        frame.untried ^= bit
        domains = frame.domains.copy()
        if recorder:
            recorder.guess(frame.node, frame.cell, bit, domains)
        domains[frame.cell] = bit
        self._counts["guesses"] += 1
        return domains

    def _propagate(self, domains: Domains, first: Iterable[int], recorder: Recorder | None, clock: Clock) -> bool:
        """Run propagators, those of changed cells again, until nothing changes; return False on a contradiction."""
        queue = deque(first)
        waiting = set(queue)
        runs = 0
        changed: list[Cell] = []
        alive = True
        while queue and alive:
            number = queue.popleft()
            waiting.discard(number)
            runs += 1
            if runs % LOOK == 0:
                clock.check()
            alive = self._propagators[number](domains, changed)
            if changed:
                if recorder:
                    recorder.changed(changed, domains, number)
                for cell in changed:
                    for watcher in self._watchers[cell]:
                        if watcher not in waiting:
                            waiting.add(watcher)
                            queue.append(watcher)
                changed.clear()
            if not alive and recorder:
                recorder.contradiction(number)
        self._counts["propagations"] += runs
        return alive
