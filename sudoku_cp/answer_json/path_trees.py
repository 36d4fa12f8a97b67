"""The path tree of a search as columns: a few arrays say of 10,000 nodes in 200 kB what objects would say in megabytes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, get_args

from sudoku_cp.backends.search_tree import Fate
from sudoku_cp.model import cells_of

if TYPE_CHECKING:
    from sudoku_cp.backends.search_tree import Node, PathTree
    from sudoku_cp.puzzle import Puzzle

FATES: tuple[str, ...] = get_args(Fate)
KINDS = ("root", "guessed")
NONE = -1
"""What stands for no parent, no cell, no reason."""


def tree_to_json(puzzle: Puzzle, tree: PathTree) -> dict[str, Any]:
    """Return the tree as columns, an entry a node: the root, then the guesses in the order of the search, parents first.

    ``parent`` is the index of a node, ``depth`` the guesses above it, ``cell`` a number (auxiliary cells of rules follow those
    of the board), ``kind`` and ``fate`` indices of ``kinds`` and ``fates``. ``forced`` has for each node what followed from it:
    cell, value and reason, three numbers for each placement. ``contradiction`` and those reasons are indices of ``reasons``;
    ``reason_cells`` has the cells of the board that each of them speaks of. -1 stands for none.
    """
    runs = _runs(tree)
    index_of = {run[0].number: index for index, run in enumerate(runs)}
    head_of = {node.number: run[0].number for run in runs for node in run}
    parents = [NONE if run[0].parent is None else index_of[head_of[run[0].parent]] for run in runs]
    depths: list[int] = []
    for parent in parents:
        depths.append(0 if parent == NONE else depths[parent] + 1)
    reasons = _Reasons(puzzle)
    return {
        "stopped": tree.stopped,
        "kinds": list(KINDS),
        "fates": list(FATES),
        "cells": [puzzle.grid.cell_name(cell) for cell in puzzle.grid.cells],
        "parent": parents,
        "depth": depths,
        "cell": [_or_none(run[0].cell) for run in runs],
        "value": [_or_none(run[0].value) for run in runs],
        "kind": [KINDS.index(run[0].kind) for run in runs],
        "fate": [FATES.index(run[-1].fate) for run in runs],
        "forced": [
            [number for node in run[1:] for number in (_or_none(node.cell), _or_none(node.value), reasons.index(node.reason))]
            for run in runs
        ],
        "contradiction": [reasons.index(run[-1].contradiction) for run in runs],
        "reasons": reasons.texts,
        "reason_cells": reasons.cells,
    }


def _or_none(number: int | None) -> int:
    return NONE if number is None else number


def _runs(tree: PathTree) -> list[list[Node]]:
    """Return each guess, and the root, with the placements that it forced, in the order of the search."""
    run_of: dict[int, list[Node]] = {}
    runs: list[list[Node]] = []
    for node in tree.nodes:
        if node.kind == "forced" and node.parent is not None:
            run = run_of[node.parent]
        else:
            run = []
            runs.append(run)
        run.append(node)
        run_of[node.number] = run
    return runs


class _Reasons:
    """The statements that a tree refers to, each once: their texts, and their cells on the board."""

    def __init__(self, puzzle: Puzzle) -> None:
        self._statements = puzzle.model().statements
        self._board = puzzle.grid.cells
        self._known: dict[int, int] = {}
        self.texts: list[str] = []
        self.cells: list[list[int]] = []

    def index(self, statement: int | None) -> int:
        """Return the index of a statement's text."""
        if statement is None:
            return NONE
        if statement not in self._known:
            self._known[statement] = len(self.texts)
            found = self._statements[statement]
            self.texts.append(str(found))
            self.cells.append(sorted(cell for cell in {*cells_of(found.constraint)} if cell in self._board))
        return self._known[statement]
