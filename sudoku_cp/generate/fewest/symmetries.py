"""The symmetries of rules: which permutations of the cells keep them, and whether values can be renamed at will."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sudoku_cp.puzzle.identity.labelling import labelled
from sudoku_cp.puzzle.identity.structure import NOTHING, graph, structure

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from sudoku_cp.grid import Cell
    from sudoku_cp.puzzle import Puzzle


CELLS = 100
"""On larger boards it takes seconds to see whether values can be mirrored."""


def can_rename_values(puzzle: Puzzle, tick: Callable[[], object] = int) -> bool:
    """Say whether every renaming of the values turns solutions of the bare puzzle into solutions."""
    return not puzzle.candidates and puzzle.model(tick).is_houses


def can_mirror_values(puzzle: Puzzle, tick: Callable[[], object] = int) -> bool:
    """Say whether calling each value v lowest + highest - v keeps the solutions of the bare puzzle; of large boards never."""
    if len(puzzle.grid.cells) > CELLS:
        return False
    told = structure(puzzle.grid, puzzle.rules, tick)
    return not puzzle.candidates and told.mirror == told.said


def symmetry_generators(puzzle: Puzzle, tick: Callable[[], object] = int) -> Sequence[Sequence[Cell]]:
    """Return permutations of the cells that generate all that keep the rules: where each takes cell 0, cell 1, ..."""
    told = structure(puzzle.grid, puzzle.rules, tick)
    whole = graph(told.cells, told.board, told.said, NOTHING, is_blind=told.is_blind)
    return [generator[: told.board] for generator in labelled(whole, tick).generators]
