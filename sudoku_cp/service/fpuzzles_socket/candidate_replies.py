"""True candidates as the page colours them: for each candidate how many solutions have it, and what only logic still allows."""

from __future__ import annotations

import re
from collections import deque
from typing import TYPE_CHECKING, Any, NamedTuple

from sudoku_cp.logic import make_board
from sudoku_cp.logic.ladder import apply_steps
from sudoku_cp.logic.rungs import RUNGS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sudoku_cp.backends import Limits
    from sudoku_cp.queries import TrueCandidates

COLOURED_CAP = 8
"""What the older option "colored" counts up to."""
MOST_CAP = 1000
"""Solutions are counted no further than this for one candidate."""
ONLY_LOGIC = -1
"""Instead of a count: no solution has the candidate, and yet no technique eliminates it."""
_NUMBER = re.compile(r"truecandidatesnumsolutions=(\d{1,9})", re.IGNORECASE)


class CandidateOptions(NamedTuple):
    """How many solutions of each candidate are counted, and whether candidates that only logic allows are marked."""

    cap: int
    logical: bool


def parse_candidate_options(document: Mapping[str, Any]) -> CandidateOptions:
    """Return the options in a document's ``truecandidatesoptions``; what is unknown is passed over."""
    raw = document.get("truecandidatesoptions")
    named = [one.strip() for one in raw if isinstance(one, str)] if isinstance(raw, list) else []
    numbers = [int(found[1]) for one in named if (found := _NUMBER.fullmatch(one))]
    cap = numbers[-1] if numbers else COLOURED_CAP if "colored" in named else 1
    return CandidateOptions(min(max(cap, 1), MOST_CAP), "logical" in named)


def candidate_counts(found: TrueCandidates) -> list[int]:
    """Return the count of each value (in order) of each cell (row by row)."""
    return [found.count(cell, value) for cell in found.puzzle.grid.cells for value in found.puzzle.grid.values]


def mark_what_logic_allows(counts: list[int], found: TrueCandidates, limits: Limits) -> list[int]:
    """Return the counts with `ONLY_LOGIC` for candidates that are in no solution and that no technique eliminates.

    Raises `LimitReached`.
    """
    values = found.puzzle.grid.values
    allowed = [domain >> value & 1 for domain in _left_by_logic(found, limits) for value in values]
    return [count or ONLY_LOGIC * left for count, left in zip(counts, allowed, strict=True)]


def _left_by_logic(found: TrueCandidates, limits: Limits) -> list[int]:
    """Return the values (bits) of each cell that remain when no technique leads further."""
    board = make_board(found.puzzle)
    board.clock = limits.started()
    rungs = tuple(rung for rung in RUNGS if found.status == "unique" or not rung.technique.needs_uniqueness)
    deque(apply_steps(board, rungs), maxlen=0)
    return [domain if value is None else 1 << value for value, domain in zip(board.values, board.candidates, strict=True)]
