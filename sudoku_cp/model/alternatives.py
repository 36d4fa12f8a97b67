"""One automaton for alternatives: it accepts what any of several conjunctions of constraints allows.

Each conjunction is unrolled with the states of its constraints side by side, layer by layer of a common order of cells. All share
the first state, and from the end on, states with the same continuations are one: so alternatives that leave the rest of the cells
free, or say the same about them, go on together. Auxiliaries are read as well, but projected out: a state before one has the
continuations of all states that any of its values leads to.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise, product
from math import prod
from typing import TYPE_CHECKING, TypeAlias, assert_never

from sudoku_cp.model.layered_graph import Readable, State, Unrolling, make_unrolling
from sudoku_cp.model.model import (
    AllDifferent,
    Automaton,
    Clause,
    Connected,
    Count,
    DigitSet,
    Linear,
    Partition,
    Table,
    cells_of,
    members,
    rename_cells,
)
from sudoku_cp.time_limits import ticked

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from sudoku_cp.grid import Cell
    from sudoku_cp.model.model import Constraint, Domain

Conjunction: TypeAlias = tuple[Readable, ...]
Edges: TypeAlias = frozenset[tuple[int, int, int]]
PAIR = 2
START = 0
STEPS = 50
"""Steps of single constraints for each edge that an automaton may have: more take too long, however few edges come of them."""


class _TooLarge(Exception):
    """Raised when an automaton would have too many edges, or a constraint cannot be read in the order of the others."""


def automaton_of_any(
    branches: Iterable[Iterable[Constraint]], domains: Sequence[Domain], most: int, board: int | None = None
) -> Automaton | None:
    """Return an automaton that accepts what all constraints of any branch allow, None if there are more than ``most`` edges.

    Cells from ``board`` on are auxiliaries, whose values each branch chooses for itself: the automaton does not read them. None,
    too, if there are no other cells.
    """
    # A constraint without cells is always true, or makes its branch impossible.
    found = [branch for branch in map(tuple, branches) if all(cells_of(one) or one.holds(()) for one in ticked(branch))]
    cells = _reading_order([constraint for branch in found for constraint in branch])
    if not cells:
        return Automaton((), START, frozenset(), frozenset({START} if found else ()))
    place = {cell: number for number, cell in enumerate(cells)}
    hidden = tuple([board is not None and cell >= board for cell in cells])
    if all(hidden):
        return None
    try:
        renamed = tuple([tuple([_in_order(rename_cells(one, place.__getitem__)) for one in ticked(branch)]) for branch in found])
        edges, accepting = _merged_graph(renamed, tuple([domains[cell] for cell in cells]), hidden, most)
    except _TooLarge:
        return None
    return Automaton(
        tuple([cell for cell, is_hidden in zip(cells, hidden, strict=True) if not is_hidden]), START, edges, accepting
    )


def _reading_order(constraints: Iterable[Constraint]) -> tuple[Cell, ...]:
    """Return the cells in an order that suits the automata, and otherwise needs few states: along chains of pairs."""

    def rank(constraint: Constraint) -> int:
        return 0 if isinstance(constraint, Automaton) else 1 if len(cells_of(constraint)) == PAIR else 2

    ranked = sorted(ticked(constraints), key=rank)
    order = tuple(dict.fromkeys(cell for constraint in ticked(ranked) for cell in cells_of(constraint)))
    steps: list[tuple[Cell, Cell]] = []
    for constraint in ticked(ranked):
        if isinstance(constraint, Automaton):
            for cells in (constraint.cells, constraint.cells[::-1]):
                if found := _sorted_by_steps(order, [*steps, *pairwise(cells)]):
                    order, steps = found, [*steps, *pairwise(cells)]
                    break
    return order


def _sorted_by_steps(cells: tuple[Cell, ...], steps: Iterable[tuple[Cell, Cell]]) -> tuple[Cell, ...]:
    """Return the cells with the first of each step before the second, otherwise as they are; () if that is impossible."""
    before: dict[Cell, set[Cell]] = {cell: set() for cell in cells}
    for one, other in steps:
        before[other].add(one)
    found: dict[Cell, None] = {}
    while len(found) < len(cells):
        ready = next((cell for cell in cells if cell not in found and before[cell] <= found.keys()), None)
        if ready is None:
            return ()
        found[ready] = None
    return tuple(found)


def _in_order(constraint: Constraint) -> Readable:
    """Return the same constraint with its cells in ascending order, each once; raise `_TooLarge` if that is impossible."""
    cells = cells_of(constraint)
    order = tuple(sorted(cells))
    match constraint:
        case Linear(terms):
            return replace(constraint, terms=tuple(sorted(terms)))
        case Clause(literals):
            return Clause(tuple(sorted(literals)))
        case AllDifferent() | DigitSet() | Table() | Automaton() | Count() if len(cells) < len(constraint.cells):
            raise _TooLarge
        case AllDifferent() | DigitSet() | Count():
            return replace(constraint, cells=order)
        case Table(_, tuples):
            places = [cells.index(cell) for cell in order]
            return constraint if cells == order else Table(order, frozenset(tuple(row[at] for at in places) for row in tuples))
        case Automaton():
            if cells == order:
                return constraint
            if cells[::-1] == order:
                return _reversed(constraint)
            raise _TooLarge
        case Connected() | Partition():
            raise _TooLarge
        case _:
            assert_never(constraint)


def _reversed(automaton: Automaton) -> Automaton:
    """Return the automaton that reads the same values backwards."""
    start = max((state for edge in automaton.edges for state in edge[::2]), default=0) + 1
    backwards = {(end, value, before) for before, value, end in automaton.edges}
    first = {(start, value, before) for end, value, before in backwards if end in automaton.accepting}
    accepting = {automaton.start} | ({start} if not automaton.cells and automaton.start in automaton.accepting else set())
    return Automaton(automaton.cells[::-1], start, frozenset(backwards | first), frozenset(accepting))


# --- unrolling ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Layer:
    """A place of the joint order: the constraints that some of their cells before, or the place itself, have been read of."""

    unrollings: tuple[Unrolling, ...]
    begun: tuple[bool, ...]
    """Which of them have read a cell before."""
    indexes: tuple[int | None, ...]
    """Which of its cells each of them reads here, None if it reads none."""

    def complete(self, states: _States) -> _States:
        """Return the states of all, with the first states of those that begin here."""
        known = iter(states)
        return tuple([next(known) if begun else one.start for one, begun in zip(self.unrollings, self.begun, strict=True)])

    def read(self, states: _States, value: int, most: int) -> Iterable[_States]:
        """Yield the states after a value of those that have cells left, in each way; raise `_TooLarge` if there are too many."""
        ends: list[Sequence[State]] = []
        for unrolling, index, state in zip(self.unrollings, self.indexes, states, strict=True):
            if index is None:
                ends.append((state,))
                continue
            after = tuple(unrolling.step(index, state, value))
            if index == len(unrolling.cells) - 1:
                if not any(map(unrolling.accepts, after)):
                    return ()
            elif after:
                ends.append(after)
            else:
                return ()
        if prod(map(len, ends)) > most:
            raise _TooLarge
        return product(*ends)


def _layers(unrollings: Sequence[Unrolling], count: int) -> list[_Layer]:
    """Return the layers of so many places; the cells of each constraint are places in ascending order."""
    layers = []
    for place in ticked(range(count), every=1):
        present = [one for one in unrollings if one.cells and one.cells[0] <= place <= one.cells[-1]]
        indexes = [one.cells.index(place) if place in one.cells else None for one in present]
        layers.append(_Layer(tuple(present), tuple([one.cells[0] < place for one in present]), tuple(indexes)))
    return layers


_States: TypeAlias = "tuple[State, ...]"
_Arcs: TypeAlias = list[tuple[_States, int, _States]]


@lru_cache(maxsize=256)
def _merged_graph(
    branches: tuple[Conjunction, ...], domains: tuple[Domain, ...], hidden: tuple[bool, ...], most: int
) -> tuple[Edges, frozenset[int]]:
    """Return the edges and the accepting states of alternatives about the cells 0, 1, 2, ...; those ``hidden`` are not read.

    Raise `_TooLarge` if there are too many edges.
    """
    graphs = []
    for branch in branches:
        graphs.append(list(_unrolled(branch, domains, most)))
        most -= sum(map(len, graphs[-1]))
    merged = _MergedStates()
    names: list[dict[_States, int]] = [dict.fromkeys((after for _, _, after in graph[-1]), END) for graph in graphs]
    for layer in range(len(domains) - 1, -1, -1):
        for number, graph in enumerate(graphs):
            ways: dict[_States, set[tuple[int, int]]] = {}
            for state, value, after in ticked(graph[layer]):
                if after in names[number]:
                    ways.setdefault(state, set()).add((NOT_READ if hidden[layer] else value, names[number][after]))
            names[number] = {state: merged.name(frozenset(own), is_start=not layer) for state, own in ways.items()}
    return merged.edges(), frozenset({END})


END = 1
NOT_READ = -1
"""The label of an edge over an auxiliary, whatever its value."""


class _MergedStates:
    """The states found so far, from the end on: each set of ways to go on is one state."""

    def __init__(self) -> None:
        """Begin with the end, and the start without any way."""
        self.ways: dict[int, frozenset[tuple[int, int]]] = {START: frozenset(), END: frozenset()}
        self.numbers: dict[frozenset[tuple[int, int]], int] = {}

    def name(self, ways: frozenset[tuple[int, int]], *, is_start: bool) -> int:
        """Return the state with these ways to go on; ways over an auxiliary are those of the states behind it."""
        behind = {state for value, state in ways if value == NOT_READ}
        if len(behind) == 1 and not is_start:
            return behind.pop()
        if behind:
            ways = frozenset().union(*(self.ways[state] for state in behind))
        if is_start:
            self.ways[START] |= ways
            return START
        found = self.numbers.setdefault(ways, len(self.numbers) + END + 1)
        self.ways[found] = ways
        return found

    def edges(self) -> Edges:
        """Return the edges of all states that the start leads to."""
        reached = {START: None}
        waiting = [START]
        for state in waiting:  # grows while it is walked
            fresh = [after for _, after in self.ways[state] if after not in reached]
            reached |= dict.fromkeys(fresh)
            waiting += dict.fromkeys(fresh)
        return frozenset((state, value, after) for state in reached for value, after in self.ways[state])


def _unrolled(branch: Conjunction, domains: tuple[Domain, ...], most: int) -> Iterator[_Arcs]:
    """Yield the arcs of each layer of a conjunction; raise `_TooLarge` if there are more than ``most``, or as much else to do."""
    steps = STEPS * most
    states: dict[_States, None] = {(): None}
    unrollings = [make_unrolling(one, domains) for one in ticked(branch)]
    for layer, domain in zip(_layers(unrollings, len(domains)), domains, strict=True):
        arcs: _Arcs = []
        for state in ticked(states, every=1):
            complete = layer.complete(state)
            steps -= len(complete) * domain.bit_count()
            for value in members(domain):
                arcs += [(state, value, after) for after in layer.read(complete, value, most)]
            if len(arcs) > most or steps < 0:
                raise _TooLarge
        most -= len(arcs)
        yield arcs
        states = dict.fromkeys(after for _, _, after in arcs)
