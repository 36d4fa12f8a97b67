"""What a rule part leaves of its cells' candidates: a constraint at a time, all of them together, and with sight among its cells.

Each is remembered for the part and the candidates of its cells, so that a path looks again only at parts that have changed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias, assert_never

from sudoku_cp.logic.step import ProofGroup, ProofStatement, distinct, once_in
from sudoku_cp.model import (
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
    to_mask,
)
from sudoku_cp.model.model import AUXILIARY, union_of
from sudoku_cp.time_limits import ticked

if TYPE_CHECKING:
    from sudoku_cp.grid import Cell
    from sudoku_cp.logic.candidate_board import CandidateBoard
    from sudoku_cp.logic.layout import CellSet, GroupIndex, Layout, PartIndex
    from sudoku_cp.model import Constraint, Domain, Relation


PartDomains: TypeAlias = "tuple[Domain, ...]"
"""What each cell of a rule part may hold, in the order of its cells."""
Narrow: TypeAlias = "Callable[[Layout, PartIndex, PartDomains], PartDomains]"
"""Returns what a rule part leaves of the candidates of its cells."""
MOST_CELLS = 12
"""Parts of more cells are looked at one constraint at a time only."""
_CACHED = 20_000


def part_domains(board: CandidateBoard, part: PartIndex) -> PartDomains:
    """Return what each cell of a part may hold: its value, or its candidates."""
    values, candidates = board.values, board.candidates
    return tuple([candidates[cell] if (value := values[cell]) is None else 1 << value for cell in board.layout.parts[part].cells])


def possible_sets(constraint: DigitSet, domains: Mapping[Cell, Domain], *, strict: bool = False) -> list[Domain]:
    """Return the sets all of whose values have places in the cells; if ``strict``, those that leave each cell a value too."""
    own = [domains[cell] for cell in constraint.cells]
    union = union_of(constraint.cells, domains)  # type: ignore[arg-type]  # read by cell only
    return sorted([one for one in constraint.sets if not one & ~union and (not strict or all(one & domain for domain in own))])


@lru_cache(maxsize=_CACHED)
def left_by_each(layout: Layout, part: PartIndex, domains: PartDomains) -> PartDomains:
    """Return what the constraints of a part leave, each looked at alone, until none leaves less."""
    cells, constraints = layout.parts[part].cells, layout.parts[part].constraints
    known = constraint_domains(layout, part, domains)
    waiting = dict.fromkeys(constraints)
    while waiting:
        constraint = next(iter(waiting))
        del waiting[constraint]
        changed = []
        for cell, left in left_by_one(constraint, known).items():
            if left != known[cell]:
                known[cell] = left
                changed.append(cell)
        if changed:
            waiting |= dict.fromkeys(
                other for other in constraints if other != constraint and not set(changed).isdisjoint(cells_of(other))
            )
    return tuple(known[cell] for cell in cells)


@lru_cache(maxsize=_CACHED)
def left_by_all(layout: Layout, part: PartIndex, domains: PartDomains) -> PartDomains:
    """Return what the constraints of a part leave together; all of the domains where that takes too long to find out."""
    return _left_by_search(layout, part, domains, None)


@lru_cache(maxsize=_CACHED)
def left_with_sight(layout: Layout, part: PartIndex, domains: PartDomains) -> PartDomains:
    """Return what is left where the cells of a part differ if they see each other, whatever makes them."""
    own = to_mask(layout.parts[part].cells)
    seen = {cell: layout.sight[cell] & own for cell in layout.parts[part].cells}
    return _left_by_search(layout, part, domains, seen) if any(seen.values()) else domains


def part_proof(board: CandidateBoard, part: PartIndex, narrow: Narrow) -> tuple[ProofGroup, ...]:
    """Return what proves that a part leaves no more than ``narrow`` says: the part, and for joint reasoning also its cells."""
    proof = [ProofGroup(ProofStatement.PART, part)]
    if narrow is not left_by_each or not _rules_out(board.layout, part):
        cells = to_mask(board.layout.parts[part].cells) & board.open
        proof += cell_proof(cells)
        if narrow is left_with_sight:
            proof += sight_proof(board, cells, part)
    return distinct(proof)


@lru_cache(maxsize=_CACHED)
def _rules_out(layout: Layout, part: PartIndex) -> bool:
    """Return whether the constraints of a part rule out values by themselves, unlike clauses and counts."""
    kinds = {type(constraint) for constraint in layout.parts[part].constraints}
    return kinds <= {Table, Linear, Automaton} or (kinds == {DigitSet} and len(layout.parts[part].constraints) == 1)


def cell_proof(cells: CellSet) -> Iterator[ProofGroup]:
    """Yield that cells have a value each, and only one."""
    for cell in members(cells):
        yield ProofGroup(ProofStatement.HAS_VALUE, cell)
        yield ProofGroup(ProofStatement.ONE_VALUE, cell)


def sight_proof(board: CandidateBoard, cells: CellSet, part: PartIndex | None = None) -> Iterator[ProofGroup]:
    """Yield that ``cells`` that see each other differ, by few groups; what ``part`` says itself is left out."""
    layout = board.layout
    pairs = {(one, other) for one in members(cells) for other in members(layout.sight[one] & cells) if one < other}
    groups = dict.fromkeys(index for cell in members(cells) for index in layout.groups_of[cell])

    def covered(index: GroupIndex) -> set[tuple[Cell, Cell]]:
        mask = layout.groups[index].mask
        return {pair for pair in pairs if mask >> pair[0] & 1 and mask >> pair[1] & 1}

    for index in [index for index in groups if part is not None and layout.groups[index].part == part]:
        pairs -= covered(index)
    while pairs:
        index = max(groups, key=lambda index: len(covered(index)))
        mask = layout.groups[index].mask & cells
        pairs -= covered(index)
        for value in layout.values:
            if (board.places[value] & mask).bit_count() > 1:
                yield once_in(layout, value, index)


def constraint_domains(layout: Layout, part: PartIndex, domains: PartDomains) -> dict[Cell, Domain]:
    """Return the domains by cell, those of auxiliaries too."""
    known = dict(zip(layout.parts[part].cells, domains, strict=True))
    for constraint in layout.parts[part].constraints:
        for cell in cells_of(constraint):
            known.setdefault(cell, AUXILIARY)
    return known


def left_by_one(constraint: Constraint, domains: dict[Cell, Domain]) -> dict[Cell, Domain]:
    """Return what a constraint alone leaves of its cells; of sets of values those with places for all, in any order."""
    cells = cells_of(constraint)
    if isinstance(constraint, DigitSet):
        union = 0
        for one in possible_sets(constraint, domains):
            union |= one
        return {cell: domains[cell] & union for cell in cells}
    found = completions([constraint], domains)
    return {} if found is None else found


def _left_by_search(layout: Layout, part: PartIndex, domains: PartDomains, seen: dict[Cell, CellSet] | None) -> PartDomains:
    own = layout.parts[part]
    if len(own.cells) > MOST_CELLS:
        return domains
    found = completions(own.constraints, constraint_domains(layout, part, domains), seen)
    return domains if found is None else tuple(found[cell] for cell in own.cells)


# Which candidates of some cells have a completion under some constraints: exactly, by a sweep over the cells.
#
# Theory of operation. The cells are filled one after the other. What matters of a partial filling is its *state*: one entry for
# each constraint (the values used so far, a partial sum, the states of an automaton, ...), and one that says which values later
# cells can no longer hold because they see a cell that has been filled. Fillings in the same state have the same completions,
# so a layer of states a cell is enough. The sweep back from the last layer collects the values on ways that arrive there.
#
# A constraint is followed by a *tracker*: its first entry, and for each of its cells a function from entry and value to the
# next entry, or None where no completion is left. After the last of its cells the entry is always the same, so that states
# merge.


Entry: TypeAlias = Any
"""Something hashable: numbers, sets and tuples of them, by tracker."""
Follow: TypeAlias = "Callable[[Entry, int], Entry | None]"
State: TypeAlias = tuple[Entry, ...]
Domains: TypeAlias = Mapping[int, int]
"""What each cell, auxiliaries included, may hold."""

DONE: Entry = ()
"""The entry of a constraint that is known to hold."""
MOST_STATES = 2_000
"""A layer with more states is not searched further."""
_MOST_SUBSETS = 20_000
"""Sets of values have their subsets listed if these are no more."""


class Tracker(NamedTuple):
    """Follows one constraint: the entry before its first cell, and for each of its cells what a value makes of the entry."""

    start: Entry
    follow: Mapping[Cell, Follow]


def completions(
    constraints: Sequence[Constraint], domains: Domains, sight: Mapping[Cell, CellSet] | None = None
) -> dict[Cell, Domain] | None:
    """Return the values that each cell of some constraints has in some filling that obeys them all.

    None if there is too much to search. Cells that ``sight`` relates (to each cell those that it sees) hold different values.
    """
    layers = filling_layers(constraints, domains, sight)
    return None if layers is None else values_on_ways(order_of(constraints), layers)


def filling_layers(
    constraints: Sequence[Constraint], domains: Domains, sight: Mapping[Cell, CellSet] | None = None, *, most: int = MOST_STATES
) -> list[dict[State, list[tuple[State, int]]]] | None:
    """Return the states after each cell in order, each with the ways to it; None if there is too much to search."""
    order = order_of(constraints)
    trackers = [_tracker(constraint, order, domains) for constraint in constraints]
    if sight is not None:
        trackers.append(_sight_tracker(order, domains, sight))
    layers: list[dict[State, list[tuple[State, int]]]] = []
    states: Iterable[State] = [tuple(tracker.start for tracker in trackers)]
    for cell in ticked(order, every=1):
        follow = [(slot, tracker.follow[cell]) for slot, tracker in enumerate(trackers) if cell in tracker.follow]
        layers.append(_next_layer(states, members(domains[cell]), follow))
        states = layers[-1]
        if len(layers[-1]) > most:
            return None
    return layers


def _next_layer(
    states: Iterable[State], values: Sequence[int], follow: Sequence[tuple[int, Follow]]
) -> dict[State, list[tuple[State, int]]]:
    """Return the states after one more cell, each with the ways to it."""
    layer: dict[State, list[tuple[State, int]]] = {}
    for state in states:
        for value in values:
            after = list(state)
            for slot, function in follow:
                entry = function(after[slot], value)
                if entry is None:
                    break
                after[slot] = entry
            else:
                layer.setdefault(tuple(after), []).append((state, value))
    return layer


def count_ways(layers: Sequence[Mapping[State, list[tuple[State, int]]]]) -> int:
    """Return how many ways lead through the layers."""
    before: dict[State, int] = {}
    for number, layer in enumerate(layers):
        before = {state: sum(before[earlier] if number else 1 for earlier, _ in ways) for state, ways in layer.items()}
    return sum(before.values())


def values_on_ways(order: Sequence[Cell], layers: Sequence[Mapping[State, list[tuple[State, int]]]]) -> dict[Cell, Domain]:
    """Return the values on all ways to the end."""
    found = dict.fromkeys(order, 0)
    alive: Iterable[State] = layers[-1] if layers else ()
    for cell, layer in zip(reversed(order), reversed(layers), strict=True):
        before = set()
        for state in alive:
            for earlier, value in layer[state]:
                before.add(earlier)
                found[cell] |= 1 << value
        alive = before
    return found


def order_of(constraints: Sequence[Constraint]) -> list[Cell]:
    """Return the cells as the first automaton reads them, then in the order in which constraints name them."""
    automata = [constraint for constraint in constraints if isinstance(constraint, Automaton)]
    return list(dict.fromkeys(cell for constraint in (*automata[:1], *constraints) for cell in cells_of(constraint)))


# --- trackers -----------------------------------------------------------------------------------------------------


def _tracker(constraint: Constraint, order: Sequence[Cell], domains: Domains) -> Tracker:
    own = set(cells_of(constraint))
    cells = [cell for cell in order if cell in own]
    match constraint:
        case AllDifferent() if len(cells) == len(constraint.cells):
            return _set_tracker(cells, None)
        case DigitSet(_, sets) if len(cells) == len(constraint.cells):
            return _set_tracker(cells, sets)
        case Linear(terms, relation, total):
            factors = {cell: sum(factor for other, factor in terms if other == cell) for cell in cells}
            amounts = [{value: factors[cell] * value for value in members(domains[cell])} for cell in cells]
            return _sum_tracker(cells, amounts, relation, total)
        case Count(_, values, relation, number):
            counts = [
                {value: constraint.cells.count(cell) * (value in values) for value in members(domains[cell])} for cell in cells
            ]
            return _sum_tracker(cells, counts, relation, number)
        case Automaton() if list(constraint.cells) == cells:
            return _automaton_tracker(constraint)
        case Clause():
            return _clause_tracker(cells, constraint)
        case AllDifferent() | DigitSet() | Table() | Automaton() | Connected() | Partition():
            return _memory_tracker(cells, constraint)
        case _:
            assert_never(constraint)


def _set_tracker(cells: Sequence[Cell], sets: frozenset[Domain] | None) -> Tracker:
    """Follow the values used: all different, in the end one of ``sets`` if there are any."""
    known = None if sets is None else _subsets(sets)

    def further(used: int, value: int) -> int | None:
        after = used | 1 << value
        return None if used == after or (known is not None and after not in known) else after

    def last(used: int, value: int) -> Entry | None:
        after = used | 1 << value
        return DONE if used != after and (sets is None or after in sets) else None

    return Tracker(0, {**dict.fromkeys(cells, further), cells[-1]: last})


@lru_cache(maxsize=4096)
def _subsets(sets: frozenset[Domain]) -> frozenset[Domain] | None:
    """Return all subsets of the sets; None if there are too many."""
    if sum(1 << one.bit_count() for one in sets) > _MOST_SUBSETS:
        return None
    found = set()
    for whole in sets:
        part = whole
        while part:
            found.add(part)
            part = (part - 1) & whole
    return frozenset(found)


def _sum_tracker(cells: Sequence[Cell], amounts: Sequence[Mapping[int, int]], relation: Relation, total: int) -> Tracker:
    """Follow a sum of amounts, one by cell and value, while those to come can still make it right."""
    least = most = 0
    follow: dict[Cell, Follow] = {}
    for cell, own in zip(reversed(cells), reversed(amounts), strict=True):
        follow[cell] = _sum_step(own, relation, (total - most, total - least), is_last=not follow)
        least += min(own.values(), default=0)
        most += max(own.values(), default=0)
    return Tracker(0, follow)


def _sum_step(own: Mapping[int, int], relation: Relation, window: tuple[int, int], *, is_last: bool) -> Follow:
    """Return the step of a cell: sums from which the rest can still reach the total lie in the ``window``."""
    lowest, highest = window

    def step(before: int, value: int) -> Entry | None:
        after = before + own[value]
        if relation == "!=":
            return (None if after == lowest else DONE) if is_last else after
        if (relation != ">=" and after > highest) or (relation != "<=" and after < lowest):
            return None
        return DONE if is_last else after

    return step


def _automaton_tracker(automaton: Automaton) -> Tracker:
    """Follow the states that an automaton can be in."""
    arcs: dict[tuple[int, int], list[int]] = {}
    for state, value, after in automaton.edges:
        arcs.setdefault((state, value), []).append(after)

    def further(states: frozenset[int], value: int) -> Entry | None:
        return frozenset([after for state in states for after in arcs.get((state, value), ())]) or None

    def last(states: frozenset[int], value: int) -> Entry | None:
        reached = {after for state in states for after in arcs.get((state, value), ())}
        return None if reached.isdisjoint(automaton.accepting) else DONE

    cells = automaton.cells
    return Tracker(frozenset({automaton.start}), {**dict.fromkeys(cells, further), cells[-1]: last})


def _clause_tracker(cells: Sequence[Cell], clause: Clause) -> Tracker:
    """Follow whether one of the literals is true yet."""

    def step(cell: Cell, *, is_last: bool) -> Follow:
        literals = [(value, equal) for other, value, equal in clause.literals if other == cell]

        def follow(entry: Entry, value: int) -> Entry | None:
            if entry == DONE or any((value == wanted) == equal for wanted, equal in literals):
                return DONE
            return None if is_last else entry

        return follow

    return Tracker("open", {cell: step(cell, is_last=cell == cells[-1]) for cell in cells})


def _memory_tracker(cells: Sequence[Cell], constraint: Constraint) -> Tracker:
    """Remember all values, and ask the constraint at the end."""

    def further(before: tuple[int, ...], value: int) -> Entry:
        return (*before, value)

    def last(before: tuple[int, ...], value: int) -> Entry | None:
        filled = dict(zip(cells, (*before, value), strict=True))
        return DONE if constraint.holds(filled) else None  # type: ignore[arg-type]  # read by cell only

    return Tracker((), {**dict.fromkeys(cells, further), cells[-1]: last})


def _sight_tracker(order: Sequence[Cell], domains: Domains, sight: Mapping[Cell, CellSet]) -> Tracker:
    """Follow the values that each later cell cannot hold any more; a cell that cannot hold any ends the way."""

    def step(index: int) -> Follow:
        seen = [bool(sight.get(order[index], 0) >> cell & 1) for cell in order[index + 1 :]]
        later = [domains[cell] for cell in order[index + 1 :]]

        def follow(entry: tuple[Domain, ...], value: int) -> Entry | None:
            bit = 1 << value
            if entry[0] & bit:
                return None
            after = tuple([mask | bit & own if one else mask for mask, one, own in zip(entry[1:], seen, later, strict=True)])
            return None if any(map(int.__eq__, after, later)) else after

        return follow

    return Tracker((0,) * len(order), {cell: step(index) for index, cell in enumerate(order)})
