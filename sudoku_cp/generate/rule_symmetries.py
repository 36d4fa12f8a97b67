"""The symmetries of rules: permutations of the cells, and renamings of the values."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sudoku_cp.puzzle.isomorphism.canonical_labelling import label_graph, puzzle_graph, rule_structure

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from sudoku_cp.grid import Cell
    from sudoku_cp.puzzle import Puzzle


CELLS = 100
"""On larger boards it takes seconds to find out whether values can be mirrored."""


def can_rename_values(puzzle: Puzzle, tick: Callable[[], object] = int) -> bool:
    """Return whether every renaming of the values maps solutions of the puzzle without givens to solutions."""
    return not puzzle.candidates and puzzle.model(tick).is_houses


def can_mirror_values(puzzle: Puzzle, tick: Callable[[], object] = int) -> bool:
    """Return whether v -> lowest + highest - v maps solutions of the puzzle without givens to solutions.

    On boards of more than `CELLS` cells it returns False.
    """
    if len(puzzle.grid.cells) > CELLS:
        return False
    structured = rule_structure(puzzle.grid, puzzle.rules, tick)
    return not puzzle.candidates and structured.mirror == structured.constraints


def symmetry_generators(puzzle: Puzzle, tick: Callable[[], object] = int) -> Sequence[Sequence[Cell]]:
    """Return generators of the cell permutations that keep the rules, each as the images of cell 0, cell 1, ..."""
    structured = rule_structure(puzzle.grid, puzzle.rules, tick)
    return [generator[: structured.board] for generator in label_graph(puzzle_graph(structured), tick).generators]
