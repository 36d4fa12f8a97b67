"""What a saved game shows of the way it was played."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sudoku_cp.play.replay import replay

if TYPE_CHECKING:
    from sudoku_cp.play.saved_game import SavedGame


@dataclass(frozen=True)
class GameStatistics:
    """Numbers about a game.

    ``moves`` are the gestures on the way to the present entry, ``undone`` those that are not on it; ``values`` and ``marks`` how
    many were entered on the way; ``wrong`` how many of the values entered on the way differ from the solution, None if that is
    unknown; ``seconds`` is what the clock showed, None if the page did not write it.
    """

    moves: int
    undone: int
    values: int
    marks: int
    filled: int
    cells: int
    wrong: int | None
    seconds: float | None


def game_statistics(game: SavedGame) -> GameStatistics:
    """Return the numbers about a game at its present entry."""
    puzzle, way = game.puzzle, game.way()
    changes = [change for number in way for change in game.entries[number].changes.items()]
    entered = [(cell, after.value) for cell, (before, after) in changes if after.value not in {None, before.value}]
    marks = sum(len({*after.corner, *after.centre} - {*before.corner, *before.centre}) for _, (before, after) in changes)
    solution = puzzle.solution
    states = replay(game)
    times = [seconds for number in way if (seconds := game.entries[number].seconds) is not None]
    return GameStatistics(
        moves=len(way) - 1,
        undone=len(game.entries) - len(way),
        values=len(entered),
        marks=marks,
        filled=len(puzzle.givens) + sum(state.value is not None for state in states),
        cells=len(puzzle.grid.cells),
        wrong=None if solution is None else sum(solution[cell] != value for cell, value in entered),
        seconds=max(times, default=None),
    )
