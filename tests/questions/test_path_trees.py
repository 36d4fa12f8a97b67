"""The columns of a path tree say what the tree says."""

from __future__ import annotations

import json

import pytest

from sudoku_cp.puzzle import Puzzle, from_json
from sudoku_cp.queries import statement_texts, trace
from sudoku_cp.questions.answer import to_json
from sudoku_cp.questions.trace import FATES, KINDS, NONE, TreeJson

CAGES = {
    "grid": {"rows": 4, "columns": 4, "boxes": [2, 2]},
    "rules": [{"kind": "houses"}, {"kind": "killer-cage", "cells": ["r1c1", "r1c2"], "total": 5}],
}
PUZZLES = {
    "forced": Puzzle.parse("12..3412..434.21"),
    "hard": Puzzle.parse("4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......"),
    "cages": from_json(CAGES),
    "none": Puzzle.parse("11.............."),
}


@pytest.mark.parametrize("name", PUZZLES)
def test_columns_and_nodes_say_the_same(name):
    """Every node is in the columns once: as a guess, or among what followed from one, in the order of the search."""
    puzzle = PUZZLES[name]
    tree = trace(puzzle, stop_after=3)
    columns = json.loads(json.dumps(to_json(TreeJson.of(puzzle, tree))))
    texts = statement_texts(puzzle)
    placements = []
    for row, forced in enumerate(columns["forced"]):
        placements.append((columns["cell"][row], columns["value"][row], None))
        reasons = [columns["reasons"][reason] for reason in forced[2::3]]
        placements += zip(forced[::3], forced[1::3], reasons, strict=True)
    known = [
        (
            NONE if node.cell is None else node.cell,
            NONE if node.value is None else node.value,
            texts[node.reason] if node.kind == "forced" else None,
        )
        for node in tree.nodes
    ]
    assert sorted(map(str, placements)) == sorted(map(str, known))
    assert sum(FATES[fate] == "solution" for fate in columns["fate"]) == len(tree.solutions)
    assert columns["stopped"] == tree.stopped


@pytest.mark.parametrize("name", PUZZLES)
def test_parents_come_first(name):
    """The root is the first node; every other is a guess, one deeper than its parent, which stands before it."""
    columns = to_json(TreeJson.of(PUZZLES[name], trace(PUZZLES[name], stop_after=3)))
    assert columns["parent"][0] == NONE
    assert [KINDS[kind] for kind in columns["kind"]] == ["root"] + ["guessed"] * (len(columns["kind"]) - 1)
    for row, parent in enumerate(columns["parent"][1:], 1):
        assert 0 <= parent < row
        assert columns["depth"][row] == columns["depth"][parent] + 1


def test_a_dead_end_names_what_refuted_it():
    """A puzzle without a solution ends in a contradiction whose reason is a text."""
    columns = to_json(TreeJson.of(PUZZLES["none"], trace(PUZZLES["none"])))
    ends = [reason for reason in columns["contradiction"] if reason != NONE]
    assert ends
    assert all(columns["reasons"][reason] for reason in ends)


@pytest.mark.parametrize("name", PUZZLES)
def test_reasons_name_their_cells(name):
    """Every reason speaks of cells of the board, and what it forces on the board stands in one of them."""
    puzzle = PUZZLES[name]
    columns = to_json(TreeJson.of(puzzle, trace(puzzle, stop_after=3)))
    assert len(columns["reason_cells"]) == len(columns["reasons"])
    assert all({*cells} <= {*puzzle.grid.cells} for cells in columns["reason_cells"])
    for forced in columns["forced"]:
        for cell, reason in zip(forced[::3], forced[2::3], strict=True):
            assert cell in columns["reason_cells"][reason] or cell not in puzzle.grid.cells
