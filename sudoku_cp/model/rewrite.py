"""Stateless rewriting: constraints that a backend does not take are replaced by others that it takes, in the end by clauses.

Everything can be written as clauses, the one constraint that every backend must take. The encodings are those that
were measured best: extended pairwise for "all different" (its unit propagation is naked and hidden singles), a selector
for each allowed digit set, supports for relations of two cells, and for the rest layered graphs.
Candidates outside the given domains never appear, so rewriting with the live candidates of a puzzle gives the reduced
formula of Kwon & Jain, "Optimized CNF Encoding for Sudoku Puzzles" (2006).
"""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations
from typing import TYPE_CHECKING, TypeAlias, assert_never

from sudoku_cp.errors import Unsupported
from sudoku_cp.model.layered_graph import Layer, layered_graph
from sudoku_cp.model.model import (
    AUXILIARY,
    AllDifferent,
    Automaton,
    Clause,
    Connected,
    Constraint,
    Count,
    DigitSet,
    Domain,
    Linear,
    Literal,
    Model,
    Partition,
    Table,
    cells_of,
    members,
    union_of,
)
from sudoku_cp.model.partition_clauses import partition_constraints
from sudoku_cp.time_limits import ticked, ticking

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from sudoku_cp.grid import Cell


Fresh: TypeAlias = "Callable[[], Cell]"
"""Returns a new auxiliary each time it is called."""
Disjunction: TypeAlias = tuple[Literal, ...]
"""The literals of a clause; a board has too many of them to make each an object of its own."""
Edges: TypeAlias = frozenset[tuple[int, int, int]]
MOST_EDGES = 10_000
"""The most edges of a deterministic automaton that stands for another; clauses are smaller then."""
FEW_STATES = 50
"""The most states of a layer for which clauses allow at most one; more pairs cost more than they propagate."""


def rewrite_model(model: Model, takes: frozenset[type[Constraint]], tick: Callable[[], object] = int) -> Model:
    """Return a model with the same solutions in which every constraint is of a type in ``takes``; automata are deterministic.

    ``tick`` is called now and then, and may raise to stop the work.
    """
    if Clause not in takes:
        raise Unsupported("expected a backend that takes clauses, got one that does not")
    domains = list(model.domains)

    def fresh() -> Cell:
        domains.append(AUXILIARY)
        return len(domains) - 1

    with ticking(tick):
        statements = tuple(
            [
                statement._replace(constraint=constraint)
                for statement in model.statements
                for constraint in ticked(_rewrite(statement.constraint, takes, domains, fresh))
            ]
        )
    return Model(tuple(domains), statements, model.board)


def _rewrite(
    constraint: Constraint, takes: frozenset[type[Constraint]], domains: Sequence[Domain], fresh: Fresh
) -> Iterator[Constraint]:
    if isinstance(constraint, Automaton) and Automaton in takes and (deterministic := determinize(constraint)):
        yield deterministic
    elif type(constraint) in takes and not isinstance(constraint, Automaton | Clause):
        yield constraint
    elif isinstance(constraint, DigitSet) and AllDifferent in takes:
        yield AllDifferent(constraint.cells)
        for literals in _digit_set_clauses(constraint, domains, fresh):
            yield Clause(literals)
    elif isinstance(constraint, Partition):
        for part in partition_constraints(constraint, domains, fresh):
            yield from _rewrite(part, takes, domains, fresh)
    else:
        for literals in as_clauses(constraint, domains, fresh):
            yield Clause(literals)


def as_clauses(constraint: Constraint, domains: Sequence[Domain], fresh: Fresh) -> Iterator[Disjunction]:
    """Yield clauses over the candidates in ``domains`` that mean the same; ``fresh`` returns new auxiliaries."""
    match constraint:
        case Clause():
            yield from _simplify(constraint.literals, domains)
        case AllDifferent(cells):
            yield from _all_different_clauses(cells, domains)
        case DigitSet(cells):
            yield from _all_different_clauses(cells, domains)
            yield from _digit_set_clauses(constraint, domains, fresh)
        case Linear() | Count() | Table() | Automaton():
            if len(cells_of(constraint)) == 2:  # noqa: PLR2004
                yield from _support_clauses(constraint, domains)
            else:
                yield from _graph_clauses(constraint, domains, fresh)
        case Connected():
            for clause in connection_clauses(constraint, domains, fresh):
                yield from _simplify(clause, domains)
        case Partition():
            for part in partition_constraints(constraint, domains, fresh):
                yield from as_clauses(part, domains, fresh)
        case _:
            assert_never(constraint)


def _simplify(literals: Disjunction, domains: Sequence[Domain]) -> Iterator[Disjunction]:
    """Drop what the domains already decide: true clauses, and false literals in the others."""
    kept = []
    for literal in literals:
        possible = domains[literal.cell] >> literal.value & 1
        certain = possible and domains[literal.cell] == 1 << literal.value
        if (certain and literal.equal) or not (possible or literal.equal):
            return
        if not certain and possible:
            kept.append(literal)
    yield tuple(kept)


def _all_different_clauses(cells: tuple[Cell, ...], domains: Sequence[Domain]) -> Iterator[Disjunction]:
    """Each value is in at most one cell, and in at least one if there are as many values as cells."""
    if len(set(cells)) < len(cells):
        yield ()
        return
    union = union_of(cells, domains)
    if union.bit_count() < len(cells):
        yield ()
        return
    for value in members(union):
        places = [cell for cell in cells if domains[cell] >> value & 1]
        if union.bit_count() == len(cells):
            yield from _simplify(tuple(Literal(cell, value) for cell in places), domains)
        refused = [Literal(cell, value, equal=False) for cell in places]
        fixed = any(domains[cell] == 1 << value for cell in places)
        for pair in combinations(refused, 2):
            # If a cell certainly holds the value, the pair is a unit clause or the empty one.
            yield from _simplify(pair, domains) if fixed else (pair,)


def _digit_set_clauses(constraint: DigitSet, domains: Sequence[Domain], fresh: Fresh) -> Iterator[Disjunction]:
    """Each set that the domains allow has a selector; a single set needs none."""
    cells = constraint.cells
    union = union_of(cells, domains)
    possible = sorted(allowed for allowed in constraint.sets if allowed & ~union == 0 and allowed.bit_count() == len(cells))
    if len(possible) == 1:
        for value in members(possible[0]):
            yield from _simplify(tuple(Literal(cell, value) for cell in cells if domains[cell] >> value & 1), domains)
        for value in members(union & ~possible[0]):
            for cell in cells:
                yield from _simplify((Literal(cell, value, equal=False),), domains)
    else:
        yield from selector_clauses(cells, {allowed: Literal(fresh(), 1) for allowed in possible}, domains)


def selector_clauses(
    cells: Sequence[Cell], selectors: Mapping[Domain, Literal], domains: Sequence[Domain]
) -> Iterator[Disjunction]:
    """One of the sets is selected: its values all occur, no others do, and a value needs a selected set that has it."""
    yield tuple(selectors.values())
    union = union_of(cells, domains)
    for allowed, selector in selectors.items():
        for value in members(allowed):
            places = tuple(Literal(cell, value) for cell in cells if domains[cell] >> value & 1)
            yield from _simplify((negate(selector), *places), domains)
    for value in members(union):
        able = [selector for allowed, selector in selectors.items() if allowed >> value & 1]
        if len(able) < len(selectors):
            for cell in cells:
                if domains[cell] >> value & 1:
                    yield from _simplify((Literal(cell, value, equal=False), *able), domains)


def _support_clauses(constraint: Linear | Count | Table | Automaton, domains: Sequence[Domain]) -> Iterator[Disjunction]:
    """A value of one of two cells needs a supporting value of the other, and the other way round."""
    _, graph = layered_graph(constraint, domains)
    first, second = cells_of(constraint)
    if len(graph) > 2:  # noqa: PLR2004
        yield from _conflict_clauses(constraint, domains)
        return
    ends: dict[int, set[int]] = {}
    for state, value, _ in graph[1]:
        ends.setdefault(state, set()).add(value)
    supports: dict[int, set[int]] = {}
    for _, value, state in graph[0]:
        supports.setdefault(value, set()).update(ends[state])
    backwards = {y: {x for x, ys in supports.items() if y in ys} for y in members(domains[second])}
    for one, other, table in ((first, second, supports), (second, first, backwards)):
        for value in members(domains[one]):
            support = sorted(table.get(value, ()))
            if len(support) < domains[other].bit_count():
                literals = (Literal(one, value, equal=False), *(Literal(other, v) for v in support))
                yield from _simplify(literals, domains)


def _conflict_clauses(constraint: Constraint, domains: Sequence[Domain]) -> Iterator[Disjunction]:
    """Forbid each pair of values that two cells may not take: for a constraint that names one of them twice."""
    first, second = cells_of(constraint)
    filled = [0] * len(domains)
    for one in members(domains[first]):
        for other in members(domains[second]):
            filled[first], filled[second] = one, other
            if not constraint.holds(filled):
                refused = (Literal(first, one, equal=False), Literal(second, other, equal=False))
                yield from _simplify(refused, domains)


def _graph_clauses(
    constraint: Linear | Count | Table | Automaton, domains: Sequence[Domain], fresh: Fresh
) -> Iterator[Disjunction]:
    """Yield the clauses of a walk through the cells one by one."""
    cells, graph = layered_graph(constraint, domains)
    letters = [{value: Literal(cell, value) for value in members(domains[cell])} for cell in cells]
    yield from walk_clauses(graph, letters, domains, fresh)


def walk_clauses(
    graph: Sequence[Layer], letters: Sequence[Mapping[int, Literal]], domains: Sequence[Domain], fresh: Fresh
) -> Iterator[Disjunction]:
    """One state is true in each layer: a state and a letter lead to a next state, which needs such a state and such a letter.

    ``letters`` maps the letters of each layer to their literals, of which one is true.
    """
    before: dict[int, Literal | None] = {0: None}
    for layer, own in zip(graph, letters, strict=True):
        after: dict[int, Literal | None] = {state: None for _, _, state in layer}
        if len(after) > 1:
            after = {state: Literal(fresh(), 1) for state in after}
        for clause in _layer_clauses(before, layer, after, own):
            yield from _simplify(clause, domains)
        before = after


def _layer_clauses(
    before: dict[int, Literal | None], layer: Layer, after: dict[int, Literal | None], letters: Mapping[int, Literal]
) -> Iterator[Disjunction]:
    """Yield the clauses of one layer. A state without a literal is the only one of its layer, so it is certain."""
    ends: dict[tuple[int, int], list[int]] = {}
    letters_into: dict[int, set[int]] = {}
    starts_into: dict[int, set[int]] = {}
    for start, value, end in ticked(layer):
        ends.setdefault((start, value), []).append(end)
        letters_into.setdefault(end, set()).add(value)
        starts_into.setdefault(end, set()).add(start)
    here, there = [lit for lit in before.values() if lit], [lit for lit in after.values() if lit]
    if len(there) <= FEW_STATES:
        yield from ((negate(one), negate(other)) for one, other in combinations(there, 2))
    if there:
        yield tuple(there)
    for start, literal in before.items():
        for value, letter in letters.items():
            unless = [negate(letter), *([negate(literal)] if literal else [])]
            goals = ends.get((start, value), [])
            if not goals or all(after[end] for end in goals):
                yield (*unless, *(lit for end in goals if (lit := after[end])))
    for end, literal in after.items():
        if literal is None:
            continue
        yield (negate(literal), *(letters[value] for value in sorted(letters_into[end])))
        if here:
            yield (negate(literal), *(lit for start in sorted(starts_into[end]) if (lit := before[start])))


def negate(literal: Literal) -> Literal:
    """Return the negated literal."""
    return Literal(literal.cell, literal.value, not literal.equal)


def determinize(automaton: Automaton) -> Automaton | None:
    """Return a deterministic automaton that accepts the same (subset construction), None if it has more than `MOST_EDGES`."""
    if len({edge[:2] for edge in automaton.edges}) == len(automaton.edges):
        return automaton
    found = _deterministic(automaton.start, automaton.edges, automaton.accepting)
    return found and Automaton(automaton.cells, *found)


@lru_cache(maxsize=256)
def _deterministic(start: int, edges: Edges, accepting: frozenset[int]) -> tuple[int, Edges, frozenset[int]] | None:
    after: dict[int, dict[int, set[int]]] = {}
    for before, value, end in edges:
        after.setdefault(before, {}).setdefault(value, set()).add(end)
    first = frozenset({start})
    numbers = {first: 0}
    found: set[tuple[int, int, int]] = set()
    waiting = [first]
    for states in ticked(waiting):  # grows while it is walked
        ways: dict[int, set[int]] = {}
        for state in states:
            for value, ends in after.get(state, {}).items():
                ways.setdefault(value, set()).update(ends)
        for value, own in sorted(ways.items()):
            together = frozenset(own)
            if together not in numbers:
                numbers[together] = len(numbers)
                waiting.append(together)
            found.add((numbers[states], value, numbers[together]))
        if len(found) > MOST_EDGES:
            return None
    return 0, frozenset(found), frozenset(number for states, number in numbers.items() if states & accepting)


def propagate_decided(model: Model, domains: Sequence[Domain]) -> list[Domain]:
    """Return ``domains`` of the board without the values that decided cells rule out where all must differ (to the fixpoint).

    A domain becomes 0 if a cell has no values left.
    """
    live = list(domains)
    peers: dict[Cell, set[Cell]] = {}
    for constraint in model.constraints:
        if isinstance(constraint, AllDifferent | DigitSet):
            seen = [cell for cell in constraint.cells if cell < len(live)]
            for cell in seen:
                peers.setdefault(cell, set()).update(seen)
    decided = [cell for cell, domain in enumerate(live) if domain and not domain & (domain - 1)]
    for cell in decided:  # grows while it is walked
        for peer in peers.get(cell, set()) - {cell}:
            if live[peer] & live[cell]:
                live[peer] &= ~live[cell]
                if live[peer] and not live[peer] & (live[peer] - 1):
                    decided.append(peer)
    return live


# Connected cells as clauses: layers of auxiliaries count the steps in which each cell is reached from the first.


def connection_clauses(
    constraint: Connected, domains: Sequence[Domain], fresh: Callable[[], Cell]
) -> Iterator[tuple[Literal, ...]]:
    """Yield clauses that keep cells connected.

    Each cell has an auxiliary in each layer: whether it is in, whether any cell up to it is, whether it is the first, and
    whether it is reached in 1, 2, ... steps. They are determined by the values of the cells.
    """
    if not constraint.cells:
        yield ()
        return
    if constraint.steps is None:
        return
    size, steps = len(constraint.cells), constraint.steps
    layers = [[fresh() for _ in range(size)] for _ in range(3 + steps)]
    for cell, inside in zip(constraint.cells, layers[0], strict=True):
        for value in members(domains[cell]):
            yield Literal(cell, value, equal=False), Literal(inside, int(value in constraint.values))
    yield from _spread_clauses(constraint.beside, layers)


def _spread_clauses(beside: Sequence[Sequence[int]], layers: Sequence[Sequence[Cell]]) -> Iterator[tuple[Literal, ...]]:
    """Yield clauses: the cells that are in, at least one, are all reached from the first of them in the last layer."""

    def name(layer: int, cell: int, equal: int) -> Literal:
        return Literal(layers[layer][cell], equal)

    for cell in range(len(beside)):
        before = cell - 1
        yield name(0, cell, 0), name(1, cell, 1)
        yield name(0, cell, 1), name(2, cell, 0)
        if cell:
            yield name(1, before, 0), name(1, cell, 1)
            yield name(1, before, 1), name(0, cell, 1), name(1, cell, 0)
            yield name(1, before, 0), name(2, cell, 0)
            yield name(0, cell, 0), name(1, before, 1), name(2, cell, 1)
        else:
            yield name(0, cell, 1), name(1, cell, 0)
            yield name(0, cell, 0), name(2, cell, 1)
        yield name(0, cell, 0), name(len(layers) - 1, cell, 1)
    yield (name(1, len(beside) - 1, 1),)
    for layer in ticked(range(3, len(layers)), every=1):
        for cell, near in enumerate(beside):
            around = (cell, *near)
            yield name(layer, cell, 0), name(0, cell, 1)
            yield name(layer, cell, 0), *(name(layer - 1, other, 1) for other in around)
            for other in around:
                yield name(layer - 1, other, 0), name(0, cell, 0), name(layer, cell, 1)


# The literals of a clause that the domains leave open.


def live_literals(literals: Iterable[Literal], domains: Mapping[int, Domain] | tuple[Domain, ...]) -> list[Literal] | None:
    """Return the literals that can be true; None if one of them certainly is."""
    kept = []
    for literal in literals:
        possible = domains[literal.cell] >> literal.value & 1 if literal.value >= 0 else 0
        if not possible:
            if not literal.equal:
                return None
            continue
        kept.append(literal)
    return kept
