"""Replay of saved games: the state of every cell after any entry of a history, and the position that it is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sudoku_cp.errors import InvalidInput
from sudoku_cp.model import to_mask
from sudoku_cp.play.saved_game import EMPTY
from sudoku_cp.puzzle import Position

if TYPE_CHECKING:
    from sudoku_cp.play.saved_game import CellState, SavedGame


def replay(game: SavedGame, entry: int | None = None) -> tuple[CellState, ...]:
    """Return what a player has in each cell after an entry, or after the present one.

    Raises `InvalidInput` if an entry on the way changes a cell from a state that it is not in.
    """
    puzzle = game.puzzle
    states = [EMPTY] * len(puzzle.grid.cells)
    problems = []
    for number in game.way(entry):
        for cell, (before, after) in game.entries[number].changes.items():
            if states[cell] != before:
                name = puzzle.grid.cell_name(cell)
                problems.append(f"history/entries/{number}: expected {name} to be as the entry before it left it, got {before}")
            states[cell] = after
    if problems:
        raise InvalidInput(problems)
    return tuple(states)


def position_of(game: SavedGame, entry: int | None = None) -> Position:
    """Return the position after an entry, or after the present one: givens, values entered, and centre marks of open cells."""
    puzzle, states = game.puzzle, replay(game, entry)
    values = [puzzle.givens.get(cell, state.value) for cell, state in enumerate(states)]
    position = Position.of(puzzle, values)
    marks = tuple(0 if value is not None else to_mask(state.centre) for value, state in zip(values, states, strict=True))
    return Position(puzzle, position.values, position.origins, marks)
