"""Games that people play: what a page saves of them, read, checked and replayed.

The rules of play themselves, what an entry does and what undo takes back, are the page's (`service/static/game.js`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sudoku_cp.lazy_exports import lazy_exports

if TYPE_CHECKING:
    from sudoku_cp.play.game_statistics import GameStatistics, game_statistics
    from sudoku_cp.play.replay import position_of, replay
    from sudoku_cp.play.saved_game import CellState, HistoryEntry, SavedGame, parse_saved_game, saved_game_to_json

__all__ = [
    "CellState",
    "GameStatistics",
    "HistoryEntry",
    "SavedGame",
    "game_statistics",
    "parse_saved_game",
    "position_of",
    "replay",
    "saved_game_to_json",
]

EXPORTS = {
    "saved_game": "CellState HistoryEntry SavedGame parse_saved_game saved_game_to_json",
    "replay": "position_of replay",
    "game_statistics": "GameStatistics game_statistics",
}

if not TYPE_CHECKING:  # type checkers report a name that is not there
    __getattr__ = lazy_exports(__name__, EXPORTS)
