"""Nice loops: chains that come back to their start.

A discontinuous loop proves or refutes its start. A continuous one holds both ways round: just one node of each link is true.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sudoku_cp.logic.links.chain_steps import BestChains, Chain
from sudoku_cp.logic.links.consequences import candidate_consequences, grouped_consequences
from sudoku_cp.logic.links.link_table import candidate_links, grouped_links
from sudoku_cp.logic.links.loop_effects import LoopEffects
from sudoku_cp.logic.links.loops import continuous_loops_of, cycles_with_effect
from sudoku_cp.logic.links.walks import back_to_start
from sudoku_cp.logic.step import ProofGroup, ProofStatement
from sudoku_cp.logic.technique import Technique
from sudoku_cp.model import members

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sudoku_cp.logic.candidate_board import CandidateBoard
    from sudoku_cp.logic.links.consequences import Consequences
    from sudoku_cp.logic.links.link_table import LinkTable
    from sudoku_cp.logic.step import Step


# --- discontinuous --------------------------------------------------------------------------------------------------


def discontinuous_loops(board: CandidateBoard) -> Iterator[Step]:
    """Yield candidates that lead to their own opposite, by links between single candidates."""
    return _discontinuous(candidate_links(board), candidate_consequences(board), Technique.DISCONTINUOUS_LOOP)


def grouped_discontinuous_loops(board: CandidateBoard) -> Iterator[Step]:
    """Yield candidates that lead to their own opposite, by links through groups and almost locked sets too."""
    return _discontinuous(grouped_links(board), grouped_consequences(board), Technique.GROUPED_DISCONTINUOUS_LOOP)


def _discontinuous(table: LinkTable, consequences: Consequences, technique: Technique) -> Iterator[Step]:
    """Yield loops on a candidate: if its truth leads to its falsity it goes, if its falsity to its truth its cell's others go."""
    board = table.board
    best = BestChains()
    for strong_first, starts in ((False, consequences.refuted), (True, consequences.proved)):
        for walk in back_to_start(table, starts, strong_first=strong_first):
            value, cells = table.nodes[walk.start]
            cell = cells.bit_length() - 1
            domain = board.candidates[cell] & ~(1 << value) if strong_first else 1 << value
            eliminations = tuple((cell, other) for other in members(domain))
            chain = Chain(table, walk.chain_to(walk.start), strong_first=strong_first)
            if eliminations and best.improves(eliminations, chain):
                yield chain.step(technique, eliminations, [ProofGroup(ProofStatement.ONE_VALUE, cell)] * strong_first)


# --- continuous -----------------------------------------------------------------------------------------------------


def continuous_loops(board: CandidateBoard) -> Iterator[Step]:
    """Yield loops of single candidates."""
    return _continuous(candidate_links(board), candidate_consequences(board), Technique.CONTINUOUS_LOOP)


def grouped_continuous_loops(board: CandidateBoard) -> Iterator[Step]:
    """Yield loops that may pass groups of candidates and almost locked sets."""
    return _continuous(grouped_links(board), grouped_consequences(board), Technique.GROUPED_CONTINUOUS_LOOP)


def _continuous(table: LinkTable, consequences: Consequences, technique: Technique) -> Iterator[Step]:
    """Yield the loops that eliminate something, the shortest first."""
    effects = LoopEffects(table)
    smallest: dict[int, tuple[int, int]] = {}
    for loop in continuous_loops_of(table, cycles_with_effect(table, consequences)):
        for instance in effects.instances(loop):
            other = smallest.get(instance.removed)
            if other is None or instance.size < other:
                smallest[instance.removed] = instance.size
                chain = Chain(table, [*loop, loop[0]], strong_first=True, reasons=instance.reasons)
                eliminations = effects.eliminations(instance)
                yield chain.step(technique, eliminations, effects.proof(chain, eliminations))
