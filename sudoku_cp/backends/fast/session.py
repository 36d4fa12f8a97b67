"""The engine ``fast``: plain grids only, recognised by their houses."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sudoku_cp.backends.base import NOTHING, UNLIMITED, ArrayAnswer, Assumed, Limits, Solution
from sudoku_cp.backends.fast import bigint
from sudoku_cp.backends.fast.bitplanes import bitplane_board
from sudoku_cp.backends.fast.box_shapes import SHAPES, Boxes, shape_of, side_of
from sudoku_cp.errors import LimitReached, UnknownName, Unsupported
from sudoku_cp.load_time import loading
from sudoku_cp.model import AllDifferent, Constraint
from sudoku_cp.ticks import ticked

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    import numpy as np
    from numpy.typing import NDArray

    from sudoku_cp.backends.base import Session
    from sudoku_cp.model import Model


class Fast:
    """Solves one puzzle by big integers, arrays by vector lanes; ``fast:bigint`` and ``fast:lanes`` use only one of them.

    ``fast:scalar`` has a search of its own, and can prove what the lanes find.
    """

    name = "fast"
    takes: frozenset[type[Constraint]] = frozenset({AllDifferent})

    def __init__(self, kind: str = "") -> None:
        """Choose the kind, one of `KINDS`."""
        if kind not in KINDS:
            raise UnknownName("kind of the fast engine", kind, filter(None, KINDS))
        self.name = f"fast:{kind}" if kind else "fast"
        self._session = KINDS[kind]

    def open(self, model: Model) -> Session:
        """Return a session on ``model``; raise `Unsupported` unless it is the houses of a plain grid."""
        boxes = shape_of(model)
        if boxes is None:
            shapes = ", ".join(f"{height}x{width}" for height, width in SHAPES)
            raise Unsupported(f"{self.name}: expected a square with boxes of {shapes} and no other rules; got another model")
        return self._session(boxes)


class BigIntSession:
    """One shape of grid, solved one puzzle at a time by big integers."""

    def __init__(self, boxes: Boxes) -> None:
        """Keep the shape; the first question prepares what it needs, within its own limits."""
        self._boxes = boxes
        self._counts = dict.fromkeys(bigint.COUNTERS, 0)
        self._stack: bigint.Stack = []

    def counters(self) -> Mapping[str, int]:
        """Return nodes, guesses and backtracks of the last question."""
        return dict(self._counts)

    def solutions(self, assume: Assumed = NOTHING, *, limits: Limits = UNLIMITED) -> Iterator[Solution]:
        """Yield every solution that agrees with ``assume``; a node is a grid that propagation has narrowed."""
        clock = limits.started()
        self._counts = counts = dict.fromkeys(bigint.COUNTERS, 0)
        board = bitplane_board(*self._boxes)
        self._stack = stack = [(bigint.grid_from(board, assume), 0)]
        yield from bigint.search(board, stack, clock, counts)

    def unsearched(self) -> list[Assumed]:
        """Return grids, as candidates, that together have the solutions not yet found when a limit stopped the last question."""
        board = bitplane_board(*self._boxes)
        return [bigint.candidates(board, grid) for grid, _ in ticked(self._stack)]


class _SolvesArrays:
    """A session that answers arrays, by vector lanes where it names no other solver."""

    _boxes: Boxes

    def solve_many(
        self,
        puzzles: NDArray[Any],
        solution_limit: int | None = 2,
        *,
        candidates: bool = False,
        limits: Limits = UNLIMITED,
        threads: int = 1,
    ) -> ArrayAnswer:
        """Count the solutions of each of ``puzzles`` up to ``solution_limit`` and keep the first."""
        solve_many = self._load_solver()
        return solve_many(puzzles, solution_limit, boxes=self._boxes, candidates=candidates, limits=limits, threads=threads)

    def _load_solver(self) -> Callable[..., ArrayAnswer]:
        with loading():
            from sudoku_cp.backends.fast.lane_solver import solve_many  # noqa: PLC0415  # 0.3 s, with Numba

        return solve_many


class FastSession(_SolvesArrays, BigIntSession):
    """One shape of grid: one puzzle by big integers, arrays of them by vector lanes."""


class LaneSession(_SolvesArrays):
    """One shape of grid, everything by vector lanes."""

    def __init__(self, boxes: Boxes) -> None:
        """Keep the shape; the first question loads the kernel."""
        self._boxes = boxes
        self._counts = {"nodes": 0}

    def counters(self) -> Mapping[str, int]:
        """Return how many grids the kernel searched for the last question, as nodes."""
        return dict(self._counts)

    def solutions(self, assume: Assumed = NOTHING, *, limits: Limits = UNLIMITED) -> Iterator[Solution]:
        """Yield every solution that agrees with ``assume``; a node is a grid that the kernel searches."""
        clock = limits.started()
        self._counts = counts = {"nodes": 0}
        clock.check()
        with loading():
            from sudoku_cp.backends.fast.lane_solver import partition_around  # noqa: PLC0415  # 0.3 s, with Numba
            from sudoku_cp.backends.fast.puzzle_arrays import grid_from_assumptions  # noqa: PLC0415  # it needs NumPy

        batch = grid_from_assumptions(side_of(self._boxes), assume)[None]
        waiting: list[tuple[NDArray[np.uint32], NDArray[np.uint8]]] = []
        while batch.all():
            clock.nodes += len(batch)
            counts["nodes"] += len(batch)
            clock.check()
            found = self.solve_many(batch, candidates=True, limits=clock.left())
            for grid, solution, count in zip(batch, found.solutions, found.counts, strict=True):
                if count:
                    yield tuple(solution.tolist())
                if count > 1:
                    waiting.append((grid, solution))
            if found.stopped(2).any():
                clock.check()
                counts["nodes"] += (clock.nodes_left() or 0) + 1  # the kernel has spent all nodes it was allowed
                raise LimitReached("nodes", f"{clock.elapsed:.3g} s, {counts['nodes']} nodes")
            if not waiting:
                return
            batch = partition_around(*waiting.pop())


class ScalarSession(_SolvesArrays):
    """One shape of grid, one puzzle at a time in compiled code."""

    def __init__(self, boxes: Boxes) -> None:
        """Keep the shape; the first question loads the kernel."""
        self._boxes = boxes
        self._counts = {"nodes": 0}

    def counters(self) -> Mapping[str, int]:
        """Return nodes, guesses and backtracks of the last question."""
        return dict(self._counts)

    def solutions(self, assume: Assumed = NOTHING, *, limits: Limits = UNLIMITED) -> Iterator[Solution]:
        """Yield every solution that agrees with ``assume``; a node is a grid that propagation has narrowed."""
        clock = limits.started()
        self._counts = counts = {"nodes": 0}
        with loading():
            from sudoku_cp.backends.fast.scalar_solver import iter_solutions  # noqa: PLC0415  # 0.3 s, with Numba

        yield from iter_solutions(self._boxes, assume, clock, counts)

    def _load_solver(self) -> Callable[..., ArrayAnswer]:
        with loading():
            from sudoku_cp.backends.fast.scalar_solver import solve_many  # noqa: PLC0415  # 0.3 s, with Numba

        return solve_many


KINDS: Mapping[str, type[BigIntSession | LaneSession | ScalarSession]] = {
    "": FastSession,
    "bigint": BigIntSession,
    "lanes": LaneSession,
    "scalar": ScalarSession,
}
"""The session of each kind (what follows the colon)."""
