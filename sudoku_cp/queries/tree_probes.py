"""Random walks down a search tree that estimate the number of solutions under any rules (Knuth 1975, Chen 1992).

A few nodes descend together. All their children that survive propagation take part in a draw; the chosen ones go on, with weights
that stand for the others, so that the number of solutions reached is unbiased.
"""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, NamedTuple

from sudoku_cp.backends.native.propagators import propagator
from sudoku_cp.model import cells_of, members

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from random import Random

    from sudoku_cp.backends.native.narrowing import Domains, Propagator
    from sudoku_cp.grid import Cell
    from sudoku_cp.puzzle import Puzzle

TOGETHER = 8
"""Nodes that descend together."""
LOOK = 8
"""Propagator runs between two looks at the clock."""


class _WeightedNode(NamedTuple):
    """The domains of a node, and how many nodes it stands for."""

    domains: Domains
    weight: float


class TreeProber:
    """Makes probes of one puzzle, with its propagators and their watch lists."""

    def __init__(self, puzzle: Puzzle, tick: Callable[[], object]) -> None:
        """Propagate the givens of ``puzzle``; ``tick`` is called often, and may raise."""
        self._puzzle, self._tick = puzzle, tick
        self._model = model = puzzle.model(tick)
        self._watchers: list[list[int]] = [[] for _ in model.domains]
        self._propagators: list[Propagator] = []
        for number, constraint in enumerate(model.constraints):
            tick()
            self._propagators.append(propagator(constraint, model.domains))
            for cell in cells_of(constraint):
                self._watchers[cell].append(number)
        domains = list(model.domains)
        for cell, allowed in puzzle.assume().items():
            domains[cell] &= allowed
        alive = all(domains) and self._propagate(domains, range(len(self._propagators)))
        self._root = domains if alive else None

    def probe(self, random: Random) -> int:
        """Return a random number whose expected value is the number of solutions."""
        nodes = [] if self._root is None else [_WeightedNode(self._root, 1.0)]
        reached = 0.0
        while nodes:
            children: list[_WeightedNode] = []
            for node in nodes:
                below = self._children(node)
                if below is None:
                    values = tuple(domain.bit_length() - 1 for domain in node.domains[: self._model.board])
                    # Auxiliaries may still be open; the rules' `holds` needs none.
                    reached += node.weight * self._puzzle.holds(values)
                else:
                    children += below
            nodes = _draw(children, random)
        return round(reached)

    def _children(self, node: _WeightedNode) -> list[_WeightedNode] | None:
        """Return the children that survive propagation; None if the board is full."""
        domains = node.domains
        open_cells = [cell for cell in range(self._model.board) if domains[cell] & (domains[cell] - 1)]
        if not open_cells:
            return None
        cell = min(open_cells, key=lambda cell: domains[cell].bit_count())
        found = []
        for value in members(domains[cell]):
            child = domains.copy()
            child[cell] = 1 << value
            if self._propagate(child, self._watchers[cell]):
                found.append(_WeightedNode(child, node.weight))
        return found

    def _propagate(self, domains: Domains, first: Iterable[int]) -> bool:
        """Narrow the domains until nothing changes; return False on a contradiction."""
        queue = deque(first)
        waiting = set(queue)
        changed: list[Cell] = []
        runs = 0
        while queue:
            number = queue.popleft()
            waiting.discard(number)
            runs += 1
            if runs % LOOK == 0:
                self._tick()
            if not self._propagators[number](domains, changed):
                return False
            for cell in changed:
                for watcher in self._watchers[cell]:
                    if watcher not in waiting:
                        waiting.add(watcher)
                        queue.append(watcher)
            changed.clear()
        return True


def _draw(nodes: list[_WeightedNode], random: Random) -> list[_WeightedNode]:
    """Return about `TOGETHER` of the nodes, chosen by weight, with weights that stand for those left out."""
    if len(nodes) <= TOGETHER:
        return nodes
    threshold = _threshold([node.weight for node in nodes])
    kept, step = [], random.random()
    for node in nodes:
        if node.weight >= threshold:
            kept.append(node)
            continue
        step += node.weight / threshold
        if step >= 1:
            step -= 1
            kept.append(node._replace(weight=threshold))
    return kept


def _threshold(weights: list[float]) -> float:
    """Return the weight below which chance decides, so that about `TOGETHER` stay."""
    ordered = sorted(weights)
    below = sum(ordered)
    for certain, weight in enumerate(reversed(ordered)):
        share = below / (TOGETHER - certain)
        if weight <= share or certain == TOGETHER - 1:
            return share
        below -= weight
    return 0.0
