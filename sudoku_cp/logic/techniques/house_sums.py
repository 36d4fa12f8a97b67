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
    from sudoku_cp.logic.layout import CellSet, Layout
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
        cells = found.inside | found.outside
        domains = tuple([board.candidates[cell] for cell in members(cells)])
        left, by_sight = _left_by_sum(board.layout, (found.inside, found.outside), found.total, domains)
        if left:
            differ = sight_proof(board, cells) if by_sight else ()
            proof = [*total_proof(board, found), *cell_proof(cells), *differ]
            yield _step(board, Technique.HOUSE_TOTAL, found, left, proof)


@lru_cache(maxsize=20_000)
def _left_by_sum(
    layout: Layout, sides: tuple[CellSet, CellSet], total: int, domains: tuple[Domain, ...]
) -> tuple[dict[Cell, Domain] | None, bool]:
    """Return what is left of the cells inside and outside, if that is less, and whether it takes that some see each other."""
    cells = sides[0] | sides[1]
    known = dict(zip(members(cells), domains, strict=True))
    sight = {cell: layout.sight[cell] & cells for cell in known}
    sums = [Linear(tuple(_terms(*sides).items()), "==", total)]
    left = completions(sums, known, sight)
    if left is None or left == known:
        return None, False
    return left, left != completions(sums, known)


def parities(board: CandidateBoard) -> Iterator[Step]:
    """Yield what more cells cannot hold because their sum, which the totals of houses give, would leave another remainder."""
    totals = [found for found in house_totals(board) if found.size > _MOST_CELLS]
    mixed = [(modulus, _mixed_cells(board, modulus)) for modulus in _MODULI] if totals else ()
    for found in totals:
        cells = found.inside | found.outside
        for modulus, unknown in mixed:
            if (cells & unknown).bit_count() == 1:
                cell = (cells & unknown).bit_length() - 1
                left = _left_by_remainder(board, _terms(found.inside, found.outside), cell, modulus, found.total)
                if left != board.candidates[cell]:
                    proof = [*total_proof(board, found), *cell_proof(cells)]
                    yield _step(board, Technique.PARITY, found, {cell: left}, proof)


def _mixed_cells(board: CandidateBoard, modulus: int) -> CellSet:
    """Return the cells whose candidates leave different remainders."""
    return to_mask(
        cell for cell in members(board.open) if len({value % modulus for value in members(board.candidates[cell])}) > 1
    )


def _terms(inside: CellSet, outside: CellSet) -> dict[Cell, int]:
    """Return how often each open cell counts."""
    return dict.fromkeys(members(inside), 1) | dict.fromkeys(members(outside), -1)


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
