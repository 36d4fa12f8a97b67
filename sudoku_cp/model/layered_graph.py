"""Sums, counts, tables and automata unrolled to a layered graph of (state, value, next state) arcs, as a decision diagram.

A backend without native support for any of them needs a single encoder, or a single propagator, for all.
Layer k belongs to the k-th cell; the graph starts in state 0 of the first layer, and every arc kept lies on a
path to the end. States are numbered from 0 in each layer.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import TYPE_CHECKING, TypeAlias, assert_never, cast

from sudoku_cp.model.model import (
    COMPARE,
    AllDifferent,
    Automaton,
    Clause,
    Count,
    DigitSet,
    Domain,
    Linear,
    Literal,
    Relation,
    Table,
    members,
)
from sudoku_cp.time_limits import ticked

if TYPE_CHECKING:
    from sudoku_cp.grid import Cell

Arc: TypeAlias = tuple[int, int, int]
Layer: TypeAlias = tuple[Arc, ...]
State: TypeAlias = Hashable
Unrollable: TypeAlias = Linear | Count | Table | Automaton
Readable: TypeAlias = Unrollable | AllDifferent | DigitSet | Clause
"""What can be read cell by cell with few states: areas cannot."""

_NOTHING = frozenset({()})
"""What may follow the end of a row."""
_DECIDED = "decided"
"""The state of a sum that holds whatever the rest of its cells are."""


@dataclass(frozen=True, slots=True)
class Unrolling:
    """The input of unrolling: the cells read, the first state, a step, and which last states are good."""

    cells: tuple[Cell, ...]
    start: State
    step: Callable[[int, State, int], Iterable[State]]
    accepts: Callable[[State], bool]


def layered_graph(constraint: Unrollable, domains: Sequence[Domain]) -> tuple[tuple[Cell, ...], tuple[Layer, ...]]:
    """Return the cells a constraint reads and one layer of arcs for each, pruned from both ends.

    If nothing in ``domains`` satisfies the constraint, every layer is empty.
    """
    machine = make_unrolling(constraint, domains)
    forward: list[list[tuple[State, int, State]]] = []
    states: dict[State, None] = {machine.start: None}  # a set with an order, so that every run unrolls alike
    for index, cell in enumerate(machine.cells):
        values = members(domains[cell])
        forward.append(
            [(state, value, after) for state in ticked(states) for value in values for after in machine.step(index, state, value)]
        )
        states = dict.fromkeys(after for _, _, after in forward[-1])
    return machine.cells, _number_states(_prune(forward, {state for state in states if machine.accepts(state)}), machine.start)


def _prune(forward: list[list[tuple[State, int, State]]], alive: set[State]) -> list[list[tuple[State, int, State]]]:
    kept = []
    for layer in reversed(forward):
        kept.append([arc for arc in ticked(layer) if arc[2] in alive])
        alive = {state for state, _, _ in kept[-1]}
    return kept[::-1]


def _number_states(graph: list[list[tuple[State, int, State]]], start: State) -> tuple[Layer, ...]:
    numbered: list[Layer] = []
    names: dict[State, int] = {start: 0}
    for layer in graph:
        after: dict[State, int] = {}
        numbered.append(tuple((names[state], value, after.setdefault(end, len(after))) for state, value, end in ticked(layer)))
        names = after
    return tuple(numbered)


def make_unrolling(constraint: Readable, domains: Sequence[Domain]) -> Unrolling:  # noqa: C901  # one case for each kind
    """Return how a constraint is read cell by cell, in its own order of cells."""
    match constraint:
        case Linear(terms):
            factors: dict[Cell, int] = {}
            for cell, factor in terms:
                factors[cell] = factors.get(cell, 0) + factor
            addends = [{v: factor * v for v in members(domains[cell])} for cell, factor in factors.items()]
            return _sum_unrolling(tuple(factors), addends, constraint)
        case Count(cells, wanted):
            return _sum_unrolling(cells, [{v: int(v in wanted) for v in members(domains[cell])} for cell in cells], constraint)
        case Table(cells, tuples):
            # A state is the set of rows that may still follow: rows with the same continuations share a state.
            return Unrolling(
                cells, tuples, lambda _, state, value: _suffixes_by_value(state).get(value, ()), {_NOTHING}.__contains__
            )
        case Automaton(cells, start, edges, accepting):
            after: dict[tuple[State, int], list[State]] = {}
            for before, value, end in sorted(edges):
                after.setdefault((before, value), []).append(end)
            return Unrolling(cells, start, lambda _, state, value: after.get((state, value), ()), accepting.__contains__)
        case AllDifferent(cells):
            return _set_unrolling(cells, None)
        case DigitSet(cells, sets):
            return _set_unrolling(cells, sets)
        case Clause(literals):
            about: dict[Cell, list[Literal]] = {}
            for literal in literals:
                about.setdefault(literal.cell, []).append(literal)
            return _clause_unrolling(about)
        case _:
            assert_never(constraint)


@lru_cache(maxsize=4096)
def _suffixes_by_value(rows: frozenset[tuple[int, ...]]) -> Mapping[int, tuple[State]]:
    """Return, for each value that some rows begin with, the set of the rests of these rows, alone in a tuple."""
    rests: dict[int, set[tuple[int, ...]]] = {}
    for first, *rest in rows:
        rests.setdefault(first, set()).add(tuple(rest))
    return {first: (frozenset(found),) for first, found in rests.items()}


def _set_unrolling(cells: tuple[Cell, ...], sets: frozenset[Domain] | None) -> Unrolling:
    """Return the machine of the values read so far, none of them twice; with ``sets``, all of them in one of these."""

    @cache
    def is_possible(used: Domain) -> bool:
        return sets is None or any(not used & ~allowed for allowed in sets)

    def step(_: int, used: State, value: int) -> Iterable[State]:
        after = cast("Domain", used) | 1 << value
        return (after,) if after != used and is_possible(after) else ()

    return Unrolling(cells, 0, step, lambda used: sets is None or used in sets)


def _clause_unrolling(literals: Mapping[Cell, Sequence[Literal]]) -> Unrolling:
    """Return the machine of whether one of the literals, here by their cells, has been true so far."""
    own = tuple(literals.values())

    def step(index: int, state: State, value: int) -> Iterable[State]:
        return (state is True or any((value == wanted) == equal for _, wanted, equal in own[index]),)

    return Unrolling(tuple(literals), False, step, bool)  # noqa: FBT003  # no literal has been true


def _sum_unrolling(cells: tuple[Cell, ...], addends: list[dict[int, int]], constraint: Linear | Count) -> Unrolling:
    """Return the machine of partial sums; states that can no longer fail, or no longer hold, are merged or cut."""
    total = constraint.total if isinstance(constraint, Linear) else constraint.number
    low, high = [0], [0]
    for addend in reversed(addends):
        low.insert(0, low[0] + min(addend.values(), default=0))
        high.insert(0, high[0] + max(addend.values(), default=0))

    def step(index: int, state: State, value: int) -> Iterable[State]:
        if not isinstance(state, int):
            return (state,)
        partial = state + addends[index][value]
        settled = _truth_if_certain(constraint.relation, partial + low[index + 1], partial + high[index + 1], total)
        return (partial,) if settled is None else (_DECIDED,) if settled else ()

    def accepts(state: State) -> bool:
        return state == _DECIDED or (isinstance(state, int) and COMPARE[constraint.relation](state, total))

    return Unrolling(cells, 0, step, accepts)


def _truth_if_certain(relation: Relation, least: int, most: int, total: int) -> bool | None:
    """Return whether a sum between ``least`` and ``most`` is sure to stand in ``relation`` to ``total``, or sure not to."""
    ends = COMPARE[relation](least, total), COMPARE[relation](most, total)
    match relation:
        case "<=" | ">=":
            return ends[0] if ends[0] == ends[1] else None
        case "==" | "!=":
            return ends[0] if least == most or not least <= total <= most else None
        case _:
            assert_never(relation)
