"""What follows by links, found all at once: the same as walks find from each node, and enough to pass over sets in rows."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from sudoku_cp import Puzzle
from sudoku_cp.logic import make_board
from sudoku_cp.logic.ladder import SINGLES, apply_steps
from sudoku_cp.logic.links.consequences import Consequences, grouped_consequences
from sudoku_cp.logic.links.link_table import candidate_links, grouped_links
from sudoku_cp.logic.links.walks import Walk
from sudoku_cp.logic.restricted_commons import restricted_commons
from sudoku_cp.model import members
from tests.logic.test_forcing import PUZZLES

if TYPE_CHECKING:
    from collections.abc import Callable

    from sudoku_cp.logic.candidate_board import CandidateBoard
    from sudoku_cp.logic.links.link_table import LinkTable


def board_after_singles(text: str) -> CandidateBoard:
    """Return the board of a puzzle with all its singles placed."""
    board = make_board(Puzzle.parse(text))
    list(apply_steps(board, SINGLES))
    return board


def whole_walk(table: LinkTable, start: int, *, strong_first: bool) -> Walk:
    """Return a walk that has met all it can."""
    walk = Walk(table, start, strong_first=strong_first)
    while walk.advance():
        pass
    return walk


@pytest.mark.parametrize("links", [candidate_links, grouped_links])
@pytest.mark.parametrize("text", PUZZLES)
def test_walks_meet_the_consequences(text: str, links: Callable[[CandidateBoard], LinkTable]) -> None:
    """A walk from a candidate meets as false just what follows, and its opposite if that is refuted, or proved."""
    table = links(board_after_singles(text))
    found = Consequences(table)
    for start in members(table.candidates):
        if_true, if_false = (whole_walk(table, start, strong_first=strong_first) for strong_first in (False, True))
        assert found.false_if_true[start] == if_true.met[1]
        assert found.false_if_false[start] | 1 << start == if_false.met[0]
        assert (found.refuted >> start & 1) == (if_true.met[1] >> start & 1) == bool(if_true.met[0] & if_true.met[1])
        assert (found.proved >> start & 1) == (if_false.met[1] >> start & 1)


@pytest.mark.parametrize("text", PUZZLES)
def test_cycles_are_what_leads_back(text: str) -> None:
    """Two nodes are in one cycle just if each, being false, makes the other false."""
    table = grouped_links(board_after_singles(text))
    found = Consequences(table)
    together = {(one, other) for cycle in found.cycles for one in members(cycle) for other in members(cycle) if one != other}
    follows = {(one, other) for one, false in enumerate(found.false_if_false) for other in members(false) if one != other}
    assert together == {(one, other) for one, other in follows if (other, one) in follows}
    assert together


@pytest.mark.parametrize("text", PUZZLES)
def test_no_sets_end_a_chain_where_nothing_is_refuted(text: str) -> None:
    """The sets at the ends of chains are those that rule out a candidate which links through sets refute."""
    board = board_after_singles(text)
    commons, nodes = restricted_commons(board), grouped_links(board).nodes
    refuted = {nodes[number] for number in members(grouped_consequences(board).refuted)}
    for number in range(len(commons.sets)):
        reach = {
            (value, 1 << cell) for value, cells in commons.cells_by_value(commons.reaches[number]) for cell in members(cells)
        }
        assert (commons.ends >> number & 1) == bool(reach & refuted)
