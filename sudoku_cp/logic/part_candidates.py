"""What a rule part leaves of its cells' candidates: a constraint at a time, all of them together, and with sight among its cells.

Each is remembered for the part and the candidates of its cells, so that a path looks again only at parts that have changed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, TypeAlias

from sudoku_cp.logic.completions import completions
from sudoku_cp.logic.proof_groups import distinct, once_in
from sudoku_cp.logic.step import ProofGroup, ProofStatement
from sudoku_cp.model import Automaton, DigitSet, Linear, Table, cells_of, members, to_mask
from sudoku_cp.model.constraints import union_of
from sudoku_cp.model.model import AUXILIARY

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sudoku_cp.grid import Cell
    from sudoku_cp.logic.candidate_board import CandidateBoard
    from sudoku_cp.logic.layout import CellSet, GroupIndex, Layout, PartIndex
    from sudoku_cp.model import Constraint, Domain

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
    known = _by_cell(layout, part, domains)
    waiting = dict.fromkeys(constraints)
    while waiting:
        constraint = next(iter(waiting))
        del waiting[constraint]
        changed = []
        for cell, left in _left_by(constraint, known).items():
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


def _by_cell(layout: Layout, part: PartIndex, domains: PartDomains) -> dict[Cell, Domain]:
    """Return the domains by cell, those of auxiliaries too."""
    known = dict(zip(layout.parts[part].cells, domains, strict=True))
    for constraint in layout.parts[part].constraints:
        for cell in cells_of(constraint):
            known.setdefault(cell, AUXILIARY)
    return known


def _left_by(constraint: Constraint, domains: dict[Cell, Domain]) -> dict[Cell, Domain]:
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
    found = completions(own.constraints, _by_cell(layout, part, domains), seen)
    return domains if found is None else tuple(found[cell] for cell in own.cells)
