"""Forcing chains and nets: a candidate that leads to a contradiction goes; what all candidates of a cell or house lead to holds.

Chains follow links of two nodes, and nets also what several facts force together. A contradiction is a node that is both true and
false, or a cell or a house that is left without a candidate.
"""

from __future__ import annotations

from functools import reduce
from operator import and_
from typing import TYPE_CHECKING, NamedTuple

from sudoku_cp.logic.links.consequences import ImpliedLiteral, Net, grouped_consequences, links_of
from sudoku_cp.logic.links.link_table import grouped_links
from sudoku_cp.logic.links.loops import Chain, Walk, union_of
from sudoku_cp.logic.proofs.part_clauses import group_clauses
from sudoku_cp.logic.proofs.refutations import lone_refutations, smallest_refutations
from sudoku_cp.logic.proofs.suppositions import supposition_of, suppositions_by_cases
from sudoku_cp.logic.step import MOST_FACTS, ChainNode, Pattern, ProofGroup, ProofStatement, Step, Technique, distinct
from sudoku_cp.model import members, to_mask
from sudoku_cp.time_limits import loading, ticking

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import TypeAlias

    from sudoku_cp.logic.candidate_board import CandidateBoard
    from sudoku_cp.logic.layout import CellSet
    from sudoku_cp.logic.links.consequences import Reason
    from sudoku_cp.logic.links.link_table import NodeIndex, NodeSet
    from sudoku_cp.logic.proofs.refutations import Refutation
    from sudoku_cp.logic.step import Candidate, Supposition


if TYPE_CHECKING:
    _Effects: TypeAlias = tuple[tuple[Candidate, ...], tuple[Candidate, ...]]


class Choice(NamedTuple):
    """Candidates one of which is true (all of a cell, or all places of a value in a house), and the group that requires it."""

    candidates: tuple[Candidate, ...]
    group: ProofGroup


def choices(board: CandidateBoard) -> list[Choice]:
    """Return all choices between two candidates or more, those between few in front; found once a position."""
    return board.derive(_find_choices)


def _find_choices(board: CandidateBoard) -> list[Choice]:
    found = [
        Choice(tuple((cell, value) for value in members(board.candidates[cell])), ProofGroup(ProofStatement.HAS_VALUE, cell))
        for cell in members(board.open)
    ]
    for value, places in enumerate(board.places):
        for house in range(board.layout.houses):
            cells = members(places & board.layout.groups[house].mask)
            found.append(Choice(tuple((cell, value) for cell in cells), ProofGroup(ProofStatement.HAS_PLACE, house, value)))
    return sorted((choice for choice in found if len(choice.candidates) > 1), key=lambda choice: len(choice.candidates))


# --- chains -----------------------------------------------------------------------------------------------------------


def contradiction_chains(board: CandidateBoard) -> Iterator[Step]:
    """Yield candidates from which chains lead to a contradiction."""
    table = grouped_links(board)
    masks = [(to_mask(table.numbers[_node(one)] for one in choice.candidates), choice) for choice in choices(board)]
    for number in members(_contradicted(board, [mask for mask, _ in masks])):
        walk = walk_from(board, number)
        start = table.nodes[number]
        removed = ((start.cells.bit_length() - 1, start.value),)
        both = walk.met[0] & walk.met[1]
        if both:
            node = min(members(both), key=lambda number: walk.level_of(number, 0) + walk.level_of(number, 1))
            chains = [walk.chain_to(node, walk.level_of(node, side)) for side in (0, 1)]
            yield _chain_step(board, Technique.FORCING_CHAIN_CONTRADICTION, chains, removed, (), None)
            continue
        for mask, choice in masks:
            if not mask & ~walk.met[1]:
                chains = [walk.chain_to(node, walk.level_of(node, 1)) for node in members(mask)]
                yield _chain_step(board, Technique.FORCING_CHAIN_CONTRADICTION, chains, removed, (), choice.group)
                break


def _contradicted(board: CandidateBoard, choices: list[NodeSet]) -> NodeSet:
    """Return the candidates that lead to their own falsity, or leave one of the choices without any candidate.

    What makes a candidate false is made false by it, so the latter are what all candidates of a choice make false.
    """
    consequences = grouped_consequences(board)
    found = consequences.refuted
    for choice in choices:
        board.tick()
        found |= reduce(and_, (consequences.false_if_true[one] for one in members(choice)))
    return found & grouped_links(board).candidates


def verity_chains(board: CandidateBoard) -> Iterator[Step]:
    """Yield what chains from all candidates of a cell, or from all places of a value in a house, lead to."""
    table = grouped_links(board)
    found: set[tuple[NodeIndex, int]] = set()
    for choice in choices(board):
        board.tick()
        own = [table.numbers[_node(one)] for one in choice.candidates]
        for side, common in enumerate((_true_by_all(board, own), _false_by_all(board, own))):
            for node in common:
                if (node, side) not in found:
                    found.add((node, side))
                    claim = table.nodes[node]
                    result = ((claim.cells.bit_length() - 1, claim.value),)
                    walks = [walk_from(board, start) for start in own]
                    chains = [walk.chain_to(node, walk.level_of(node, side)) for walk in walks]
                    effects: _Effects = (result, ()) if side else ((), result)
                    yield _chain_step(board, Technique.FORCING_CHAIN_VERITY, chains, *effects, choice.group)


def _true_by_all(board: CandidateBoard, starts: list[NodeIndex]) -> list[NodeIndex]:
    """Return the candidates that are true whichever of ``starts`` is: those that, if false, make all of these false."""
    false_if_false = grouped_consequences(board).false_if_false
    mask = to_mask(starts)
    return [node for node in members(grouped_links(board).candidates) if not mask & ~(false_if_false[node] | 1 << node)]


def _false_by_all(board: CandidateBoard, starts: list[NodeIndex]) -> list[NodeIndex]:
    """Return the candidates that are false whichever of ``starts`` is true."""
    consequences = grouped_consequences(board)
    return members(reduce(and_, (consequences.false_if_true[start] for start in starts)) & grouped_links(board).candidates)


def walk_from(board: CandidateBoard, start: NodeIndex) -> Walk:
    """Return all that follows if a candidate is true, and by which chains; it is walked once, until the board changes."""
    walks = board.derive(_no_walks)
    if start not in walks:
        board.tick()
        walks[start] = Walk(grouped_links(board), start, strong_first=False)
        while walks[start].advance():
            pass
    return walks[start]


def _no_walks(_: CandidateBoard) -> dict[NodeIndex, Walk]:
    return {}


def _node(candidate: Candidate) -> ChainNode:
    return ChainNode(candidate[1], 1 << candidate[0])


def _chain_step(
    board: CandidateBoard,
    technique: Technique,
    chains: list[list[NodeIndex]],
    eliminations: tuple[Candidate, ...],
    placements: tuple[Candidate, ...],
    choice: ProofGroup | None,
) -> Step:
    """Return what several chains show together; all of them begin with a weak link."""
    own = [Chain(grouped_links(board), chain, strong_first=False) for chain in chains]
    links = tuple(dict.fromkeys(link for chain in own for link in chain.named_links))
    values = union_of(1 << node.value for link in links for node in link[:2])
    groups = distinct([*(group for chain in own for group in chain.proof()), *([choice] if choice else ())])
    cells = union_of(chain.cells for chain in own)
    return Step(technique, values, cells, eliminations, placements, Pattern(links=links, choice=choice), groups)


# --- nets -------------------------------------------------------------------------------------------------------------


def contradiction_nets(board: CandidateBoard) -> Iterator[Step]:
    """Yield candidates that force a contradiction."""
    for start in _candidates(board):
        net = net_of(board, start)
        if net.contradiction is not None:
            facts = list(net.explain(net.contradiction))
            last = net.contradiction.groups[0]
            choice = last if last.statement in {ProofStatement.HAS_VALUE, ProofStatement.HAS_PLACE} else None
            yield _net_step(Technique.FORCING_NET_CONTRADICTION, facts, (start,), (), choice)


def verity_nets(board: CandidateBoard) -> Iterator[Step]:
    """Yield what all candidates of a cell, or all places of a value in a house, force; none of these leads to a contradiction."""
    found: set[ImpliedLiteral] = set()
    for choice in choices(board):
        board.tick()
        nets = [net_of(board, one) for one in choice.candidates]
        if any(net.contradiction for net in nets):
            continue
        for literal in _common(nets):
            if literal not in found:
                found.add(literal)
                facts = []
                for net in nets:
                    reason = net.reasons[literal]
                    if reason is not None:
                        facts += [(literal, reason), *(fact for fact in net.explain(reason) if fact[0] is not None)]
                result = ((literal.cell, literal.value),)
                effects: _Effects = ((), result) if literal.is_true else (result, ())
                yield _net_step(Technique.FORCING_NET_VERITY, facts, *effects, choice.group)


def net_of(board: CandidateBoard, start: Candidate) -> Net:
    """Return what follows if a candidate is true; it is found once, until the board changes."""
    nets = board.derive(_no_nets)
    if start not in nets:
        board.tick()
        nets[start] = Net(board, ImpliedLiteral(*start, is_true=True))
    return nets[start]


def _no_nets(_: CandidateBoard) -> dict[Candidate, Net]:
    return {}


def _candidates(board: CandidateBoard) -> Iterator[Candidate]:
    """Yield all candidates, those of small cells in front."""
    for cell in sorted(members(board.open), key=lambda cell: board.candidates[cell].bit_count()):
        for value in members(board.candidates[cell]):
            yield cell, value


def _common(nets: list[Net]) -> Iterator[ImpliedLiteral]:
    """Yield the literals that all nets hold."""
    for value in range(len(nets[0].true)):
        for cell in members(reduce(and_, (net.true[value] for net in nets))):
            yield ImpliedLiteral(cell, value, is_true=True)
        for cell in members(reduce(and_, (net.false[value] for net in nets))):
            yield ImpliedLiteral(cell, value, is_true=False)


def _net_step(
    technique: Technique,
    facts: list[tuple[ImpliedLiteral | None, Reason]],
    eliminations: tuple[Candidate, ...],
    placements: tuple[Candidate, ...],
    choice: ProofGroup | None,
) -> Step:
    """Return what facts show together."""
    links = dict.fromkeys(link for literal, reason in reversed(facts) if literal for link in links_of(literal, reason))
    literals = [one for _, reason in facts for one in reason.literals]
    groups = distinct([*(group for _, reason in reversed(facts) for group in reason.groups), *([choice] if choice else ())])
    cells, values = (union_of(1 << one[part] for one in literals) for part in (0, 1))
    return Step(technique, values, cells, eliminations, placements, Pattern(links=tuple(links), choice=choice), groups)


# The last resort of a path, for any rules: candidates that the fewest groups refute, or cells that are settled by search.


_OF_CELLS = frozenset({ProofStatement.HAS_VALUE, ProofStatement.ONE_VALUE})
_OF_PLACES = frozenset({ProofStatement.HAS_PLACE, ProofStatement.ONCE})


def small_refutations(board: CandidateBoard) -> Iterator[Step]:
    """Yield the candidates that the fewest facts refute, where these are few: with what follows if they are supposed."""
    return _refutation_steps(board, smallest_refutations(board, bound=MOST_FACTS + 1))


def refutations(board: CandidateBoard) -> Iterator[Step]:
    """Yield the candidates whose refutation takes the fewest groups; where propagation refutes nothing, what SAT shows.

    That is the value of some cells, or, where each cell has several, candidates that are in no solution. On a board with a
    single completion there always is a step. Raises `LimitReached`.
    """
    found = lone_refutations(board) or smallest_refutations(board)
    yield from _refutation_steps(board, found)
    if not found and all(board.candidates[cell] for cell in members(board.open)):
        yield from _searched_steps(board)


def refutations_by_cases(board: CandidateBoard) -> Iterator[Step]:
    """Yield candidates which, if supposed, leave few cases that propagation contradicts, where it refutes no candidate."""
    if smallest_refutations(board):
        return
    with ticking(board.tick):
        found = suppositions_by_cases(board)
    for supposition, proof in found:
        pattern = Pattern(supposition=supposition, by_cases=True)
        yield _proved_step(board, supposition.candidate, proof, pattern)


def _refutation_steps(board: CandidateBoard, found: Sequence[Refutation]) -> Iterator[Step]:
    """Yield the steps of refutations by propagation, each with its lines in order."""
    if not found:
        return
    groups = {group.group: group for group in group_clauses(board)}
    for refutation in found:
        pattern = Pattern(supposition=supposition_of(board, refutation, [groups[one] for one in refutation.proof]))
        yield _proved_step(board, (refutation.cell, refutation.value), refutation.proof, pattern)


def _searched_steps(board: CandidateBoard) -> Iterator[Step]:
    with loading():  # a solver library
        from sudoku_cp.logic.proofs.searched_refutations import searched_refutations, settled_cells  # noqa: PLC0415

    pattern = Pattern(by_cases=True)
    settled = settled_cells(board, board.clock)
    for cell, value, proof in settled:
        yield _proved_step(board, (cell, value), proof, pattern, is_placed=True)
    for cell, value, proof in [] if settled else searched_refutations(board, board.clock):
        yield _proved_step(board, (cell, value), proof, pattern)


def _proved_step(
    board: CandidateBoard, candidate: Candidate, proof: tuple[ProofGroup, ...], pattern: Pattern, *, is_placed: bool = False
) -> Step:
    """Return the step that eliminates a candidate, or places it; its cells are those in which something follows, if known.

    Otherwise they are the open ones of which the proof speaks.
    """
    layout, (cell, value) = board.layout, candidate
    cells = to_mask(group.subject for group in proof if group.statement in _OF_CELLS) | 1 << cell
    values = to_mask(group.value for group in proof if group.statement in _OF_PLACES) | 1 << value
    for group in proof:
        if group.statement in _OF_PLACES:
            cells |= layout.groups[group.subject].mask & board.open
        elif group.statement is ProofStatement.PART:
            cells |= to_mask(layout.parts[group.subject].cells) & board.open
    if pattern.supposition is not None:
        cells = _cells_of(pattern.supposition)
    effects: tuple[tuple[Candidate, ...], tuple[Candidate, ...]] = ((), (candidate,)) if is_placed else ((candidate,), ())
    return Step(Technique.REFUTATION, values, cells, *effects, pattern, proof)


def _cells_of(supposition: Supposition) -> CellSet:
    """Return the cells that are supposed to hold something, those that then hold a value if few do, and that left without."""
    cells = 0
    for one in (supposition, *supposition.cases):
        cells |= 1 << one.candidate[0]
        if len(one.lines) <= MOST_FACTS:
            cells |= to_mask(claim.cell for line in one.lines for claim in line.forces if claim.holds)
        last = one.lines[-1:]
        cells |= to_mask(line.group.subject for line in last if not line.forces and line.group.statement in _OF_CELLS)
    return cells
