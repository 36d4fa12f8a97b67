"""Probes: many small questions about plain grids, which generators ask and the lane kernel answers.

An answer depends only on its own probe, not on the others, their number, the threads or the processor. So the kernel uses the
same rules everywhere, and no lane takes work from another unless that changes no answer.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from sudoku_cp.backends.base import UNLIMITED
from sudoku_cp.backends.fast.kernel_threads import run_watched, split_range
from sudoku_cp.backends.fast.lane_kernel import lane_kernel
from sudoku_cp.errors import InvalidInput

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from sudoku_cp.backends.base import Limits
    from sudoku_cp.backends.fast.box_shapes import Boxes

EXCEPT = 128
"""Added to a value, means any other value."""
CHEAP = 8
"""First guesses of a probe that go to the first cell with two candidates: most probes need no more."""
MOST = 1 << 62
"""Stands for no limit."""


class Probed(NamedTuple):
    """The answers to probes.

    ``found`` (N,) is how many solutions were found, at most as many as were wanted; complemented (``~found``) where a limit
    came first. ``solutions`` (N, cells) is the last solution wanted, 0 in every cell if there are fewer. ``nodes`` (N,) is the
    number of guesses.
    """

    found: NDArray[np.int64]
    solutions: NDArray[np.uint8]
    nodes: NDArray[np.int64]


class Prober:
    """Answers probes of one kind in the calling thread, until ``halt[0]`` is set.

    Raises `BackendMissing` where Numba cannot compile.
    """

    def __init__(
        self,
        boxes: Boxes,
        *,
        most_nodes: int = MOST,
        cheap: int = CHEAP,
        ordered: bool = False,
        steals: bool = False,
        halt: NDArray[np.uint8] | None = None,
    ) -> None:
        """Choose the kind, by the options of `probe`; setting ``halt[0]`` stops all probes.

        With ``steals`` idle lanes take work from others, so that a hard probe does not delay the rest; which solution comes
        last, and what a node limit leaves, then depend on the other probes; the number of solutions does not.
        """
        self._kernel = lane_kernel(*boxes, probing=True)
        self.halt = np.zeros(1, np.uint8) if halt is None else halt
        self._kind = {
            "most_nodes": most_nodes,
            "cheap": cheap,
            "ordered": ordered,
            "steals": steals,
            "candidates": False,
            "limit": 0,
        }

    def ask(
        self,
        puzzles: NDArray[np.uint8],
        wanted: NDArray[np.int64],
        found: NDArray[np.int64],
        nodes: NDArray[np.int64],
        solutions: NDArray[np.uint8] | None = None,
    ) -> None:
        """Write the answers to probes into the arrays, as in `Probed`; rows of ``solutions`` without a solution are not changed.

        All arrays must be contiguous, ``puzzles`` and ``wanted`` as for `probe`; nothing is checked.
        """
        found[:] = nodes[:] = 0
        task: dict[str, Any] = {
            **self._kind,
            "puzzles": puzzles,
            "wanted": wanted,
            "counts": found,
            "nodes": nodes,
            "solutions": puzzles if solutions is None else solutions,
            "keeps": solutions is not None,
            "halt": self.halt,
            "number": len(puzzles),
            "taken": np.zeros(1, np.int64),
            "share": len(puzzles),
        }
        self._kernel.search(task)


def probe(
    puzzles: NDArray[np.uint8],
    wanted: NDArray[np.int64] | int,
    *,
    boxes: Boxes,
    most_nodes: int = MOST,
    cheap: int = CHEAP,
    ordered: bool = False,
    limits: Limits = UNLIMITED,
    threads: int = 1,
) -> Probed:
    """Look for ``wanted`` solutions, one number for all or (N,), of each of ``puzzles`` (N, cells); solutions are not checked.

    A cell is 0 if it is blank, a value, or `EXCEPT` plus a value, which means any other value. Each probe ends after
    ``most_nodes`` guesses; the first ``cheap`` of them go to the first cell with two candidates, or, with ``ordered``, all to
    the first open cell, so that solutions come in lexicographic order. Limits do not raise: see `Probed`.
    """
    clock = limits.started()
    array = _check_probes(puzzles, boxes)
    many = np.ascontiguousarray(np.broadcast_to(wanted, len(array)), np.int64)
    if many.size and many.min() < 1:
        raise InvalidInput(f"expected a number of solutions from 1, got {many.min()}")
    most = min(most_nodes, MOST if limits.nodes is None else limits.nodes)
    found = Probed(np.zeros(len(array), np.int64), np.zeros(array.shape, np.uint8), np.zeros(len(array), np.int64))
    prober = Prober(boxes, most_nodes=most, cheap=cheap, ordered=ordered)

    def ask(start: int, stop: int) -> None:
        part = slice(start, stop)
        prober.ask(array[part], many[part], found.found[part], found.nodes[part], found.solutions[part])

    run_watched([partial(ask, *share) for share in split_range(len(array), threads)], clock, prober.halt, threads)
    return found


def _check_probes(puzzles: NDArray[np.uint8], boxes: Boxes) -> NDArray[np.uint8]:
    """Return the array as the kernel reads it, or raise `InvalidInput`."""
    side = boxes[0] * boxes[1]
    given = np.asarray(puzzles)
    if given.dtype != np.uint8 or given.ndim != 2 or given.shape[1] != side**2:  # noqa: PLR2004
        raise InvalidInput(f"expected an array of bytes of shape (N, {side**2}), got {given.dtype} of {given.shape}")
    wrong = (given & (EXCEPT - 1) > side) | (given == EXCEPT)
    if wrong.any():
        row, cell = np.argwhere(wrong)[0].tolist()
        raise InvalidInput(f"expected values from 0 to {side}, or {EXCEPT} more; got {given[row, cell]} in cell {cell} of {row}")
    return np.ascontiguousarray(given)
