"""Trimming: a refutation without the lemmas that it does not need, which are often most of what a solver has learned."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

import numpy as np

from sudoku_cp.compile_cache import CachedModule
from sudoku_cp.proof import trim_kernel
from sudoku_cp.proof.trim_kernel import NONE, TrimArrays

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

KERNEL = CachedModule.of_functions(
    "trimming", (trim_kernel,), ("add_clauses", "check_lemmas", "explain"), "the kernel of proof trimming", lean=True
)
"""The compiled checks."""
SLICE = 5_000_000
"""Clauses looked at between two looks at the clock: some hundredths of a second."""
WRONG = -2
"""What the kernel returns of a lemma that does not follow."""


def needed_lemmas(
    formula: Iterable[Sequence[int]], lemmas: Sequence[Sequence[int]], tick: Callable[[], object]
) -> list[int] | None:
    """Return the indices of the lemmas that are enough to refute the formula by unit propagation, in order.

    None if the lemmas do not refute it, or one of those does not follow. ``tick`` is called now and then.
    """
    own = [tuple(dict.fromkeys(clause)) for clause in formula]
    clauses = [*own, *(tuple(dict.fromkeys(lemma)) for lemma in lemmas if lemma)]
    arrays = _make_arrays(clauses)
    clause, clash = 0, NONE
    while clash == NONE and clause < len(clauses):
        tick()
        clause, clash = KERNEL.call("add_clauses", arrays, clause, len(clauses), SLICE)
    if clash == NONE:
        return None
    KERNEL.call("explain", arrays, clash)
    last = clause - 1
    while last >= len(own):
        tick()
        last = KERNEL.call("check_lemmas", arrays, last, len(own), SLICE)
        if last == WRONG:
            return None
    return np.flatnonzero(arrays.needed[len(own) :]).tolist()


def _make_arrays(clauses: Sequence[Sequence[int]]) -> TrimArrays:
    """Return the arrays of clauses of which none has been added."""
    starts = np.zeros(len(clauses) + 1, np.int64)
    np.cumsum(np.fromiter(map(len, clauses), np.int64, len(clauses)), out=starts[1:])
    signed = np.fromiter(chain.from_iterable(clauses), np.int64, int(starts[-1]))
    literals = 2 * np.abs(signed) + (signed < 0)
    size = int(literals.max(initial=0)) // 2 + 1
    return TrimArrays(
        literals=literals,
        starts=starts,
        heads=np.full(2 * size, NONE, np.int64),
        nexts=np.full(2 * len(clauses), NONE, np.int64),
        value=np.zeros(2 * size, np.uint8),
        trail=np.zeros(size, np.int64),
        reasons=np.full(size, NONE, np.int64),
        before=np.zeros(len(clauses), np.int64),
        needed=np.zeros(len(clauses), np.uint8),
        gone=np.zeros(len(clauses), np.uint8),
        seen=np.zeros(size, np.uint8),
        state=np.zeros(4, np.int64),
    )
