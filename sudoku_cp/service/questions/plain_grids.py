"""Many plain 9x9 grids, solved at once in a worker: what `batching` sends there."""

from __future__ import annotations

from time import perf_counter
from typing import TYPE_CHECKING

from sudoku_cp import queries
from sudoku_cp.backends import Limits
from sudoku_cp.queries.solution_search import ENGINE, with_node_budget
from sudoku_cp.service.questions.declared_run import EncodedAnswer, encode_answer

if TYPE_CHECKING:
    from sudoku_cp.service.pool.tasks import Control

CELLS, BOXES = 81, (3, 3)
_BLANKS = str.maketrans("0", ".")
_VALUES = bytes.maketrans(b".0123456789", bytes([0, 0, *range(1, 10)]))


def solve_plain_grids(grids: bytes, control: Control) -> list[EncodedAnswer | None]:
    """Return for each grid the object that ``solve`` answers, encoded, for the 81 characters each of them has.

    It is None for a grid that asks for more than one solution or that is too hard for the array engine: it has to be asked alone.
    """
    import numpy as np  # noqa: PLC0415  # the service's own process needs none

    start = perf_counter()
    values = np.frombuffer(grids.translate(_VALUES), np.uint8).reshape(-1, CELLS)
    found = queries.solve_many(values, 2, boxes=BOXES, limits=with_node_budget(control.limits(), 2))
    seconds = round(perf_counter() - start, 6)
    digits = (found.solutions + ord("0")).tobytes().decode()
    texts = grids.decode().translate(_BLANKS)
    answers: list[EncodedAnswer | None] = []
    for index, (count, exact) in enumerate(zip(found.counts.tolist(), found.exact.tolist(), strict=True)):
        part = slice(CELLS * index, CELLS * (index + 1))
        answers.append(_answer(texts[part], digits[part], count, seconds) if exact and count < 2 else None)  # noqa: PLR2004
    return answers


def _answer(grid: str, solution: str, count: int, seconds: float) -> EncodedAnswer:
    """Return the object of a grid with one solution or none, with the fields that every answer to ``solve`` has."""
    answer = {
        "puzzle": grid,
        "status": "unique" if count else "none",
        "solutions": [solution] * count,
        "count": count,
        "exact": True,
        "backend": ENGINE,
        "seconds": seconds,
        "counters": {"nodes": 1},
    }
    return encode_answer(answer)


def warm_up() -> None:
    """Load the array engine's code, so that no request waits for it."""
    import numpy as np  # noqa: PLC0415

    queries.solve_many(np.zeros((1, CELLS), np.uint8), 1, boxes=BOXES, limits=Limits(nodes=1000))


def has_plain_grid_code(control: Control) -> bool:
    """Return whether the array engine's code for plain grids is compiled on this machine; for a worker, as it loads much."""
    del control
    return _is_compiled()


def load_if_compiled() -> None:
    """Load that code if it has been compiled."""
    if _is_compiled():
        warm_up()


def _is_compiled() -> bool:
    from sudoku_cp.backends.fast.lane_kernel import is_cached  # noqa: PLC0415  # NumPy, as above

    return is_cached(BOXES)
