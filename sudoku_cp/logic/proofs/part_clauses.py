"""The clauses of one rule part over the live candidates of its cells, with all that unit propagation shows at once applied.

Literals are numbers: ``2 * variable``, plus 1 if the variable is false. The variable of a candidate is
``cell * values + value - first``; behind those of the board come the auxiliaries that parts of a layout share, then the
part's own. A cell of a single candidate is as good as filled here. That a cell of several has one of them is a group of its own,
which proofs name where the clauses here do not imply it.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations, permutations
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np

from sudoku_cp.logic.step import ProofGroup, ProofStatement
from sudoku_cp.model import Automaton, Clause, Count, Linear, Table, cells_of, members
from sudoku_cp.model.clause_templates import numbered_clauses
from sudoku_cp.model.layered_graph import layered_graph
from sudoku_cp.model.model import AUXILIARY
from sudoku_cp.time_limits import ticked

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from sudoku_cp.grid import Cell
    from sudoku_cp.logic.candidate_board import CandidateBoard
    from sudoku_cp.logic.layout import GroupIndex, Layout, PartIndex
    from sudoku_cp.logic.step import Candidate
    from sudoku_cp.model import Domain, Literal
    from sudoku_cp.model.layered_graph import Layer


ProofLiteral: TypeAlias = int
"""A claim about a candidate or an auxiliary, see the module's docstring; ``literal ^ 1`` is its negation."""
LiteralClause: TypeAlias = "tuple[ProofLiteral, ...]"
"""Literals of which one is true."""
PAIR = 2
"""Constraints of two cells as clauses: each value needs one of the values of the other cell that support it."""
CACHED_PARTS = 20_000
"""Parts with domains whose clauses are kept, for all layouts together."""


class PartClauses(NamedTuple):
    """What a part says: ``clauses`` of any length, those of one literal first; of ``auxiliaries`` its own of them.

    A part that cannot hold has the empty clause alone.
    """

    clauses: tuple[LiteralClause, ...]
    auxiliaries: int
    literals: NDArray[np.int64]
    lengths: NDArray[np.int64]


class LiteralNumbers(NamedTuple):
    """How the candidates of a layout are numbered."""

    first: int
    values: int
    shared: int
    own: int

    def literal(self, cell: int, value: int) -> ProofLiteral:
        """Return the literal that a cell holds a value."""
        return 2 * (cell * self.values + value - self.first)

    def candidate(self, literal: ProofLiteral) -> Candidate | None:
        """Return the candidate of which a literal speaks; None for an auxiliary."""
        cell, value = divmod(literal >> 1, self.values)
        return None if literal >> 1 >= self.shared else (cell, value + self.first)


@lru_cache(maxsize=64)
def literal_numbers(layout: Layout) -> LiteralNumbers:
    """Return the numbers of a layout; from ``shared`` on variables are auxiliaries, from ``own`` on those of single parts."""
    first, last = min(layout.values, default=0), max(layout.values, default=0)
    board = len(layout.domains) * (last - first + 1)
    return LiteralNumbers(first, last - first + 1, board, board + layout.auxiliaries)


@lru_cache(maxsize=64)
def _variables(layout: Layout) -> dict[tuple[int, int], int]:
    """Return the variables of all candidates and shared auxiliaries as numbers from 1, a negated one as a negative number."""
    numbers, size = literal_numbers(layout), len(layout.domains)
    variables = {
        (cell, value): numbers.literal(cell, value) // 2 + 1
        for cell in range(size)
        for value in range(numbers.first, numbers.first + numbers.values)
    }
    for auxiliary in range(layout.auxiliaries):
        variable = numbers.shared + auxiliary + 1
        variables |= {(size + auxiliary, 1): variable, (size + auxiliary, 0): -variable}
    return variables


def part_domains(board: CandidateBoard, part: PartIndex) -> tuple[Domain, ...]:
    """Return what each cell of a part may hold."""
    values, candidates = board.values, board.candidates
    return tuple(candidates[cell] if (value := values[cell]) is None else 1 << value for cell in board.layout.parts[part].cells)


def part_clauses(board: CandidateBoard, part: PartIndex) -> PartClauses:
    """Return what a part says of the live candidates of a board."""
    return clauses_over(board.layout, part, part_domains(board, part))


@lru_cache(maxsize=CACHED_PARTS)
def clauses_over(layout: Layout, part: PartIndex, domains: tuple[Domain, ...]) -> PartClauses:
    """Return what a part says if its cells have these domains."""
    numbers, auxiliaries = literal_numbers(layout), 0
    live = [0] * len(layout.domains) + [AUXILIARY] * layout.auxiliaries
    for cell, domain in zip(layout.parts[part].cells, domains, strict=True):
        live[cell] = domain

    def fresh() -> int:
        nonlocal auxiliaries
        auxiliaries += 1
        return numbers.own + auxiliaries

    def literal_of(cell: Cell, value: int) -> ProofLiteral:
        return _literal(variables[cell, value])

    variables = _variables(layout)
    clauses: list[LiteralClause] = []
    for constraint in ticked(layout.parts[part].constraints):
        if isinstance(constraint, Clause):
            clauses += _live_clause(constraint.literals, live, literal_of)
        elif isinstance(constraint, Linear | Count | Table | Automaton) and len(cells_of(constraint)) != PAIR:
            clauses += ticked(graph_clauses(constraint, live, literal_of, lambda: _literal(fresh())))
        else:
            raw = numbered_clauses(constraint, live, variables, (), fresh)
            clauses += [tuple(map(_literal, clause)) for clause in ticked(raw)]
    clauses = propagate_units(clauses, 2 * numbers.own)
    lengths = np.array([len(clause) for clause in clauses], np.int64)
    return PartClauses(tuple(clauses), auxiliaries, np.array([one for clause in clauses for one in clause], np.int64), lengths)


def _literal(number: int) -> ProofLiteral:
    """Return the literal of a variable's number as `_variables` has it."""
    return 2 * number - 2 if number > 0 else -2 * number - 1


def _live_clause(
    literals: Iterable[Literal], live: Sequence[Domain], literal_of: Callable[[Cell, int], ProofLiteral]
) -> list[LiteralClause]:
    """Return a clause without what the domains decide; nothing if they make it true. Some rules have thousands of clauses."""
    kept = []
    for cell, value, equal in literals:
        domain = live[cell]
        if not domain >> value & 1 or domain == 1 << value:
            if equal == (domain == 1 << value):
                return []
        else:
            kept.append(literal_of(cell, value) ^ (not equal))
    return [tuple(kept)]


def propagate_units(clauses: Sequence[LiteralClause], own: ProofLiteral) -> list[LiteralClause]:
    """Return clauses that say the same without what clauses of one literal decide.

    Those come first, but for literals from ``own`` on, of which nobody else speaks. The empty clause alone if there is a clash.
    """
    true: dict[ProofLiteral, None] = {}
    left = list(clauses)
    while fresh := {clause[0] for clause in left if len(clause) == 1}:
        true |= dict.fromkeys(sorted(fresh))
        if any(literal ^ 1 in true for literal in fresh):
            return [()]
        left = [
            clause if fresh.isdisjoint([one ^ 1 for one in clause]) else tuple(one for one in clause if one ^ 1 not in true)
            for clause in ticked(left)
            if fresh.isdisjoint(clause)
        ]
    if () in left:
        return [()]
    return [*((literal,) for literal in true if literal < own), *left]


# Sums, counts, tables and automata of more than two cells as clauses by which unit propagation misses little.
#
# The walk through the cells is that of `sudoku_cp.model.layered_graph`: in each layer one state is true. The clauses for
# solvers (`sudoku_cp.model.rewrite`) say what a state and a value lead to. These say besides, for states before, values and
# states after, that each needs one of the others that it shares an arc with: so a cell of which every value left leads to the
# same state decides that state, as a person sees it.


TRUE, FALSE = -2, -1
"""Literals of what is certain, each the other one's negation (``literal ^ 1``)."""
Roles: TypeAlias = "tuple[Mapping[int, int], Mapping[int, int], Mapping[int, int]]"
"""The literals of the states before, the values and the states after a layer."""


def graph_clauses(
    constraint: Linear | Count | Table | Automaton,
    live: Sequence[Domain],
    literal_of: Callable[[int, int], int],
    fresh: Callable[[], int],
) -> Iterator[tuple[int, ...]]:
    """Yield the clauses of a constraint over the live candidates; ``fresh`` returns the literals of new auxiliaries."""
    cells, graph = layered_graph(constraint, live)
    if not all(graph):
        yield ()
        return
    before = {0: TRUE}
    for cell, layer in zip(cells, graph, strict=True):
        ends = dict.fromkeys(end for _, _, end in layer)
        after = {end: fresh() for end in ends} if len(ends) > 1 else dict.fromkeys(ends, TRUE)
        domain = live[cell]
        values = [value for value in range(domain.bit_length()) if domain >> value & 1]
        letters = {value: literal_of(cell, value) for value in values} if len(values) > 1 else dict.fromkeys(values, TRUE)
        for clause in _layer_clauses((before, letters, after), layer):
            if TRUE not in clause:
                yield tuple(literal for literal in clause if literal != FALSE)
        before = after


def _layer_clauses(roles: Roles, layer: Layer) -> Iterator[tuple[int, ...]]:
    before, letters, after = roles
    yield tuple(after.values())
    yield from ((one ^ 1, other ^ 1) for one, other in combinations(after.values(), 2))
    for one, other in permutations(range(3), 2):
        shared: dict[int, dict[int, None]] = {item: {} for item in roles[one]}
        for arc in layer:
            shared[arc[one]][arc[other]] = None
        for item, partners in shared.items():
            if len(partners) < len(roles[other]):
                yield (roles[one][item] ^ 1, *(roles[other][partner] for partner in partners))
    ends: dict[tuple[int, int], list[int]] = {}
    for start, value, end in layer:
        ends.setdefault((start, value), []).append(after[end])
    for start, first in before.items():
        for value, second in letters.items():
            yield (first ^ 1, second ^ 1, *ends.get((start, value), ()))


# The proof groups of a board and what each says: clauses, and sets of literals of which at most one is true.
#
# Groups of filled cells, and of values that their house has, are gone; what is left is numbered in this order: for each open
# cell that it has a value, and one value only; for each group and value that it has a place there (in a house), and stands
# once; then the rule parts. A group whose cells all lie in another one says nothing that the other does not, and is left out.


class GroupClauses(NamedTuple):
    """A proof group, the clauses that it says, and the literals of which it allows at most one."""

    group: ProofGroup
    clauses: tuple[LiteralClause, ...]
    exclusive: LiteralClause = ()


@lru_cache(maxsize=64)
def differing_groups(layout: Layout) -> tuple[GroupIndex, ...]:
    """Return the groups that alone state that a value stands once: no rule part does, and they lie in no other group."""
    free = [(index, group.mask) for index, group in enumerate(layout.groups) if group.part is None]
    return tuple(
        index
        for index, mask in ticked(free)
        if index < layout.houses or not any(mask & ~other == 0 and number != index for number, other in free)
    )


def group_clauses(board: CandidateBoard) -> list[GroupClauses]:
    """Return all proof groups of a board, in the order of their numbers."""
    numbers = literal_numbers(board.layout)
    found = [*_cell_groups(board, numbers), *_house_groups(board, numbers)]
    auxiliaries = 0
    for part in range(len(board.layout.parts)):
        own = part_clauses(board, part)
        clauses = _shift_auxiliaries(own.clauses, 2 * numbers.own, 2 * auxiliaries)
        found.append(GroupClauses(ProofGroup(ProofStatement.PART, part), tuple(clauses)))
        auxiliaries += own.auxiliaries
    return found


def _cell_groups(board: CandidateBoard, numbers: LiteralNumbers) -> Iterator[GroupClauses]:
    for cell in members(board.open):
        literals = tuple(numbers.literal(cell, value) for value in members(board.candidates[cell]))
        yield GroupClauses(ProofGroup(ProofStatement.HAS_VALUE, cell), (literals,))
        if len(literals) > 1:
            yield GroupClauses(ProofGroup(ProofStatement.ONE_VALUE, cell), (), literals)


def _house_groups(board: CandidateBoard, numbers: LiteralNumbers) -> Iterator[GroupClauses]:
    layout = board.layout
    differing = set(differing_groups(layout))
    for index, group in ticked(enumerate(layout.groups)):
        if index >= layout.houses and index not in differing:
            continue
        placed = {board.values[cell] for cell in group.cells}
        for value in layout.values:
            literals = tuple(numbers.literal(cell, value) for cell in members(board.places[value] & group.mask))
            if index < layout.houses and value not in placed:
                yield GroupClauses(ProofGroup(ProofStatement.HAS_PLACE, index, value), (literals,))
            if index in differing and len(literals) > 1:
                yield GroupClauses(ProofGroup(ProofStatement.ONCE, index, value), (), literals)


def _shift_auxiliaries(clauses: Iterable[LiteralClause], own: int, shift: int) -> Iterable[LiteralClause]:
    """Return clauses with the auxiliaries of a part behind those of the parts before it."""
    return (tuple([one + shift if one >= own else one for one in clause]) for clause in ticked(clauses))


# The same for solvers.


def signed_clauses(group: GroupClauses) -> Iterator[list[int]]:
    """Yield the clauses of a group, of signed literals."""
    for clause in group.clauses:
        yield [signed_literal(literal) for literal in clause]
    for one, other in combinations(group.exclusive, 2):
        yield [-signed_literal(one), -signed_literal(other)]


def signed_literal(literal: ProofLiteral) -> int:
    """Return a literal as DIMACS has it: a variable from 1 on, negative if it is false."""
    return -(literal // 2) - 1 if literal & 1 else literal // 2 + 1
