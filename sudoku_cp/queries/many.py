"""Arrays of plain puzzles, solved at once and checked."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sudoku_cp.arguments import checked
from sudoku_cp.backends import Limits
from sudoku_cp.backends.base import Many
from sudoku_cp.backends.fast import many
from sudoku_cp.backends.fast.shape import SHAPES, side_of
from sudoku_cp.errors import InvalidInput, WrongAnswer
from sudoku_cp.grid import default_boxes

PATIENCE = Limits(nodes=1_000_000)
"""What a puzzle may take where nobody says more: a minute at most, most of the hardest known take a hundred nodes."""


@checked
def solve_many(
    puzzles: NDArray[Any] | Sequence[Any],
    limit: int | None = 2,
    *,
    boxes: tuple[int, int] | None = None,
    candidates: bool = False,
    limits: Limits = PATIENCE,
    threads: int = 1,
) -> Many:
    """Count the solutions of every plain puzzle of an array up to ``limit`` (None: all) and keep the first, checked.

    ``puzzles`` (N, cells) holds values, 0 in blank cells; with ``candidates`` it holds the set of the values that each cell may
    take, value v in bit v. ``boxes`` is (height, width), by default as square as they can be. Returns ``solutions`` (N, cells)
    uint8, 0 where there is none, and ``counts`` (N,); a negative count says that a limit came first (a time limit is for
    all puzzles, a node limit for each) and that ``~count`` solutions had been found. The interpreter's lock is free meanwhile.
    Raises `InvalidInput` for arrays that hold no such puzzles.
    """
    array = _array_of(puzzles)
    shape = boxes or _boxes_of(array)
    if shape not in SHAPES:
        known = ", ".join(f"{height}x{width}" for height, width in SHAPES)
        raise InvalidInput(f"expected boxes (height, width) of {known}, got {shape!r}")
    found = many.solve_many(array, limit, boxes=shape, candidates=candidates, limits=limits, threads=threads)
    right = many.right(array, found, boxes=shape, candidates=candidates, threads=threads)
    if not right.all():
        index = int(np.flatnonzero(~right)[0])
        given, got = (values[index].tolist() for values in (array, found.solutions))
        raise WrongAnswer(f"expected a solution of puzzle {index}, {given}, got {got}")
    return found


def _array_of(puzzles: NDArray[Any] | Sequence[Any]) -> NDArray[Any]:
    try:
        return np.asarray(puzzles)
    except ValueError as error:  # rows of different lengths
        raise InvalidInput(f"solve_many, puzzles: expected an array of shape (N, cells), got {puzzles!r:.80}") from error


def _boxes_of(puzzles: NDArray[Any]) -> tuple[int, int]:
    sides = {side_of(shape) for shape in SHAPES}
    side = round(puzzles.shape[1] ** 0.5) if puzzles.ndim == 2 else 0  # noqa: PLR2004
    if side not in sides or side**2 != puzzles.shape[1]:
        cells = ", ".join(str(side**2) for side in sorted(sides))
        raise InvalidInput(f"expected an array of shape (N, cells) with {cells} cells, got {puzzles.shape}")
    boxes = default_boxes(side)
    assert boxes  # noqa: S101  # no side of a known shape is a prime
    return boxes
