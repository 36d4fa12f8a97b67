"""What names of columns, fields and parameters of links mean, and which of several boards side by side is the puzzle.

Tables, matrices, JSON and links ask here, so that a name means the same in each of them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from sudoku_cp.formats.base import SolvingState
from sudoku_cp.symbols import BLANKS

if TYPE_CHECKING:
    from sudoku_cp.puzzle import Puzzle

_NAMES = {
    "puzzle": "puzzle puzzles quiz quizzes sudoku sudokus question",
    "solution": "solution solutions solved solvedboard answer answers output expected result full",
    "regions": "regions region boxes blocks areas zones jigsaw layout shapes",
    "title": "title name label",
    "id": "id number",
    "author": "author",
    "source": "source",
    "difficulty": "difficulty rating level",
    "signs": "signs",
    "rules": "rules rule variant variants constraint constraints",
    "type": "type types",
    "start": "start starting initial initialboard original unsolved problem givens given clues",
    "board": "board grid matrix data values value rows cells input",
}
_MEANING = {name: meaning for meaning, names in _NAMES.items() for name in names.split()}
_OF_PLAYERS = frozenset(("current", "user", "player", "progress", "my", "attempt", "working", "now", "entered"))
"""Words in the name of a board that somebody is filling, whatever else is in it."""
_WORD = re.compile(r"[A-Z]?[^\W\d_A-Z]+|[A-Z]+")
_ROLES = ("solution", "start", "puzzle", "state", "regions", "board")
"""Roles by a word of a longer name, in the order in which they are looked for: an initial state is a start."""

_UNNAMED, _STATE = 2, 3
_RANKS = {"puzzle": 0, "start": 0, "board": 1, "state": _STATE}
"""Boards of a lower rank come first; whether one of rank 0 is the puzzle, its name alone decides."""


def plain_name(name: str) -> str:
    """Return a name in lower case, without what it belongs to, hyphens and underscores."""
    return name.strip().strip('"').rpartition(".")[2].replace("_", "").replace("-", "").lower()


@lru_cache(maxsize=1024)
def meaning_of(name: str) -> str:
    """Return what a column or field of that name holds, an empty text for a name that says nothing."""
    return _MEANING.get(plain_name(name), "")


@lru_cache(maxsize=1024)
def board_role(name: str) -> str:
    """Return what a board of that name is, by the name or the words in it (``initial_state``, ``userGrid``, ``puzzle 2``)."""
    words = [word.lower() for word in _WORD.findall(name.rpartition(".")[2])]
    if not _OF_PLAYERS.isdisjoint(words):
        return "state"
    roles = {"state" if word == "state" else _MEANING.get(word, "") for word in (plain_name(name), *words)}
    return next((role for role in _ROLES if role in roles), "")


class BoardRoles(NamedTuple):
    """Which of several boards is the puzzle, which is a player's progress or the solution, and which agree with none."""

    puzzle: int
    progress: int | None
    solution: int | None
    unread: tuple[int, ...]


Extends: TypeAlias = "Callable[[int, int], bool]"
"""Returns whether the first of two boards has all givens of the second."""


def assign_roles(names: Sequence[str], extends: Extends, is_full: Callable[[int], bool]) -> BoardRoles | None:
    """Return the roles of boards of one size, by their names and by what they hold; None if two may be the puzzle.

    Names of puzzles and starts come before all others. Among equals it is the board that the others extend.
    """
    roles = [board_role(name) for name in names]
    rank = [_RANKS.get(role, _UNNAMED) for role in roles]
    boards = [index for index, role in enumerate(roles) if role != "solution"] or [*range(len(names))]
    best = min(rank[index] for index in boards)
    rivals = ([index for index in boards if rank[index] <= most] for most in ((best,) if not best else (_STATE, best)))
    puzzle = next((base for some in rivals if (base := _base(some, extends)) is not None), None)
    if puzzle is None:
        return None
    progress, solution, unread = None, next((index for index, role in enumerate(roles) if role == "solution"), None), []
    for index in (one for one in boards if one != puzzle):
        if not extends(index, puzzle):
            unread.append(index)
        elif is_full(index) and roles[index] != "state":
            solution = index if solution is None else solution
        elif roles[index] == "state" or not extends(puzzle, index):
            progress = index if progress is None or extends(index, progress) else progress
    return BoardRoles(puzzle, progress, None if solution == puzzle else solution, tuple(unread))


def _base(boards: Sequence[int], extends: Extends) -> int | None:
    """Return the first of the boards that all of them extend."""
    return next((index for index in boards if all(extends(other, index) for other in boards)), None)


def has_givens(board: Sequence[str], other: Sequence[str]) -> bool:
    """Return whether a board has a sign wherever another has, and the same one."""
    return len(board) == len(other) and all(sign in BLANKS or sign == mine for sign, mine in zip(other, board, strict=True))


def state_of_player(puzzle: Puzzle, values: Mapping[int, int], where: str) -> tuple[SolvingState | None, list[str]]:
    """Return the state with a player's values, None if these are just the givens, and the remarks for a reader of puzzles."""
    if not puzzle.givens.items() <= values.items():
        return None, [f"not read: {where}, which contradicts the puzzle"]
    placed = {cell: value for cell, value in values.items() if cell not in puzzle.givens}
    if not placed:
        return None, []
    remark = f"values that a player has filled in are not read: {len(placed)}, in {where}"
    return SolvingState(placed, {}, remarks=(remark,)), [remark]
