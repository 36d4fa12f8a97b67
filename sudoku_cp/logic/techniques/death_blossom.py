"""Death blossom: each candidate of a stem cell takes its value from an almost locked set, a petal, which needs all others."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from sudoku_cp.logic.links.consequences import grouped_consequences
from sudoku_cp.logic.links.link_table import grouped_links
from sudoku_cp.logic.proof_groups import distinct, sees
from sudoku_cp.logic.restricted_commons import restricted_commons
from sudoku_cp.logic.step import CellsAndValues, Pattern, ProofGroup, ProofStatement, Step
from sudoku_cp.logic.technique import Technique
from sudoku_cp.logic.techniques.als_steps import set_proof
from sudoku_cp.model import members, to_mask

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sudoku_cp.grid import Cell
    from sudoku_cp.logic.candidate_board import CandidateBoard
    from sudoku_cp.logic.layout import CellSet
    from sudoku_cp.logic.restricted_commons import Reach, RestrictedCommons

Petals: TypeAlias = "tuple[int, ...]"
"""The numbers of the petals of some candidates of a stem, in the order of these."""


def death_blossoms(board: CandidateBoard) -> Iterator[Step]:
    """Yield for each stem the choices of petals, one a candidate, with a common value that goes from what they all see."""
    commons = restricted_commons(board)
    for stem in members(board.open):
        if board.candidates[stem] and _rules_something_out(board, stem):
            for reach, petals in _choices(board, commons, stem).items():
                yield _step(board, commons, stem, reach, petals)


def _rules_something_out(board: CandidateBoard, stem: Cell) -> bool:
    """Return whether chains from each candidate of a cell make the same candidate false: petals are such chains."""
    table, consequences = grouped_links(board), grouped_consequences(board)
    common = table.candidates
    for value in members(board.candidates[stem]):
        common &= consequences.false_if_true[table.numbers[value, 1 << stem]]
    return common != 0


def _choices(board: CandidateBoard, commons: RestrictedCommons, stem: Cell) -> dict[Reach, Petals]:
    """Return what choices of petals rule out together, each with the choice of fewest cells.

    A candidate at a time: whatever petals were chosen so far, only what they rule out together matters.
    """
    other_values = commons.field(to_mask(board.layout.values) & ~board.candidates[stem])
    by_value = [_petals(commons, stem, value, other_values) for value in members(board.candidates[stem])]
    chosen: dict[Reach, tuple[CellSet, Petals]] = {other_values: (1 << stem, ())}
    for petals in by_value:
        board.tick()
        together: dict[Reach, tuple[CellSet, Petals]] = {}
        for reach, (cells, numbers) in chosen.items():
            for number, own in petals:
                common = reach & own
                if common:
                    united = cells | commons.sets[number].cells
                    if common not in together or united.bit_count() < together[common][0].bit_count():
                        together[common] = united, (*numbers, number)
        chosen = together
    return {reach: petals for reach, (_, petals) in chosen.items()}


def _petals(commons: RestrictedCommons, stem: Cell, value: int, other_values: Reach) -> list[tuple[int, Reach]]:
    """Return the petals of a candidate of the stem, with what they rule out; of those that rule out the same the smallest."""
    found: dict[Reach, int] = {}
    for number, one in enumerate(commons.sets):
        if one.values >> value & 1 and one.sight[value] >> stem & 1 and not one.cells >> stem & 1:
            found.setdefault(commons.reaches[number] & other_values, number)
    return [(number, reach) for reach, number in found.items() if reach]


def _step(board: CandidateBoard, commons: RestrictedCommons, stem: Cell, reach: Reach, petals: Petals) -> Step:
    layout = board.layout
    removed = commons.cells_by_value(reach)
    eliminations = board.eliminations(removed)
    sets = [CellsAndValues(1 << stem, board.candidates[stem])]
    proof = [ProofGroup(ProofStatement.HAS_VALUE, stem)]
    cells, ends = 1 << stem, to_mask(value for value, _ in removed)
    for value, number in zip(members(board.candidates[stem]), petals, strict=True):
        one = commons.sets[number]
        cells |= one.cells
        sets.append(CellsAndValues(one.cells, one.values))
        proof += set_proof(layout, one, 1 << value | (ends if ends.bit_count() == 1 else 0))
        proof += sees(layout, value, stem, one.places[value])
        for cell, end in eliminations:
            proof += sees(layout, end, cell, one.places[end])
    pattern = Pattern(fins=1 << stem, sets=tuple(sets))
    return Step(Technique.DEATH_BLOSSOM, board.candidates[stem] | ends, cells, eliminations, (), pattern, distinct(proof))
