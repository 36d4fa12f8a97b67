"""Saved games: read, replayed to positions, written, counted; and what is wrong with them, all at once."""

from __future__ import annotations

import gzip
import json
from copy import deepcopy
from pathlib import Path

import pytest

from sudoku_cp import Grid, Puzzle
from sudoku_cp.errors import InvalidInput
from sudoku_cp.model import to_mask
from sudoku_cp.play import game_statistics, parse_saved_game, pen_marks, position_of, replay, saved_game_to_json

with gzip.open(Path(__file__).parent / "histories.jsonl.gz") as file:
    RECORDED = [*map(json.loads, file)]


def puzzle_of(recorded):
    """Return the puzzle that a game was recorded on."""
    grid = Grid.square(recorded["height"] * recorded["width"], boxes=(recorded["height"], recorded["width"]))
    return Puzzle(grid, givens={int(cell): value for cell, value in recorded["givens"].items()})


def as_json(states):
    """Return states as a page writes them."""
    return [{"value": one.value, "corner": [*one.corner], "centre": [*one.centre], "colours": [*one.colours]} for one in states]


@pytest.mark.parametrize("number", range(len(RECORDED)))
def test_recorded_games_lead_to_the_recorded_cells(number):
    """The replay of a history ends with what the page's own rules had in each cell."""
    recorded = RECORDED[number]
    game = parse_saved_game(recorded["saved"], puzzle_of(recorded))
    assert as_json(replay(game)) == recorded["states"]
    assert {str(mark): colour for mark, colour in pen_marks(game).items()} == dict(recorded["pen"])
    position = position_of(game)
    for cell, state in enumerate(recorded["states"]):
        value = game.puzzle.givens.get(cell, state["value"])
        assert position.values[cell] == value
        assert position.marks[cell] == (0 if value is not None else to_mask(state["centre"]))


def test_there_are_two_hundred():
    """The recording is whole, and has branches."""
    assert len(RECORDED) == 200
    games = [parse_saved_game(one["saved"], puzzle_of(one)) for one in RECORDED]
    assert sum(game_statistics(game).undone > 0 for game in games) > 100
    assert sum(bool(pen_marks(game)) for game in games) > 100


def test_a_game_is_written_as_it_was_read():
    """Reading and writing undo each other."""
    for recorded in RECORDED[::10]:
        game = parse_saved_game(recorded["saved"], puzzle_of(recorded))
        assert parse_saved_game(json.loads(json.dumps(saved_game_to_json(game))), game.puzzle) == game


STATE = {"value": None, "corner": [], "centre": [], "colours": []}


def saved(*entries, at=None):
    """Return a saved game of 4x4 with these entries after the start."""
    start = {"parent": None, "changes": [], "selected": [], "words": ""}
    history = {"entries": [start, *entries], "at": len(entries) if at is None else at}
    return {"version": 1, "settings": {}, "history": history}


def entry(parent, *changes, **more):
    """Return an entry; each change is a cell, what it had and what it gets."""
    return {"parent": parent, "changes": [[cell, STATE | before, STATE | after] for cell, before, after in changes], **more}


FOUR = Puzzle(Grid.square(4), givens={0: 1}, solution=(1, 2, 3, 4, 3, 4, 1, 2, 2, 1, 4, 3, 4, 3, 2, 1))


def test_statistics():
    """Moves on the way, those undone, values and marks entered, wrong values, and the clock."""
    game = parse_saved_game(
        saved(
            entry(0, (1, {}, {"value": 2}), seconds=3),
            entry(1, (2, {}, {"centre": [3, 4], "corner": [4]}), seconds=7.5),
            entry(2, (3, {}, {"value": 3})),
            entry(2, (3, {}, {"value": 4}), seconds=9),
            at=3,
        ),
        FOUR,
    )
    found = game_statistics(game)
    assert (found.moves, found.undone, found.values, found.marks) == (3, 1, 2, 2)
    assert (found.filled, found.cells, found.wrong, found.seconds) == (3, 16, 1, 7.5)


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (None, "a saved game: expected a JSON object"),
        ({}, "version: expected 1"),
        ({"version": 1}, "history: expected a JSON object"),
        ({"version": 1, "history": {"entries": []}}, "history/entries: expected an array"),
        (saved(entry(1, (1, {}, {"value": 2}))), "history/entries/1/parent: expected a number from 0 to 0"),
        (saved(entry(0, (99, {}, {"value": 2}))), "history/entries/1/changes/0/0: expected a number from 0 to 15"),
        (saved(entry(0, (1, {}, {"value": 5}))), "changes/0/2/value: expected a number from 1 to 4"),
        (saved(entry(0, (1, {}, {"corner": [True]}))), "corner: expected a number from 1 to 4"),
        (saved(entry(0, (1, {}, {"colours": [10]}))), "colours: expected a number from 1 to 9"),
        (saved(entry(0, (0, {}, {"value": 2}))), "expected only colours in r1c1, which is given"),
        (saved(entry(0, pen=[["cross 9,1", None, 3]])), "pen/0: expected a mark on a 4x4 grid, got 'cross 9,1'"),
        (saved(entry(0, pen=[["line 1,1 1,5", None, 3]])), "pen/0: expected a mark such as"),
        (saved(entry(0, pen=[["line 1,3 1,1", None, 3]])), "pen/0: expected a mark such as"),
        (saved(entry(0, pen=[["line 1,1 2,2", None, 3]])), "pen/0: expected a mark such as"),
        (saved(entry(0, pen=[["line 0,0 2,2", None, 3]])), "pen/0: expected a mark such as"),
        (saved(entry(0, pen=[["letter 1,1", None, 3]])), "pen/0: expected a mark such as"),
        (saved(entry(0, pen=[["letter A 1,2", None, 3]])), "pen/0: expected a mark such as"),
        (saved(entry(0, pen=[["cross A 1,1", None, 3]])), "pen/0: expected a mark such as"),
        (saved(entry(0, pen=[["cross 1,1 1,3", None, 3]])), "pen/0: expected a mark such as"),
        (saved(entry(0, pen=[["cross 1,1", None]])), "pen/0: expected a mark such as"),
        (saved(entry(0, pen=[7])), "pen/0: expected a mark such as"),
        (saved(entry(0, pen=[["circle 1,1", None, 10]])), "pen/0: expected a number from 1 to 9"),
        (saved(entry(0), at=7), "history/at: expected a number from 0 to 1"),
        (saved(entry(0, words=7)), "expected words"),
    ],
)
def test_what_is_wrong_is_told_with_its_place(data, words):
    """A damaged game is refused, by the place in the data."""
    with pytest.raises(InvalidInput, match=words):
        parse_saved_game(data, FOUR)


def test_a_mark_of_the_pen_changes_from_the_colour_that_it_has():
    """An entry that erases in a colour that is not there is refused."""
    game = parse_saved_game(saved(entry(0, pen=[["cross 1,1", None, 3]]), entry(1, pen=[["cross 1,1", 4, None]])), FOUR)
    assert {str(mark): colour for mark, colour in pen_marks(game, 1).items()} == {"cross 1,1": 3}
    with pytest.raises(InvalidInput, match=r"history/entries/2: expected the mark 'cross 1,1' in colour 3, got 4"):
        pen_marks(game)


def test_everything_wrong_is_told_at_once():
    """Three mistakes are three problems."""
    data = deepcopy(saved(entry(0, (1, {}, {"value": 5}), (99, {}, {"value": 2})), at=9))
    with pytest.raises(InvalidInput) as raised:
        parse_saved_game(data, FOUR)
    assert len(raised.value.problems) == 3


def test_a_history_that_does_not_fit_together_is_refused():
    """An entry that changes a cell from another state than the one it has is named."""
    game = parse_saved_game(saved(entry(0, (1, {}, {"value": 2})), entry(1, (1, {"value": 3}, {"value": 4}))), FOUR)
    with pytest.raises(InvalidInput, match="history/entries/2: expected r1c2"):
        replay(game)
