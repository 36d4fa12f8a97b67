"""Which places a value may lose by reasoning about it alone, against all of its templates."""

from __future__ import annotations

from itertools import combinations
from random import Random
from typing import TYPE_CHECKING

import pytest

from sudoku_cp.logic.removable_places import removable_places, values_to_search
from sudoku_cp.model import members
from tests.logic.value_boards import VALUE, board_of, random_board

if TYPE_CHECKING:
    from sudoku_cp.logic.candidate_board import CandidateBoard
    from sudoku_cp.logic.layout import CellSet, Layout


def in_templates(board: CandidateBoard) -> set[int]:
    """Return the places that are in some template: tries every choice of as many places as there are rows."""
    layout, places = board.layout, members(board.places[VALUE])
    size = len(layout.values)
    return {cell for cells in combinations(places, size) if _no_two_see_each_other(layout, cells) for cell in cells}


def _no_two_see_each_other(layout: Layout, cells: tuple[int, ...]) -> bool:
    return not any(layout.sight[one] >> other & 1 for one, other in combinations(cells, 2))


@pytest.mark.parametrize("seed", range(60))
def test_a_place_is_removable_if_no_template_has_it(seed: int) -> None:
    """On small boards the removable places are those that an exhaustive search finds in no template."""
    rng = Random(seed)  # noqa: S311
    board = random_board(rng, rng.choice((4, 6)), more=rng.randrange(8))
    assert set(members(removable_places(board, VALUE))) == set(members(board.places[VALUE])) - in_templates(board)


def test_without_any_template_every_place_is_removable() -> None:
    """On a wrong board any technique may find anything, so nothing is kept from it."""
    board = board_of("xx.. .... xxxx xxxx")
    board.keep_candidates(4, 1 << 2)
    assert removable_places(board, VALUE) == board.places[VALUE] != 0
    assert values_to_search(board) == [VALUE]


def test_values_that_can_lose_nothing_are_not_searched() -> None:
    """A blank board has a template through every place: no technique of one value is tried."""
    assert values_to_search(board_of("xxxx xxxx xxxx xxxx")) == []


def test_a_spent_search_leaves_places_removable(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the search for templates is broken off, places of which nothing is known may still be eliminated."""
    monkeypatch.setattr("sudoku_cp.logic.removable_places._MOST_BRANCHES", 1)
    board = random_board(Random(99), 6, more=9)  # noqa: S311
    everywhere: CellSet = board.places[VALUE]
    assert removable_places(board, VALUE) == everywhere
