"""Which of the searches for fish is used: all find the same."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from sudoku_cp.compile_cache import can_compile
from sudoku_cp.logic.techniques import fish_search
from sudoku_cp.logic.techniques.fish_space import FishKind, Form
from sudoku_cp.logic.techniques.plain_fish import find_plain_fish, has_plain_lines

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from sudoku_cp.logic.techniques.fish_space import Fish, FishQuery, FishSpace

_MODULE = "sudoku_cp.logic.techniques.compiled_fish"
MOST_HOUSES = 64
"""Sets of houses are words in compiled code."""
SMALL = 3
"""The size of basic fish that Python finds, on a board, in a tenth of the time in which code is loaded."""


def find_fish(space: FishSpace, query: FishQuery, tick: Callable[[], object]) -> Iterator[Fish]:
    """Yield fish as `fish_search.find_fish` does."""
    if query.kind is FishKind.BASIC and query.forms is Form.PLAIN and has_plain_lines(space):
        return find_plain_fish(space, query.size)
    if len(space.houses) <= MOST_HOUSES and can_compile() and _is_worthwhile(query):
        from sudoku_cp.logic.techniques.compiled_fish import find_compiled  # noqa: PLC0415  # imports Numba: half a second

        return find_compiled(space, query, tick)
    return fish_search.find_fish(space, query, tick)


def _is_worthwhile(query: FishQuery) -> bool:
    """Return whether a search is worth loading code for; once that is done, all use it."""
    return _MODULE in sys.modules or query.kind > FishKind.BASIC or query.size > SMALL
