"""Arrays of puzzles and enumerations, solved by the scalar kernel: the second engine for plain boards."""

from __future__ import annotations

from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any

import numpy as np

from sudoku_cp.backends.base import UNLIMITED, ArrayAnswer, Assumed, Clock, Limits, Solution
from sudoku_cp.backends.fast import Boxes, house_cells, scalar_kernel, side_of
from sudoku_cp.backends.fast.puzzle_arrays import MOST, check_array, check_count, grid_from_assumptions, run_watched, split_range
from sudoku_cp.backends.fast.scalar_kernel import EXHAUSTED, FOUND, NODES, SLICE, STATES, BoardTables, SearchArrays
from sudoku_cp.compile_cache import CachedModule

if TYPE_CHECKING:
    from collections.abc import Iterator, MutableMapping, Sequence

    from numpy.typing import NDArray

    from sudoku_cp.grid import Cell

COUNTERS = {"nodes": scalar_kernel.NODES, "guesses": scalar_kernel.GUESSES, "backtracks": scalar_kernel.BACKTRACKS}
"""The counters of a search, and where its state has them."""

_kernel = CachedModule.of_functions(
    "scalar",
    (scalar_kernel,),
    ("begin_search", "continue_search", "solve_array"),
    "the scalar kernel",
    inline=True,
    lean=True,
)


def solve_many(
    puzzles: NDArray[Any],
    solution_limit: int | None = 2,
    *,
    boxes: Boxes,
    candidates: bool = False,
    limits: Limits = UNLIMITED,
    threads: int = 1,
) -> ArrayAnswer:
    """Count the solutions of each puzzle and keep the first, as `SupportsArrays.solve_many` says; unchecked.

    Raises `InvalidInput` for an array that does not hold puzzles with such boxes, with everything that is wrong with it.
    """
    clock = limits.started()
    array = check_array(puzzles, boxes, candidates=candidates)
    most = check_count("a limit", MOST if solution_limit is None else solution_limit)
    threads = check_count("a number of threads", threads)
    budget = MOST if limits.nodes is None else check_count("a limit of nodes", limits.nodes, least=0)
    domains = array if candidates else _domains_of(array, side_of(boxes))
    return _search_array(_board_tables(boxes), domains, most, budget, clock, threads)[0]


def count_nodes(tables: BoardTables, domains: NDArray[np.uint32], most: int, clock: Clock) -> NDArray[np.int64]:
    """Return how many nodes show whether each grid (N, cells) has no, one or several solutions; at most ``most``.

    Its domains are sets (bits) of the values from 1 to the number of cells of a house. Raises `LimitReached`.
    """
    _, nodes = _search_array(tables, domains, 2, most, clock)
    clock.check()
    return nodes


def _search_array(
    tables: BoardTables, domains: NDArray[np.uint32], limit: int, most_nodes: int, clock: Clock, threads: int = 1
) -> tuple[ArrayAnswer, NDArray[np.int64]]:
    """Search each grid (N, cells) for so many solutions, until a limit is reached; return what is found, and the nodes."""
    number = len(domains)
    found = ArrayAnswer(np.zeros(domains.shape, np.uint8), np.zeros(number, np.int64), np.zeros(number, np.bool_))
    nodes, halt = np.zeros(number, np.int64), np.zeros(1, np.uint8)

    def search(start: int, stop: int) -> None:
        parts = [array[start:stop] for array in (domains, *found, nodes)]
        _kernel.call("solve_array", tables, _new_search(domains.shape[1]), *parts, limit, most_nodes, halt)

    run_watched([partial(search, *share) for share in split_range(number, threads)], clock, halt, threads)
    return found, nodes


def iter_solutions(boxes: Boxes, assume: Assumed, clock: Clock, counters: MutableMapping[str, int]) -> Iterator[Solution]:
    """Yield every solution that agrees with ``assume``, and keep ``counters`` up to date. Raises `LimitReached`."""
    tables, search = _board_tables(boxes), _new_search(side_of(boxes) ** 2)
    clock.check()
    _kernel.call("begin_search", search, grid_from_assumptions(side_of(boxes), assume))
    while True:
        left = clock.nodes_left()
        outcome = _kernel.call("continue_search", tables, search, SLICE if left is None else min(SLICE, left))
        counters.update({name: int(search.state[index]) for name, index in COUNTERS.items()})
        clock.nodes = int(search.state[NODES]) + (left == 0)
        if outcome == EXHAUSTED:
            return
        if outcome == FOUND:
            yield tuple(domain.bit_length() - 1 for domain in search.grid.tolist())
        clock.check()


def _domains_of(values: NDArray[np.uint8], side: int) -> NDArray[np.uint32]:
    """Return the set (bits) of the values that each cell may take, given values, 0 in blank cells."""
    sets = np.left_shift(np.uint32(1), np.arange(side + 1, dtype=np.uint32))
    sets[0] = (2 << side) - 2
    domains: NDArray[np.uint32] = sets[values]
    return domains


@lru_cache(maxsize=16)
def _board_tables(boxes: Boxes) -> BoardTables:
    houses = house_cells(boxes)
    return make_tables(houses, houses, side_of(boxes) ** 2)


def make_tables(houses: Sequence[Sequence[Cell]], groups: Sequence[Sequence[Cell]], cells: int) -> BoardTables:
    """Return the tables of so many cells, each in one of the ``groups`` at least, that must differ; some are the ``houses``."""
    peers = [sorted({peer for group in groups if cell in group for peer in group if peer != cell}) for cell in range(cells)]
    widest = max(map(len, peers))
    return BoardTables(
        np.array(houses, np.uint16), np.array([[*own, *own[:1] * (widest - len(own))] for own in peers], np.uint16)
    )


def _new_search(cells: int) -> SearchArrays:
    """Return the arrays of a search, with a guess for every cell at most."""
    return SearchArrays(
        grid=np.zeros(cells, np.uint32),
        trail=np.zeros(cells, np.uint16),
        saved=np.zeros((cells, cells), np.uint32),
        chosen=np.zeros(cells, np.uint16),
        untried=np.zeros(cells, np.uint32),
        marks=np.zeros(cells, np.uint16),
        state=np.zeros(STATES, np.int64),
    )
