"""The 45 rule: the total of houses less that of cages leaves the sum of a few cells, or its parity."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from sudoku_cp.logic.completions import completions
from sudoku_cp.logic.house_totals import house_totals, total_proof
from sudoku_cp.logic.part_candidates import cell_proof, sight_proof
from sudoku_cp.logic.proof_groups import distinct
from sudoku_cp.logic.step import CellsAndValues, Pattern, Step
from sudoku_cp.logic.technique import Technique
from sudoku_cp.model import Linear, members, to_mask

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from sudoku_cp.grid import Cell
    from sudoku_cp.logic.candidate_board import CandidateBoard
    from sudoku_cp.logic.house_totals import HouseTotal
    from sudoku_cp.logic.step import ProofGroup
    from sudoku_cp.model import Domain

_MOST_CELLS = 4
"""People add up no more cells than these; of more they see the parity."""
_MODULI = (2, 3)


def house_sums(board: CandidateBoard) -> Iterator[Step]:
    """Yield what up to four cells cannot hold whose sum, or the difference of two such sums, the totals of houses give."""
    for found in house_totals(board):
        if found.size > _MOST_CELLS:
            return
        sums = Linear(tuple(_terms(found).items()), "==", found.total)
        cells = found.inside | found.outside
        domains = {cell: board.candidates[cell] for cell in members(cells)}
        sight = {cell: board.layout.sight[cell] & cells for cell in domains}
        left = completions([sums], domains, sight)
        if left is not None and left != domains:
            differ = () if left == completions([sums], domains) else sight_proof(board, cells)
            proof = [*total_proof(board, found), *cell_proof(cells), *differ]
            yield _step(board, Technique.HOUSE_TOTAL, found, left, proof)


def parities(board: CandidateBoard) -> Iterator[Step]:
    """Yield what more cells cannot hold because their sum, which the totals of houses give, would leave another remainder."""
    for found in house_totals(board):
        if found.size <= _MOST_CELLS:
            continue
        terms = _terms(found)
        for modulus in _MODULI:
            open_cells = [cell for cell in terms if _is_mixed(board.candidates[cell], modulus)]
            if len(open_cells) == 1:
                left = _left_by_remainder(board, terms, open_cells[0], modulus, found.total)
                if left != board.candidates[open_cells[0]]:
                    proof = [*total_proof(board, found), *cell_proof(found.inside | found.outside)]
                    yield _step(board, Technique.PARITY, found, {open_cells[0]: left}, proof)


@lru_cache(maxsize=10_000)
def _is_mixed(domain: Domain, modulus: int) -> bool:
    """Say whether the values of a domain leave different remainders."""
    return len({value % modulus for value in members(domain)}) > 1


def _terms(found: HouseTotal) -> dict[Cell, int]:
    """Return how often each open cell counts."""
    return dict.fromkeys(members(found.inside), 1) | dict.fromkeys(members(found.outside), -1)


def _left_by_remainder(board: CandidateBoard, terms: Mapping[Cell, int], cell: Cell, modulus: int, total: int) -> Domain:
    """Return the candidates of the only cell whose remainder is not known that make the right one."""
    for other, factor in terms.items():
        if other != cell:
            total -= factor * (board.candidates[other].bit_length() - 1)
    return to_mask(value for value in members(board.candidates[cell]) if (terms[cell] * value - total) % modulus == 0)


def _step(
    board: CandidateBoard, technique: Technique, found: HouseTotal, left: Mapping[Cell, Domain], proof: list[ProofGroup]
) -> Step:
    cells = found.inside | found.outside
    gone = tuple((cell, value) for cell in members(cells) for value in members(board.candidates[cell] & ~left.get(cell, -1)))
    sets = tuple(CellsAndValues(one.cells, 0) for one in found.sums)
    pattern = Pattern(found.houses, fins=found.outside, sets=sets, total=found.total)
    return Step(technique, to_mask(value for _, value in gone), cells, gone, (), pattern, distinct(proof))
